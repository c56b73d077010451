"""Reads a spec, and the files it includes, into plain data in which every value knows its place."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from sorites.canonical import Json
from sorites.errors import InvalidSpec, Problem, UnreadableSpec
from sorites.specfile.yaml_nodes import Budget, Child, Location, Node, parse

__all__ = ["MAX_BYTES", "Document", "DocumentPath", "Location", "read", "read_text", "show_path"]

MAX_BYTES = 1_000_000
"""The most that a spec and the files it includes may hold together."""

DocumentPath: TypeAlias = tuple[str | int, ...]

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def show_path(path: DocumentPath) -> str:
    """A path in a document as people write it.

    >>> show_path(("schemes", 3, "premises", 0))
    'schemes[3].premises[0]'
    >>> show_path(("sources", "gene set"))
    'sources["gene set"]'
    """
    shown = ""
    for step in path:
        if isinstance(step, int):
            shown += f"[{step}]"
        elif _PLAIN_KEY.fullmatch(step):
            shown += f".{step}" if shown else step
        else:
            shown += f"[{json.dumps(step, ensure_ascii=False)}]"
    return shown


@dataclass(frozen=True, slots=True)
class Document:
    """A spec as data, with the place of everything in it.

    ``data`` has every ``{file: …}`` section replaced by the content of that file. Mappings
    and lists that an alias repeats are one object: treat them as read-only.
    """

    file: str
    root: Node

    @property
    def data(self) -> Json:
        """The whole document."""
        return self.root.value

    def locate(self, path: DocumentPath, *, key: bool = False) -> Location:
        """The place of a value, or of its key; where ``path`` ends early, of its last known part.

        For the value behind an alias it is the place of the alias, and for what lies within
        that value the place where it is written.
        """
        node, at = self.root, self.root.at
        for index, step in enumerate(path):
            child = node.children.get(step)
            if child is None:
                break
            last = index == len(path) - 1
            at = child.key if key and last and child.key is not None else child.at
            node = child.node
        return at

    def problem(
        self, path: DocumentPath, message: str, hint: str = "", *, key: bool = False
    ) -> Problem:
        """What is wrong with the value at ``path`` (or with its key)."""
        return self.locate(path, key=key).problem(message, hint, show_path(path))


def read(path: Path) -> Document:
    """Read a spec from a file.

    Raises UnreadableSpec where a file cannot be read, is not UTF-8 or is too large, and
    InvalidSpec, with all problems, where it is not the plain YAML that a spec is written in.
    """
    return _resolve(path, _read_bytes(path, MAX_BYTES, str(path)))


def read_text(text: str, path: Path) -> Document:
    """Read a spec from text as if it stood in ``path``."""
    return _resolve(path, text.encode())


def _resolve(path: Path, content: bytes) -> Document:
    budget = Budget()
    root = parse(_decode(content, str(path)), str(path), budget)
    if not isinstance(root.value, dict):
        raise InvalidSpec([root.at.problem("a spec is a mapping of keys to values")])
    left = MAX_BYTES - len(content)
    problems: list[Problem] = []
    sections = dict(root.value)
    for name, child in list(root.children.items()):
        included = _included_file(child.node)
        if included is None:
            continue
        try:
            target = _target(path, included)
            section = _read_bytes(target, left, str(target))
            left -= len(section)
            node = parse(_decode(section, str(target)), str(target), budget)
            if _included_file(node) is not None:
                raise InvalidSpec([node.at.problem("an included file cannot include another")])
        except InvalidSpec as error:
            problems.extend(error.problems)
        except UnreadableSpec as error:
            at = child.node.children["file"].at
            problems.append(at.problem(str(error), path=f"{name}.file"))
        else:
            root.children[name] = Child(node, node.at, child.key)
            sections[str(name)] = node.value
    if problems:
        raise InvalidSpec(problems)
    root.value = sections
    return Document(str(path), root)


def _included_file(node: Node) -> Child | None:
    if isinstance(node.value, dict) and set(node.value) == {"file"}:
        return node.children["file"]
    return None


def _target(spec: Path, included: Child) -> Path:
    """The file that a section names, if a spec may include it."""
    name = included.node.value
    hint = "Name a file relative to the spec, such as: schemes.yaml"
    if not isinstance(name, str) or not name.endswith((".yaml", ".yml")):
        raise InvalidSpec([included.at.problem("an included file must end in .yaml or .yml", hint)])
    if PurePosixPath(name).is_absolute() or "\\" in name or ":" in name:
        raise InvalidSpec([included.at.problem(f"{name} is not a relative path", hint)])
    target = Path(os.path.normpath(spec.parent / name))
    allowed = spec.parent.resolve().parent
    if not target.resolve().is_relative_to(allowed):
        raise InvalidSpec(
            [
                included.at.problem(
                    f"{name} lies outside the folder of the spec and the folder above it",
                    "Move the file there.",
                )
            ]
        )
    return target


def _read_bytes(path: Path, most: int, shown: str) -> bytes:
    try:
        # A pipe or a device has no end: only a regular file is opened.
        if path.exists() and not path.is_file():
            raise UnreadableSpec(f"{shown} is not a file")
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise UnreadableSpec(f"{shown} cannot be read: {error.strerror or error}") from None
    if len(content) > most:
        raise UnreadableSpec(
            f"{shown} is too large: a spec and the files it includes hold at most "
            f"{MAX_BYTES:,} bytes"
        )
    return content


def _decode(content: bytes, shown: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnreadableSpec(
            f"{shown}:{line}: not UTF-8: byte 0x{content[error.start]:02x}. Save the file as UTF-8."
        ) from None
