"""Starting a dataset of one's own: what is written works where it lies, and nothing is harmed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

import sorites
from sorites import SoritesError
from sorites.cli.app import app
from sorites.specfile.reader import read
from sorites.specfile.schemas import packaged_specs
from sorites.specfile.starter import starter_kinds

QUICKEST = "sense-relations"


@pytest.mark.parametrize("kind", starter_kinds())
def test_the_spec_is_valid_and_says_what_the_sample_says(kind: str, tmp_path: Path) -> None:
    path = sorites.init(kind, tmp_path / "mine")
    spec = sorites.check(path)
    assert spec.kind == kind
    sample = packaged_specs() / "sample" / path.name
    assert spec.document.data == read(sample).data
    written, original = (place.read_text("utf-8").splitlines() for place in (path, sample))
    changed = [(new, old) for new, old in zip(written, original, strict=True) if new != old]
    assert all(new == old.replace("../", "") for new, old in changed)


@pytest.mark.parametrize("kind", starter_kinds())
def test_the_folder_stands_alone(kind: str, tmp_path: Path) -> None:
    path = sorites.init(kind, tmp_path / "mine")
    first = path.read_text("utf-8").splitlines()[0]
    schema = path.parent / first.removeprefix("# yaml-language-server: $schema=")
    assert schema.is_file()
    assert (schema.parent / "common.schema.json").is_file()
    # So that `sorites compile mine/*.yaml` is a command.
    assert [*path.parent.glob("*.yaml")] == [path]
    for pin in sorites.check(path).sources.values():
        assert pin.file is not None
        assert pin.file.is_relative_to(path.parent)
    assert [*tmp_path.iterdir()] == [path.parent]


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=() if kind == QUICKEST else pytest.mark.slow)
        for kind in starter_kinds()
    ],
)
def test_a_dataset_in_two_commands(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["init", kind, "my dataset"])
    assert (done.exit_code, done.stderr) == (0, "")
    first, *following = done.stdout.splitlines()
    (spec,) = Path("my dataset").glob("*.yaml")
    assert first == f"{spec} is a spec that works; what it needs lies beside it. Next:"
    assert following[0] == f"  sorites check '{spec}'"
    assert following[1] == f"  sorites compile '{spec}' --out releases"
    release = following[2].removeprefix("  sorites verify ")
    assert sorites.compile(spec, "releases") == Path(release)
    assert sorites.verify(release).name == Path(release).parent.name


def test_an_unknown_kind(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["init", "argument-shemes", str(tmp_path / "mine")])
    assert isinstance(done.exception, SoritesError)
    assert str(done.exception) == (
        'unknown kind "argument-shemes": did you mean "argument-schemes"?'
    )
    with pytest.raises(SoritesError) as caught:
        sorites.init("x", tmp_path / "mine")
    assert str(caught.value) == f'unknown kind "x": known: {", ".join(starter_kinds())}'
    assert not [*tmp_path.iterdir()]


def test_the_help_names_every_kind_and_the_shell_completes_them() -> None:
    shown = CliRunner().invoke(app, ["init", "--help"]).stdout
    assert all(kind in shown for kind in starter_kinds())
    asked = {
        "_SORITES_COMPLETE": "complete_bash",
        "COMP_WORDS": "sorites init s",
        "COMP_CWORD": "2",
    }
    done = CliRunner().invoke(app, [], env=asked, prog_name="sorites")
    assert done.stdout.split() == ["sense-relations"]


@pytest.mark.parametrize("there", ["folder", "empty folder", "file", "dangling link"])
def test_nothing_is_overwritten(there: str, tmp_path: Path) -> None:
    place = tmp_path / "mine"
    if there == "file":
        place.write_text("text")
    elif there == "dangling link":
        place.symlink_to(tmp_path / "nowhere")
    else:
        place.mkdir()
        if there == "folder":
            (place / "notes.txt").write_text("text")
    before = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*"))
    with pytest.raises(SoritesError) as caught:
        sorites.init(QUICKEST, place)
    assert str(caught.value) == f"{place} is there already: give the name of a new folder"
    assert sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*")) == before


def test_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = []

    def interrupted(self: Path, content: bytes) -> None:
        if written:
            raise KeyboardInterrupt
        written.append(self)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", interrupted)
        with pytest.raises(KeyboardInterrupt):
            sorites.init(QUICKEST, tmp_path / "new" / "folders" / "mine")
    assert written
    assert not [*tmp_path.iterdir()]


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("text")
    place = tmp_path / "file" / "mine"
    with pytest.raises(SoritesError) as caught:
        sorites.init(QUICKEST, place)
    assert str(caught.value) == f"{place} cannot be written: {os.strerror(20)}"


@pytest.mark.parametrize("kind", starter_kinds())
def test_whoever_starts_reads_english(kind: str, tmp_path: Path) -> None:
    assert "en" in sorites.check(sorites.init(kind, tmp_path / "mine")).languages
