"""How a model is asked beyond what a task says: arguments for its template and its writing."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from transformers import GenerationConfig, PreTrainedTokenizerBase

from sorites_eval.contract.tasks import Scalar
from sorites_eval.errors import ModelError
from sorites_eval.names import did_you_mean

__all__ = ["Asking", "canonical"]


@dataclass(frozen=True, slots=True)
class Asking:
    """``chat_template_args`` are variables of the chat template; ``generation_args`` fields of
    transformers' GenerationConfig, by which text is then written. With a ``temperature`` text is
    drawn, from ``seed``, and not the most probable one. Raises ModelError for an argument that
    there is not.
    """

    chat_template_args: Mapping[str, object] = field(default_factory=dict)
    generation_args: Mapping[str, object] = field(default_factory=dict)
    temperature: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        own = inspect.signature(PreTrainedTokenizerBase.apply_chat_template).parameters
        for key in self.chat_template_args:
            if key in own:
                raise ModelError(
                    f'--chat-template-args: "{key}" is not a variable of the template.'
                )
        every = GenerationConfig().to_dict()  # type: ignore[no-untyped-call]
        known = {name for name in every if not name.startswith("_")}
        for key in self.generation_args:
            if key in {"max_new_tokens", "max_length"}:
                raise ModelError(f'--generation-args: "{key}" is said with --max-tokens.')
            if key not in known:
                raise ModelError(
                    f'--generation-args: "{key}" is no field of transformers\' GenerationConfig. '
                    f"{did_you_mean(key, known)}"
                )
        if self.temperature is not None and self.generation_args:
            raise ModelError(
                "--temperature and --generation-args exclude each other: put the temperature and "
                '"do_sample": true into the latter.'
            )

    @property
    def draws(self) -> bool:
        """Whether text is drawn and not the most probable one."""
        return bool(self.temperature) or bool(self.generation_args.get("do_sample"))

    def identity(self, *, written: bool) -> Mapping[str, Scalar]:
        """What of this can change an answer, as canonical JSON; empty where nothing was said."""
        told: dict[str, Scalar] = {}
        if self.chat_template_args:
            told["chat_template_args"] = canonical(self.chat_template_args)
        if self.generation_args and written:
            told["generation_args"] = canonical(self.generation_args)
        if self.temperature and written:
            told["temperature"] = self.temperature
        if self.draws and written:
            told["seed"] = self.seed
        return told


def canonical(values: Mapping[str, object]) -> str:
    """JSON that is the same for equal values."""
    return json.dumps(values, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
