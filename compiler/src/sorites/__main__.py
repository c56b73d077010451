"""``python -m sorites``: the command ``sorites``."""

from sorites.cli.app import main

if __name__ == "__main__":
    main()
