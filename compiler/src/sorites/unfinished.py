"""What a compile has made so far: kept where it is stopped, so that the same compile goes on."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from sorites.canonical import Json, digest
from sorites.errors import CutShort, SoritesError
from sorites.files import missing_folders, remove_empty
from sorites.locks import locked
from sorites.release.manifest.manifest import created_by
from sorites.sources.copies import cache_folder

__all__ = ["unfinished"]

_DAYS = 7
"""For so long what was stopped waits to be gone on with."""

_PACKAGE = Path(__file__).parent


@contextmanager
def unfinished(document: Json, sources: Mapping[str, Json]) -> Iterator[Path]:
    """The folder for what a compile makes on its way, with what one that was stopped has left.

    It is named by a digest of all that the rows depend on: the spec's ``document``, the checksums
    of its ``sources``, and this program itself. It goes when the block ends well, and when it
    raises a SoritesError that the same compile would raise again. Ctrl-C, a signal, a kill and
    whatever else has CutShort the work leave it for the next run; after a week it is removed.
    Where another compile of the same is under way, the folder is one that nobody else sees and
    nothing is kept in.

    Raises CutShort where the cache cannot be written.
    """
    folder = cache_folder() / "unfinished"
    name = digest({"spec": document, "sources": dict(sources), "program": _program()})
    missing = missing_folders(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _remove_old(folder)
    except OSError as error:
        remove_empty(missing)
        raise CutShort(
            f"{folder}: cannot be written: {error.strerror or error}. What is made on the way lies "
            "there: let SORITES_CACHE name a folder that can be written"
        ) from error
    try:
        with _place(folder, name) as place:
            yield place
    finally:
        remove_empty(missing)


@contextmanager
def _place(folder: Path, name: str) -> Iterator[Path]:
    """The folder of a name, which stays unless the block ends well or raises a SoritesError."""
    place = folder / name
    with locked(folder / f"{name}.lock", wait=False) as alone:
        if not alone:
            with TemporaryDirectory(dir=folder, prefix="twin-", ignore_cleanup_errors=True) as twin:
                yield Path(twin)
            return
        try:
            place.mkdir(exist_ok=True)
            os.utime(place)
            yield place
        except CutShort:
            raise
        except SoritesError:
            shutil.rmtree(place, ignore_errors=True)
            raise
        shutil.rmtree(place, ignore_errors=True)


def _program() -> Json:
    """The versions that shape the rows, and the text of this program: one digest of all of it."""
    text = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        text.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0")
        text.update(path.read_bytes())
    return {"versions": created_by(), "text": text.hexdigest()}


def _remove_old(folder: Path) -> None:
    """Remove what nobody came back for."""
    for place in folder.iterdir():
        with suppress(OSError):
            if place.is_dir() and time.time() - place.stat().st_mtime > _DAYS * 86_400:
                with locked(folder / f"{place.name}.lock", wait=False) as alone:
                    if alone:
                        shutil.rmtree(place, ignore_errors=True)
