"""JSON Schema errors in plain words: what is wrong, at which path, and what to do."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from jsonschema import ValidationError

from sorites.names import did_you_mean
from sorites.specfile.reader import DocumentPath

__all__ = ["Complaint", "complaints"]

_Schema: TypeAlias = Mapping[str, Any]

_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "null",
}
_COUNTED = {"Length": "characters", "Items": "items", "Properties": "keys"}
_BOUNDS = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "more than",
    "exclusiveMaximum": "less than",
}
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing wrong with a document; ``at_key``: with a key rather than with its value."""

    path: DocumentPath
    message: str
    hint: str = ""
    at_key: bool = False


def complaints(errors: Iterable[ValidationError]) -> list[Complaint]:
    """Everything that a validator found, each once, in the order in which it was found."""
    return list(dict.fromkeys(found for error in errors for found in _explain(error)))


def _explain(error: ValidationError) -> Iterator[Complaint]:
    path = tuple(error.absolute_path)
    rule, wanted, value = str(error.validator), cast("Any", error.validator_value), error.instance
    schema = error.schema if isinstance(error.schema, Mapping) else {}
    if rule in ("anyOf", "oneOf"):
        yield from _explain_branches(error, wanted, path)
    elif rule == "additionalProperties" and not wanted:
        yield from _unknown_keys(schema, cast("Mapping[str, Any]", value), path)
    elif rule == "required":
        yield from _missing_keys(wanted, schema, cast("Mapping[str, Any]", value), path)
    elif "propertyNames" in error.absolute_schema_path and isinstance(value, str):
        message, hint = _sentence(rule, wanted, value, schema)
        yield Complaint((*path, value), f"the key {_show(value)} {message}", hint, True)
    else:
        message, hint = _sentence(rule, wanted, value, schema)
        yield Complaint(path, f"{_show(value)} {message}", hint)


def _unknown_keys(
    schema: _Schema, value: Mapping[str, Any], path: DocumentPath
) -> Iterator[Complaint]:
    known = schema.get("properties", {})
    for key in value:
        if key not in known:
            unused = [name for name in known if name not in value]
            yield Complaint(
                (*path, key), f'unknown key "{_cut(key)}"', did_you_mean(key, unused), True
            )


def _missing_keys(
    wanted: Sequence[str], schema: _Schema, value: Mapping[str, Any], path: DocumentPath
) -> Iterator[Complaint]:
    properties = schema.get("properties", {})
    for key in wanted:
        if key not in value:
            described = properties.get(key, {}).get("description", "")
            yield Complaint(path, f'the key "{key}" is missing', described, True)


def _explain_branches(
    error: ValidationError, alternatives: Sequence[_Schema], path: DocumentPath
) -> Iterator[Complaint]:
    """The complaints of the alternative that the value comes nearest to."""
    branches: dict[int, list[ValidationError]] = {}
    for part in error.context or ():
        branches.setdefault(int(part.schema_path[0]), []).append(part)
    keys = [branch["required"] for branch in alternatives if set(branch) == {"required"}]
    if len(keys) == len(alternatives):
        *first, last = [f'"{name}"' for names in keys for name in names]
        names = f"{', '.join(first)} or {last}" if first else last
        message = "is needed" if branches else "may stand here, not more"
        yield Complaint(path, f"one of the keys {names} {message}", at_key=True)
        return
    if not branches:
        yield Complaint(path, f"{_show(error.instance)} fits more than one of the forms allowed")
        return
    # A branch that is `false` says only that it is not for this value.
    open_branches = [
        parts for parts in branches.values() if any(part.validator is not None for part in parts)
    ]
    if not open_branches:
        yield Complaint(path, f"{_show(error.instance)} is not allowed here")
        return
    mistyped = [parts for parts in open_branches if _wrong_type(parts)]
    if len(mistyped) == len(open_branches):
        types = sorted({name for parts in mistyped for name in _expected(parts[0].validator_value)})
        wanted = " or ".join(_TYPES[name] for name in types)
        yield Complaint(path, f"{_show(error.instance)} is not {wanted}")
        return
    fitting = [parts for parts in open_branches if not _wrong_type(parts)]
    for part in min(fitting, key=_distance):
        yield from _explain(part)


def _wrong_type(parts: Sequence[ValidationError]) -> bool:
    return any(part.validator == "type" and not part.path for part in parts)


def _expected(types: Any) -> list[str]:
    return [types] if isinstance(types, str) else list(types)


def _distance(parts: Sequence[ValidationError]) -> tuple[int, int]:
    """How far a value is from an alternative: faults of its own weigh more than those within."""
    return sum(not part.path for part in parts), len(parts)


def _show(value: object) -> str:
    """A value as a person would point at it."""
    if isinstance(value, Mapping):
        return "this mapping"
    if isinstance(value, list):
        return "this list"
    if isinstance(value, str):
        return f'"{_cut(value)}"'
    return json.dumps(value)


def _cut(text: str) -> str:
    line = text.replace("\n", " ").replace("\t", " ")
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


def _sentence(rule: str, wanted: Any, value: Any, schema: _Schema) -> tuple[str, str]:
    """What is wrong with a value that breaks a rule, to follow the value; and a hint."""
    match rule:
        case "type":
            names = _expected(wanted)
            quotable = "string" in names and isinstance(value, bool | int | float)
            hint = f'write it in quotes: "{value}"' if quotable else ""
            return f"is not {' or '.join(_TYPES[name] for name in names)}", hint
        case "enum":
            return "is not one of the values allowed", did_you_mean(str(value), map(str, wanted))
        case "pattern":
            return schema.get("patternErrorMessage", f"does not have the form {wanted}"), ""
        case "const":
            return f"must be {_show(wanted)}", ""
        case "uniqueItems":
            return "has an item twice", "keep one of the two"
        case "minLength" | "minItems" | "minProperties" if wanted == 1:
            return "must not be empty", ""
        case "minLength" | "minItems" | "minProperties":
            return f"has {len(value)} {_COUNTED[rule[3:]]}; it must have at least {wanted}", ""
        case "maxLength" | "maxItems" | "maxProperties":
            return f"has {len(value)} {_COUNTED[rule[3:]]}; it must have at most {wanted}", ""
        case "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum":
            return f"is not {_BOUNDS[rule]} {wanted}", ""
        case _:
            return "is not valid here", ""
