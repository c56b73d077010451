"""Formulas, their operations and the prover, from text to text: what tests write down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sorites.logic import formulas, truth
from sorites.logic.formulas import CanonicalArgument, Formula, Symbols, parse
from sorites.logic.prover import Answer, Prover, Verdict


def texts(values: Iterable[Formula]) -> tuple[str, ...]:
    """Formulas as they are printed."""
    return tuple(value.text for value in values)


def parsed(written: Iterable[str]) -> tuple[Formula, ...]:
    """Formulas from texts."""
    return tuple(map(parse, written))


def shape(text: str) -> str:
    return parse(text).shape


def symbols(text: str) -> Symbols:
    return parse(text).symbols


def rename(text: str, names: Mapping[str, str]) -> str:
    return formulas.rename(parse(text), names).text


def negation(text: str) -> str:
    return formulas.negation(parse(text)).text


def contradictory(text: str) -> str:
    return formulas.contradictory(parse(text)).text


def converse(text: str) -> str | None:
    turned = formulas.converse(parse(text))
    return None if turned is None else turned.text


def particular(text: str) -> str | None:
    some = formulas.particular(parse(text))
    return None if some is None else some.text


def canonical_argument(premises: Sequence[str], conclusion: str) -> CanonicalArgument:
    return formulas.canonical_argument([*map(parse, premises)], parse(conclusion))


def is_true(text: str, model: truth.Model) -> bool:
    return truth.is_true(parse(text), model)


class TextProver:
    """Reads each formula and puts the question to a ``Prover``."""

    def __init__(
        self, *, existential_import: bool = False, resource_limit: int | None = None
    ) -> None:
        self.prover = (
            Prover(existential_import=existential_import)
            if resource_limit is None
            else Prover(existential_import=existential_import, resource_limit=resource_limit)
        )

    @property
    def checks(self) -> int:
        return self.prover.checks

    @property
    def repeated(self) -> int:
        return self.prover.repeated

    def satisfiable(self, formulas: Sequence[str]) -> Answer:
        return self.prover.satisfiable([*map(parse, formulas)])

    def entails(self, premises: Sequence[str], conclusion: str) -> Answer:
        return self.prover.entails([*map(parse, premises)], parse(conclusion))

    def verdict(self, premises: Sequence[str], conclusion: str) -> Verdict:
        return self.prover.verdict([*map(parse, premises)], parse(conclusion))

    def redundant(self, premises: Sequence[str], conclusion: str) -> list[int]:
        return self.prover.redundant([*map(parse, premises)], parse(conclusion))

    def only_minimal_set(
        self, premises: Sequence[str], gold: Sequence[int], conclusion: str
    ) -> Answer:
        return self.prover.only_minimal_set([*map(parse, premises)], gold, parse(conclusion))

    def counter_model(self, premises: Sequence[str], conclusion: str) -> str | None:
        return self.prover.counter_model([*map(parse, premises)], parse(conclusion))
