"""What the README shows is what works."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from sorites.specfile.starter import starter_kinds


def _blocks(root: Path, language: str) -> list[str]:
    text = (root / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_python_of_the_readme_runs(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    (code,) = _blocks(root, "python")
    exec(compile(code, "README.md", "exec"), {})
    shown = capsys.readouterr().out
    assert 0 <= float(shown.splitlines()[0]) <= 1
    assert all(model in shown for model in ("majority", "random"))
    assert {path.name for path in tmp_path.iterdir()} == {"my-dataset", "releases", "runs"}


def test_every_kind_can_be_started_as_the_readme_says(root: Path) -> None:
    (line,) = [
        line
        for block in _blocks(root, "sh")
        for line in block.splitlines()
        if line.startswith("sorites init")
    ]
    assert [kind for kind in starter_kinds() if kind in line] == [*starter_kinds()]


def _extras(project: Path) -> tuple[str, set[str]]:
    found = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
    return found["name"], {*found["optional-dependencies"]}


def _texts(root: Path) -> Iterator[str]:
    for place in ("compiler/src", "evaluators/src"):
        for path in (root / place).rglob("*.py"):
            yield path.read_text(encoding="utf-8")
    for name in ("README.md", "CONTRIBUTING.md", "evaluators/README.md"):
        yield (root / name).read_text(encoding="utf-8")


def test_whatever_is_to_be_installed_exists(root: Path) -> None:
    known = dict(_extras(project) for project in (root, root / "evaluators"))
    named = re.findall(r"pip install '([a-z-]+)\[([a-z]+)\]'", "\n".join(_texts(root)))
    assert len(named) > 5
    assert [(name, extra) for name, extra in named if extra not in known[name]] == []
