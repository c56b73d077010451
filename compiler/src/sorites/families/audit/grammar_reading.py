"""Sentences that are read by a feature grammar with meanings."""

from __future__ import annotations

from functools import cached_property

from sorites.families.audit.reader import Unread
from sorites.logic.first_order.trees import Node, key_of
from sorites.logic.formulas import Formula
from sorites.logic.grammar.charts import TooAmbiguous
from sorites.logic.grammar.grammar import Grammar
from sorites.logic.grammar.parse_check import Reader
from sorites.logic.notations.errors import NotationError
from sorites.logic.notations.nltk_notation import NLTK
from sorites.logic.notations.parser import read_formula
from sorites.logic.notations.writer import write_formula

__all__ = ["GrammarReader"]


class GrammarReader:
    """Reads sentences with NLTK's chart parser, about twenty a second; each sentence once."""

    reads_words = True

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._known: dict[str, Node | str] = {}

    @cached_property
    def _parser(self) -> Reader:
        return Reader(self._grammar)

    @property
    def describes(self) -> str:
        """How texts are read, as the end of a sentence."""
        return "by the grammar of the spec"

    def read(self, text: str) -> Node:
        """The formula of a sentence. Raises Unread for none and for two that differ."""
        sentence = " ".join(text.split()).removesuffix(".").rstrip()
        if sentence not in self._known:
            try:
                self._known[sentence] = self._read(sentence)
            except Unread as error:
                self._known[sentence] = str(error)
        found = self._known[sentence]
        if isinstance(found, str):
            raise Unread(found)
        return found

    def _read(self, sentence: str) -> Node:
        try:
            readings = self._parser.readings(sentence)
        except TooAmbiguous as error:
            raise Unread(str(error)) from None
        formulas = [each for each in readings if isinstance(each, Formula)]
        try:
            read = {key_of(node): node for node in (read_formula(f.text, NLTK) for f in formulas)}
        except NotationError as error:
            raise Unread(f"its meaning is no formula: {error.reason}") from None
        if not read:
            raise Unread("the grammar does not read it")
        if len(read) > 1:
            told = " and ".join(each.text for each in formulas[:2])
            raise Unread(f"the grammar reads it in {len(read)} ways: {told}")
        return next(iter(read.values()))

    def shown(self, text: str, formula: Node) -> str:
        """The formula in the notation of NLTK."""
        return write_formula(formula, NLTK)
