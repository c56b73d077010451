"""Checksums written into specs, and addresses that move."""

from __future__ import annotations

import gzip
import hashlib
import shutil
from pathlib import Path

import pytest

from sorites.errors import InvalidSpec, SourceError
from sorites.pipeline import spec_warnings
from sorites.progress import Silent
from sorites.sources.pins import moving_part, pin_sources
from sorites.specfile.load import load
from tests.compiler.sources.loopback import Server, serving
from tests.conftest import ROOT

SAMPLE = ROOT / "specs" / "sample" / "gloss-relations.yaml"
CONTENT = (ROOT / "specs" / "sample" / "five-languages.xml").read_bytes()
SHA = hashlib.sha256(CONTENT).hexdigest()
OTHER = "ab" * 32


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SORITES_SOURCES", "SORITES_CACHE", "SORITES_OFFLINE"):
        monkeypatch.delenv(name, raising=False)


def spec_with(folder: Path, place: str, checksum: str) -> Path:
    """The sample with another place and checksum of its source; a comment stands behind it."""
    text = SAMPLE.read_text(encoding="utf-8")
    pinned = f"sha256: {SHA}\n"
    assert text.count(pinned) == 1
    assert text.count("file: five-languages.xml\n") == 1
    text = text.replace(pinned, f"sha256: {checksum}  # of the unpacked file\n")
    text = text.replace("file: five-languages.xml\n", f"{place}\n")
    for name in ("senses", "schemas"):
        text = text.replace(f"../{name}/", f"{name}/")
        shutil.copytree(ROOT / "specs" / name, folder / name)
    path = folder / "spec.yaml"
    path.write_text(text.replace("\n", "\r\n", 1), encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize("checksum", ["null", "~", OTHER, f"'{'0' * 64}'", f'"{SHA}"'])
def test_the_checksum_is_written_and_nothing_else_changes(checksum: str, tmp_path: Path) -> None:
    (tmp_path / "five-languages.xml").write_bytes(CONTENT)
    path = spec_with(tmp_path, "file: five-languages.xml", checksum)
    before = path.read_bytes()
    (found,) = pin_sources(path, Silent(), cache=tmp_path / "cache")
    assert (found.now, found.bytes) == (SHA, len(CONTENT))
    changed = checksum.strip("'\"") != SHA
    assert path.read_bytes() == (
        before.replace(checksum.encode(), SHA.encode()) if changed else before
    )
    assert load(path).sources[found.source].sha256 == SHA


def test_a_source_is_fetched_and_unpacked_into_the_cache(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    with serving(Server(gzip.compress(CONTENT), missing=frozenset({"gone.xml.gz"}))) as site:
        place = f"url: {site.url('gone.xml.gz')}\n    archives: [{site.url('all.xml.gz')}]"
        path = spec_with(tmp_path, place, "null")
        (found,) = pin_sources(path, Silent(), cache=cache, transport=site.transport())
    assert str(found) == f"source {found.source}: {SHA} ({len(CONTENT):,} bytes): pinned"
    assert found.content.read_bytes() == CONTENT
    assert load(path).sources[found.source].sha256 == SHA


def test_what_changed_is_told(tmp_path: Path) -> None:
    (tmp_path / "five-languages.xml").write_bytes(CONTENT)
    path = spec_with(tmp_path, "file: five-languages.xml", OTHER)
    (found,) = pin_sources(path, Silent())
    assert str(found).endswith(f"bytes): was {OTHER}")
    (again,) = pin_sources(path, Silent())
    assert str(again).endswith("bytes): unchanged")


def test_a_source_that_cannot_be_had_leaves_the_spec_as_it_is(tmp_path: Path) -> None:
    with serving(Server(CONTENT, status=404)) as site:
        path = spec_with(tmp_path, f"url: {site.url('all.xml')}", "null")
        before = path.read_bytes()
        with pytest.raises(SourceError, match="404"):
            pin_sources(path, Silent(), cache=tmp_path / "cache", transport=site.transport())
    assert path.read_bytes() == before


def test_an_unknown_source_is_named(tmp_path: Path) -> None:
    (tmp_path / "five-languages.xml").write_bytes(CONTENT)
    path = spec_with(tmp_path, "file: five-languages.xml", "null")
    name = next(iter(load(path).sources))
    with pytest.raises(SourceError) as caught:
        pin_sources(path, Silent(), only=[f"{name}s"])
    assert str(caught.value) == f'{path}: no source {name}s: did you mean "{name}"?'


def test_a_checksum_behind_an_alias_is_left_to_its_author(tmp_path: Path) -> None:
    (tmp_path / "five-languages.xml").write_bytes(CONTENT)
    path = spec_with(tmp_path, "file: five-languages.xml", f"&sum {OTHER}")
    with pytest.raises(InvalidSpec, match="write it by hand"):
        pin_sources(path, Silent())


def test_addresses_that_move_and_sources_without_a_checksum_are_warned_of(tmp_path: Path) -> None:
    place = (
        "url: https://example.org/current/all.xml\n    archives: [https://example.org/1/all.xml]"
    )
    warned = spec_warnings(load(spec_with(tmp_path, place, "null")))
    assert [problem.message for problem in warned] == [
        'the address moves: behind "current" another file will stand one day',
        "the source is not pinned, so the spec does not compile",
    ]


@pytest.mark.parametrize("spec", sorted(ROOT.glob("specs/*.yaml")), ids=lambda path: path.stem)
def test_no_spec_of_this_project_names_an_address_that_moves(spec: Path) -> None:
    assert [
        address
        for pin in load(spec).sources.values()
        for address in pin.addresses
        if moving_part(address)
    ] == []
