"""YAML 1.2 as plain data that knows its lines, read within limits and without constructing objects.

Only ruamel.yaml's parser runs on the text: its events are composed here, without recursion,
so that every limit holds before memory or time is spent on what lies beyond it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, StreamMark, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from sorites.canonical import Json
from sorites.characters import find_hidden, name_of
from sorites.errors import InvalidSpec, Problem
from sorites.specfile.scalars import (
    LIST_TAGS,
    MAPPING_TAGS,
    SCALAR_TAGS,
    NotJson,
    resolve,
    show_tag,
)

__all__ = [
    "MAX_ALIASES",
    "MAX_DEPTH",
    "MAX_NODES",
    "MAX_PROBLEMS",
    "Budget",
    "Child",
    "Location",
    "Node",
    "parse",
]

MAX_DEPTH = 64
MAX_NODES = 100_000
MAX_ALIASES = 1_000
MAX_PROBLEMS = 100
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file; lines and columns count from 1."""

    file: str
    line: int
    column: int

    def problem(self, message: str, hint: str = "", path: str = "") -> Problem:
        """What is wrong at this place."""
        return Problem(message, hint, self.file, self.line, self.column, path)


@dataclass(frozen=True, slots=True)
class Child:
    """A value inside a mapping or a list: where its key and where itself is written."""

    node: Node
    at: Location
    key: Location | None = None


@dataclass(slots=True)
class Node:
    """A value with the places of its parts; ``size`` counts it with every alias expanded."""

    value: Json
    at: Location
    children: dict[str | int, Child] = field(default_factory=dict)
    size: int = 1
    height: int = 0


@dataclass(slots=True)
class Budget:
    """What is left for a spec and the files it includes, all together."""

    nodes: int = MAX_NODES
    aliases: int = MAX_ALIASES


@dataclass(slots=True)
class _Open:
    """A mapping or a list whose end has not been read yet."""

    node: Node
    anchor: str | None
    items: list[Json]
    entries: dict[str, Json]
    mapping: bool
    key: str | None = None
    key_at: Location | None = None


def parse(text: str, file: str, budget: Budget | None = None) -> Node:
    """Compose the one YAML document of ``text``; ``file`` names it in messages.

    Raises InvalidSpec for text that is not YAML 1.2, for what JSON cannot hold, duplicate
    keys, tags beyond the core schema, hidden characters, and where a limit is passed.
    """
    composer = _Composer(file, budget or Budget())
    text = text.replace("\r\n", "\n")
    hidden = find_hidden(text, allowed="\t\n")
    if hidden is not None:
        line = text.count("\n", 0, hidden) + 1
        column = hidden - (text.rfind("\n", 0, hidden) + 1) + 1
        raise InvalidSpec([_hidden_problem(Location(file, line, column), text[hidden])])
    for event in _events(text, file):
        composer.take(event)
    return composer.finish()


def _events(text: str, file: str) -> Iterator[Event]:
    try:
        yield from YAML(typ="safe", pure=True).parse(text)
    except MarkedYAMLError as error:
        context = f"{error.context}: " if error.context else ""
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise InvalidSpec(
            [Location(file, line, column).problem(f"this is not YAML: {context}{error.problem}")]
        ) from None
    except (YAMLError, ValueError, OverflowError) as error:
        # Such as an escape that names no character.
        raise InvalidSpec([Location(file, 1, 1).problem(f"this is not YAML: {error}")]) from None


def _hidden_problem(at: Location, character: str) -> Problem:
    return at.problem(
        f"the character {name_of(character)} is not allowed in a spec",
        "Remove it: it is invisible.",
    )


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


