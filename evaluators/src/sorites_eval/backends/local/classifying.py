"""Load a model with a classification head, and make sure that the head is in its files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
import transformers
from transformers import (
    AutoConfig,
    AutoModelForSequenceClassification,
    AutoTokenizer,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from sorites_eval.backends.local.architectures import check_complete
from sorites_eval.backends.local.asking import canonical
from sorites_eval.backends.local.faults import first_line
from sorites_eval.backends.local.loading import device, precision, quietly
from sorites_eval.backends.local.model_args import checked, quantization
from sorites_eval.backends.local.model_files import files_digest, refuse_pickles, source_of
from sorites_eval.contract.tasks import Scalar
from sorites_eval.errors import ModelError

__all__ = ["Classified", "open_classifier"]


@dataclass(frozen=True, slots=True)
class Classified:
    """A model with a classification head, and what identifies it; ``labels`` in its order."""

    name: str
    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    labels: tuple[str, ...]
    identity: Mapping[str, Scalar]


def open_classifier(
    name: str,
    *,
    dtype: str = "auto",
    device_map: str | None = None,
    trust_remote_code: bool = False,
    model_args: Mapping[str, object] | None = None,
) -> Classified:
    """Load from a folder or the Hub. Raises ModelError for a model that lacks weights, its head
    among them, or that gives a number or several labels at once instead of one of several.
    """
    source, revision, gguf = source_of(name)
    if gguf:
        raise ModelError(f"{name}: GGUF files hold no classifiers.")
    at = {"revision": revision} if revision else {}
    refuse_pickles(source)
    with quietly():
        try:
            config = AutoConfig.from_pretrained(source, trust_remote_code=trust_remote_code, **at)
            extra = checked(model_args or {}, config, trusted=trust_remote_code)
            names = extra.pop("id2label", None)
            extra["use_safetensors"] = True
            tokenizer = AutoTokenizer.from_pretrained(
                source, trust_remote_code=trust_remote_code, **at
            )
            fetch: Callable[..., tuple[PreTrainedModel, Mapping[str, Iterable[object]]]] = (
                AutoModelForSequenceClassification.from_pretrained
            )
            model, info = fetch(
                source,
                dtype=precision(dtype),
                device_map=device_map or device(),
                trust_remote_code=trust_remote_code,
                output_loading_info=True,
                **at,
                **extra,
            )
        except (OSError, ValueError, ImportError, RuntimeError, KeyError, TypeError) as error:
            raise ModelError(
                f"{name}: cannot be opened as a classifier: {first_line(error)}"
            ) from error
    check_complete(info, type(model).__name__, config, name)
    if config.problem_type == "multi_label_classification" or config.num_labels < 2:
        what = "a single number" if config.num_labels < 2 else "any number of labels at once"
        raise ModelError(f"{name}: gives {what}, and a task asks for one of several labels.")
    if model.config.pad_token_id is None:
        model.config.pad_token_id = tokenizer.pad_token_id
    model.train(False)
    local = Path(source).is_dir()
    identity: dict[str, Scalar] = {
        "backend": "classifier",
        "model": Path(source).name if local else source,
        "revision": str(getattr(model.config, "_commit_hash", None) or ""),
        "files_sha256": files_digest(Path(source), None) if local else "",
        "dtype": str(model.dtype).removeprefix("torch."),
        "transformers": transformers.__version__,
        "torch": torch.__version__,
    }
    if told := quantization(model.config):
        identity["quantization"] = told
    if model_args:
        identity["model_args"] = canonical(model_args)
    return Classified(name, model, tokenizer, _labels(name, config.id2label, names), identity)


def _labels(name: str, own: Mapping[int, str], given: object) -> tuple[str, ...]:
    """The model's labels in its order: its own names, or those given for them."""
    if given is None:
        return tuple(str(own[number]) for number in sorted(own))
    if not isinstance(given, dict) or {str(key) for key in given} != {str(key) for key in own}:
        wanted = ", ".join(f'"{number}": "…"' for number in sorted(own))
        raise ModelError(f'{name}: --model-args: "id2label" must name each label: {{{wanted}}}.')
    return tuple(str(given[number if number in given else str(number)]) for number in sorted(own))
