"""A small spec to start from: a sample that comes with the compiler, made to stand alone."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

from sorites.errors import SoritesError
from sorites.names import did_you_mean
from sorites.specfile.load import load
from sorites.specfile.model import Spec
from sorites.specfile.schemas import SHARED, load_schemas, packaged_specs

__all__ = ["starter_kinds", "write_starter"]


def starter_kinds() -> tuple[str, ...]:
    """The kinds of spec that can be started from, sorted."""
    return load_schemas().kinds()


def write_starter(kind: str, folder: Path) -> Path:
    """Write the sample of a kind into a new folder, with all that it needs; returns the spec.

    The spec lies in the folder itself, alone of its kind; the sections that it includes lie in
    folders below, its sources beside it, and the JSON Schema that its first line names in
    ``schemas``. Comments stay.

    Raises SoritesError for a kind that is not known, for a folder that is there already, and where
    it cannot be written; then nothing was written.
    """
    known = starter_kinds()
    if kind not in known:
        raise SoritesError(f'unknown kind "{kind}": {did_you_mean(kind, known)}')
    if folder.exists() or folder.is_symlink():
        raise SoritesError(f"{folder} is there already: give the name of a new folder")
    sample = _sample(kind)
    files = dict(_files(sample))
    work = folder.parent / f".{folder.name}.{os.getpid()}.partial"
    missing = [parent for parent in folder.parents if not parent.exists()]
    try:
        for name, content in files.items():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_bytes(content)
        work.rename(folder)
    except BaseException as error:
        shutil.rmtree(work, ignore_errors=True)
        with suppress(OSError):
            for parent in missing:
                parent.rmdir()
        if isinstance(error, OSError):
            reason = error.strerror or str(error)
            raise SoritesError(f"{folder} cannot be written: {reason}") from error
        raise
    return folder / sample.path.name


def _sample(kind: str) -> Spec:
    """The sample that the schema of a kind names under ``starter``."""
    return load(packaged_specs() / "sample" / load_schemas().starter(kind))


def _files(sample: Spec) -> Iterator[tuple[str, bytes]]:
    """Every file of the new folder, by its path there."""
    home = sample.path.parent
    lines = sample.path.read_text(encoding="utf-8").splitlines(keepends=True)
    for line, name in _named_outside(sample, lines[0]):
        # What lay beside the sample's folder lies within the new one.
        inside = "/".join(part for part in PurePosixPath(name).parts if part != "..")
        lines[line - 1] = lines[line - 1].replace(name, inside)
        yield inside, (home / name).read_bytes()
    yield sample.path.name, "".join(lines).encode()
    for pin in sample.sources.values():
        if pin.file is not None:
            yield pin.file.relative_to(home).as_posix(), pin.file.read_bytes()
    # The schemas of all kinds refer to this one.
    yield f"schemas/{SHARED}", (packaged_specs() / "schemas" / SHARED).read_bytes()


def _named_outside(sample: Spec, first: str) -> Iterator[tuple[int, str]]:
    """The line and the relative path of the schema and of every section that is a file."""
    yield 1, first.partition("$schema=")[2].strip()
    for child in sample.document.root.children.values():
        if child.key is not None and child.at.file != sample.document.file:
            file = os.path.relpath(child.at.file, sample.path.parent)
            yield child.key.line, Path(file).as_posix()
