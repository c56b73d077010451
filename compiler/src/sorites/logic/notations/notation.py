"""What a notation is: its names, signs, precedences, and what an unbound name means in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sorites.logic.first_order.trees import Kind

__all__ = ["Associativity", "Binder", "Level", "Notation", "Sign"]

Associativity = Literal["left", "right", "same", "none"]
"""How a chain of one level is read: from the left; from the right; only where it is one of ∧
alone or of ∨ alone; or not at all, so that brackets are needed."""

Sign = Literal["<-", "nor", "nand", "!="]
"""What is written in two ways of which one is no Kind: a ← b, ¬(a ∨ b), ¬(a ∧ b), ¬(a = b)."""


@dataclass(frozen=True, slots=True)
class Binder:
    """How the variables of a quantifier stand: what is before, between and after them.

    ``several`` allows more than one variable for one quantifier.
    """

    before: str = ""
    between: str = ""
    after: str = ""
    several: bool = False


@dataclass(frozen=True, slots=True)
class Level:
    """Operators that bind equally, and how a chain of them is read."""

    operators: tuple[Kind | Sign, ...]
    associativity: Associativity


@dataclass(frozen=True, slots=True, eq=False)
class Notation:
    """A notation of first-order logic.

    ``signs`` are what is written for operators, each of which may have several spellings; the
    first spelling is the one that is written. ``levels`` run from the operators that bind most.
    Negation and quantifiers bind more than any of them, and reach over what follows them alone: an
    atom, another of their kind, or brackets. ``name`` is a regular expression for names,
    ``variable`` one for those that a quantifier may bind.

    ``free`` says what a name that ``variable`` matches is where nothing binds it: the name of an
    individual, a variable that a universal quantifier in front of the whole would bind, or a
    fault. ``end`` may close a formula, and what follows ``comment`` on a line is none of it.
    ``quoted`` holds quotation marks around a name of any characters. Where ``negates_equality``
    is not set, a negation before an equality needs brackets; where ``variables_apply`` is not,
    what could be a variable is no predicate and no function. ``wrapper`` is a word that may stand
    around a formula, with its name and role.
    """

    id: str
    title: str
    reference: str
    signs: Mapping[Kind | Sign, tuple[str, ...]]
    levels: tuple[Level, ...]
    binder: Binder
    name: str
    variable: str
    free: Literal["individual", "universal", "fault"]
    end: str = ""
    comment: str = ""
    quoted: str = ""
    negates_equality: bool = True
    variables_apply: bool = True
    wrapper: str = ""
