"""The public Python API, from the names that a package exports and their docstrings."""

from __future__ import annotations

import inspect
from importlib import import_module

__all__ = ["python_page"]


def python_page(package: str) -> str:
    """A page on which autodoc shows each public name."""
    module = import_module(package)
    names = [name for name in module.__all__ if not name.startswith("__")]
    functions = [name for name in names if inspect.isfunction(getattr(module, name))]
    classes = [name for name in names if inspect.isclass(getattr(module, name))]
    errors = [name for name in classes if issubclass(getattr(module, name), Exception)]
    values = [name for name in classes if name not in errors]
    others = [name for name in names if name not in {*functions, *classes}]
    lines = [f"# `import {package}`", "", "```{eval-rst}", f".. currentmodule:: {package}", "```"]
    for title, directive, group in (
        ("Functions", "autofunction", functions),
        ("Values", "autoclass", values),
        ("Types", "autodata", others),
        ("Errors", "autoexception", errors),
    ):
        if group:
            lines += ["", f"## {title}", "", "```{eval-rst}"]
            for name in group:
                lines += [f".. {directive}:: {package}.{name}"]
                lines += ["   :members:"] if directive == "autoclass" else []
                lines += ["   :no-index:"] if _of_another(package, getattr(module, name)) else []
                lines += [""]
            lines += ["```"]
    return "\n".join(lines) + "\n"


def _of_another(package: str, value: object) -> bool:
    """Whether what a package exports is another package's, which has it on a page of its own."""
    return str(getattr(value, "__module__", package)).partition(".")[0] != package
