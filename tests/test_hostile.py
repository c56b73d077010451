"""Hostile input through the command itself: a clear message, no traceback, nothing written."""

from __future__ import annotations

import contextlib
import errno
import gzip
import hashlib
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from sorites.cli.app import main
from tests.small_spec import small_spec

ROOT = Path(__file__).resolve().parent.parent


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Where no cache and no mirror of the person who runs the tests is seen."""
    return {"XDG_CACHE_HOME": str(folder / "cache"), "SORITES_SOURCES": "", **more}


def run_compile(spec: Path, out: Path, **more: str) -> tuple[int, str, str]:
    """The command in this process: exit code, standard output, standard error."""
    arguments = ["sorites", "compile", str(spec), "--out", str(out), "--workers", "1"]
    stdout, stderr = io.StringIO(), io.StringIO()
    with (
        patch.object(sys, "argv", arguments),
        patch.dict(os.environ, environment(spec.parent, **more)),
        contextlib.redirect_stdout(stdout),
        contextlib.redirect_stderr(stderr),
        pytest.raises(SystemExit) as stopped,
    ):
        main()
    assert isinstance(stopped.value.code, int)
    return stopped.value.code, stdout.getvalue(), stderr.getvalue()


def refused(spec: Path, *said: str, code: int = 1, **more: str) -> None:
    """The compile of a spec ends with a message of its own, and leaves nothing behind."""
    out = spec.parent / "out"
    returned, stdout, stderr = run_compile(spec, out, **more)
    assert (returned, stdout) == (code, ""), stderr
    assert len(stderr) < 5_000
    for text in said:
        assert text in stderr, stderr
    assert not out.exists()


def text_spec(folder: Path, text: str) -> Path:
    path = folder / "spec.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_bomb_of_aliases(tmp_path: Path) -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    for one, other in zip("abcdefgh", "bcdefghi", strict=True):
        bomb += f"{other}: &{other} [{', '.join([f'*{one}'] * 10)}]\n"
    refused(text_spec(tmp_path, f"kind: argument-schemes\n{bomb}"), "spec.yaml:", "alias")


def test_a_duplicate_key(tmp_path: Path) -> None:
    path = small_spec(tmp_path)
    text = path.read_text(encoding="utf-8").replace('"seed": ', '"seed": 1,\n "seed": ', 1)
    path.write_text(text, encoding="utf-8")
    refused(path, "small.yaml:", "seed")


def test_a_formula_of_ten_megabytes(tmp_path: Path) -> None:
    def huge(data: dict[str, Any]) -> None:
        data["schemes"][0]["premises"][0] = "F(a)" + " & F(a)" * 1_500_000

    refused(small_spec(tmp_path, huge), "is too large: a spec and the files it includes", code=2)


def test_a_formula_too_long_for_a_formula(tmp_path: Path) -> None:
    def long(data: dict[str, Any]) -> None:
        data["schemes"][0]["premises"][0] = "F(a)" + " & F(a)" * 50_000

    refused(small_spec(tmp_path, long), "small.yaml:", "schemes[0].premises[0]", "2000")


def test_a_formula_that_nests_without_brackets(tmp_path: Path) -> None:
    def deep(data: dict[str, Any]) -> None:
        data["schemes"][0]["premises"][0] = " -> ".join(["F(a)"] * 200)

    refused(small_spec(tmp_path, deep), "small.yaml:", "schemes[0].premises[0]")


def test_a_name_that_leads_out_of_the_folder(tmp_path: Path) -> None:
    refused(small_spec(tmp_path, lambda data: data.update(name="../evil")), "small.yaml:", "name")
    assert not (tmp_path / "evil").exists()


def test_a_version_that_leads_out_of_the_folder(tmp_path: Path) -> None:
    refused(small_spec(tmp_path, lambda data: data.update(version="../1.0.0")), "version")


def test_an_include_that_leads_out_of_the_folder(tmp_path: Path) -> None:
    def outside(data: dict[str, Any]) -> None:
        data["schemes"] = {"file": "../../../etc/passwd.yaml"}

    refused(small_spec(tmp_path / "a" / "b", outside), "small.yaml:", "lies outside the folder")


CYCLE = "\npathway:disease :partOf pathway:cancer .\n"
EMPTY = '\npathway:nothing a :Pathway ; rdfs:label "Nothing at all" ; :partOf pathway:disease .\n'


def test_a_cyclic_hierarchy(tmp_path: Path) -> None:
    path = small_spec(tmp_path, ontology=lambda text: text + CYCLE)
    refused(path, "the hierarchy has a cycle: Cancer < Disease < Cancer")


def test_an_empty_class(tmp_path: Path) -> None:
    path = small_spec(tmp_path, ontology=lambda text: text + EMPTY)
    refused(path, "biomedical-pathways.ttl", "Nothing at all")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("<script>alert(1)</script>", "holds markup"),
        ("Can\\u202Ecer", "holds the control character"),
        ("Can\\u0007cer", "holds the control character"),
        (" ", "is empty"),
    ],
)
def test_a_name_with_markup_or_control_characters(name: str, said: str, tmp_path: Path) -> None:
    path = small_spec(
        tmp_path, ontology=lambda text: text.replace('"Cancer"@en', f'"{name}"@en', 1)
    )
    refused(path, "biomedical-pathways.ttl", said)


def test_a_wrong_checksum(tmp_path: Path) -> None:
    path = small_spec(tmp_path, ontology=lambda text: text + "# one more line\n", pinned=False)
    refused(path, "source pathways: wrong checksum: ", "biomedical-pathways.ttl")


def test_a_source_over_its_cap(tmp_path: Path) -> None:
    path = small_spec(tmp_path, lambda data: data["sources"]["pathways"].update(max_bytes=1_000))
    refused(path, "pathways", "1,000")


BOMB = """<?xml version="1.0"?>
<!DOCTYPE rdf [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><a>&c;</a></rdf:RDF>
"""


def test_rdf_with_entities(tmp_path: Path) -> None:
    path = small_spec(
        tmp_path,
        lambda data: data["ontology"].update(syntax="xml"),
        ontology=lambda text: BOMB,
    )
    refused(path, "biomedical-pathways.ttl", "entit")


def reactome_spec(folder: Path, members: str, hierarchy: str = "R-2\tR-1\n") -> Path:
    """The small spec over two files in Reactome's formats."""

    def change(data: dict[str, Any]) -> None:
        files = {"members.gmt": members, "hierarchy.txt": hierarchy}
        data["sources"] = {
            name.partition(".")[0]: {
                "file": name,
                "version": "1",
                "license": "cc0-1.0",
                "attribution": "Nobody",
                "sha256": hashlib.sha256(text.encode()).hexdigest(),
            }
            for name, text in files.items()
        }
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        data["ontology"] = {"format": "reactome", "members": "members", "hierarchy": "hierarchy"}

    return small_spec(folder, change)


def test_a_gmt_line_without_members(tmp_path: Path) -> None:
    path = reactome_spec(tmp_path, "Cancer\tR-1\tTP53\tKRAS\nFever\tR-2\n")
    refused(path, "members.gmt", "2")


def test_a_download_that_was_cut_short(tmp_path: Path) -> None:
    """A mirror whose copy ends in the middle: the archive is cut, or its content is."""

    def from_mirror(data: dict[str, Any]) -> None:
        pin = data["sources"]["pathways"]
        pin["url"] = "https://localhost:1/" + pin.pop("file") + ".gz"

    path = small_spec(tmp_path, from_mirror)
    content = (tmp_path / "biomedical-pathways.ttl").read_bytes()
    (tmp_path / "biomedical-pathways.ttl").unlink()
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    copy = mirror / "biomedical-pathways.ttl.gz"
    for cut in (gzip.compress(content)[:-500], gzip.compress(content[:-500])):
        copy.write_bytes(cut)
        refused(path, "pathways", SORITES_SOURCES=str(mirror))


FULL = """
import resource
# No file may grow beyond this: to the program, a disk that is full.
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
from sorites.cli.app import main
main()
"""


def test_a_full_disk(tmp_path: Path) -> None:
    spec, out = small_spec(tmp_path), tmp_path / "out"
    done = subprocess.run(
        [sys.executable, "-B", "-c", FULL, "compile", spec, "--out", out, "--workers", "1"],
        env={**os.environ, **environment(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"{out / 'small' / '1.0.0'}: cannot be written: File too large")
    assert "Traceback" not in done.stderr
    assert not out.exists()


def no_work(*_: object, **__: object) -> None:
    raise AssertionError("the place is tried before the work begins")


@pytest.mark.parametrize("where", ["file", "file/out", "full", "dangling"])
def test_a_place_that_cannot_be_written_is_told_before_the_work(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sorites.pipeline.obtain_sources", no_work)
    spec, place = small_spec(tmp_path / "spec"), tmp_path / where
    (tmp_path / "file").write_text("a file, not a folder")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere" / "at" / "all")
    if where == "full":
        monkeypatch.setattr("sorites.release.files.staging.os.fsync", full)
    before = [*tmp_path.rglob("*")]
    code, _, said = run_compile(spec, place)
    assert code == 1
    assert said.startswith(f"{place / 'small' / '1.0.0'}: cannot be written: ")
    assert len(said.splitlines()) == 1
    assert [*tmp_path.rglob("*")] == before


def full(_: int) -> None:
    raise OSError(errno.ENOSPC, "the words of another system")


def test_a_file_in_the_place_of_a_release(tmp_path: Path) -> None:
    spec, place = small_spec(tmp_path), tmp_path / "out" / "small" / "1.0.0"
    place.parent.mkdir(parents=True)
    place.write_text("not a folder")
    code, _, said = run_compile(spec, tmp_path / "out")
    assert code == 1
    assert said.startswith(f"{place}: cannot be written: Not a directory. Nothing was left behind")
    assert place.read_text() == "not a folder"
