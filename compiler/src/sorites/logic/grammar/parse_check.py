"""The readings of a sentence by NLTK's chart parser: a check on what was composed without one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nltk.parse import FeatureTopDownChartParser

from sorites.logic.formulas import Formula, FormulaError, parse
from sorites.logic.grammar.charts import BoundedFeatureChart, TooAmbiguous
from sorites.logic.grammar.grammar import Grammar, category_name, meaning
from sorites.logic.prover import Answer, Prover

__all__ = ["Reader"]

_TOKEN = re.compile(r"[^\s,]+|,")


class Reader:
    """Parses sentences with a grammar, about twenty a second."""

    def __init__(self, grammar: Grammar) -> None:
        self._parser = FeatureTopDownChartParser(
            grammar.parsed, chart_class=BoundedFeatureChart, max_time=None
        )
        self._start = grammar.start
        productions = grammar.parsed.productions()
        self._words = {part for p in productions for part in p.rhs() if isinstance(part, str)}

    def readings(self, sentence: str) -> tuple[Formula | FormulaError, ...]:
        """The formulas of a sentence, each once; none where the grammar does not cover it.

        A reading that is no formula is there as the error that says why. Raises TooAmbiguous
        where the grammar gives the sentence too many.
        """
        return tuple(dict.fromkeys(self._formulas(self._tokens(sentence))))

    def fault(self, sentence: str, formula: Formula, prover: Prover) -> str | None:
        """Why a sentence does not say what a formula says; None if every reading does."""
        try:
            found = self.readings(sentence)
        except TooAmbiguous as error:
            return f"'{sentence}' cannot be read: {error}"
        if not found:
            return f"'{sentence}' cannot be parsed with the grammar"
        for reading in found:
            if isinstance(reading, FormulaError):
                return f"'{sentence}' says (no formula: {reading.reason}), not {formula}"
            if reading != formula and Answer.YES not in _equivalent(reading, formula, prover):
                return f"'{sentence}' says {reading}, not {formula}"
        return None

    def _tokens(self, sentence: str) -> list[str]:
        tokens = _TOKEN.findall(sentence)
        if tokens and tokens[0] not in self._words:
            # The capital of a sentence may be its own or that of its first word.
            tokens[0] = tokens[0][:1].lower() + tokens[0][1:]
        return tokens

    def _formulas(self, tokens: list[str]) -> Iterator[Formula | FormulaError]:
        if not set(tokens) <= self._words:
            return
        for tree in self._parser.parse(tokens):
            if category_name(tree.label()) == self._start:
                try:
                    yield parse(str(meaning(tree.label()).simplify()))
                except FormulaError as error:
                    yield error


def _equivalent(one: Formula, other: Formula, prover: Prover) -> set[Answer]:
    both = {prover.entails([one], other), prover.entails([other], one)}
    return both if len(both) == 1 else {Answer.NO}
