"""Sources under their checksums on a loopback Hub, and found there when publishers are gone."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.hub.client import Client, client
from tests.hub.server import Hub

REPO = "cafe/sources"


@pytest.fixture
def sources(tmp_path: Path) -> list[list[str]]:
    """Three files, as (id, licence, checksum, path)."""
    found = []
    for name, licence in (
        ("free", "cc0-1.0"),
        ("shared", "cc-by-sa-4.0"),
        ("fixed", "cc-by-nd-4.0"),
    ):
        path = tmp_path / name
        path.write_text(f"the {name} file")
        found.append([name, licence, hashlib.sha256(path.read_bytes()).hexdigest(), str(path)])
    found.append(["unknown", "house rules", "ab" * 32, found[0][3]])
    return found


def test_what_licences_allow_is_published_once(
    hub: Hub, barista: Client, sources: list[list[str]]
) -> None:
    done = barista.result("mirror", REPO, sources)
    assert done == {
        "uploaded": ["free", "shared"],
        "there": [],
        "refused": {
            "fixed": "its licence, CC BY-ND 4.0, is about unchanged copies: ask its publisher",
            "unknown": "nothing is known of its licence, house rules",
        },
    }
    names = {f"sha256/{sha[:2]}/{sha}" for _, _, sha, _ in sources[:2]}
    repository = hub.dataset(REPO)
    assert set(repository.head.files) - {".gitattributes"} == names
    head = repository.head.oid
    again = barista.result("mirror", REPO, sources)
    assert (again["uploaded"], again["there"]) == ([], ["free", "shared"])
    assert hub.dataset(REPO).head.oid == head


def test_a_source_is_found_by_its_checksum(
    hub: Hub, barista: Client, sources: list[list[str]], tmp_path: Path
) -> None:
    barista.result("mirror", REPO, sources)
    with client(tmp_path / "home", hub.url, token=None, SORITES_MIRROR=REPO) as reader:
        got = reader.result("mirrored", sources[0][2], str(tmp_path / "got"))
        assert got == "the free file"
        missing = reader.call("mirrored", "cd" * 32, str(tmp_path / "none"))
        assert missing["error"].startswith(f"the mirror {REPO} (SORITES_MIRROR): ")
        assert not (tmp_path / "none").exists()
