"""How a model is asked beyond what a task says: arguments for its template and its writing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from sorites_eval.contract.tasks import Scalar

__all__ = ["Asking"]


@dataclass(frozen=True, slots=True)
class Asking:
    """``chat_template_args`` are variables of the chat template; ``generation_args`` are those of
    transformers' ``generate``, by which text is then written. ``seed`` is for sampling.
    """

    chat_template_args: Mapping[str, object] = field(default_factory=dict)
    generation_args: Mapping[str, object] = field(default_factory=dict)
    seed: int = 0

    def identity(self, *, written: bool) -> Mapping[str, Scalar]:
        """What of this can change an answer, as canonical JSON; empty where nothing was said."""
        told: dict[str, Scalar] = {}
        if self.chat_template_args:
            told["chat_template_args"] = _canonical(self.chat_template_args)
        if self.generation_args and written:
            told["generation_args"] = _canonical(self.generation_args)
            told["seed"] = self.seed
        return told


def _canonical(values: Mapping[str, object]) -> str:
    return json.dumps(values, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
