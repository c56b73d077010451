"""Texts in SPARQL queries that could take for ever: patterns that backtrack, texts that grow."""

from __future__ import annotations

import re
import warnings
from typing import Any

from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import Literal, Variable

from sorites.sources.ontologies.determinism import field, parts

__all__ = ["MOST_GROWTH", "endless_text", "pattern_of_query_fault"]

MOST_GROWTH = 1_000
"""How many times longer than what it is made of a text of a query may be."""

MOST_REPETITIONS = 10
MOST_TIMES = 1_000

# An escape, a class in brackets, the start of a group, a quantifier (lazy or not), or a character.
_TOKEN = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?.|\(|\)|(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??|.", re.DOTALL
)


# Escapes of classes and of places that XPath, Python and Rust read alike; else punctuation.
_ESCAPED = re.compile(r"\\(?:[dDwWsSbBnrt]|[^\w\s])")
# Sets within sets, and differences and intersections of sets, are another thing in each.
_SETS = re.compile(r"\[.*?(?:\[|--|&&|~~)|\[\^?\]", re.DOTALL)


def endless_text(tree: Any) -> str | None:
    """What of a query's syntax tree makes texts that may take for ever; None if nothing does."""
    grown: dict[Variable, int] = {}
    found = list(parts(tree))
    for part in found:
        if part.name in ("Builtin_REGEX", "Builtin_REPLACE"):
            fault = _pattern_fault(part)
            if fault is not None:
                return fault
    made = [
        (variable, field(part, "expr"))
        for part in found
        for variable in (field(part, "var"), field(part, "evar"))
        if isinstance(variable, Variable) and field(part, "expr") is not None
    ]
    # What a variable is made of may be made itself: as often as there are variables.
    for _ in range(len(made) + 1):
        for variable, expression in made:
            size = max(grown.get(variable, 1), _growth(expression, grown))
            if size > MOST_GROWTH:
                return (
                    f"?{variable} may be more than {MOST_GROWTH:,} times as long as what it is "
                    "made of: join fewer texts with CONCAT"
                )
            grown[variable] = size
    return None


def pattern_of_query_fault(pattern: str) -> str | None:
    """Why a regular expression is not one for a query; None if it is.

    Engines differ in what they do with look-around and references, and some try every way to
    split a text: for a repetition of what is a repetition, an alternative or nothing itself
    there are more ways than anyone can wait for.
    """
    try:
        with warnings.catch_warnings():
            # Of sets within sets, which are refused below.
            warnings.simplefilter("ignore", FutureWarning)
            re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        return f"not a regular expression: {error}"
    repetitions = 0
    # For each group that is open: whether it holds a repetition or an alternative.
    open_groups = [False]
    closed = repeated = False
    for match in _TOKEN.finditer(pattern):
        piece = match.group()
        last_closed, closed = closed, False
        last_repeated, repeated = repeated, piece[0] in "*+?{"
        if (
            (piece[:2] == "(?" and piece != "(?:")
            or (piece[0] == "\\" and not _ESCAPED.fullmatch(piece))
            or (piece[0] == "[" and not _set_known(piece))
            or (repeated and (last_repeated or piece == "{"))
        ):
            return f"the pattern {pattern!r} holds {piece}, which not every engine reads alike"
        if piece in ("(", "(?:"):
            open_groups.append(False)
        elif piece == ")":
            closed = open_groups.pop()
            open_groups[-1] |= closed
        elif piece == "|":
            open_groups[-1] = True
        elif repeated:
            repetitions += 1
            times = [int(text) for text in match.groups() if text]
            if last_closed and piece[0] != "?":
                return (
                    f"the pattern {pattern!r} repeats a group that holds a repetition or an "
                    "alternative, which may take for ever: write it without"
                )
            if repetitions > MOST_REPETITIONS or max(times, default=0) > MOST_TIMES:
                return (
                    f"the pattern {pattern!r} has more than {MOST_REPETITIONS} repetitions, or "
                    f"one of more than {MOST_TIMES:,} times"
                )
            open_groups[-1] = True
    return None


def _set_known(text: str) -> bool:
    """Whether engines read a set of characters, from bracket to bracket, alike."""
    escapes = re.findall(r"\\.", text, re.DOTALL)
    plain = re.sub(r"\\.", "", text, flags=re.DOTALL)
    return all(map(_ESCAPED.fullmatch, escapes)) and _SETS.match(plain) is None


def _pattern_fault(part: CompValue) -> str | None:
    name = part.name.removeprefix("Builtin_")
    for role in ("pattern", "flags", "replacement"):
        expression = field(part, role)
        if expression is None:
            continue
        text = _literal(expression)
        if text is None:
            return f"the {role} of {name} must be written out, so that it can be checked"
        if role == "flags" and not set(text) <= set("ims"):
            return f"the flags {text!r} of {name} are not i, m or s, which every engine knows"
        if role == "pattern" and (fault := pattern_of_query_fault(text)) is not None:
            return f"{name}: {fault}"
    return None


def _literal(part: Any) -> str | None:
    """The text that an expression is, if it is nothing else."""
    while isinstance(part, CompValue):
        if part.name == "literal":
            return str(field(part, "string"))
        inner = [value for key, value in part.items() if key != "_vars"]
        if len(inner) != 1:
            return None
        (part,) = inner
    return str(part) if isinstance(part, Literal) else None


def _growth(part: Any, grown: dict[Variable, int]) -> int:
    """At most how many texts of the data, in length, an expression makes one of."""
    if isinstance(part, Variable):
        return grown.get(part, 1)
    if not isinstance(part, CompValue):
        if isinstance(part, str | bytes):
            return 0
        try:
            return sum(_growth(each, grown) for each in part)
        except TypeError:
            return 0
    if part.name in ("Builtin_EXISTS", "Builtin_NOTEXISTS"):
        return 0
    size = sum(_growth(value, grown) for key, value in part.items() if key != "_vars")
    if part.name == "Builtin_REPLACE":
        # Each character may be replaced, by the whole of what is there for each reference.
        size *= 1 + len(_literal(field(part, "replacement")) or "")
    # A byte is three characters there, and a character four bytes.
    return size * 12 if part.name == "Builtin_ENCODE_FOR_URI" else size
