"""A seeded sample of mutations of the core: small changes after which a test should fail.

Cosmic Ray's operators say what can be changed (a comparison, a number, `and` for `or`, a `not`, a
`break`). What changes nothing that runs, such as an annotation, is left out.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from pathlib import Path

from cosmic_ray.ast import get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names
from parso.tree import NodeOrLeaf as Node

from tests.mutants.mutant import Mutant

__all__ = ["draw"]

CORE = {
    "compiler/src/sorites/": ("logic", "families", "release", "specfile", "sources", "seeds.py"),
    "evaluators/src/sorites_eval/": (
        "contract",
        "scoring",
        "running",
        "prompts",
        "reporting",
        "training",
        "backends",
    ),
}
"""Where labels, scores and records are made. Command lines are tested by what they print."""

_VAIN = 200
"""Draws in a row that bring nothing new, after which a file is taken to have no more mutants."""

_LEFT_OUT = ("Exception", "RemoveDecorator", "NoOp", "Variable", "Eq_Is", "NotEq_IsNot")
"""Operators whose mutants any import kills, that need arguments, or for which texts are alike."""


def draw(root: Path, number: int, seed: int, only: Path | None = None) -> list[Mutant]:
    """So many mutants, each of a file drawn by its length: the same for the same code and seed.

    Of one file alone there may be fewer: all that its operators give.
    """
    dice = random.Random(seed)
    files = [root / only] if only is not None else [*_core(root)]
    lengths = [len(path.read_text(encoding="utf-8").splitlines()) for path in files]
    operators = [
        name for name in sorted(operator_names()) if not any(each in name for each in _LEFT_OUT)
    ]
    found: dict[tuple[Path, str], Mutant] = {}
    vain = 0
    while len(found) < number and vain < _VAIN:
        (path,) = dice.choices(files, lengths)
        mutant = _mutated(root, path, dice.sample(operators, len(operators)), dice)
        known = len(found)
        if mutant is not None:
            found.setdefault((mutant.path, mutant.code), mutant)
        vain = 0 if len(found) > known else vain + 1
    return [*found.values()]


def _core(root: Path) -> Iterator[Path]:
    for package, rooms in CORE.items():
        for room in rooms:
            place = root / package / room
            yield from sorted(place.rglob("*.py")) if place.is_dir() else [place]


def _mutated(root: Path, path: Path, operators: list[str], dice: random.Random) -> Mutant | None:
    """A mutant of a file by the first of some operators that finds something to change."""
    code = path.read_text(encoding="utf-8")
    for name in operators:
        operator = get_operator(name)()
        occurrences = sum(
            len([*operator.mutation_positions(node)]) for node in _nodes(get_ast(code))
        )
        for occurrence in dice.sample(range(occurrences), occurrences):
            changed = mutate_code(code, operator, occurrence)
            if _runs_otherwise(code, changed):
                return _described(path.relative_to(root), code, changed)
    return None


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in getattr(node, "children", ()):
        yield from _nodes(child)


def _runs_otherwise(code: str, changed: str) -> bool:
    try:
        return _what_runs(code) != _what_runs(changed)
    except SyntaxError:
        return False


def _what_runs(code: str) -> str:
    """The syntax tree without annotations, type aliases that are never evaluated, and `slots`.

    Nor does it have `frozen`, which the type checker sees to.
    """
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            node.decorator_list = [_plain(each) for each in node.decorator_list]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return ast.dump(tree)


def _plain(decorator: ast.expr) -> ast.expr:
    if isinstance(decorator, ast.Call):
        kept = [each for each in decorator.keywords if each.arg not in ("slots", "frozen")]
        return ast.Call(decorator.func, decorator.args, kept)
    return decorator


def _described(path: Path, code: str, changed: str) -> Mutant:
    pairs = zip(code.splitlines(), changed.splitlines(), strict=False)
    line, before, after = next(
        (number, old.strip(), new.strip())
        for number, (old, new) in enumerate(pairs, start=1)
        if old != new
    )
    return Mutant(path, line, before, after, changed)
