"""Decompression of a single file: streamed, capped, and without trusting the archive's header."""

from __future__ import annotations

import gzip
import lzma
import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from sorites.errors import SourceError

__all__ = ["CHUNK", "SUFFIXES", "content", "packing_of", "without_suffix"]

CHUNK = 1 << 20
SUFFIXES = (".gz", ".xz", ".zip")

# The dictionary that `xz -9` asks for, with room to spare; an xz file can ask for 4 GiB.
_XZ_MEMORY = 256 << 20
_ENCRYPTED = 0x1


def packing_of(name: str) -> str:
    """How a file is compressed, by its name: one of SUFFIXES, or nothing."""
    return next((end for end in SUFFIXES if name.endswith(end)), "")


def without_suffix(name: str) -> str:
    """The name of the content of a file: without ``.gz``, ``.xz`` or ``.zip``.

    >>> without_suffix("wordnet.db.xz")
    'wordnet.db'
    """
    return name.removesuffix(packing_of(name))


def content(path: Path, file: BinaryIO, *, packing: str, most: int) -> Iterator[bytes]:
    """The content of the open ``file`` at ``path`` in pieces.

    ``packing`` is how it is compressed: ``.gz``, ``.xz``, ``.zip``, or nothing.

    Raises SourceError where it is more than ``most`` bytes, is damaged or cut short, or where
    a .zip has not exactly one member with a plain name.
    """
    match packing:
        case ".gz":
            pieces = _gz(file)
        case ".xz":
            pieces = _xz(file)
        case ".zip":
            pieces = _zip(path, file)
        case _:
            pieces = iter(lambda: file.read(CHUNK), b"")
    size = 0
    try:
        for piece in pieces:
            size += len(piece)
            if size > most:
                raise SourceError(
                    f"{path}: the content is more than {most:,} bytes. If that is right, raise "
                    "max_bytes of the source in the spec."
                )
            yield piece
    except EOFError:
        raise SourceError(f"{path}: cut short; get the file again") from None
    except (gzip.BadGzipFile, zlib.error, lzma.LZMAError, zipfile.BadZipFile) as error:
        raise SourceError(f"{path}: a damaged archive ({error}); get the file again") from None


def _gz(file: BinaryIO) -> Iterator[bytes]:
    with gzip.GzipFile(fileobj=file, mode="rb") as unpacked:
        while piece := unpacked.read(CHUNK):
            yield piece


def _xz(file: BinaryIO) -> Iterator[bytes]:
    packed = file.read(CHUNK)
    while packed:
        stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
        while not stream.eof:
            if stream.needs_input and not packed:
                packed = file.read(CHUNK)
                if not packed:
                    raise EOFError
            piece = stream.decompress(packed, CHUNK)
            packed = b""
            yield piece
        # Streams may follow one another, with zeros between them (xz format, section 2).
        packed = (stream.unused_data or file.read(CHUNK)).lstrip(b"\0")


def _zip(path: Path, file: BinaryIO) -> Iterator[bytes]:
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        if len(members) != 1:
            raise SourceError(f"{path}: {len(members)} members; a .zip must hold one file only")
        member = members[0]
        name = PurePosixPath(member.orig_filename)
        odd = "\\" in member.orig_filename or ":" in member.orig_filename
        if name.is_absolute() or ".." in name.parts or odd:
            raise SourceError(
                f"{path}: the member {member.orig_filename!r} leads out of its folder"
            )
        if member.is_dir() or stat.S_ISLNK(member.external_attr >> 16):
            raise SourceError(f"{path}: the member {member.orig_filename!r} is not a file")
        if member.flag_bits & _ENCRYPTED:
            raise SourceError(f"{path}: the member {member.orig_filename!r} is encrypted")
        try:
            with archive.open(member) as unpacked:
                while piece := unpacked.read(CHUNK):
                    yield piece
        except NotImplementedError as error:
            raise SourceError(f"{path}: {error}") from None
