"""The templates of a spec, held to what an evaluator will accept and rendered as it will.

An evaluator renders the prompts of strangers, so it takes only templates whose work is bounded
by their length and by the row: variables, conditions, one loop at a time, a few filters. What it
would refuse is refused here, when the release is made and its author can still mend it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from jinja2 import StrictUndefined, Template, TemplateError, meta, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from sorites.canonical import Json
from sorites.errors import SoritesError

__all__ = ["render", "variables"]

_LONGEST_TEMPLATE = 20_000
_LONGEST_TEXT = 200_000

_FILTERS = (
    *("capitalize", "default", "first", "int", "join", "last", "length", "list", "lower"),
    *("sort", "string", "title", "trim", "upper"),
)

_UNBOUNDED: Mapping[type[nodes.Node], str] = {
    nodes.Call: "a call",
    nodes.CallBlock: "a call block",
    nodes.Macro: "a macro",
    nodes.Assign: "an assignment",
    nodes.AssignBlock: "an assignment",
    nodes.FilterBlock: "a filter block",
    nodes.Block: "a block",
    nodes.Extends: "inheritance",
    nodes.Include: "an inclusion",
    nodes.Import: "an import",
    nodes.FromImport: "an import",
    nodes.With: "a with block",
    nodes.Mul: "a product",
    nodes.Pow: "a power",
    nodes.Mod: "a remainder",
}


def _environment() -> ImmutableSandboxedEnvironment:
    # Prompts are plain text, not HTML: nothing is to be escaped.
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters = {name: environment.filters[name] for name in _FILTERS}
    environment.globals.clear()
    return environment


_ENVIRONMENT = _environment()


def variables(template: str) -> frozenset[str]:
    """The names that a template takes from an item.

    Raises SoritesError for a template that an evaluator would not accept.
    """
    return _compiled(template)[1]


def render(template: str, item: Mapping[str, Json]) -> str:
    """A template filled with the columns of an item, without space at either end.

    Raises SoritesError for a template that an evaluator would not accept, that fails for this
    item, or whose text grows too long.
    """
    pieces: list[str] = []
    length = 0
    try:
        for piece in _compiled(template)[0].generate(item):
            pieces.append(piece)
            length += len(piece)
            if length > _LONGEST_TEXT:
                raise SoritesError(f"renders to more than {_LONGEST_TEXT:,} characters")
    # A template is a small program: its own mistakes arrive as whatever Python raises.
    except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
        raise SoritesError(f"cannot be rendered: {error or type(error).__name__}") from error
    return "".join(pieces).strip()


@lru_cache(maxsize=512)
def _compiled(template: str) -> tuple[Template, frozenset[str]]:
    if len(template) > _LONGEST_TEMPLATE:
        raise SoritesError(f"has {len(template):,} characters, over {_LONGEST_TEMPLATE:,}")
    try:
        tree = _ENVIRONMENT.parse(template)
        _refuse_unbounded(tree)
        return _ENVIRONMENT.from_string(template), frozenset(meta.find_undeclared_variables(tree))
    except TemplateError as error:
        line = getattr(error, "lineno", None)
        where = f" (line {line})" if line else ""
        raise SoritesError(f"does not parse: {error}{where}") from error
    except (RecursionError, MemoryError) as error:
        raise SoritesError("is nested too deeply") from error


def _refuse_unbounded(tree: nodes.Template) -> None:
    for kind, name in _UNBOUNDED.items():
        found = next(tree.find_all(kind), None)
        if found is not None:
            raise SoritesError(
                f"has {name} (line {found.lineno}); only variables, conditions, one loop at a "
                "time and simple filters are allowed"
            )
    for loop in tree.find_all(nodes.For):
        if loop.recursive or any(inner is not loop for inner in loop.find_all(nodes.For)):
            raise SoritesError(f"has a loop within a loop (line {loop.lineno})")
    for use in tree.find_all(nodes.Filter):
        joins = [inner for inner in use.find_all(nodes.Filter) if inner.name == "join"]
        if use.name == "join" and any(inner is not use for inner in joins):
            raise SoritesError(f"has a join within a join (line {use.lineno})")
