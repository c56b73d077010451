"""What is generated in each environment, parsed by a grammar that was written apart from it.

The grammar knows nothing of patterns, tables or verbs' signatures: it is a plain context-free one
in which number, tense and the form of each verb are parts of the categories, so that a sentence
whose verb does not agree, or has another form than its auxiliary asks for, has no parse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from nltk import CFG
from nltk.parse import BottomUpLeftCornerChartParser

from tests.compiler.families.veridicality.conftest import Sample

NAMES = ["Ann", "Bob", "Clara", "David", "Emma", "Frank", "Grace", "Henry", "Iris", "Jack"]

# base, third person singular, past, participle
INTRANSITIVE = """swim swims swam; sing sings sang; dance dances danced; laugh laughs laughed;
sleep sleeps slept; leave leaves left; wait waits waited; cough coughs coughed; cry cries cried;
run runs ran"""
TRANSITIVE = """see sees saw; visit visits visited; help helps helped; thank thanks thanked;
call calls called; follow follows followed; praise praises praised; hire hires hired;
warn warns warned; meet meets met"""
WITH_CLAUSE = """know knows knew known; notice notices noticed noticed;
realize realizes realized realized; forget forgets forgot forgotten; prove proves proved proved;
think thinks thought thought; hope hopes hoped hoped; claim claims claimed claimed;
pretend pretends pretended pretended"""
WITH_INFINITIVE = """manage manages managed managed; remember remembers remembered remembered;
dare dares dared dared; bother bothers bothered bothered; fail fails failed failed;
forget forgets forgot forgotten; neglect neglects neglected neglected;
refuse refuses refused refused; hesitate hesitates hesitated hesitated;
attempt attempts attempted attempted; hope hopes hoped hoped"""

# T stands for the tense (past, pres) of a whole sentence: its clauses all have it.
CLAUSES = """
ROOT -> DECL_T | Q_T
DECL_T -> MAIN_T | 'if' MAIN_T ',' BELL_T
MAIN_T -> SUBJ VCL_T_sg THAT_T | SUBJ NOT_T VCL_base THAT_T | SUBJ MAY_CL_T THAT_T
MAIN_T -> 'no' 'one' VCL_T_sg THAT_T | NAME VINF_T_sg INF | NAME NOT_T VINF_base INF
MAIN_T -> 'no' 'one' VINF_T_sg INF | 'it' BE_T VCL_part THAT_T | 'it' BE_T 'not' VCL_part THAT_T
MAIN_T -> 'it' MAY_BE_T VCL_part THAT_T
Q_T -> DO_T SUBJ VCL_base THAT_T '?' | BE_T 'it' VCL_part THAT_T '?'
THAT_T -> 'that' MAIN_T | 'that' S_T
INF -> 'to' PRED_base | 'not' 'to' PRED_base
S_T -> BOOL_T | 'it' BE_T 'not' 'the' 'case' 'that' BOOL_T
BOOL_T -> NP_sg PRED_T_sg | NP_pl PRED_T_pl | NP_sg NOT_T_sg PRED_base | NP_pl NOT_T_pl PRED_base
NOT_T -> DO_T 'not'
"""
FIXED = """
SUBJ -> 'someone' | 'someone' 'else' | 'the' 'teacher'
NP_sg -> NAME | NAME 'or' NAME | NAME ',' NAME 'or' NAME
NP_pl -> NAME 'and' NAME | NAME ',' NAME 'and' NAME
NP -> NP_sg | NP_pl
DO_past -> 'did'
DO_pres -> 'does'
BE_past -> 'was'
BE_pres -> 'is'
NOT_past_sg -> 'did' 'not'
NOT_past_pl -> 'did' 'not'
NOT_pres_sg -> 'does' 'not'
NOT_pres_pl -> 'do' 'not'
MAY_CL_past -> 'may' 'have' VCL_part
MAY_CL_pres -> 'may' VCL_base
MAY_BE_past -> 'may' 'have' 'been'
MAY_BE_pres -> 'may' 'be'
BELL_past -> 'the' 'bell' 'rang'
BELL_pres -> 'the' 'bell' 'rings'
"""


def words(category: str, table: str, *, after: str = "") -> Iterator[str]:
    for entry in table.split(";"):
        base, third, past, *participle = entry.split()
        forms = [("base", base), ("pres_sg", third), ("pres_pl", base)]
        forms += [("past_sg", past), ("past_pl", past), *(("part", form) for form in participle)]
        yield from (f"{category}_{name} -> '{form}'{after}" for name, form in forms)


@pytest.fixture(scope="module")
def parser() -> BottomUpLeftCornerChartParser:
    rules = [re.sub(r"(?<=_)T\b|(?<=_)T(?=_)", tense, CLAUSES) for tense in ("past", "pres")]
    rules += [FIXED, *(f"NAME -> '{name}'" for name in NAMES)]
    for table, name in ((INTRANSITIVE, "PRED"), (WITH_CLAUSE, "VCL"), (WITH_INFINITIVE, "VINF")):
        rules += words(name, table)
    rules += words("PRED", TRANSITIVE, after=" NP")
    return BottomUpLeftCornerChartParser(CFG.fromstring("\n".join(rules)))


def tokens(sentence: str) -> list[str]:
    found = re.findall(r"\w+|[,?]", sentence)
    if found[0] not in NAMES:
        found[0] = found[0].lower()
    return found


def parses(parser: BottomUpLeftCornerChartParser, sentence: str) -> bool:
    try:
        return next(iter(parser.parse(tokens(sentence))), None) is not None
    except ValueError:
        return False  # a word that the grammar does not have


WANTED = 200
"""Sentences of each environment that are parsed."""


@pytest.mark.parametrize(
    "environment", ["positive", "negated", "question", "conditional", "modal", "quantified"]
)
def test_sentences_of_every_environment_are_english(
    environments: Sample, parser: BottomUpLeftCornerChartParser, environment: str
) -> None:
    rows = [
        row
        for config in ("synthetic", "control")
        for split in ("test", "train", "validation")
        for row in environments.rows(config, split)
        if row["environment"] == environment
    ]
    sentences = sorted({row["premise"] for row in rows}, key=lambda text: (hash_of(text), text))
    chosen = sentences[:WANTED]
    assert len(chosen) == WANTED
    assert [sentence for sentence in chosen if not parses(parser, sentence)] == []


def hash_of(text: str) -> int:
    """An order that mixes depths and verbs, the same on every machine."""
    return sum(place * ord(letter) for place, letter in enumerate(text)) % 9973


@pytest.mark.parametrize(
    "sentence",
    [
        "Someone know that Ann swims",
        "Someone did not knew that Ann swam",
        "Someone does not knows that Ann swims",
        "Did someone knew that Ann swam?",
        "Someone did not be known that Ann swam",
        "Someone may have know that Ann swam",
        "It was know that Ann swam",
        "No one know that Ann swims",
        "Ann managed to swims",
        "Ann managed swim",
        "Someone knew that Ann swims",
        "Someone knows that Ann and Bob swims",
        "If someone knew that Ann swam, the bell rings",
        "Someone knows that someone else did not know that Ann swims",
    ],
)
def test_the_grammar_tells_what_is_not_english(
    parser: BottomUpLeftCornerChartParser, sentence: str
) -> None:
    assert not parses(parser, sentence)
