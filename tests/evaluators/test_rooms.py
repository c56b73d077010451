"""The packages inside ``sorites_eval`` import each other in one direction."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import sorites_eval

ROOT = Path(sorites_eval.__file__).parent


def _arrows() -> dict[str, set[str]]:
    """Package -> the packages that it imports, anywhere in its files.

    The files beside the packages (the entry points, the errors) are no package.
    """
    rooms = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    arrows: dict[str, set[str]] = {room: set() for room in rooms}
    for room in rooms:
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module:
                    parts = node.module.split(".")
                    if parts[0] == "sorites_eval" and len(parts) > 1:
                        arrows[room] |= {parts[1]} & (rooms - {room})
    return arrows


def test_no_package_cycle() -> None:
    order = list(TopologicalSorter(_arrows()).static_order())
    assert order.index("contract") < order.index("scoring")
    assert order.index("backends") < order.index("running") < order.index("reporting")
