"""The numbers that a reply selects besides its label, such as premises: "True, P1 and P3-P5".

They are a list in the label's sentence, or a line of its own beside it that is nothing but a list.
Between the numbers stand separators, words that join, or a range; a word that could take some of
them away again makes the selection unclear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from sorites_eval.scoring.function_words import ARTICLES, JOINING, PREMISING, RANGING, REASONING

__all__ = ["Marker", "is_list", "read_selection"]

_MOST = 1_000
"""Numbers in one range; more is no selection of premises."""

_BREAK = re.compile(r"[.!?\u2026\u3002]+(?=\s|$)|\n")
_HEAD = re.compile(r"[^:\n]{1,60}:\s{0,3}")


@dataclass(frozen=True, slots=True)
class Marker:
    """What stands before a selected number, as expressions: as one word, and as a list's part."""

    word: re.Pattern[str]
    part: re.Pattern[str]

    @classmethod
    def of(cls, marker: str) -> Self:
        """Expressions for a marker, in any case."""
        escaped = re.escape(marker)
        number = rf"(?<![^\W_]){escaped}(?:[ _#]|_\{{)?(?P<number>[0-9]{{1,6}})(?![^\W_])\}}?"
        part = (
            rf"(?P<marked>{number})|(?P<bare>(?<![^\W_])[0-9]{{1,6}}(?![^\W_]))"
            r"|(?P<range>\.{2,3}|[-\u2010-\u2015\u2212\u301c\uff5e~\u2026])"
            r"|(?P<join>[&+/])|(?P<part>[,;\u3001])|(?P<word>[^\W\d_](?:[^\W_]|')*)"
            r"|(?P<says>[:=>])|(?P<clear>[\s<\[\]{}()\"'*_$#\x02\x03.])|(?P<other>.)"
        )
        return cls(
            re.compile(f"{escaped}[0-9]{{1,6}}", re.IGNORECASE), re.compile(part, re.IGNORECASE)
        )

    def first(self, text: str) -> int:
        """Where the first marked number of a text stands; its end if there is none."""
        hits = (found.start() for found in self.part.finditer(text) if found["marked"])
        return next(hits, len(text))

    def parts(self, text: str) -> list[tuple[str, str]]:
        """The parts of a text as their kinds and what they say; a marked number as its digits."""
        found: list[tuple[str, str]] = []
        for match in self.part.finditer(text):
            kind = "marked" if match["marked"] else str(match.lastgroup)
            if kind != "clear":
                found.append((kind, match["number"] or match[0].casefold()))
        return found


def is_list(text: str, marker: Marker) -> bool:
    """Whether a text is nothing but marked numbers and what joins them."""
    return bool(_parse(marker.parts(text)))


def read_selection(text: str, start: int, end: int, marker: Marker) -> frozenset[int] | None:
    """The numbers selected beside the label at ``text[start:end]``; None if they are unclear."""
    after = marker.parts(text[end : _break(text, end)])
    if _has_marked(after) or (
        after and [kind for kind, _ in after if kind != "part"][:1] == ["bare"]
    ):
        return _parse(after)
    breaks = [found.end() for found in _BREAK.finditer(text, 0, start)]
    sentence = breaks[-1] if breaks else 0
    before = marker.parts(text[sentence:start])
    if _has_marked(before):
        return _parse(before)
    for line in (_next(text, end, marker), _line_before(text, sentence)):
        head = _HEAD.match(line)
        parts = marker.parts(line[head.end() :] if head and _headed(head[0], marker) else line)
        kinds = [kind for kind, said in parts if kind != "word" or said not in _lead()]
        lists = kinds[:1] == ["marked"] and kinds[1:2] != ["word"]
        if lists or (head and kinds[:1] == ["bare"]):
            return _parse(parts)
    return frozenset()


def _headed(head: str, marker: Marker) -> bool:
    """Whether what stands before a colon names the list, and is no part of it."""
    return not _has_marked(marker.parts(head))


def _break(text: str, start: int) -> int:
    found = _BREAK.search(text, start)
    return found.start() if found else len(text)


def _next(text: str, end: int, marker: Marker) -> str:
    """The next sentence or line that is not empty, with the lines after it that are lists too."""
    lines: list[str] = []
    place = _break(text, end)
    while place < len(text):
        found = _BREAK.search(text, place + 1)
        stop = found.start() if found else len(text)
        line = text[place:stop].strip(" \n.!?\u3002\x02\x03*")
        place = stop
        if line and lines and not is_list(line, marker):
            break
        if line:
            lines.append(line)
            if not line.endswith(":") and not is_list(line, marker):
                break
    return " ".join(lines[:1]) + "".join(f", {line}" for line in lines[1:])


def _line_before(text: str, sentence: int) -> str:
    """The line before a sentence, if it has a head that could name a list."""
    line = text[max(0, sentence - 400) : sentence].strip().rpartition("\n")[2]
    return line if _HEAD.match(line) else ""


def _lead() -> frozenset[str]:
    return PREMISING | REASONING | JOINING | ARTICLES


def _has_marked(parts: list[tuple[str, str]]) -> bool:
    return any(kind == "marked" for kind, _ in parts)


def _parse(parts: list[tuple[str, str]]) -> frozenset[int] | None:
    """A list of numbers: what may lead it, the numbers, and at most a clause without numbers."""
    rest = iter(parts)
    chosen: set[int] = set()
    for kind, said in rest:
        if kind == "marked":
            chosen.add(int(said))
            return _listed(rest, chosen, int(said))
        if kind in {"bare", "other"} or (kind == "word" and said not in _lead()):
            return None
    return None


def _listed(rest: Iterator[tuple[str, str]], chosen: set[int], last: int) -> frozenset[int] | None:
    joint = ""
    for kind, said in rest:
        if kind in {"marked", "bare"}:
            if not joint:
                return None
            number = int(said)
            if joint == "range":
                if not last < number <= last + _MOST:
                    return None
                chosen.update(range(last, number))
            chosen.add(number)
            last, joint = number, ""
        elif kind == "range" or (kind == "word" and said in RANGING and not joint):
            joint = "range"
        elif kind == "join" or (kind == "word" and said in JOINING and joint in {"", "part"}):
            joint = "join"
        elif kind == "part":
            joint = "part"
        elif kind == "word" and said in PREMISING and joint in {"join", "part"}:
            continue
        elif kind == "word" and (said in REASONING or joint == "part"):
            return None if said not in REASONING and _has_marked([*rest]) else frozenset(chosen)
        else:
            return None
    return frozenset(chosen) if joint in {"", "part"} else None
