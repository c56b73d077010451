from __future__ import annotations

import pytest

from sorites.families.audit.grammar_reading import GrammarReader
from sorites.families.audit.reader import Unread
from sorites.logic.formulas import parse
from sorites.logic.grammar import charts, function_words
from sorites.logic.grammar.charts import TooAmbiguous
from sorites.logic.grammar.function_words import CLASS, INDIVIDUAL
from sorites.logic.grammar.grammar import read_grammar
from sorites.logic.grammar.parse_check import Reader
from sorites.logic.prover import Prover

# Each word has two parses that mean the same, so that a sentence of n words has 2 ** n trees.
_WORDS = 16
_SENTENCE = " ".join(["rain"] * _WORDS)
_GRAMMAR = rf"""
% start S
S[SEM=<?p(\x.rain(x))>] -> {" ".join(["D[SEM=?p]"] * _WORDS)}
S[SEM=<?p(\x.rain(x))>] -> D[SEM=?p]
D[SEM=?p] -> A[SEM=?p] | B[SEM=?p]
A[SEM=<\F.F(ann)>] -> 'rain'
B[SEM=<\F.F(ann)>] -> 'rain'
"""


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(read_grammar(_GRAMMAR))


def test_a_sentence_of_few_readings_is_read(reader: Reader) -> None:
    assert reader.readings("rain") == (parse("rain(ann)"),)


def test_a_sentence_of_too_many_readings_is_told(reader: Reader) -> None:
    told = "the grammar gives it more than 2,500 partial readings"
    with pytest.raises(TooAmbiguous, match=told):
        reader.readings(_SENTENCE)
    assert reader.fault(_SENTENCE, parse("rain(ann)"), Prover()) == (
        f"'{_SENTENCE}' cannot be read: {told}"
    )
    with pytest.raises(Unread, match=told):
        GrammarReader(read_grammar(_GRAMMAR)).read(_SENTENCE)


def test_the_grammar_of_function_words_reads_nothing_from_a_full_chart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sentence = f"{INDIVIDUAL} is in {CLASS}"
    function_words.readings.cache_clear()
    monkeypatch.setattr(charts, "MOST_STEPS", 5)
    assert function_words.readings(sentence) == ()
    function_words.readings.cache_clear()
    monkeypatch.undo()
    assert len(function_words.readings(sentence)) == 1


def test_no_parse_is_ended_by_a_clock(reader: Reader) -> None:
    assert reader._parser._max_time is None
    assert function_words._parser()._max_time is None
