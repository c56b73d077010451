"""Values of a document from a stranger, each with its place, checked before they are used."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from sorites_eval.contract import templates
from sorites_eval.contract.faults import Fault, Faults, InvalidBenchmark, InvalidTemplate, Path
from sorites_eval.contract.tasks import Scalar
from sorites_eval.names import did_you_mean

__all__ = ["Node", "each", "entries", "optional"]

MAX_ENTRIES = 1_000
MAX_TEXT = 20_000

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,95}\Z")

T = TypeVar("T")


class Node:
    """A value of the document and its place; every reader checks before it returns.

    All readers raise InvalidBenchmark, which names the place.
    """

    def __init__(self, value: object, path: Path = ()) -> None:
        self.value = value
        self.path = path

    def fail(self, message: str, hint: str = "") -> InvalidBenchmark:
        """An error at this place."""
        return InvalidBenchmark(Fault(self.path, message, hint))

    def mapping(self) -> dict[str, Node]:
        """An object of a limited number of entries."""
        if not isinstance(self.value, dict):
            raise self.fail(f"expected an object, found {_kind(self.value)}.")
        if len(self.value) > MAX_ENTRIES:
            raise self.fail(f"{len(self.value)} entries; at most {MAX_ENTRIES} are read.")
        return {key: Node(value, (*self.path, key)) for key, value in self.value.items()}

    def fields(self, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Node]:
        """The fields of an object, none missing and none unknown."""
        found = self.mapping()
        faults = Faults()
        for key in found:
            if key not in required and key not in optional:
                with faults:
                    raise self.fail(
                        f'unknown key "{key[:100]}".', did_you_mean(key, required + optional)
                    )
        for key in required:
            if key not in found:
                with faults:
                    raise self.fail(f'the key "{key}" is missing.')
        faults.stop()
        return found

    def items(self) -> list[Node]:
        """A list of a limited number of entries."""
        if not isinstance(self.value, list):
            raise self.fail(f"expected a list, found {_kind(self.value)}.")
        if len(self.value) > MAX_ENTRIES:
            raise self.fail(f"{len(self.value)} entries; at most {MAX_ENTRIES} are read.")
        return [Node(value, (*self.path, i)) for i, value in enumerate(self.value)]

    def text(self, limit: int = MAX_TEXT, *, empty: bool = False) -> str:
        """Text of a limited length, with something in it."""
        if not isinstance(self.value, str):
            raise self.fail(f"expected text, found {_kind(self.value)}.")
        if len(self.value) > limit:
            raise self.fail(f"{len(self.value)} characters; at most {limit} are allowed.")
        if not empty and not self.value.strip():
            raise self.fail("must not be empty.")
        return self.value

    def name(self) -> str:
        """A name that is safe in a path."""
        text = self.text(200)
        if not _NAME.match(text) or ".." in text:
            raise self.fail(
                f'"{text}" is not a name.',
                "A name has letters, digits, dots, dashes, underscores and plus signs.",
            )
        return text

    def template(self, *, empty: bool = False) -> str:
        """A template that an evaluator may render."""
        source = self.text(templates.MAX_TEMPLATE, empty=empty)
        try:
            templates.check(source)
        except InvalidTemplate as error:
            raise self.fail(f"the template {error}.") from error
        return source

    def column(self) -> str:
        """The name of a column."""
        return self.text(200)

    def truth(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise self.fail(f"expected true or false, found {_kind(self.value)}.")
        return self.value

    def scalar(self) -> Scalar:
        """A single value."""
        if not isinstance(self.value, str | int | float | bool | None):
            raise self.fail(f"expected a single value, found {_kind(self.value)}.")
        return self.value

    def one_of(self, choices: tuple[str, ...]) -> str:
        """One of a few texts."""
        text = self.text(200)
        if text not in choices:
            raise self.fail(f'unknown value "{text}".', did_you_mean(text, choices))
        return text


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false"}
    return "null" if value is None else names.get(type(value), "a number")


def optional(found: Mapping[str, Node], key: str, read: Callable[[Node], T]) -> T | None:
    """What a field holds, or None if it is missing or null."""
    node = found.get(key)
    return None if node is None or node.value is None else read(node)


def each(nodes: Iterable[Node], read: Callable[[Node], T]) -> tuple[T, ...]:
    """What every entry of a list holds; InvalidBenchmark with the faults of all entries."""
    faults = Faults()
    values: list[T] = []
    for node in nodes:
        with faults:
            values.append(read(node))
    faults.stop()
    return tuple(values)


def entries(node: Node, read: Callable[[str, Node], T]) -> dict[str, T]:
    """What every entry of an object holds, by its key; InvalidBenchmark as ``each``."""
    faults = Faults()
    values: dict[str, T] = {}
    for key, value in node.mapping().items():
        with faults:
            values[key] = read(key, value)
    faults.stop()
    return values
