"""Truth of a formula in a finite model whose predicates are sets of bits.

One bit stands for one individual. The same code serves a single model, whose predicates are
Python integers, and many at once, where one predicate is a matrix with a row for each class.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from nltk.sem.logic import (
    AllExpression,
    AndExpression,
    ApplicationExpression,
    ExistsExpression,
    Expression,
    IffExpression,
    ImpExpression,
    NegatedExpression,
    OrExpression,
    QuantifiedExpression,
)
from numpy.typing import NDArray

from sorites.logic.formulas import Formula, symbols_of

__all__ = ["BitRows", "Model", "extension", "is_true"]

BitRows = NDArray[np.uint64]
"""Bits packed into 64-bit words: shape (words,) for one set, (classes, words) for many."""

Bits = TypeVar("Bits", int, BitRows)


@dataclass(frozen=True, slots=True)
class Model:
    """A finite model: the universe, the predicates over it, and the bits of named individuals.

    Predicates are within the universe.
    """

    universe: int
    predicates: Mapping[str, int]
    individuals: Mapping[str, int]


def extension(body: Expression, predicates: Mapping[str, Bits], universe: Bits) -> Bits:
    """The individuals of which a formula with one free variable is true.

    >>> from sorites.logic.formulas import parse
    >>> bin(extension(parse("F(x) & -G(x)").tree, {"F": 0b0110, "G": 0b0011}, 0b1111))
    '0b100'

    Raises KeyError for a predicate that has no extension.
    """
    match body:
        case ApplicationExpression():
            return predicates[str(body.pred)]
        case NegatedExpression():
            return universe & ~extension(body.term, predicates, universe)
        case AndExpression():
            return extension(body.first, predicates, universe) & extension(
                body.second, predicates, universe
            )
        case OrExpression():
            return extension(body.first, predicates, universe) | extension(
                body.second, predicates, universe
            )
        case ImpExpression():
            first = extension(body.first, predicates, universe)
            return (universe & ~first) | extension(body.second, predicates, universe)
        case IffExpression():
            first = extension(body.first, predicates, universe)
            return universe & ~(first ^ extension(body.second, predicates, universe))
    raise TypeError(f"not a formula over one variable: {body}")


def is_true(formula: Formula, model: Model) -> bool:
    """Whether a formula over unary predicates is true in a model.

    Quantifiers range over the universe and do not nest, as in every argument scheme.
    """
    return _true(formula.tree, model)


def _true(parsed: Expression, model: Model) -> bool:
    if isinstance(parsed, QuantifiedExpression) and symbols_of(parsed).individuals:
        raise TypeError(f"a named individual under a quantifier: {parsed}")
    match parsed:
        case AllExpression():
            return extension(parsed.term, model.predicates, model.universe) == model.universe
        case ExistsExpression():
            return extension(parsed.term, model.predicates, model.universe) != 0
        case NegatedExpression():
            return not _true(parsed.term, model)
        case AndExpression():
            return _true(parsed.first, model) and _true(parsed.second, model)
        case OrExpression():
            return _true(parsed.first, model) or _true(parsed.second, model)
        case ImpExpression():
            return not _true(parsed.first, model) or _true(parsed.second, model)
        case IffExpression():
            return _true(parsed.first, model) == _true(parsed.second, model)
        case ApplicationExpression():
            individual = model.individuals[str(parsed.args[0])]
            return model.predicates[str(parsed.pred)] & individual != 0
    raise TypeError(f"not a sentence over unary predicates: {parsed}")
