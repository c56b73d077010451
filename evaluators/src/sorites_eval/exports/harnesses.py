"""The harnesses and trainers to which a task can be handed, by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from sorites_eval.errors import SoritesError
from sorites_eval.exports.inspect_ai import export_inspect
from sorites_eval.exports.lighteval import export_lighteval
from sorites_eval.exports.lm_eval import export_lm_eval
from sorites_eval.exports.trl import export_trl
from sorites_eval.exports.verifiers import export_verifiers
from sorites_eval.exports.written import Exported
from sorites_eval.names import did_you_mean
from sorites_eval.running.run import Plan

__all__ = ["EXPORTS", "Export", "find_export"]


class Export(Protocol):
    """Writes a task for a harness into a folder."""

    def __call__(self, plan: Plan, out: Path, *, chat: bool) -> Exported:
        """``chat``: for models that are asked with their chat template."""
        ...


EXPORTS: Mapping[str, Export] = {
    "inspect": export_inspect,
    "lighteval": export_lighteval,
    "lm-eval": export_lm_eval,
    "trl": export_trl,
    "verifiers": export_verifiers,
}


def find_export(harness: str) -> Export:
    """The export for a harness; SoritesError, with the nearest name, for an unknown one."""
    if harness not in EXPORTS:
        raise SoritesError(f'unknown harness "{harness}". {did_you_mean(harness, EXPORTS)}')
    return EXPORTS[harness]
