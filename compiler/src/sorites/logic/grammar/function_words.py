"""What an English sentence about classes says by its function words alone.

A reader that shares nothing with the templates of any spec: names and the noun for members are
tokens, and a small grammar of quantifiers, connectives and prepositions does the rest. Each
construction has its usual meaning, and where English leaves a scope open, every reading is
given: a sentence is clear if all of its readings say the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from nltk.grammar import CFG
from nltk.parse.chart import BottomUpLeftCornerChartParser
from nltk.tree import Tree

from sorites.logic.formulas import Formula, parse
from sorites.logic.grammar.charts import BoundedChart, TooAmbiguous

__all__ = ["CLASS", "INDIVIDUAL", "MEMBER", "readings"]

CLASS, INDIVIDUAL, MEMBER = "\ue000", "\ue001", "\ue002"
"""Tokens that stand for the name of a class, the name of an individual, the noun for members."""

MOST_TOKENS = 60

_GRAMMAR = """
Text -> Clause | True Clause | False Clause
True -> 'it' 'is' 'true' 'that' | 'it' 'is' 'the' 'case' 'that' | 'it' 'holds' 'that'
True -> 'it' 'is' 'not' 'false' 'that'
False -> 'it' 'is' 'false' 'that' | 'it' 'is' 'not' 'true' 'that' | 'it' 'is' 'untrue' 'that'
False -> 'it' 'is' 'not' 'the' 'case' 'that' | 'it' 'does' 'not' 'hold' 'that'
Clause -> Every Things Be Said | No Things Be Said | Some Things Be Said | Only Things Be Said
Clause -> Every Things Be 'not' Said | Some Things Be 'not' Said | Only Things Be 'not' Said
Clause -> INDIVIDUAL Be Said | INDIVIDUAL Be 'not' Said
Every -> 'every' | 'each' | 'all'
No -> 'no'
Some -> 'some' | 'at' 'least' 'one'
Only -> 'only'
Things -> Thing | Thing Place | Thing That Be Said | Thing That Be 'not' Said
Thing -> MEMBER | 'thing' | 'things'
That -> 'that' | 'which'
Be -> 'is' | 'are' | 'lies' | 'lie'
Said -> Place | Also Place | Place Too
Also -> 'also'
Too -> 'too' | 'also' | 'as' 'well'
Place -> Spot | Any | 'either' Any | 'both' Spot 'and' Spot | Spot 'and' Spot
Place -> 'neither' Spot 'nor' Spot
Any -> Spot 'or' Any1 | Spot ',' Any
Any1 -> Spot
Spot -> In CLASS | 'not' In CLASS | In Both | In Neither | In OneOf
Spot -> Out CLASS | Out Both | Out OneOf
In -> 'in' | 'inside'
Out -> 'outside' | 'outside' 'of'
Both -> 'both' CLASS 'and' CLASS
Neither -> 'neither' CLASS 'nor' CLASS
OneOf -> CLASS 'or' CLASS | 'either' CLASS 'or' CLASS | CLASS ',' OneOf
"""

_KINDS = {CLASS: "CLASS", INDIVIDUAL: "INDIVIDUAL", MEMBER: "MEMBER"}
_TOKEN = re.compile(f"[{CLASS}{INDIVIDUAL}{MEMBER}]|,|[^\\s,{CLASS}{INDIVIDUAL}{MEMBER}]+")

Body = str
"""A formula over the one free variable x."""


@lru_cache(maxsize=4_096)
def readings(sentence: str) -> tuple[Formula, ...]:
    """Everything that a sentence can say; nothing where the grammar does not cover it, or where
    it can be put together in too many ways to tell.

    Names and nouns stand as the tokens CLASS, INDIVIDUAL and MEMBER. In the formulas the first
    class is ``C1``, the second ``C2`` and so on, in the order of the sentence, and the first
    individual ``a1``. Case does not matter, nor does one full stop at the end.

    >>> [str(found) for found in readings(f"no thing outside {CLASS} is in {CLASS}")]
    ['-exists x.(-C1(x) & C2(x))']
    >>> len(readings(f"every thing in {CLASS} is not in {CLASS}"))
    2
    """
    tokens = _TOKEN.findall(sentence.casefold().removesuffix("."))
    kinds = [_KINDS.get(token, token) for token in tokens]
    if len(tokens) > MOST_TOKENS or not set(kinds) <= _words():
        return ()
    counts = dict.fromkeys(_KINDS.values(), 0)
    leaves = []
    for kind in kinds:
        if kind in counts:
            counts[kind] += 1
            leaves.append({"CLASS": "C", "INDIVIDUAL": "a"}.get(kind, "") + str(counts[kind]))
        else:
            leaves.append(kind)
    found: dict[Formula, None] = {}
    for tree in _trees(kinds):
        for position, place in enumerate(tree.treepositions("leaves")):
            tree[place] = leaves[position]
        found |= dict.fromkeys(map(parse, _say(tree)))
    return tuple(found)


def _trees(kinds: list[str]) -> Iterator[Tree]:
    try:
        yield from _parser().parse(kinds)
    except TooAmbiguous:
        return


@lru_cache(maxsize=1)
def _parser() -> BottomUpLeftCornerChartParser:
    lines = re.sub(r"\b(CLASS|INDIVIDUAL|MEMBER)\b", r"'\1'", _GRAMMAR)
    return BottomUpLeftCornerChartParser(
        CFG.fromstring(lines), chart_class=BoundedChart, max_time=None
    )


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    rules = _parser().grammar().productions()
    return frozenset(part for rule in rules for part in rule.rhs() if isinstance(part, str))


def _say(text: Tree) -> Iterator[str]:
    *phrase, clause = text
    denied = bool(phrase) and phrase[0].label() == "False"
    for said in _clause(clause):
        yield f"-({said})" if denied else said


def _clause(clause: Tree) -> Iterator[str]:
    subject = clause[0]
    negated = "not" in [part for part in clause if isinstance(part, str)]
    for said in _said(clause[-1]):
        if isinstance(subject, str):
            yield re.sub(r"\(x\)", f"({subject})", f"-({said})" if negated else said)
            continue
        quantify = _QUANTIFIERS[subject.label()]
        for things in _things(clause[1]):
            yield quantify(things, f"-({said})" if negated else said)
            if negated and subject.label() == "Every":
                # "Every … is not …" is said of none, and of not all.
                yield f"-({quantify(things, said)})"


def _every(things: Body | None, said: Body) -> str:
    return f"all x.({said})" if things is None else f"all x.(({things}) -> ({said}))"


def _some(things: Body | None, said: Body) -> str:
    return f"exists x.({said})" if things is None else f"exists x.(({things}) & ({said}))"


def _no(things: Body | None, said: Body) -> str:
    return f"-{_some(things, said)}"


def _only(things: Body | None, said: Body) -> str:
    # Only what is a thing is said to be so: where every thing is, this says nothing at all.
    return _every(said, things if things is not None else f"({said}) | -({said})")


_QUANTIFIERS: dict[str, Callable[[Body | None, Body], str]] = {
    "Every": _every,
    "No": _no,
    "Some": _some,
    "Only": _only,
}


def _things(things: Tree) -> Iterator[Body | None]:
    match [*things]:
        case [_]:
            yield None
        case [_, place]:
            yield from _place(place)
        case [_, _, _, said]:
            yield from _said(said)
        case [_, _, _, "not", said]:
            yield from (f"-({body})" for body in _said(said))


def _said(said: Tree) -> Iterator[Body]:
    (place,) = [part for part in said if part.label() == "Place"]
    yield from _place(place)


def _place(place: Tree) -> Iterator[Body]:
    words = [part for part in place if isinstance(part, str)]
    spots = [spot for part in place if isinstance(part, Tree) for spot in _spots(part)]
    for bodies in product(*(tuple(_spot(spot)) for spot in spots)):
        if "neither" in words:
            yield " & ".join(f"-({body})" for body in bodies)
        else:
            yield _joined(" & " if "and" in words else " | ", bodies)


def _spots(part: Tree) -> Iterator[Tree]:
    if part.label() == "Spot":
        yield part
        return
    for below in part:
        if isinstance(below, Tree):
            yield from _spots(below)


def _spot(spot: Tree) -> Iterator[Body]:
    if spot[0] == "not":
        yield f"-{spot[2]}(x)"
        return
    outside = spot[0].label() == "Out"
    if isinstance(spot[1], str):
        yield f"-{spot[1]}(x)" if outside else f"{spot[1]}(x)"
        return
    kind = spot[1].label()
    atoms = [f"{name}(x)" for name in _classes(spot[1])]
    if kind == "Neither":
        yield " & ".join(f"-{atom}" for atom in atoms)
        return
    joint = " & " if kind == "Both" else " | "
    if not outside:
        yield _joined(joint, atoms)
        return
    # "Outside A or B" is said of who is outside one of them, and of who is outside both.
    yield _joined(" & ", [f"-{atom}" for atom in atoms])
    yield _joined(" | ", [f"-{atom}" for atom in atoms])


def _classes(tree: Tree) -> list[str]:
    found: list[Any] = tree.leaves()
    return [leaf for leaf in found if re.fullmatch(r"C[0-9]+", leaf)]


def _joined(joint: str, bodies: Sequence[Body]) -> Body:
    return joint.join(f"({body})" for body in bodies)
