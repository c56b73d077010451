"""Where a model's files are, and their digest."""

from __future__ import annotations

import hashlib
from pathlib import Path

from sorites_eval.errors import ModelError

__all__ = ["files_digest", "refuse_pickles", "source_of"]


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


def files_digest(folder: Path, gguf: str | None) -> str:
    """SHA-256 over the names and contents of a model's files, or of its GGUF file alone."""
    total = hashlib.sha256()
    names = [gguf] if gguf else sorted(p.name for p in folder.iterdir() if p.is_file())
    for name in names:
        with (folder / name).open("rb") as stream:
            total.update(f"{name}\0{hashlib.file_digest(stream, 'sha256').hexdigest()}\n".encode())
    return total.hexdigest()


_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")


def refuse_pickles(source: str) -> None:
    """Raise ModelError for a folder whose weights are pickles alone: to read one can run code.

    For a model of the Hub, ``use_safetensors`` says the same to the library.
    """
    folder = Path(source)
    if not folder.is_dir() or any(folder.glob("*.safetensors")):
        return
    found = sorted(path for pattern in _PICKLES for path in folder.glob(pattern))
    if found:
        raise ModelError(
            f"{found[0]}: the weights are a pickle, which can run code when it is read. Convert "
            "them: model.save_pretrained(folder) writes safetensors."
        )
