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

from sorites_eval.contract.faults import InvalidTemplate

__all__ = ["MAX_OUTPUT", "MAX_TEMPLATE", "check", "render", "variables"]

MAX_TEMPLATE = 20_000
"""Characters that a template may have."""
MAX_OUTPUT = 200_000
"""Characters that a rendered template may have."""

_FILTERS = frozenset(
    {"capitalize", "default", "first", "int", "join", "last", "length", "list"}
    | {"lower", "sort", "string", "title", "trim", "upper"}
)
_GROWING = frozenset({"join", "list", "string"})
"""Filters whose output may be longer than their input, by the marks that they put around it."""

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


def check(source: str) -> None:
    """Refuse a template that is too long, does not parse, or could run without bounds.

    Raises InvalidTemplate.
    """
    _compile(source)


def variables(source: str) -> frozenset[str]:
    """The columns that a template reads. Raises InvalidTemplate as ``check`` does."""
    return _compile(source)[1]


def render(source: str, row: Mapping[str, object]) -> str:
    """The template filled from a row, without space at either end.

    Raises InvalidTemplate as ``check`` does, and for a column that is missing, a text that grows
    too long, or a mistake that shows only with this row.
    """
    template = _compile(source)[0]
    parts: list[str] = []
    size = 0
    try:
        for part in template.generate(row):
            size += len(part)
            if size > MAX_OUTPUT:
                raise InvalidTemplate(f"renders to more than {MAX_OUTPUT:,} characters")
            parts.append(part)
    # A template is a small program: its own mistakes arrive as whatever Python raises.
    except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
        raise InvalidTemplate(f"cannot be rendered: {error or type(error).__name__}") from error
    return "".join(parts).strip()


@lru_cache(maxsize=512)
def _compile(source: str) -> tuple[Template, frozenset[str]]:
    if len(source) > MAX_TEMPLATE:
        raise InvalidTemplate(f"has {len(source):,} characters; at most {MAX_TEMPLATE:,} are read")
    try:
        tree = _ENVIRONMENT.parse(source)
        _refuse_unbounded(tree)
        return _ENVIRONMENT.from_string(source), frozenset(find_undeclared_variables(tree))
    except TemplateError as error:
        line = getattr(error, "lineno", None)
        where = f" (line {line})" if line else ""
        raise InvalidTemplate(f"does not parse: {error}{where}") from error
    except (RecursionError, MemoryError) as error:
        raise InvalidTemplate("is nested too deeply") from error


def _refuse_unbounded(tree: nodes.Template) -> None:
    for kind, name in _FORBIDDEN:
        if (found := next(tree.find_all(kind), None)) is not None:
            raise InvalidTemplate(
                f"has {name} (line {found.lineno}); only variables, conditions, one loop at a "
                "time and simple filters are allowed"
            )
    for loop in tree.find_all(nodes.For):
        if loop.recursive or any(inner is not loop for inner in loop.find_all(nodes.For)):
            raise InvalidTemplate(f"has a loop within a loop (line {loop.lineno})")
    for use in tree.find_all(nodes.Filter):
        growing = [inner for inner in use.find_all(nodes.Filter) if inner.name in _GROWING]
        if use.name in _GROWING and any(inner is not use for inner in growing):
            raise InvalidTemplate(
                f"has {use.name} after {growing[-1].name} (line {use.lineno}): each makes its "
                "input longer, so one of them at a time is allowed"
            )
