"""Checksums written into specs: a source is fetched, hashed, and pinned to what was found."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

import httpx2

from sorites.errors import InvalidSpec, SourceError
from sorites.files import write_whole
from sorites.names import did_you_mean
from sorites.progress import Progress
from sorites.sources.copies import cache_folder, copies_of, folders_of_sources, hint_on_made, take
from sorites.sources.fetch import fetch
from sorites.sources.own_version import warn_of_versions
from sorites.specfile.load import load
from sorites.specfile.model import SourcePin, Spec

__all__ = ["Pinned", "moving_addresses", "moving_part", "pin_sources"]

_MOVING = frozenset({"current", "head", "latest", "main", "master", "nightly", "stable", "trunk"})
"""Parts of an address behind which another file will stand one day."""

_SCALAR = re.compile(r"""null|~|[0-9a-f]{64}|"[0-9a-f]{64}"|'[0-9a-f]{64}'""")


@dataclass(frozen=True, slots=True)
class Pinned:
    """What became of one source: the checksum before and now, and where its content lies.

    ``before`` is None for a source that was not pinned. ``bytes`` is the size of the content.
    """

    source: str
    before: str | None
    now: str
    bytes: int
    content: Path

    def __str__(self) -> str:
        told = f"source {self.source}: {self.now} ({self.bytes:,} bytes)"
        if self.before is None:
            return f"{told}: pinned"
        return f"{told}: unchanged" if self.before == self.now else f"{told}: was {self.before}"


def moving_part(address: str) -> str | None:
    """The part of an address that stands for whatever is newest, such as ``current``.

    >>> moving_part("https://example.org/download/current/file.owl")
    'current'
    >>> moving_part("https://example.org/download/93/file.owl") is None
    True
    """
    parts = urlsplit(address).path.split("/")
    return next((part for part in parts if part.lower() in _MOVING), None)


def pin_sources(
    path: Path,
    progress: Progress,
    *,
    only: Collection[str] = (),
    cache: Path | None = None,
    transport: httpx2.BaseTransport | None = None,
) -> list[Pinned]:
    """Hash the sources of a spec and write their checksums into it; comments stay.

    ``only`` names the sources to pin; all of them if it is empty. A file beside the spec is hashed
    where it is, and so is one below the folders of SORITES_SOURCES; any other is fetched from its
    first address that answers, into the cache. The spec is rewritten whole, or, where a source
    cannot be had, not at all.

    Raises InvalidSpec and UnreadableSpec for a spec that is not valid, SourceError for an unknown
    source and for one that cannot be read or fetched.
    """
    spec = load(path)
    for name in only:
        if name not in spec.sources:
            raise SourceError(f"{path}: no source {name}: {did_you_mean(name, spec.sources)}")
    cache = cache_folder() if cache is None else cache
    found = [
        _hashed(replace(pin, sha256=None), pin.sha256, cache, progress, transport)
        for name, pin in spec.sources.items()
        if not only or name in only
    ]
    _write(spec, {each.source: each.now for each in found if each.before != each.now})
    return found


def _hashed(
    pin: SourcePin,
    before: str | None,
    cache: Path,
    progress: Progress,
    transport: httpx2.BaseTransport | None,
) -> Pinned:
    copies = [pin.file] if pin.file is not None else copies_of(pin, folders_of_sources())
    if copies:
        now, content = take(pin, copies[0], cache, progress)
    else:
        now, content = _first_answer(pin, cache, progress, transport)
    warn_of_versions({pin.id: pin}, {pin.id: content})
    return Pinned(pin.id, before, now, content.stat().st_size, content)


def _first_answer(
    pin: SourcePin, cache: Path, progress: Progress, transport: httpx2.BaseTransport | None
) -> tuple[str, Path]:
    failures: list[str] = [hint_on_made(pin)] if pin.made is not None else []
    for address in pin.addresses:
        try:
            return fetch(pin, address, cache, progress, transport=transport)
        except SourceError as error:
            failures.append(str(error))
    raise SourceError("\n".join(failures))


def _write(spec: Spec, checksums: dict[str, str]) -> None:
    lines: dict[Path, list[str]] = {}
    for name, checksum in checksums.items():
        file, line, column = _place(spec, name)
        if file not in lines:
            # As bytes, so that the ends of lines stay as they are.
            lines[file] = file.read_bytes().decode().splitlines(keepends=True)
        text = lines[file][line - 1]
        old = _SCALAR.match(text, column - 1)
        if old is None:
            raise InvalidSpec(
                [
                    spec.document.problem(
                        ("sources", name, "sha256"),
                        "the checksum is not written plainly here, so it cannot be replaced",
                        f"write it by hand: {checksum}",
                    )
                ]
            )
        lines[file][line - 1] = text[: old.start()] + _written(checksum) + text[old.end() :]
    for file, changed in lines.items():
        write_whole(file, "".join(changed).encode())


def _written(checksum: str) -> str:
    """A checksum as YAML; in quotes if it would be read as a number, such as 12e5."""
    return checksum if set(checksum) & set("abcdf") else f'"{checksum}"'


def _place(spec: Spec, name: str) -> tuple[Path, int, int]:
    at = spec.document.locate(("sources", name, "sha256"))
    return Path(at.file), at.line, at.column


def moving_addresses(spec: Spec) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The places in a spec of addresses that move, each with the part that says so."""
    for name, pin in spec.sources.items():
        for index, address in enumerate(pin.addresses):
            if (part := moving_part(address)) is not None:
                where = ("url",) if index == 0 else ("archives", index - 1)
                yield ("sources", name, *where), part
