"""Values that a JSON Schema accepts, for the keywords that the schemas of specs use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

Schema = Mapping[str, Any]

_WORDS = st.text("abcdefgPTrue_ {}|.-é1", max_size=12)


def from_schema(document: Schema, definition: str) -> st.SearchStrategy[Any]:
    """Values that a definition of a document accepts; a keyword not known here is an error."""
    return _values(document["definitions"][definition], document)


def _values(schema: Schema | bool, document: Schema) -> st.SearchStrategy[Any]:
    if schema is True or schema == {}:
        return st.none() | st.booleans() | _WORDS
    assert not isinstance(schema, bool)
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/definitions/")
        return st.deferred(lambda: from_schema(document, name))
    if "anyOf" in schema:
        # A section may also stand in a file of its own, which the contract never sees.
        branches = [branch for branch in schema["anyOf"] if not _is_include(branch)]
        return st.one_of(*(_values(branch, document) for branch in branches))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return st.one_of(*(_of_type(kind, schema, document) for kind in kinds))


def _is_include(branch: Schema) -> bool:
    return bool(branch.get("$ref") == "#/definitions/include")


def _of_type(kind: str, schema: Schema, document: Schema) -> st.SearchStrategy[Any]:
    match kind:
        case "string":
            return _texts(schema)
        case "boolean":
            return st.booleans()
        case "integer" | "number":
            return st.integers(schema.get("minimum", -5), schema.get("maximum", 5))
        case "array":
            return st.lists(
                _values(schema.get("items", True), document),
                min_size=schema.get("minItems", 0),
                max_size=schema.get("maxItems", schema.get("minItems", 0) + 2),
                unique_by=repr if schema.get("uniqueItems") else None,
            )
        case "object":
            return _objects(schema, document)
    raise AssertionError(f"a type that is not known here: {kind}")


def _texts(schema: Schema) -> st.SearchStrategy[str]:
    shortest, longest = schema.get("minLength", 0), schema.get("maxLength", 40)
    if "pattern" in schema:
        texts = st.from_regex(schema["pattern"].removesuffix("$") + r"\Z")
        return texts.filter(lambda text: shortest <= len(text) <= longest)
    return _WORDS.filter(lambda text: len(text) >= shortest) | st.just("True").filter(
        lambda text: len(text) <= longest
    )


def _objects(schema: Schema, document: Schema) -> st.SearchStrategy[dict[str, Any]]:
    named = {key: _values(value, document) for key, value in schema.get("properties", {}).items()}
    required = {key: named[key] for key in schema.get("required", ())}
    optional = {key: value for key, value in named.items() if key not in required}
    others = schema.get("additionalProperties", False)
    fixed = st.fixed_dictionaries(required, optional=optional)
    if others is False:
        return fixed
    keys = _texts(schema.get("propertyNames", {"minLength": 1}))
    fewest = schema.get("minProperties", 0)
    more = st.dictionaries(keys, _values(others, document), min_size=fewest, max_size=fewest + 2)
    return st.builds(lambda one, other: {**other, **one}, fixed, more)
