"""Hand a task to another harness or a trainer: ``export``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sorites_eval.commands.arguments import LimitOption, ReleaseArgument, SeedOption

__all__ = ["export"]


def export(
    release: ReleaseArgument,
    to: Annotated[
        str,
        typer.Option(
            help="The harness: lm-eval, inspect or lighteval; or, with our score as the reward, "
            "verifiers or trl."
        ),
    ],
    task: Annotated[str, typer.Option(help="The task.")],
    setting: Annotated[str, typer.Option(help="The setting.")],
    out: Annotated[Path, typer.Option(help="Folder for the files.")],
    limit: LimitOption = None,
    seed: SeedOption = 0,
    chat: Annotated[
        bool, typer.Option("--chat", help="For models that are asked with their chat template.")
    ] = False,
) -> None:
    """Write a task for another harness or a trainer, which then gets the same score as here."""
    from rich.console import Console

    from sorites_eval.commands.terminal import written
    from sorites_eval.contract.release import open_release
    from sorites_eval.evaluation import plans
    from sorites_eval.exports.harnesses import find_export

    write = find_export(to)
    (planned,) = plans(open_release(release), [task], [setting], limit=limit, seed=seed)
    exported = write(planned, out, chat=chat)
    written(exported.folder)
    Console(soft_wrap=True).print(exported.command, highlight=False, markup=False)
