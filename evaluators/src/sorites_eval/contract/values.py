"""Values of a document from a stranger, each with its place, checked before they are used."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeVar

from sorites_eval.contract.tasks import Scalar
from sorites_eval.errors import InvalidBenchmark
from sorites_eval.names import did_you_mean

__all__ = ["Node", "fail", "optional"]

MAX_ENTRIES = 1_000
MAX_TEXT = 20_000

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,95}\Z")

T = TypeVar("T")


def fail(path: str, message: str, hint: str = "") -> InvalidBenchmark:
    """The error for one place of benchmark.json."""
    place = f"benchmark.json: {path}: " if path else "benchmark.json: "
    return InvalidBenchmark(f"{place}{message}" + (f" {hint}" if hint else ""))


class Node:
    """A value of the document and its place; every reader checks before it returns.

    All readers raise InvalidBenchmark, which names the place.
    """

    def __init__(self, value: object, path: str) -> None:
        self.value = value
        self.path = path

    def fail(self, message: str, hint: str = "") -> InvalidBenchmark:
        """An error at this place."""
        return fail(self.path, message, hint)

    def mapping(self) -> dict[str, Node]:
        """An object of a limited number of entries."""
        if not isinstance(self.value, dict):
            raise self.fail(f"expected an object, found {_kind(self.value)}.")
        if len(self.value) > MAX_ENTRIES:
            raise self.fail(f"{len(self.value)} entries; at most {MAX_ENTRIES} are read.")
        return {k: Node(v, f"{self.path}.{k[:100]}".lstrip(".")) for k, v in self.value.items()}

    def fields(self, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Node]:
        """The fields of an object, none missing and none unknown."""
        found = self.mapping()
        for key in found:
            if key not in required and key not in optional:
                raise self.fail(
                    f'unknown key "{key[:100]}".', did_you_mean(key, required + optional)
                )
        for key in required:
            if key not in found:
                raise self.fail(f'the key "{key}" is missing.')
        return found

    def items(self) -> list[Node]:
        """A list of a limited number of entries."""
        if not isinstance(self.value, list):
            raise self.fail(f"expected a list, found {_kind(self.value)}.")
        if len(self.value) > MAX_ENTRIES:
            raise self.fail(f"{len(self.value)} entries; at most {MAX_ENTRIES} are read.")
        return [Node(v, f"{self.path}[{i}]") for i, v in enumerate(self.value)]

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
                f'"{text}" is not a name:', "letters, digits, dots, dashes, underscores, plus."
            )
        return text

    def column(self) -> str:
        """The name of a column."""
        return self.text(200)

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
