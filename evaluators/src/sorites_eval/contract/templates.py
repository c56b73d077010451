"""Jinja templates of a stranger, held to what a prompt needs, so that none can run wild.

Jinja's sandbox keeps a template from reaching Python. It does not keep it from running for
ever or from filling the memory, so what could do that is refused when it is compiled: calls,
assignments, macros, loops within loops, products and powers. What is left takes time in
proportion to the template and to the row.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from jinja2 import StrictUndefined, Template, TemplateError, nodes
from jinja2.meta import find_undeclared_variables
from jinja2.sandbox import ImmutableSandboxedEnvironment

from sorites_eval.errors import InvalidBenchmark

__all__ = ["MAX_OUTPUT", "MAX_TEMPLATE", "check", "render", "variables"]

MAX_TEMPLATE = 20_000
"""Characters that a template may have."""
MAX_OUTPUT = 200_000
"""Characters that a rendered template may have."""

_FILTERS = frozenset(
    {"capitalize", "default", "first", "int", "join", "last", "length", "list"}
    | {"lower", "sort", "string", "title", "trim", "upper"}
)
_FORBIDDEN: tuple[tuple[type[nodes.Node], str], ...] = (
    (nodes.Call, "a call"),
    (nodes.CallBlock, "a call block"),
    (nodes.Macro, "a macro"),
    (nodes.Assign, "an assignment"),
    (nodes.AssignBlock, "an assignment"),
    (nodes.FilterBlock, "a filter block"),
    (nodes.Block, "a block"),
    (nodes.Extends, "inheritance"),
    (nodes.Include, "an inclusion"),
    (nodes.Import, "an import"),
    (nodes.FromImport, "an import"),
    (nodes.With, "a with block"),
    (nodes.Mul, "a product"),
    (nodes.Pow, "a power"),
    (nodes.Mod, "a remainder or %-format"),
)


def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters = {k: v for k, v in environment.filters.items() if k in _FILTERS}
    environment.globals.clear()
    return environment


_ENVIRONMENT = _environment()


def check(source: str, where: str) -> None:
    """Refuse a template that is too long, does not parse, or could run without bounds.

    ``where`` names it in the message of the InvalidBenchmark that is raised.
    """
    _compile(source, where)


def variables(source: str, where: str) -> frozenset[str]:
    """The columns that a template reads."""
    return _compile(source, where)[1]


def render(source: str, row: Mapping[str, object], where: str) -> str:
    """The template filled from a row, without space at either end.

    Raises InvalidBenchmark for a column that is missing or a text that grows too long.
    """
    template = _compile(source, where)[0]
    parts: list[str] = []
    size = 0
    try:
        for part in template.generate(row):
            size += len(part)
            if size > MAX_OUTPUT:
                raise InvalidBenchmark(f"{where}: the text grows over {MAX_OUTPUT} characters.")
            parts.append(part)
    except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
        raise InvalidBenchmark(f"{where}: {error}.") from error
    return "".join(parts).strip()


@lru_cache(maxsize=512)
def _compile(source: str, where: str) -> tuple[Template, frozenset[str]]:
    if len(source) > MAX_TEMPLATE:
        raise InvalidBenchmark(
            f"{where}: a template of {len(source)} characters; at most {MAX_TEMPLATE} are allowed."
        )
    try:
        tree = _ENVIRONMENT.parse(source)
        _refuse_unbounded(tree, where)
        return _ENVIRONMENT.from_string(source), frozenset(find_undeclared_variables(tree))
    except TemplateError as error:
        raise InvalidBenchmark(f"{where}: not a valid template: {error}.") from error
    except (RecursionError, MemoryError) as error:
        raise InvalidBenchmark(f"{where}: the template is nested too deeply.") from error


def _refuse_unbounded(tree: nodes.Template, where: str) -> None:
    for kind, name in _FORBIDDEN:
        if (found := next(tree.find_all(kind), None)) is not None:
            raise InvalidBenchmark(
                f"{where}: line {found.lineno}: {name} is not allowed in a template. "
                "Variables, conditions, one loop at a time and simple filters are."
            )
    for loop in tree.find_all(nodes.For):
        if next((inner for inner in loop.find_all(nodes.For) if inner is not loop), None):
            raise InvalidBenchmark(
                f"{where}: line {loop.lineno}: a loop within a loop is not allowed in a template."
            )
        if loop.recursive:
            raise InvalidBenchmark(f"{where}: line {loop.lineno}: a recursive loop is not allowed.")
    for use in tree.find_all(nodes.Filter):
        if use.name == "join" and any(i.name == "join" for i in _within(use)):
            raise InvalidBenchmark(f"{where}: line {use.lineno}: join within join is not allowed.")


def _within(use: nodes.Filter) -> list[nodes.Filter]:
    return [inner for inner in use.find_all(nodes.Filter) if inner is not use]
