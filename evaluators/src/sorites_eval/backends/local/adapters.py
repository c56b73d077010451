"""PEFT adapters: a few weights on top of a base model, which must be known as well."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from transformers import PreTrainedModel
from transformers.utils.peft_utils import find_adapter_config_file

from sorites_eval.contract.tasks import Scalar
from sorites_eval.errors import ModelError

__all__ = ["Adapter", "adapter_of", "attach"]

_CONFIG = "adapter_config.json"


@dataclass(frozen=True, slots=True)
class Adapter:
    """An adapter at ``source``, and the base model that its configuration names."""

    source: str
    revision: str | None
    base: str
    base_revision: str | None
    kind: str
    has_tokenizer: bool

    def identity(self, digest: Callable[[Path, str | None], str]) -> dict[str, Scalar]:
        """Which adapter it is: by the digest of its files, or its name and revision on the Hub."""
        local = Path(self.source).is_dir()
        return {
            "adapter": Path(self.source).name if local else self.source,
            "adapter_revision": self.revision or "",
            "adapter_sha256": digest(Path(self.source), None) if local else "",
            "adapter_type": self.kind,
        }


def adapter_of(source: str, revision: str | None) -> Adapter | None:
    """What a folder or a repository holds if it is an adapter; None for a whole model.

    Raises ModelError for an adapter that does not say what it is for.
    """
    folder = Path(source)
    if folder.is_dir():
        if not (folder / _CONFIG).is_file() or (folder / "config.json").is_file():
            return None
        path: str | None = str(folder / _CONFIG)
        has_tokenizer = (folder / "tokenizer_config.json").is_file()
    else:
        try:
            path = find_adapter_config_file(source, revision=revision)
        except OSError:
            # What cannot be reached is said when the model itself is asked for.
            path = None
        has_tokenizer = False
    if path is None:
        return None
    try:
        told = json.loads(Path(path).read_bytes())
        base = told["base_model_name_or_path"]
        kind = str(told.get("peft_type", ""))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{source}: {_CONFIG} is no configuration of an adapter.") from error
    if not isinstance(base, str) or not base:
        raise ModelError(
            f"{source}: {_CONFIG} names no base model: fill in base_model_name_or_path."
        )
    at = told.get("revision")
    return Adapter(source, revision, base, at if isinstance(at, str) else None, kind, has_tokenizer)


def attach(model: PreTrainedModel, adapter: Adapter) -> None:
    """Put an adapter's weights into its base model, whose class stays what it is.

    Raises ModelError if PEFT is not installed, if the adapter is one of prompts and not of
    weights, or if its weights are not those that the base model has a place for.
    """
    try:
        peft = importlib.import_module("peft")
    except ModuleNotFoundError as error:
        raise ModelError(
            f"{adapter.source}: is an adapter, for which PEFT is needed: pip install peft."
        ) from error
    revision = {"revision": adapter.revision} if adapter.revision else {}
    config = peft.PeftConfig.from_pretrained(adapter.source, **revision)
    if config.is_prompt_learning:
        raise ModelError(
            f"{adapter.source}: is an adapter of the kind {adapter.kind}, which puts learnt tokens "
            "before the prompt; only adapters in a model's weights, such as LORA, are run here."
        )
    config.inference_mode = True
    peft.inject_adapter_in_model(config, model)
    weights = peft.load_peft_weights(adapter.source, device="cpu", **revision)
    peft.set_peft_model_state_dict(model, weights)
    given = {key.removeprefix("base_model.model.") for key in weights}
    if wrong := sorted(given ^ set(peft.get_peft_model_state_dict(model))):
        raise ModelError(
            f"{adapter.source}: the adapter does not fit its base model {adapter.base}: "
            f"{', '.join(wrong[:3])}."
        )
