"""The languages of lexicon files: the command ``sorites languages``."""

from __future__ import annotations

import csv
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sorites.errors import SourceError
from sorites.families.sense_relations.languages import LanguageSet, language_sets
from sorites.printable import printable
from sorites.sources.archive import content, packing_of, without_suffix
from sorites.sources.copies import cache_folder
from sorites.sources.lexicons.cygnet import read_cygnet_coverage
from sorites.sources.lexicons.lmf import read_lmf_coverage

__all__ = ["print_languages", "source_languages"]

_MOST_BYTES = 4 << 30
_SQLITE, _XML = b"SQLite format 3\x00", b"<?xml"


def source_languages(sources: Sequence[Path], *, at_least: int, synsets: int) -> list[LanguageSet]:
    """The sets of at least so many languages that share at least so many glossed synsets.

    ``sources`` are one Cygnet database, or one or several WN-LMF files, plain, compressed (.gz,
    .xz, .zip) or as packages (.tar.xz, .tar.gz); which of the two is told from their content.

    Raises SourceError for anything else, and what ``language_sets`` raises.
    """
    with tempfile.TemporaryDirectory(prefix="sorites-") as folder:
        plain = []
        for number, source in enumerate(sources):
            if packing_of(source.name):
                unpacked = Path(folder, str(number), without_suffix(source.name))
                unpacked.parent.mkdir()
                _unpack(source, unpacked)
                plain.append(unpacked)
            else:
                plain.append(source)
        coverage = _coverage(plain)
    return language_sets(coverage, at_least=at_least, synsets=synsets)


def print_languages(
    sets: Sequence[LanguageSet], *, as_csv: bool = False, out: TextIO | None = None
) -> None:
    """Print a table for people, or with ``as_csv`` the columns size, synsets and languages."""
    out = out or sys.stdout
    if as_csv:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["size", "synsets", "languages"])
        writer.writerows(
            [len(each.languages), each.synsets, printable(" ".join(each.languages))]
            for each in sets
        )
        return
    table = Table(caption=f"{len(sets):,} sets of languages", caption_justify="left")
    table.add_column("languages")
    table.add_column("size", justify="right")
    table.add_column("synsets with a gloss in all", justify="right")
    for each in sets:
        codes = Text(printable(" ".join(each.languages)))
        table.add_row(codes, str(len(each.languages)), f"{each.synsets:,}")
    Console(file=out).print(table)


def _coverage(paths: Sequence[Path]) -> dict[frozenset[str], int]:
    databases = [path for path in paths if _is_database(path)]
    if not databases:
        return read_lmf_coverage(paths, scratch=cache_folder())
    if len(paths) > 1:
        raise SourceError(
            f"{databases[0].name}: a Cygnet database holds all its languages already; give it "
            "alone, or several WN-LMF files"
        )
    return read_cygnet_coverage(databases[0])


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            start = file.read(len(_SQLITE))
    except OSError as error:
        raise SourceError(f"{path}: cannot be read: {error.strerror}") from error
    if start != _SQLITE and not start.startswith(_XML):
        raise SourceError(
            f"{path.name}: is neither a Cygnet database nor a WN-LMF file, which starts with an "
            "XML declaration"
        )
    return start == _SQLITE


def _unpack(source: Path, target: Path) -> None:
    try:
        with source.open("rb") as packed, target.open("wb") as unpacked:
            packing = packing_of(source.name)
            for piece in content(source, packed, packing=packing, most=_MOST_BYTES):
                unpacked.write(piece)
    except OSError as error:
        raise SourceError(f"{source}: cannot be read: {error.strerror}") from error
