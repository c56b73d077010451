"""Refutations and models of arguments, in the notation of a release's certificates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from sorites.canonical import digest
from sorites.logic.certificates.clauses import Atom, ground, inhabited
from sorites.logic.certificates.search import solve
from sorites.logic.formulas import Formula, negation, rename

__all__ = ["Refutation", "Refuter", "model_of"]


@dataclass(frozen=True, slots=True)
class Refutation:
    """Formulas that cannot all be true, under names of their own, and the clauses that show it.

    ``steps`` are clauses, each a text of literals with spaces between; the last is empty. ``name``
    is a hash of all this.
    """

    name: str
    formulas: tuple[str, ...]
    steps: tuple[str, ...]


class Refuter:
    """Refutes formulas; those that are equal up to the names of their symbols, once."""

    def __init__(self, *, existential_import: bool = False) -> None:
        self._import = existential_import
        self._refuted = lru_cache(maxsize=None)(self._refute)

    def refute(
        self, premises: Sequence[Formula], denied: Formula
    ) -> tuple[Refutation, dict[str, str]] | None:
        """A refutation of premises with a denied conclusion, and its name for each symbol.

        None where all of them can be true.
        """
        ordered = [*sorted(premises, key=lambda each: (each.shape, each.text)), denied]
        names: dict[str, str] = {}
        for formula in reversed(ordered):
            for letter, symbols in (
                ("P", formula.symbols.predicates),
                ("a", formula.symbols.individuals),
            ):
                for symbol in symbols:
                    number = 1 + sum(name[0] == letter for name in names.values())
                    names.setdefault(symbol, f"{letter}{number}")
        found = self._refuted(tuple(rename(formula, names) for formula in ordered))
        return None if found is None else (found, names)

    def _refute(self, formulas: tuple[Formula, ...]) -> Refutation | None:
        grounded = ground([*formulas, *(inhabited(formulas) if self._import else ())])
        found = solve(grounded.clauses)
        if isinstance(found, frozenset):
            return None
        steps = tuple(" ".join(_literal(grounded.atoms, each) for each in step) for step in found)
        texts = tuple(formula.text for formula in formulas)
        return Refutation(digest([*texts, *steps])[:12], texts, steps)


def model_of(
    premises: Sequence[Formula],
    conclusion: Formula,
    *,
    conclusion_is: bool,
    existential_import: bool = False,
) -> str | None:
    """A model of premises in which a conclusion is true, or false; None where there is none.

    It is everybody there is, a colon, and the atoms that are true: ``a 1: F(a) G(1)``.
    """
    formulas = [*premises, conclusion if conclusion_is else negation(conclusion)]
    grounded = ground([*formulas, *(inhabited(formulas) if existential_import else ())])
    found = solve(grounded.clauses)
    if isinstance(found, tuple):
        return None
    true = [_atom(grounded.atoms[number - 1]) for number in sorted(found)]
    return " ".join(grounded.individuals) + ":" + "".join(f" {atom}" for atom in true)


def _atom(atom: Atom) -> str:
    return f"{atom[0]}({','.join(atom[1])})"


def _literal(atoms: Sequence[Atom], number: int) -> str:
    return ("-" if number < 0 else "") + _atom(atoms[abs(number) - 1])
