"""The command ``sorites-eval``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import Annotated

import typer

from sorites_eval.commands.analyse import (
    analyse,
    compare,
    leaderboard,
    report,
    results,
    scores,
)
from sorites_eval.commands.export import export
from sorites_eval.commands.run import run, tasks
from sorites_eval.commands.train import bilinear, train
from sorites_eval.errors import SoritesError

__all__ = ["app", "interruptible", "main"]

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Evaluate models on a benchmark release.\n\n"
    "A release is a folder NAME/VERSION that [bold]sorites compile[/] wrote, or ORG/NAME@vVERSION "
    "on the Hugging Face Hub.",
    epilog="First see what a release asks: [bold]sorites-eval tasks RELEASE[/]. Then: "
    "[bold]sorites-eval run RELEASE --model random --out runs[/].",
)


def _show_version(asked: bool) -> None:
    if asked:
        from sorites_eval import __version__

        typer.echo(f"sorites-eval {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_show_version, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Options that come before a command."""


RELEASE = "releases/syllobio-nli/1.0.0"
_EXAMPLES: dict[Callable[..., None], str] = {
    tasks: f"sorites-eval tasks {RELEASE}",
    run: f"sorites-eval run {RELEASE} --model HuggingFaceTB/SmolLM2-135M-Instruct "
    "--task entailment --limit 200 --out runs",
    scores: "sorites-eval scores runs --where distractors=0 --by scheme,names",
    compare: "sorites-eval compare runs/model-a runs/model-b --out comparison",
    analyse: "sorites-eval analyse runs --out analyses",
    report: "sorites-eval report runs --out report",
    leaderboard: "sorites-eval leaderboard runs ORG/MODEL --out leaderboard.html",
    results: "sorites-eval results runs/my-model --dataset ORG/NAME "
    "--out .eval_results/syllogisms.yaml",
    export: f"sorites-eval export {RELEASE} --to lm-eval --task entailment --setting zero-shot "
    "--out lm-eval-tasks",
    train: "sorites-eval train releases/veridical-transitivity/1.0.0 --task naturalistic "
    "--model lstm --out trained",
    bilinear: "sorites-eval bilinear releases/gloss-relations/1.0.0 --task relation "
    "--embeddings intfloat/multilingual-e5-small --prefix 'query: ' --texts gloss_1 gloss_2 "
    "--members ili_1 ili_2 --out bilinear",
}


def interruptible(command: Callable[..., None]) -> Callable[..., None]:
    """The command, with Ctrl-C as a message and exit code 130, as shells expect."""

    @wraps(command)
    def wrapped(*arguments: object, **options: object) -> None:
        try:
            command(*arguments, **options)
        except KeyboardInterrupt:
            from rich.console import Console

            text = "Interrupted. The same command goes on from here."
            Console(stderr=True, soft_wrap=True).print(text)
            raise typer.Exit(130) from None

    return wrapped


for _command, _example in _EXAMPLES.items():
    app.command(epilog=f"Example: {_example}")(interruptible(_command))


def main() -> None:
    """Run the command line; an error is a message, not a traceback, and exit code 1."""
    try:
        app(prog_name="sorites-eval")
    except SoritesError as error:
        from rich.console import Console

        # A name may hold what would be an emoji.
        errors = Console(stderr=True, soft_wrap=True, emoji=False)
        errors.print("[bold red]error:[/] ", end="")
        errors.print(str(error), markup=False, highlight=False)
        sys.exit(1)


if __name__ == "__main__":
    main()
