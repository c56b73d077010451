"""``python -m sorites_eval``: the command ``sorites-eval``."""

from sorites_eval.cli import main

if __name__ == "__main__":
    main()
