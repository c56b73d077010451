"""Whether a model's files hold a language model that writes, and all of its weights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from transformers import PreTrainedConfig
from transformers.models.auto import modeling_auto as auto
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_QUESTION_ANSWERING_MAPPING_NAMES as ANSWERING_NAMES,
)

from sorites_eval.errors import ModelError

__all__ = ["check_complete", "check_language_model", "is_seq2seq"]

_WRITING = frozenset(
    name
    for names in (
        auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
        auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
        auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES,
    )
    for name in names.values()
)
_CLASSIFYING = frozenset(auto.MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES.values())
_OTHERS: Mapping[str, Iterable[str]] = {
    "a classifier": _CLASSIFYING,
    "a model that fills in masked words": auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES.values(),
    "a model that labels words": auto.MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING_NAMES.values(),
    "a model that finds answers in a text": ANSWERING_NAMES.values(),
    "a model that chooses among texts": auto.MODEL_FOR_MULTIPLE_CHOICE_MAPPING_NAMES.values(),
    "a model of sentence order": auto.MODEL_FOR_NEXT_SENTENCE_PREDICTION_MAPPING_NAMES.values(),
}
_SHOWN = 3


def check_language_model(config: PreTrainedConfig, name: str, *, trusted: bool) -> None:
    """Raise ModelError for a model that was saved with another head than one that writes.

    Code that the model brings is not known here; whoever trusts it is believed.
    """
    for architecture in config.architectures or ():
        if architecture in _WRITING or (trusted and getattr(config, "auto_map", None)):
            return
        for what, names in _OTHERS.items():
            if architecture in names:
                advice = f" Use --model classifier:{name}." if architecture in _CLASSIFYING else ""
                raise ModelError(
                    f"{name}: its files hold {architecture}, {what}; it does not write text, so "
                    f"nothing can be scored.{advice}"
                )


def is_seq2seq(config: PreTrainedConfig) -> bool:
    """Whether a model reads with an encoder and writes with a decoder."""
    causal = auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES.values()
    named = config.architectures or ()
    return bool(config.is_encoder_decoder) and not any(name in causal for name in named)


def check_complete(
    info: Mapping[str, Iterable[object]], architecture: str, config: PreTrainedConfig, name: str
) -> None:
    """Raise ModelError if weights were not in the files, or not of the right shape.

    ``info`` is the library's report of what it loaded. Weights that it found nowhere it has drawn
    at random, so that every score would be, too.
    """
    saved = ", ".join(config.architectures or ()) or "no architecture"
    for kind, said in (("missing_keys", "lack"), ("mismatched_keys", "hold in another shape")):
        keys = sorted(str(k[0]) if isinstance(k, tuple) else str(k) for k in info.get(kind, ()))
        if keys:
            some = ", ".join(keys[:_SHOWN]) + (", …" if len(keys) > _SHOWN else "")
            raise ModelError(
                f"{name}: its files {said} {len(keys)} of the weights of {architecture} ({some}), "
                f"which would be random numbers. They were saved as {saved}: the wrong kind of "
                "model, or an incomplete download."
            )
    if errors := [str(error) for error in info.get("error_msgs", ())]:
        raise ModelError(f"{name}: its weights could not be read: {errors[0].splitlines()[0]}")
