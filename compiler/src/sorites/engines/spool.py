"""Rows on the disk: what units made, in their order, mapped into memory and not held in it.

A spool is a folder: for each table a file of Arrow record batches, one after another, and a
journal, which has a line for each unit that is whole. A run that was killed leaves whole units:
what the journal does not name is cut off when the spool is opened again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

import pyarrow as pa

from sorites.canonical import Json, json_line
from sorites.errors import CutShort

__all__ = ["Spool", "open_spool"]

_JOURNAL = "units.jsonl"


class Spool:
    """Tables that grow by units. See ``open_spool``."""

    def __init__(
        self,
        folder: Path,
        schemas: Mapping[str, pa.Schema],
        files: Mapping[str, BinaryIO],
        journal: BinaryIO,
        advice: str,
    ) -> None:
        self.tallies: list[Json] = []
        """What each unit told of itself, in the order of the units."""
        self._folder = folder
        self._schemas = schemas
        self._files = files
        self._journal = journal
        self._advice = advice
        self._resume()

    def append(self, tables: Mapping[str, pa.Table], tally: Json) -> None:
        """Add the rows of the next unit; tables that it leaves out get none.

        Raises CutShort where the disk will not take them; then the unit is not there.
        """
        try:
            for name, table in tables.items():
                for batch in table.cast(self._schemas[name]).combine_chunks().to_batches():
                    self._files[name].write(batch.serialize())
                self._files[name].flush()
            ends = {name: file.tell() for name, file in self._files.items()}
            self._journal.write(json_line({"ends": ends, "tally": tally}).encode() + b"\n")
            self._journal.flush()
        except OSError as error:
            raise _refused(self._folder, error, self._advice) from error
        self.tallies.append(tally)

    def table(self, name: str) -> pa.Table:
        """The rows of a table so far. Its memory is the file: the system gives back what it needs.

        The table can be used after the spool is closed.
        """
        with pa.memory_map(str(self._folder / f"{name}.arrows")) as source:
            return pa.ipc.open_stream(source).read_all()

    def _resume(self) -> None:
        """Take up the units that are whole; without any, begin the files."""
        ends: Mapping[str, int] = {}
        whole = 0
        for line, entry in _entries(self._journal):
            if entry["ends"].keys() != self._files.keys() or any(
                end > os.fstat(self._files[name].fileno()).st_size
                for name, end in entry["ends"].items()
            ):
                break
            ends = entry["ends"]
            whole += line
            self.tallies.append(entry["tally"])
        for name, file in self._files.items():
            file.seek(ends.get(name, 0))
            file.truncate()
            if not ends:
                file.write(self._schemas[name].serialize())
                file.flush()
        self._journal.seek(whole)
        self._journal.truncate()


@contextmanager
def open_spool(folder: Path | None, schemas: Mapping[str, pa.Schema]) -> Iterator[Spool]:
    """The spool in a folder, with the units that an earlier run has left there whole.

    ``schemas`` are those of its tables, by name; the folder is for them alone, and is made if it
    is not there. Without a folder the rows lie in one of the system's, of which nothing is left
    when the tables are no longer used: they can be used after the block as well.

    Raises CutShort where the folder cannot be written.
    """
    with ExitStack() as stack:
        advice = _KEPT
        if folder is None:
            folder, advice = Path(stack.enter_context(_passing())), _PASSING
        try:
            folder.mkdir(parents=True, exist_ok=True)
            files = {name: _opened(folder / f"{name}.arrows", stack) for name in schemas}
            spool = Spool(folder, schemas, files, _opened(folder / _JOURNAL, stack), advice)
        except OSError as error:
            raise _refused(folder, error, advice) from error
        yield spool


_KEPT = (
    "What was done is kept: make room there, and the same command goes on; or let SORITES_CACHE "
    "name a folder on a larger disk"
)
_PASSING = "Make room there, or let TMPDIR name a folder on a larger disk"


def _refused(folder: Path, error: OSError, advice: str) -> CutShort:
    return CutShort(f"{folder}: cannot be written: {error.strerror or error}. {advice}")


def _opened(path: Path, stack: ExitStack) -> BinaryIO:
    """A file to read and write, which is made if it is not there."""
    path.touch()
    return stack.enter_context(path.open("r+b"))


def _passing() -> TemporaryDirectory[str]:
    """A folder of the system's for files that pass.

    It goes at the end of its block. Files that are mapped lose their names there and live on, but
    on Windows, which keeps them.
    """
    return TemporaryDirectory(prefix="sorites-", ignore_cleanup_errors=True)


def _entries(journal: BinaryIO) -> Iterator[tuple[int, dict[str, dict[str, int]]]]:
    """The lines of a journal that are whole: how long each is, and what it says."""
    journal.seek(0)
    for line in journal:
        if not line.endswith(b"\n"):
            return
        try:
            entry = json.loads(line)
        except ValueError:
            return
        yield len(line), entry
