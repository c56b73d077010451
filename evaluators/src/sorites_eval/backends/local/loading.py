"""Load a language model, make sure that it is one, and say exactly which one it was."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import torch
import transformers
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoModelForSeq2SeqLM,
    AutoTokenizer,
    PreTrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from sorites_eval.backends.local.adapters import Adapter, adapter_of, attach
from sorites_eval.backends.local.architectures import (
    check_complete,
    check_language_model,
    is_seq2seq,
)
from sorites_eval.backends.local.asking import canonical
from sorites_eval.backends.local.model_args import checked, quantization
from sorites_eval.backends.local.model_files import files_digest, refuse_pickles, source_of
from sorites_eval.contract.tasks import Scalar
from sorites_eval.errors import ModelError

__all__ = [
    "DTYPES",
    "Loaded",
    "device",
    "files_digest",
    "load",
    "precision",
    "quietly",
    "source_of",
]

DTYPES = ("auto", "float32", "bfloat16", "float16")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model ready to answer, from ``source``, with what identifies it.

    ``identity`` holds all that can change an answer: the hash of a folder's files, not where the
    folder lies, or the commit on the Hub. ``seq2seq``: it reads with an encoder and writes with a
    decoder.
    """

    source: str
    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    identity: Mapping[str, Scalar]
    seq2seq: bool = False


_Fetch = Callable[..., tuple[PreTrainedModel, Mapping[str, Iterable[object]]]]


def load(
    name: str,
    *,
    dtype: str = "auto",
    device_map: str | None = None,
    trust_remote_code: bool = False,
    model_args: Mapping[str, object] | None = None,
) -> Loaded:
    """Load from a folder, a GGUF file, or the Hub (``ORG/NAME`` or ``ORG/NAME@REVISION``).

    What is named may be a PEFT adapter; its base model is loaded under it. ``dtype`` "auto" is
    bfloat16 on an accelerator and float32 on a CPU. ``model_args`` are those of transformers'
    ``from_pretrained``. Raises ModelError, saying what to do, if it cannot be loaded, is no
    language model, or lacks weights.
    """
    source, revision, gguf = source_of(name)
    kind = precision(dtype)
    with quietly():
        adapter = adapter_of(source, revision)
        if not gguf:
            refuse_pickles(source)
        base, at = (adapter.base, adapter.base_revision) if adapter else (source, revision)
        where: dict[str, str] = {"gguf_file": gguf} if gguf else {}
        if at:
            where["revision"] = at
        try:
            config = AutoConfig.from_pretrained(base, trust_remote_code=trust_remote_code, **where)
            check_language_model(config, name, trusted=trust_remote_code)
            extra = checked(model_args or {}, config, trusted=trust_remote_code)
            if not gguf:
                refuse_pickles(base)
                extra["use_safetensors"] = True
            tokenizer = _tokenizer(source, base, where, trust_remote_code, adapter)
            seq2seq = is_seq2seq(config)
            fetch = cast(
                "_Fetch",
                (AutoModelForSeq2SeqLM if seq2seq else AutoModelForCausalLM).from_pretrained,
            )
            model, info = fetch(
                base,
                dtype=kind,
                device_map=device_map or device(),
                trust_remote_code=trust_remote_code,
                output_loading_info=True,
                **where,
                **extra,
            )
            check_complete(info, type(model).__name__, config, name)
            if adapter:
                attach(model, adapter)
        except (OSError, ValueError, ImportError, RuntimeError, KeyError, TypeError) as error:
            raise ModelError(_explain(name, error)) from error
    model.train(False)
    identity: dict[str, Scalar] = {
        "backend": "transformers",
        **_files(base, gguf, model.config),
        "dtype": str(model.dtype).removeprefix("torch."),
        "transformers": transformers.__version__,
        "torch": torch.__version__,
    }
    if adapter:
        identity |= adapter.identity(files_digest)
    if told := quantization(model.config):
        identity["quantization"] = told
    if model_args:
        identity["model_args"] = canonical(model_args)
    return Loaded(source, model, tokenizer, identity, seq2seq)


def _tokenizer(
    source: str,
    base: str,
    where: Mapping[str, str],
    trusted: bool,
    adapter: Adapter | None,
) -> PreTrainedTokenizerBase:
    """An adapter's own tokenizer if it brings one, else its base's."""
    if adapter and adapter.has_tokenizer:
        revision = {"revision": adapter.revision} if adapter.revision else {}
        return AutoTokenizer.from_pretrained(source, trust_remote_code=trusted, **revision)
    return AutoTokenizer.from_pretrained(base, trust_remote_code=trusted, **where)


def _files(base: str, gguf: str | None, config: PreTrainedConfig) -> dict[str, Scalar]:
    local = Path(base).is_dir()
    return {
        "model": gguf or (Path(base).name if local else base),
        "revision": str(getattr(config, "_commit_hash", None) or ""),
        "files_sha256": files_digest(Path(base), gguf) if local else "",
    }


@contextmanager
def quietly() -> Iterator[None]:
    """Without the library's own warnings and bars: what matters is said as an error."""
    before = transformers.logging.get_verbosity()
    transformers.logging.set_verbosity(logging.ERROR)
    transformers.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        transformers.logging.set_verbosity(before)


def device() -> str:
    """Where models go: this process's GPU if there are any, else what there is."""
    if torch.cuda.is_available():
        return f"cuda:{os.environ.get('LOCAL_RANK', '0')}"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def precision(dtype: str) -> torch.dtype:
    """The type of a name; ModelError for a name that is none of ``DTYPES``."""
    if dtype not in DTYPES:
        raise ModelError(f'unknown dtype "{dtype}": one of {", ".join(DTYPES)}.')
    if dtype == "auto":
        return torch.float32 if device() == "cpu" else torch.bfloat16
    return {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}[dtype]


def _explain(name: str, error: Exception) -> str:
    text = str(error).strip()
    if "trust_remote_code" in text:
        return (
            f"{name}: this model brings its own Python code, which is not run unless you say so. "
            "If you have read and trust it, add --trust-remote-code."
        )
    first = text.splitlines()[0] if text else type(error).__name__
    return f"{name}: could not be loaded as a language model: {first}"
