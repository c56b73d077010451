"""Hand a task to another harness: ``export``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from sorites_eval.commands.arguments import LimitOption, ReleaseArgument, SeedOption, written
from sorites_eval.contract.release import open_release
from sorites_eval.errors import SoritesError
from sorites_eval.exports.inspect_ai import export_inspect
from sorites_eval.exports.lighteval import export_lighteval
from sorites_eval.exports.lm_eval import export_lm_eval
from sorites_eval.names import did_you_mean
from sorites_eval.running.run import plan

__all__ = ["export"]

EXPORTS = {
    "inspect": export_inspect,
    "lighteval": export_lighteval,
    "lm-eval": export_lm_eval,
}


def export(
    release: ReleaseArgument,
    to: Annotated[str, typer.Option(help="The harness: lm-eval, inspect or lighteval.")],
    task: Annotated[str, typer.Option(help="The task.")],
    setting: Annotated[str, typer.Option(help="The setting.")],
    out: Annotated[Path, typer.Option(help="Folder for the files of the harness.")],
    limit: LimitOption = None,
    seed: SeedOption = 0,
    chat: Annotated[
        bool, typer.Option("--chat", help="For models that are asked with their chat template.")
    ] = False,
) -> None:
    """Write a task for another harness, which then gets the same score as here."""
    if to not in EXPORTS:
        raise SoritesError(f'unknown harness "{to}". {did_you_mean(to, EXPORTS)}')
    opened = open_release(release)
    planned = plan(opened, opened.task(task), setting, limit=limit, seed=seed)
    exported = EXPORTS[to](planned, out, chat=chat)
    written(exported.folder)
    Console(soft_wrap=True).print(exported.command, highlight=False, markup=False)
