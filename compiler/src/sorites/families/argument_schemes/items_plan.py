"""What the section ``items`` of a spec asks for beyond the number of arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from sorites.canonical import Json
from sorites.errors import Problem
from sorites.specfile.reader import Document

__all__ = [
    "DEFAULT_BOUND",
    "NegativeDesign",
    "ShortcutBounds",
    "Subset",
    "read_bounds",
    "read_subset",
]

NegativeDesign = Literal["matched", "denials"]
"""matched: the items that do not hold look like those that do; denials: the paper's design."""

DEFAULT_BOUND = 0.55
"""The accuracy that no reader of a part of an item may exceed, unless the spec says otherwise."""


@dataclass(frozen=True, slots=True)
class Subset:
    """A config of its own: arguments of each scheme, and the numbers of distractors shown.

    There is no such config if the spec asks for no argument.
    """

    arguments: int
    levels: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ShortcutBounds:
    """The bound of all schemes, and those of schemes that declare another, with the reason."""

    bound: float = DEFAULT_BOUND
    of_scheme: Mapping[tuple[str, str], tuple[float, str]] | None = None

    def own(self) -> Mapping[tuple[str, str], tuple[float, str]]:
        """Bound and reason of each scheme that has its own."""
        return self.of_scheme or {}


def read_subset(document: Document, name: str, problems: list[Problem]) -> Subset:
    """The subset ``items.NAME`` of a spec: all arguments, and most distractors, if not given."""
    items = _items(document)
    most = cast(int, items["distractors"])
    if name not in items:
        return Subset(cast(int, items["arguments"]), (most,))
    entry = cast("Mapping[str, Json]", items[name])
    levels = tuple(cast("Sequence[int]", entry.get("distractors", (most,))))
    for position, level in enumerate(levels):
        if level > most:
            problems.append(
                document.problem(
                    ("items", name, "distractors", position),
                    f"{level} distractors are more than items.distractors, which is {most}",
                    f"at most {most} are drawn for an argument",
                )
            )
    return Subset(cast(int, entry["arguments"]), tuple(sorted({*levels})))


def read_bounds(
    document: Document, known: Sequence[tuple[str, str]], problems: list[Problem]
) -> ShortcutBounds:
    """The section ``items.shortcuts`` of a spec."""
    section = cast("Mapping[str, Json]", _items(document).get("shortcuts", {}))
    own: dict[tuple[str, str], tuple[float, str]] = {}
    entries = cast("Sequence[Mapping[str, Json]]", section.get("schemes", ()))
    for position, entry in enumerate(entries):
        key = str(entry["scheme"]), str(entry["variant"])
        if key not in known:
            problems.append(
                document.problem(
                    ("items", "shortcuts", "schemes", position),
                    f'no scheme "{key[0]}" with variant "{key[1]}"',
                    "name a scheme and a variant of this spec",
                )
            )
        own[key] = float(cast(float, entry["bound"])), str(entry["reason"])
    return ShortcutBounds(float(cast(float, section.get("bound", DEFAULT_BOUND))), own)


def _items(document: Document) -> Mapping[str, Json]:
    data = cast("Mapping[str, Json]", document.data)
    return cast("Mapping[str, Json]", data.get("items", {}))
