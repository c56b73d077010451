"""What `import sorites_eval` offers, and that nothing heavy comes with it."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest

import sorites_eval


def test_every_name_is_there_and_is_defined_where_type_checkers_look() -> None:
    tree = ast.parse(Path(sorites_eval.__file__).read_text(encoding="utf-8"))
    typed = {
        name.name: statement.module
        for statement in ast.walk(tree)
        if isinstance(statement, ast.ImportFrom)
        and str(statement.module).startswith("sorites_eval.")
        for name in statement.names
    }
    assert {*typed, "__version__"} == {*sorites_eval.__all__}
    assert list(sorites_eval.__all__) == sorted(sorites_eval.__all__)
    for name, module in typed.items():
        assert getattr(sorites_eval, name) is getattr(import_module(str(module)), name)
    assert {*sorites_eval.__all__} <= {*dir(sorites_eval)}


@pytest.mark.parametrize("name", [name for name in sorites_eval.__all__ if name[0] != "_"])
def test_every_name_explains_itself(name: str) -> None:
    assert (inspect.getdoc(getattr(sorites_eval, name)) or "").strip()


def test_the_version_is_that_of_the_distribution() -> None:
    assert sorites_eval.__version__ == version("sorites-eval")


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(
        AttributeError, match=r"^module 'sorites_eval' has no attribute 'evaluator'$"
    ):
        sorites_eval.evaluator  # noqa: B018


def loaded(code: str) -> set[str]:
    """The top-level modules that a new Python has imported after some code."""
    code += "; import sys; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return {*done.stdout.splitlines()[-1].split()}


HEAVY = {"numpy", "pyarrow", "scipy", "jinja2", "huggingface_hub", "httpx2", "pandas", "torch"}


def test_the_import_loads_nothing_heavy() -> None:
    assert not loaded("import sorites_eval") & {*HEAVY, "typer", "rich"}


@pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"], ["--version"]])
def test_help_and_the_version_load_nothing_heavy(arguments: list[str]) -> None:
    code = f"from sorites_eval.cli import app; app({arguments}, standalone_mode=False)"
    assert not loaded(code) & HEAVY
