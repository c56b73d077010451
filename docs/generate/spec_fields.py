"""Every field of a spec, from the JSON Schemas that check it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generate.markdown import cell, table

__all__ = ["schema_pages"]

Node = Mapping[str, Any]

COMMON = "common"

_DEPTH = 8
"""Below this a schema that refers to itself is not followed."""


@dataclass(frozen=True)
class Field:
    """A field: where it stands, such as ``ontology.files[]``, and what may stand there."""

    path: str
    type: str
    required: bool
    description: str


def schema_pages(folder: Path) -> Iterator[tuple[str, str]]:
    """For each schema, the name of its page and its text."""
    schemas = {
        path.name.removesuffix(".schema.json"): json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(folder.glob("*.schema.json"))
    }
    for kind, schema in schemas.items():
        if kind != COMMON:
            yield f"spec-{kind}", _kind_page(kind, schema, schemas[COMMON])
    yield f"spec-{COMMON}", _common_page(schemas[COMMON])


def _kind_page(kind: str, schema: Node, common: Node) -> str:
    """A table of the sections, then each that is of this kind alone in full."""
    sections, own = [], []
    for name, node in schema["properties"].items():
        shared = _shared(node)
        if shared is None:
            told = _followed(node, schema)
            own += [f"## `{name}`", "", *_section(name, node, schema)]
            link = f"[`{name}`](#{name.replace('_', '-')})" if name != "kind" else "`kind`"
        else:
            told = common["definitions"][shared]
            link = f"[`{name}`](#{_anchor(shared)})"
        required = "**Required.**" if name in schema.get("required", ()) else ""
        sections.append((link, cell(told.get("description", "")), required))
    lines = [f"# Specs of the kind `{kind}`", "", schema["description"], ""]
    return "\n".join([*lines, table(["section", "what it says", ""], sections), *own])


def _common_page(schema: Node) -> str:
    lines = [
        "# What the specs of every kind share",
        "",
        "The sections below mean the same in every kind. A section may stand in a file of its own:",
        "`tasks: {file: tasks.yaml}`.",
        "",
    ]
    for name, node in schema["definitions"].items():
        if not name.endswith("_content") and name != "include":
            lines += [f"({_anchor(name)})=", f"## `{name}`", "", *_section(name, node, schema)]
    return "\n".join(lines)


def _section(name: str, node: Node, schema: Node) -> Iterator[str]:
    """What a section is, and a table of all that stands below it."""
    node = _followed(node, schema)
    yield cell(node.get("description", ""))
    yield ""
    fields = [*_below(name, node, schema, 0)]
    if fields:
        yield table(
            ["field", "what stands there", ""],
            [(f"`{each.path}`", each.type, _described(each)) for each in dict.fromkeys(fields)],
        )
    else:
        yield f"{_type(node, schema)}."
        yield ""


def _described(field: Field) -> str:
    return cell(field.description) + (" **Required.**" if field.required else "")


def _below(path: str, node: Node, schema: Node, depth: int) -> Iterator[Field]:
    """The fields below a node, in the order of the schema, each kind of content after the other."""
    if depth > _DEPTH:
        return
    for way in _ways(node, schema):
        required = way.get("required", ())
        for name, child in way.get("properties", {}).items():
            yield from _field(f"{path}.{name}", child, name in required, schema, depth)
        if isinstance(child := way.get("additionalProperties"), dict):
            yield from _field(f"{path}.NAME", child, False, schema, depth)
        if isinstance(child := way.get("items"), dict):
            each = _followed(child, schema)
            if _shared(child) is None:
                yield from _below(f"{path}[]", each, schema, depth + 1)


def _field(path: str, node: Node, required: bool, schema: Node, depth: int) -> Iterator[Field]:
    if (shared := _shared(node)) is not None:
        yield Field(path, _link(shared), required, "")
        return
    found = _followed(node, schema)
    yield Field(path, _type(found, schema), required, found.get("description", ""))
    yield from _below(path, found, schema, depth + 1)


def _ways(node: Node, schema: Node) -> Iterator[Node]:
    """A node, or each of the alternatives that it offers, without the reference to a file."""
    alternatives = [*node.get("anyOf", ()), *node.get("oneOf", ()), *node.get("allOf", ())]
    yield node
    for each in alternatives:
        if not each.get("$ref", "").endswith("/include"):
            yield from _ways(_followed(each, schema), schema)


def _type(node: Node, schema: Node) -> str:
    """What may stand there, in a few words."""
    if "const" in node:
        return f"`{_written(node['const'])}`"
    if "enum" in node:
        return " or ".join(f"`{_written(value)}`" for value in node["enum"])
    named = node.get("type")
    if isinstance(named, list):
        return " or ".join(_NAMES.get(each, each) for each in named)
    if named == "array":
        of = node.get("items", {})
        if (shared := _shared(of)) is not None:
            return f"list of {_link(shared)}"
        inner = _type(_followed(of, schema), schema) if of else "values"
        return f"list of {_PLURALS.get(inner, inner)}"
    if named:
        return _limited(_NAMES.get(named, named), node)
    ways = [
        _type(way, schema) for way in _ways(node, schema) if way is not node and "anyOf" not in way
    ]
    return " or ".join(dict.fromkeys(way for way in ways if way)) or "any value"


_NAMES = {"object": "mapping", "string": "text", "integer": "integer", "null": "null"}
_PLURALS = {"text": "texts", "mapping": "mappings", "integer": "integers", "number": "numbers"}


def _limited(name: str, node: Node) -> str:
    low, high = node.get("minimum"), node.get("maximum")
    if low is not None and high is not None:
        return f"{name}, {low} to {high}"
    return f"{name}, at least {low}" if low is not None else name


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _followed(node: Node, schema: Node) -> Node:
    """The definition that a reference within the same file names, else the node itself."""
    reference = node.get("$ref", "")
    if reference.startswith("#/definitions/"):
        found: Node = schema["definitions"][reference.rpartition("/")[2]]
        return _followed(found, schema)
    return node


def _shared(node: Node) -> str | None:
    """The definition of the shared schema that a node refers to."""
    reference = str(node.get("$ref", ""))
    if reference.startswith(f"{COMMON}.schema.json#/definitions/"):
        return reference.rpartition("/")[2]
    return None


def _anchor(name: str) -> str:
    return f"spec-common-{name.replace('_', '-')}"


def _link(name: str) -> str:
    return f"[{name.replace('_', ' ')}](#{_anchor(name)})"