class _Composer:
    """Turns events into nodes: a stack of what is open, the anchors, and the problems so far."""

    def __init__(self, file: str, budget: Budget) -> None:
        self._file = file
        self._budget = budget
        self._aliases = budget.aliases
        self._stack: list[_Open] = []
        self._anchors: dict[str, Node] = {}
        self._opening: set[str] = set()
        self._problems: list[Problem] = []
        self._root: Node | None = None
        self._documents = 0

    def take(self, event: Event) -> None:
        """Take the next event."""
        if isinstance(event, DocumentStartEvent):
            self._start(event)
        elif isinstance(event, AliasEvent):
            self._alias(event)
        elif isinstance(event, ScalarEvent):
            self._scalar(event)
        elif isinstance(event, MappingStartEvent | SequenceStartEvent):
            self._open(event)
        elif isinstance(event, CollectionEndEvent):
            self._close()

    def finish(self) -> Node:
        """The document, once all events were taken."""
        if self._root is None:
            self._stop(Location(self._file, 1, 1), "the file is empty")
        if self._problems:
            raise InvalidSpec(self._problems)
        self._budget.nodes -= self._root.size
        self._budget.aliases = self._aliases
        return self._root

    def _at(self, mark: StreamMark) -> Location:
        return Location(self._file, mark.line + 1, mark.column + 1)

    def _report(self, at: Location, message: str, hint: str = "") -> None:
        self._problems.append(at.problem(message, hint))
        if len(self._problems) >= MAX_PROBLEMS:
            raise InvalidSpec(self._problems)

    def _stop(self, at: Location, message: str, hint: str = "") -> NoReturn:
        raise InvalidSpec([*self._problems, at.problem(message, hint)])

    def _start(self, event: DocumentStartEvent) -> None:
        at = self._at(event.start_mark)
        self._documents += 1
        if self._documents > 1:
            self._stop(at, "a second document starts here", "A file holds one: remove the `---`.")
        if event.tags or (event.version is not None and tuple(event.version) != (1, 2)):
            self._stop(
                at,
                "only YAML 1.2 without a %TAG line is read",
                "Remove the lines that start with %.",
            )

    def _open(self, event: MappingStartEvent | SequenceStartEvent) -> None:
        at = self._at(event.start_mark)
        mapping = isinstance(event, MappingStartEvent)
        if self._expects_key():
            self._stop(at, "a key must be text, not a list or a mapping")
        if len(self._stack) >= MAX_DEPTH:
            self._stop(at, f"more than {MAX_DEPTH} levels of nesting")
        self._check_tag(event.tag, at, MAPPING_TAGS if mapping else LIST_TAGS)
        if event.anchor:
            self._opening.add(event.anchor)
        self._stack.append(_Open(Node(None, at), event.anchor, [], {}, mapping))

    def _close(self) -> None:
        closed = self._stack.pop()
        node = closed.node
        node.value = closed.entries if closed.mapping else closed.items
        if closed.anchor:
            self._opening.discard(closed.anchor)
            self._anchors[closed.anchor] = node
        self._add(node, node.at)

    def _alias(self, event: AliasEvent) -> None:
        at = self._at(event.start_mark)
        if self._expects_key():
            self._stop(at, "a key must be text, not an alias")
        self._aliases -= 1
        if self._aliases < 0:
            self._stop(at, f"more than {MAX_ALIASES} aliases")
        if event.anchor in self._opening:
            self._stop(at, f"the alias *{_cut(event.anchor)} stands inside the value it refers to")
        if event.anchor not in self._anchors:
            self._stop(at, f"the alias *{_cut(event.anchor)} has no anchor before it")
        self._add(self._anchors[event.anchor], at)

    def _scalar(self, event: ScalarEvent) -> None:
        at = self._at(event.start_mark)
        if self._expects_key():
            self._key(event, at)
            return
        node = Node(self._resolve(event, at), at)
        if event.anchor:
            self._anchors[event.anchor] = node
        self._add(node, at)

    def _expects_key(self) -> bool:
        return bool(self._stack) and self._stack[-1].mapping and self._stack[-1].key is None

    def _key(self, event: ScalarEvent, at: Location) -> None:
        frame = self._stack[-1]
        text = event.value
        if event.implicit[0] and text == "<<":
            self._report(
                at,
                "merge keys (<<) are not part of YAML 1.2",
                "Write out the keys that it stands for.",
            )
        elif not isinstance(self._resolve(event, at), str):
            self._report(
                at,
                f"the key {_cut(text) or 'null'} is not text",
                f'Write it in quotes: "{_cut(text)}".',
            )
        first = frame.node.children.get(text)
        if first is not None and first.key is not None:
            self._report(
                at,
                f'the key "{_cut(text)}" stands twice in one mapping: first at '
                f"line {first.key.line}, column {first.key.column}",
                "Keep one of the two.",
            )
        frame.key, frame.key_at = text, at

    def _add(self, node: Node, at: Location) -> None:
        if not self._stack:
            self._root = node
            return
        frame = self._stack[-1]
        parent = frame.node
        parent.size += node.size
        parent.height = max(parent.height, node.height + 1)
        if parent.size > self._budget.nodes:
            self._stop(at, f"more than {MAX_NODES:,} values once aliases are expanded")
        if len(self._stack) + node.height > MAX_DEPTH:
            self._stop(at, f"more than {MAX_DEPTH} levels of nesting")
        if frame.mapping:
            assert frame.key is not None
            parent.children[frame.key] = Child(node, at, frame.key_at)
            frame.entries[frame.key] = node.value
            frame.key = None
        else:
            parent.children[len(frame.items)] = Child(node, at)
            frame.items.append(node.value)

    def _check_tag(self, tag: str | None, at: Location, allowed: frozenset[str]) -> bool:
        if tag is None or tag in allowed:
            return True
        self._report(
            at,
            f"the tag {_cut(show_tag(tag))} is not allowed here",
            "A spec is plain data: remove it.",
        )
        return False

    def _resolve(self, event: ScalarEvent, at: Location) -> Json:
        text: str = event.value
        hidden = find_hidden(text, allowed="\t\n")
        if hidden is not None:
            self._problems.append(_hidden_problem(at, text[hidden]))
        if not self._check_tag(event.tag, at, SCALAR_TAGS):
            return text
        try:
            return resolve(text, event.tag, plain=event.implicit[0])
        except NotJson as error:
            self._report(at, str(error), error.hint)
            return text
