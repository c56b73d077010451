from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from sorites.cli.app import app
from sorites.ledger import rebuild_ledger
from sorites.pipeline import compile_spec
from sorites.progress import Silent
from tests.small_spec import small_spec


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    return small_spec(tmp_path / "specs")


@pytest.fixture
def ledger(spec: Path, tmp_path: Path) -> Path:
    out = tmp_path / "releases"
    compile_spec(spec, out, workers=1, progress=Silent())
    return out


def rebuild(ledger: Path, spec: Path) -> Result:
    command = ["rebuild", str(ledger), "--specs", str(spec.parent), "--workers", "1"]
    return CliRunner().invoke(app, command)


def test_an_entry_is_rebuilt_with_the_same_content(spec: Path, ledger: Path) -> None:
    (entry,) = rebuild_ledger(ledger, [spec], workers=1, progress=Silent())
    assert entry.directory == ledger / "small" / "1.0.0"
    assert (entry.faults, entry.skipped) == ((), None)


def test_an_entry_that_claims_other_rows_is_found_out(spec: Path, ledger: Path) -> None:
    path = ledger / "small" / "1.0.0" / "release.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    for split in record["splits"]:
        if split["config"] == "items":
            split["content_sha256"] = "0" * 64
    path.write_text(json.dumps(record), encoding="utf-8")
    (entry,) = rebuild_ledger(ledger, [spec], workers=1, progress=Silent())
    told = f"{path.parent}: items/test: rebuilt with other rows"
    assert (entry.faults, entry.skipped, entry.error) == ((told,), None, None)
    done = rebuild(ledger, spec)
    assert (done.exit_code, done.stdout, done.stderr) == (3, "", f"{told}\n")


def test_an_entry_whose_spec_is_refused_is_an_error_and_no_fault(spec: Path, ledger: Path) -> None:
    path = ledger / "small" / "1.0.0" / "release.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    del record["spec"]["document"]["title"]
    path.write_text(json.dumps(record), encoding="utf-8")
    (entry,) = rebuild_ledger(ledger, [spec], workers=1, progress=Silent())
    assert (entry.faults, entry.skipped) == ((), None)
    assert entry.error is not None
    assert 'the key "title" is missing' in entry.error
    done = rebuild(ledger, spec)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(f"{path.parent}: ")


def test_a_ledger_that_holds_what_it_says(spec: Path, ledger: Path) -> None:
    done = rebuild(ledger, spec)
    assert (done.exit_code, done.stdout) == (
        0,
        f"{ledger / 'small' / '1.0.0'}: rebuilt with the same content\n",
    )


def test_an_entry_of_another_major_version_is_skipped_with_the_version_to_install(
    spec: Path, ledger: Path
) -> None:
    path = ledger / "small" / "1.0.0" / "release.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    here = record["created_by"]["sorites"]
    record["created_by"]["sorites"] = "999.1.0"
    path.write_text(json.dumps(record), encoding="utf-8")
    (entry,) = rebuild_ledger(ledger, [spec], workers=1, progress=Silent())
    assert entry.faults == ()
    assert entry.skipped == (
        f"it was made by sorites 999.1.0, and this is {here}: rebuild it with"
        " 'pip install sorites==999.1.0'"
    )


def fetched(data: dict[str, Any]) -> None:
    """Let the source have an address instead of a place beside the spec."""
    (pin,) = data["sources"].values()
    pin["url"] = "https://data.example/" + pin.pop("file")


def test_an_entry_whose_source_is_gone_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = small_spec(tmp_path / "mirror", fetched)
    monkeypatch.setenv("SORITES_SOURCES", str(tmp_path / "mirror"))
    monkeypatch.setenv("SORITES_OFFLINE", "1")
    monkeypatch.setenv("SORITES_CACHE", str(tmp_path / "cache"))
    ledger = tmp_path / "releases"
    compile_spec(spec, ledger, workers=1, progress=Silent())
    spec.unlink()
    (entry,) = rebuild_ledger(ledger, [], workers=1, progress=Silent())
    assert (entry.faults, entry.skipped) == ((), None), "the manifest's own spec will do"
    (tmp_path / "mirror" / "biomedical-pathways.ttl").unlink()
    (entry,) = rebuild_ledger(ledger, [], workers=1, progress=Silent())
    assert entry.faults == ()
    assert entry.skipped is not None
    assert "SORITES_OFFLINE forbids fetching it" in entry.skipped


def test_without_an_organization_nothing_is_published(
    spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HUB_ORG", raising=False)
    out = tmp_path / "out"
    command = ["release", str(spec), "--out", str(out), "--workers", "1"]
    told = CliRunner().invoke(app, command)
    assert told.exit_code == 0, told.output
    assert told.stdout.splitlines() == [
        f"{out}/small/1.0.0 is compiled and proved",
        "not published: set HUB_ORG to an organization and HF_TOKEN to a token",
    ]


def blank(data: dict[str, Any]) -> None:
    """A checksum that nobody has filled in yet."""
    data["name"] = "unpinned"
    (pin,) = data["sources"].values()
    pin["sha256"] = None


def altered(data: dict[str, Any]) -> None:
    """A source whose content is not what its checksum promises."""
    data["name"] = "altered"
    (pin,) = data["sources"].values()
    pin["sha256"] = "ab" * 32


def test_a_spec_that_is_not_pinned_is_named_and_left_out(
    spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HUB_ORG", raising=False)
    unpinned = small_spec(tmp_path / "unpinned", blank)
    out = tmp_path / "out"
    told = CliRunner().invoke(
        app, ["release", str(unpinned), str(spec), "--out", str(out), "--workers", "1"]
    )
    assert told.exit_code == 0
    assert told.stdout.startswith(
        f"{unpinned}: left out: source pathways: its checksum is not known yet (sha256: null)."
    )
    assert [path.name for path in out.iterdir() if not path.name.startswith(".")] == ["small"]


def test_a_spec_that_cannot_be_released_does_not_hold_back_the_others(
    spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HUB_ORG", raising=False)
    wrong = small_spec(tmp_path / "wrong", altered)
    out = tmp_path / "out"
    told = CliRunner().invoke(
        app, ["release", str(wrong), str(spec), "--out", str(out), "--workers", "1"]
    )
    assert told.exit_code == 1
    assert told.stderr.startswith(f"{wrong}: source pathways: wrong checksum")
    assert [path.name for path in out.iterdir() if not path.name.startswith(".")] == ["small"]
