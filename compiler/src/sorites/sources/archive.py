"""The content of a file that is compressed or packed: streamed, capped, its header not trusted.

A package, as the publishers of wordnets make it, is a tar archive of one lexicon in XML with its
licence and citation; its content is that lexicon.
"""

from __future__ import annotations

import gzip
import io
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, BinaryIO, Self

from sorites.errors import SourceError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer as Buffer

__all__ = ["CHUNK", "SUFFIXES", "content", "packing_of", "without_suffix"]

CHUNK = 1 << 20
SUFFIXES = (".tar.xz", ".tar.gz", ".tgz", ".tar", ".gz", ".xz", ".zip")
_PACKAGES = (".tar.xz", ".tar.gz", ".tgz", ".tar")

# The dictionary that `xz -9` asks for, with room to spare; an xz file can ask for 4 GiB.
_XZ_MEMORY = 256 << 20
_ENCRYPTED = 0x1

_MOST_MEMBERS = 1000
_BESIDE = 16 << 20  # bytes of a package beside its lexicon: licence, citation, headers
_LONGEST_HEADER = 64 << 10  # bytes of the extended header of a member: its name, mostly
_HEADERS = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)


def packing_of(name: str) -> str:
    """How a file is compressed, by its name: one of SUFFIXES, or nothing."""
    return next((end for end in SUFFIXES if name.endswith(end)), "")


def without_suffix(name: str) -> str:
    """The name of the content of a file: without ``.gz``, ``.xz`` or ``.zip``; of a package, XML.

    >>> without_suffix("wordnet.db.xz"), without_suffix("omw-el.tar.xz")
    ('wordnet.db', 'omw-el.xml')
    """
    packing = packing_of(name)
    return name.removesuffix(packing) + (".xml" if packing in _PACKAGES else "")


def content(path: Path, file: BinaryIO, *, packing: str, most: int) -> Iterator[bytes]:
    """The content of the open ``file`` at ``path`` in pieces.

    ``packing`` is how it is compressed: one of SUFFIXES, or nothing. Of a package (``.tar`` and
    the like) the content is the one file whose name ends with ``.xml``.

    Raises SourceError where it is more than ``most`` bytes, is damaged or cut short, where a .zip
    has not exactly one member with a plain name, or a package not exactly one XML file, or a
    link, a device or a name that leads out of it.
    """
    match packing:
        case ".gz":
            pieces = _gz(file)
        case ".xz":
            pieces = _xz(file)
        case ".zip":
            pieces = _zip(path, file)
        case ".tar.xz":
            pieces = _package(path, _xz(file), most)
        case ".tar.gz" | ".tgz":
            pieces = _package(path, _gz(file), most)
        case ".tar":
            pieces = _package(path, iter(partial(file.read, CHUNK), b""), most)
        case _:
            pieces = iter(lambda: file.read(CHUNK), b"")
    size = 0
    try:
        for piece in pieces:
            size += len(piece)
            if size > most:
                raise SourceError(_too_large(path, most))
            yield piece
    except EOFError:
        raise SourceError(f"{path}: cut short; get the file again") from None
    except (
        gzip.BadGzipFile,
        zlib.error,
        lzma.LZMAError,
        zipfile.BadZipFile,
        tarfile.TarError,
    ) as error:
        raise SourceError(f"{path}: a damaged archive ({error}); get the file again") from None


def _too_large(path: Path, most: int) -> str:
    return (
        f"{path}: the content is more than {most:,} bytes. If that is right, raise max_bytes of "
        "the source in the spec."
    )


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


class _Stream(io.RawIOBase):
    """Pieces as a file that can be read once, of no more than ``most`` bytes."""

    def __init__(self, path: Path, pieces: Iterator[bytes], most: int) -> None:
        self._path = path
        self._pieces = pieces
        self._most = most
        self._read = 0
        self._waiting = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        while not self._waiting:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._read += len(piece)
            if self._read > self._most + _BESIDE:
                raise SourceError(_too_large(self._path, self._most))
            self._waiting = memoryview(piece)
        with memoryview(buffer).cast("B") as view:
            size = min(len(view), len(self._waiting))
            view[:size] = self._waiting[:size]
        self._waiting = self._waiting[size:]
        return size


def _member_class(path: Path) -> type[tarfile.TarInfo]:
    class Member(tarfile.TarInfo):
        """A member whose extended headers are read only as far as a name may reach."""

        @classmethod
        def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
            member = super().frombuf(buf, encoding, errors)
            if member.type in _HEADERS and member.size > _LONGEST_HEADER:
                raise SourceError(f"{path}: a member with a header of {member.size:,} bytes")
            return member

    return Member


def _package(path: Path, pieces: Iterator[bytes], most: int) -> Iterator[bytes]:
    found = ""
    with tarfile.open(
        mode="r|", fileobj=_Stream(path, pieces, most), tarinfo=_member_class(path)
    ) as package:
        for count, member in enumerate(package, 1):
            if count > _MOST_MEMBERS:
                raise SourceError(f"{path}: more than {_MOST_MEMBERS:,} members")
            name = PurePosixPath(member.name)
            if (
                name.is_absolute()
                or ".." in name.parts
                or "\\" in member.name
                or ":" in member.name
            ):
                raise SourceError(f"{path}: the member {member.name!r} leads out of its folder")
            if member.isdir():
                continue
            if not member.isreg() or member.issparse():
                raise SourceError(f"{path}: the member {member.name!r} is not a plain file")
            if name.suffix.lower() != ".xml":
                continue
            if found:
                raise SourceError(
                    f"{path}: {found!r} and {member.name!r}: a package must hold one XML file only"
                )
            found = member.name
            unpacked = package.extractfile(member)
            assert unpacked is not None
            while piece := unpacked.read(CHUNK):
                yield piece
    if not found:
        raise SourceError(f"{path}: no member is an XML file; a package must hold one")
