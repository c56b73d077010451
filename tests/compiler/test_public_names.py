"""What `import sorites` offers, and that nothing heavy comes with it or with --help."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest

import sorites


def test_every_name_is_there_and_is_defined_where_type_checkers_look() -> None:
    tree = ast.parse(Path(sorites.__file__).read_text(encoding="utf-8"))
    typed = {
        name.name: statement.module
        for statement in ast.walk(tree)
        if isinstance(statement, ast.ImportFrom) and str(statement.module).startswith("sorites")
        for name in statement.names
    }
    assert {*typed, "__version__"} == {*sorites.__all__}
    assert list(sorites.__all__) == sorted(sorites.__all__)
    for name, module in typed.items():
        assert getattr(sorites, name) is getattr(import_module(str(module)), name)
    assert {*sorites.__all__} <= {*dir(sorites)}


@pytest.mark.parametrize("name", [name for name in sorites.__all__ if name != "__version__"])
def test_every_name_explains_itself(name: str) -> None:
    assert (inspect.getdoc(getattr(sorites, name)) or "").strip()


def test_the_version_is_that_of_the_distribution() -> None:
    assert sorites.__version__ == version("sorites")


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"^module 'sorites' has no attribute 'compiler'$"):
        sorites.compiler  # noqa: B018


def loaded(code: str) -> set[str]:
    """The top-level modules that a new Python has imported after some code."""
    code += "; import sys; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return {*done.stdout.splitlines()[-1].split()}


HEAVY = {
    *("nltk", "z3", "rdflib", "wn", "janome", "lemminflect", "datasets", "pandas", "jsonschema"),
    *("numpy", "pyarrow", "huggingface_hub", "httpx2", "jinja2", "ruamel", "sorites_eval"),
}


def test_the_import_loads_nothing_heavy() -> None:
    assert not loaded("import sorites") & {*HEAVY, "typer", "rich"}


@pytest.mark.parametrize("arguments", [["--help"], ["compile", "--help"], ["--version"]])
def test_help_and_the_version_load_nothing_heavy(arguments: list[str]) -> None:
    code = f"from sorites.cli.app import app; app({arguments}, standalone_mode=False)"
    assert not loaded(code) & HEAVY
