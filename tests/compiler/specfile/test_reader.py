"""Specs read from files: where everything is, what may be included, what cannot be read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sorites.errors import InvalidSpec, UnreadableSpec
from sorites.specfile.reader import MAX_BYTES, Location, read, read_text


def invalid(path: Path) -> str:
    with pytest.raises(InvalidSpec) as caught:
        read(path)
    return str(caught.value).replace(str(path.parent), "…")


def unreadable(path: Path) -> str:
    with pytest.raises(UnreadableSpec) as caught:
        read(path)
    return str(caught.value).replace(str(path.parent), "…")


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    folder = tmp_path / "specs" / "sample"
    folder.mkdir(parents=True)
    return folder / "spec.yaml"


def test_every_value_has_its_place() -> None:
    document = read_text("a: 1\nb:\n  - x\n  - {c: d}\ne: &n\n  f: g\nh: *n\n", Path("s.yaml"))
    assert document.data == {
        "a": 1,
        "b": ["x", {"c": "d"}],
        "e": {"f": "g"},
        "h": {"f": "g"},
    }
    assert document.locate(()) == Location("s.yaml", 1, 1)
    assert document.locate(("a",)) == Location("s.yaml", 1, 4)
    assert document.locate(("a",), key=True) == Location("s.yaml", 1, 1)
    assert document.locate(("b", 1, "c")) == Location("s.yaml", 4, 9)
    assert document.locate(("b", 1, "c"), key=True) == Location("s.yaml", 4, 6)
    assert document.locate(("b", 1, "missing")) == Location("s.yaml", 4, 5)
    assert document.locate(("h",)) == Location("s.yaml", 7, 4)
    assert document.locate(("h", "f")) == Location("s.yaml", 6, 6)
    problem = document.problem(("b", 1, "c"), "is wrong", "mend it")
    assert str(problem) == "s.yaml:4:9: b[1].c: is wrong\n    mend it"


def test_a_section_in_a_file_of_its_own(spec: Path) -> None:
    (spec.parent.parent / "shared.yaml").write_text("\ufeff- x\n- y: 1\n", encoding="utf-8")
    spec.write_text("a: 1\nb: {file: ../shared.yaml}\nc: {d: {file: ../shared.yaml}}\n")
    document = read(spec)
    assert document.data == {"a": 1, "b": ["x", {"y": 1}], "c": {"d": {"file": "../shared.yaml"}}}
    shared = str(spec.parent.parent / "shared.yaml")
    assert document.locate(("b", 1, "y")) == Location(shared, 2, 6)
    assert document.locate(("b",), key=True) == Location(str(spec), 2, 1)


def test_what_may_not_be_included(spec: Path) -> None:
    (spec.parent / "nested.yaml").write_text("file: other.yaml\n")
    (spec.parent / "twice.yaml").write_text("a: 1\na: 2\n")
    (spec.parent.parent.parent / "out.yaml").write_text("a: 1\n")
    (spec.parent / "link.yaml").symlink_to(spec.parent.parent.parent / "out.yaml")
    spec.write_text(
        "a: {file: ../../out.yaml}\nb: {file: /etc/passwd.yaml}\nc: {file: notes.txt}\n"
        "d: {file: missing.yaml}\ne: {file: nested.yaml}\nf: {file: twice.yaml}\n"
        "g: {file: link.yaml}\nh: {file: [x]}\n"
    )
    outside = (
        "lies outside the folder of the spec and the folder above it\n    Move the file there."
    )
    hint = "Name a file relative to the spec, such as: schemes.yaml"
    assert invalid(spec).splitlines() == [
        *f"…/spec.yaml:1:11: ../../out.yaml {outside}".splitlines(),
        "…/spec.yaml:2:11: /etc/passwd.yaml is not a relative path",
        f"    {hint}",
        "…/spec.yaml:3:11: an included file must end in .yaml or .yml",
        f"    {hint}",
        "…/spec.yaml:4:11: d.file: …/missing.yaml cannot be read: No such file or directory",
        "…/nested.yaml:1:1: an included file cannot include another",
        '…/twice.yaml:2:1: the key "a" stands twice in one mapping: first at line 1, column 1',
        "    Keep one of the two.",
        *f"…/spec.yaml:7:11: link.yaml {outside}".splitlines(),
        "…/spec.yaml:8:11: an included file must end in .yaml or .yml",
        f"    {hint}",
    ]


def test_the_limits_hold_for_all_files_together(spec: Path) -> None:
    (spec.parent / "half.yaml").write_text("# " + "x" * (MAX_BYTES // 2) + "\n[a]\n")
    spec.write_text("a: {file: half.yaml}\nb: {file: half.yaml}\n")
    assert invalid(spec) == (
        "…/spec.yaml:2:11: b.file: …/half.yaml is too large: a spec and the files it includes hold "
        "at most 1,000,000 bytes"
    )
    many = f"- &x [{'x, ' * 250}]\n- [{'*x, ' * 230}]\n"
    (spec.parent / "many.yaml").write_text(many)
    spec.write_text("a: {file: many.yaml}\nb: {file: many.yaml}\n")
    assert invalid(spec).endswith("more than 100,000 values once aliases are expanded")


def test_what_cannot_be_read(tmp_path: Path) -> None:
    missing = tmp_path / "missing.yaml"
    assert unreadable(missing) == "…/missing.yaml cannot be read: No such file or directory"
    folder = tmp_path / "folder.yaml"
    folder.mkdir()
    assert unreadable(folder) == "…/folder.yaml is not a file"
    pipe = tmp_path / "pipe.yaml"
    os.mkfifo(pipe)
    assert unreadable(pipe) == "…/pipe.yaml is not a file"
    latin = tmp_path / "latin.yaml"
    latin.write_bytes("a: b\nc: é\n".encode("latin-1"))
    assert unreadable(latin) == "…/latin.yaml:2: not UTF-8: byte 0xe9. Save the file as UTF-8."
    large = tmp_path / "large.yaml"
    large.write_bytes(b"a: " + b"x" * 10_000_000)
    assert unreadable(large) == (
        "…/large.yaml is too large: a spec and the files it includes hold at most 1,000,000 bytes"
    )


def test_a_spec_is_a_mapping() -> None:
    with pytest.raises(InvalidSpec) as caught:
        read_text("- a\n", Path("s.yaml"))
    assert str(caught.value) == "s.yaml:1:1: a spec is a mapping of keys to values"
