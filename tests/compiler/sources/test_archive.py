from __future__ import annotations

import io
import lzma
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from sorites.errors import SourceError
from sorites.sources.archive import content, packing_of, without_suffix

LEXICON = b"<?xml version='1.0'?><LexicalResource/>" * 100


def member(name: str, data: bytes = b"", **fields: object) -> tuple[tarfile.TarInfo, bytes]:
    made = tarfile.TarInfo(name)
    made.size = len(data)
    for field, value in fields.items():
        setattr(made, field, value)
    return made, data


def package(folder: Path, *members: tuple[tarfile.TarInfo, bytes], name: str = "p.tar.xz") -> Path:
    path = folder / name
    mode = {".xz": "w:xz", ".gz": "w:gz", "tgz": "w:gz", "tar": "w:"}[name[-3:]]
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for info, data in members:
            archive.addfile(info, io.BytesIO(data))
    return path


def read(path: Path, most: int = 1_000_000) -> bytes:
    with path.open("rb") as file:
        return b"".join(content(path, file, packing=packing_of(path.name), most=most))


def refusal(path: Path, most: int = 1_000_000) -> str:
    with pytest.raises(SourceError) as caught:
        read(path, most)
    return str(caught.value)


USUAL = (
    member("omw-x", type=tarfile.DIRTYPE),
    member("omw-x/LICENSE", b"free"),
    member("omw-x/omw-x.xml", LEXICON),
    member("omw-x/citation.bib", b"@misc{}"),
)


@pytest.mark.parametrize("name", ["p.tar.xz", "p.tar.gz", "p.tgz", "p.tar"])
def test_the_one_xml_file_of_a_package_is_its_content(tmp_path: Path, name: str) -> None:
    path = package(tmp_path, *USUAL, name=name)
    assert read(path) == LEXICON
    assert without_suffix(path.name) == "p.xml"


@pytest.mark.parametrize(
    ("odd", "message"),
    [
        (member("/etc/x.xml", b"x"), "the member '/etc/x.xml' leads out of its folder"),
        (member("a/../../x.xml", b"x"), "the member 'a/../../x.xml' leads out of its folder"),
        (member("C:x.xml", b"x"), "the member 'C:x.xml' leads out of its folder"),
        (
            member("l.xml", type=tarfile.SYMTYPE, linkname="/etc/passwd"),
            "the member 'l.xml' is not a plain file",
        ),
        (
            member("l", type=tarfile.LNKTYPE, linkname="omw-x/LICENSE"),
            "the member 'l' is not a plain file",
        ),
        (member("tty", type=tarfile.CHRTYPE), "the member 'tty' is not a plain file"),
        (member("pipe", type=tarfile.FIFOTYPE), "the member 'pipe' is not a plain file"),
        (
            member("b.XML", LEXICON),
            "'omw-x/omw-x.xml' and 'b.XML': a package must hold one XML file only",
        ),
    ],
)
def test_what_a_package_may_not_hold(
    tmp_path: Path, odd: tuple[tarfile.TarInfo, bytes], message: str
) -> None:
    path = package(tmp_path, *USUAL, odd)
    assert refusal(path) == f"{path}: {message}"


def test_a_package_without_xml(tmp_path: Path) -> None:
    path = package(tmp_path, *USUAL[:2])
    assert refusal(path) == f"{path}: no member is an XML file; a package must hold one"


def test_more_members_than_a_package_has(tmp_path: Path) -> None:
    path = package(tmp_path, *(member(f"{number}", b"") for number in range(1_001)))
    assert refusal(path) == f"{path}: more than 1,000 members"


def test_a_package_that_unpacks_to_too_much(tmp_path: Path) -> None:
    large = package(tmp_path, member("a.xml", b"x" * 2_000_000))
    told = (
        f"{large}: the content is more than 1,000,000 bytes. If that is right, raise max_bytes of "
        "the source in the spec."
    )
    assert refusal(large) == told
    beside = package(tmp_path, member("LICENSE", bytes(20_000_000)), USUAL[2])
    assert refusal(beside) == told


def test_a_header_that_would_fill_the_memory(tmp_path: Path) -> None:
    path = package(tmp_path, member("a", b"x" * 100_000, type=tarfile.GNUTYPE_LONGNAME))
    assert refusal(path) == f"{path}: a member with a header of 100,000 bytes"


def _cut(data: bytes) -> bytes:
    return data[:-200]


def _spoilt(data: bytes) -> bytes:
    return b"x" * 1024 + data


@pytest.mark.parametrize("spoil", [_cut, _spoilt])
def test_a_damaged_package(tmp_path: Path, spoil: Callable[[bytes], bytes]) -> None:
    path = package(tmp_path, *USUAL)
    data = lzma.decompress(path.read_bytes())
    path.write_bytes(lzma.compress(spoil(data[:2000] if spoil is _cut else data)))
    assert refusal(path).startswith(f"{path}: ")
