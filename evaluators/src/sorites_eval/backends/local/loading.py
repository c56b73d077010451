"""Load a causal language model and say exactly which one it was."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
import transformers
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from sorites_eval.contract.tasks import Scalar
from sorites_eval.errors import ModelError

__all__ = ["DTYPES", "Loaded", "files_digest", "load", "source_of"]

DTYPES = ("auto", "float32", "bfloat16", "float16")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model ready to answer, from ``source``, with what identifies it.

    ``identity`` holds all that can change an answer: the hash of a folder's files, not where the
    folder lies, or the commit on the Hub.
    """

    source: str
    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    identity: Mapping[str, Scalar]


def load(
    name: str,
    *,
    dtype: str = "auto",
    device_map: str | None = None,
    trust_remote_code: bool = False,
) -> Loaded:
    """Load from a folder, a GGUF file, or the Hub (``ORG/NAME`` or ``ORG/NAME@REVISION``).

    ``dtype`` "auto" is bfloat16 on an accelerator and float32 on a CPU. Raises ModelError,
    saying what to do, if it cannot be loaded.
    """
    source, revision, gguf = source_of(name)
    precision = _precision(dtype)
    quiet = transformers.logging.get_verbosity()
    transformers.logging.set_verbosity(logging.ERROR)
    transformers.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    extra: dict[str, str] = {"gguf_file": gguf} if gguf else {}
    if revision:
        extra["revision"] = revision
    try:
        tokenizer = AutoTokenizer.from_pretrained(
            source, trust_remote_code=trust_remote_code, **extra
        )
        model = AutoModelForCausalLM.from_pretrained(
            source,
            dtype=precision,
            device_map=device_map or _device(),
            trust_remote_code=trust_remote_code,
            **extra,
        )
    except (OSError, ValueError, ImportError, RuntimeError, KeyError) as error:
        raise ModelError(_explain(name, error)) from error
    finally:
        transformers.logging.set_verbosity(quiet)
    model.train(False)
    local = Path(source).is_dir()
    identity: dict[str, Scalar] = {
        "backend": "transformers",
        "model": gguf or (Path(source).name if local else source),
        "revision": str(getattr(model.config, "_commit_hash", None) or ""),
        "files_sha256": files_digest(Path(source), gguf) if local else "",
        "dtype": str(model.dtype).removeprefix("torch."),
        "transformers": transformers.__version__,
        "torch": torch.__version__,
    }
    return Loaded(source, model, tokenizer, identity)


def source_of(name: str) -> tuple[str, str | None, str | None]:
    """Where a model is: its folder or Hub id, its revision if one is named, its GGUF file if any.

    Raises ModelError for what looks like a path and is none.
    """
    path = Path(name)
    if path.is_file() and path.suffix == ".gguf":
        return str(path.parent), None, path.name
    if path.exists():
        return name, None, None
    repo, _, revision = name.partition("@")
    if name.startswith((".", "/", "~")) or repo.count("/") > 1:
        raise ModelError(f"{name}: no such model folder or GGUF file.")
    return repo, revision or None, None


def _device() -> str:
    if torch.cuda.is_available():
        return f"cuda:{os.environ.get('LOCAL_RANK', '0')}"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _precision(dtype: str) -> torch.dtype:
    if dtype not in DTYPES:
        raise ModelError(f'unknown dtype "{dtype}": one of {", ".join(DTYPES)}.')
    if dtype == "auto":
        return torch.float32 if _device() == "cpu" else torch.bfloat16
    return {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}[dtype]


def files_digest(folder: Path, gguf: str | None) -> str:
    """SHA-256 over the names and contents of a model's files, or of its GGUF file alone."""
    total = hashlib.sha256()
    names = [gguf] if gguf else sorted(p.name for p in folder.iterdir() if p.is_file())
    for name in names:
        with (folder / name).open("rb") as stream:
            total.update(f"{name}\0{hashlib.file_digest(stream, 'sha256').hexdigest()}\n".encode())
    return total.hexdigest()


def _explain(name: str, error: Exception) -> str:
    text = str(error).strip()
    if "trust_remote_code" in text:
        return (
            f"{name}: this model brings its own Python code, which is not run unless you say so. "
            "If you have read and trust it, add --trust-remote-code."
        )
    first = text.splitlines()[0] if text else type(error).__name__
    return f"{name}: could not be loaded as a causal language model: {first}"
