"""How the two packages hang together, read from their imports: no cycles, no unnamed needs."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT

PACKAGES = {
    "sorites": (ROOT / "compiler" / "src", ROOT / "pyproject.toml"),
    "sorites_eval": (ROOT / "evaluators" / "src", ROOT / "evaluators" / "pyproject.toml"),
}


@dataclass(frozen=True)
class Import:
    """One import: of what, by which module, in which line, and whether a function holds it."""

    module: str
    line: int
    target: str
    late: bool
    types_only: bool


@cache
def modules(package: str) -> dict[str, Path]:
    """The modules of a package by name; a folder's name stands for its ``__init__.py``."""
    source, _ = PACKAGES[package]
    found = {}
    for path in sorted((source / package).rglob("*.py")):
        parts = path.relative_to(source).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    assert found
    return found


@cache
def imports(package: str) -> tuple[Import, ...]:
    known = modules(package)
    return tuple(
        found
        for module, path in known.items()
        for found in _imports(module, ast.parse(path.read_text(encoding="utf-8")), known)
    )


def _imports(module: str, tree: ast.Module, known: dict[str, Path]) -> Iterator[Import]:
    open_: list[tuple[ast.AST, bool, bool]] = [(tree, False, False)]
    while open_:
        node, late, types_only = open_.pop()
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: a relative import"
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in known else node.module or "" for name in whole]
        for name in names:
            yield Import(module, node.lineno, name, late, types_only)  # type: ignore[attr-defined]
        late = late or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            open_ += [(child, late, True) for child in node.body]
            open_ += [(child, late, types_only) for child in node.orelse]
        else:
            open_ += [(child, late, types_only) for child in ast.iter_child_nodes(node)]


def rooms(importer: str, imported: str) -> tuple[str, str] | None:
    """The two rooms between which an import goes: where their names part.

    None where one lies in the other: a folder may import what it holds, and what it holds may
    import what lies beside it further up.

    >>> rooms("p.a.x.one", "p.a.y.two")
    ('p.a.x', 'p.a.y')
    """
    ours, theirs = importer.split("."), imported.split(".")
    for depth, (one, other) in enumerate(zip(ours, theirs, strict=False)):
        if one != other:
            return ".".join(ours[: depth + 1]), ".".join(theirs[: depth + 1])
    return None


def cycle(graph: dict[str, set[str]]) -> list[str]:
    """The nodes of a cycle, in order, or nothing."""
    done: set[str] = set()

    def walk(node: str, path: list[str]) -> list[str]:
        if node in path:
            return [*path[path.index(node) :], node]
        if node in done:
            return []
        for other in sorted(graph.get(node, ())):
            if found := walk(other, [*path, node]):
                return found
        done.add(node)
        return []

    return next((found for node in sorted(graph) if (found := walk(node, []))), [])


def test_a_cycle_is_found() -> None:
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert cycle({"a": {"b", "c"}, "b": {"c"}}) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_no_room_imports_itself_by_way_of_another(package: str) -> None:
    """At every depth: modules of one folder, folders of one folder. Late imports count as well."""
    graph: dict[str, set[str]] = {}
    known = modules(package)
    for found in imports(package):
        if found.target in known and (between := rooms(found.module, found.target)):
            graph.setdefault(between[0], set()).add(between[1])
    assert len(graph) > 10
    assert not cycle(graph)


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_imports_the_package_that_it_lies_in(package: str) -> None:
    """What a folder's ``__init__.py`` offers is for those outside it."""
    inside = [
        f"{found.module}:{found.line}: {found.target}"
        for found in imports(package)
        if found.module.startswith(f"{found.target}.")
    ]
    # Only the root may hold more than what it offers: the version.
    assert [entry for entry in inside if not entry.endswith(f": {package}")] == []


def test_the_compiler_knows_of_the_evaluators_the_contract_alone() -> None:
    allowed = re.compile(r"sorites_eval\.contract(\..+)?")
    others = {
        f"{found.module}:{found.line}: {found.target}"
        for found in imports("sorites")
        if found.target.split(".")[0] == "sorites_eval" and not allowed.fullmatch(found.target)
    }
    assert others == set()


def test_the_evaluators_do_not_know_the_compiler() -> None:
    assert [
        found for found in imports("sorites_eval") if found.target.split(".")[0] == "sorites"
    ] == []


def test_what_the_contract_needs_is_little() -> None:
    """Whoever compiles needs no model, no statistics, no network."""
    known = modules("sorites_eval")
    needed, open_ = set(), [name for name in known if name.startswith("sorites_eval.contract")]
    while open_:
        module = open_.pop()
        if module not in needed:
            needed.add(module)
            open_ += [
                i.target
                for i in imports("sorites_eval")
                if i.module == module and i.target in known
            ]
    rest = {name for name in needed if not name.startswith("sorites_eval.contract")}
    assert rest <= {"sorites_eval.errors", "sorites_eval.names"}


def loaded_at_once(package: str) -> set[str]:
    """The modules that ``import package`` and ``python -m package`` load before any command."""
    known = modules(package)
    loaded: set[str] = set()
    open_ = [package, f"{package}.__main__"]
    while open_:
        module = open_.pop()
        if module not in loaded:
            loaded.add(module)
            eager = [i for i in imports(package) if i.module == module and not i.late]
            open_ += [i.target for i in eager if i.target in known and not i.types_only]
            open_ += [module.rpartition(".")[0]] if "." in module else []
    return loaded


@pytest.mark.parametrize("package", PACKAGES)
def test_every_import_is_of_a_distribution_that_is_declared(package: str) -> None:
    """What a package loads at once is a dependency; what it loads later may be in an extra."""
    project = tomllib.loads(PACKAGES[package][1].read_text(encoding="utf-8"))["project"]
    always = _named(project["dependencies"])
    extras = project.get("optional-dependencies", {})
    either = always | _named(
        text for name, texts in extras.items() if name != "dev" for text in texts
    )
    distributions = packages_distributions()
    at_once = loaded_at_once(package)
    undeclared = set()
    for found in imports(package):
        top = found.target.split(".")[0]
        if top in sys.stdlib_module_names or top == package or found.types_only:
            continue
        offered = {canonicalize_name(name) for name in distributions.get(top, [top])}
        if not offered & (always if found.module in at_once and not found.late else either):
            undeclared.add(f"{found.module}:{found.line}: {found.target}")
    assert undeclared == set()


def _named(requirements: Iterable[str]) -> set[str]:
    return {canonicalize_name(Requirement(text).name) for text in requirements}
