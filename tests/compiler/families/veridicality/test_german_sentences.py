"""A verb-final language: embedded and main clauses differ, and both parse by another grammar."""

from __future__ import annotations

import re

import pytest
from nltk import CFG
from nltk.parse import BottomUpLeftCornerChartParser

from tests.compiler.families.veridicality.conftest import Sample

NAMES = ["Anna", "Björn", "Clara", "Emil", "Jürgen", "Käthe", "Otto", "Zoë"]

# infinitive, present singular, past singular, past plural
INTRANSITIVE = """schlafen schläft schlief schliefen; lachen lacht lachte lachten;
tanzen tanzt tanzte tanzten; laufen läuft lief liefen; lächeln lächelt lächelte lächelten;
schwimmen schwimmt schwamm schwammen; warten wartet wartete warteten; weinen weint weinte weinten"""
TRANSITIVE = """sehen sieht sah sahen; hören hört hörte hörten; grüßen grüßt grüßte grüßten;
besuchen besucht besuchte besuchten; loben lobt lobte lobten; rufen ruft rief riefen;
treffen trifft traf trafen; küssen küsst küsste küssten"""
WITH_CLAUSE = """wissen weiß wusste wussten; bemerken bemerkt bemerkte bemerkten;
vergessen vergisst vergaß vergaßen; bedauern bedauert bedauerte bedauerten;
beweisen beweist bewies bewiesen; hoffen hofft hoffte hofften; glauben glaubt glaubte glaubten;
behaupten behauptet behauptete behaupteten; lügen lügt log logen"""
WITH_INFINITIVE = """vermögen vermag vermochte vermochten; wagen wagt wagte wagten;
vergessen vergisst vergaß vergaßen; versäumen versäumt versäumte versäumten;
zögern zögert zögerte zögerten; hoffen hofft hoffte hofften"""

CLAUSES = """
ROOT -> MAIN_T | QUESTION_T | 'wenn' BELOW_T ',' BELL_T | CONTROL_T
MAIN_T -> SUBJ V_T_sg DASS_T | SUBJ V_T_sg 'nicht' DASS_T | SUBJ V_T_sg 'vielleicht' DASS_T
MAIN_T -> 'niemand' V_T_sg DASS_T
QUESTION_T -> V_T_sg SUBJ DASS_T '?'
CONTROL_T -> ANY Z_T_sg ',' INF | NAME Z_T_sg 'nicht' ',' INF
DASS_T -> ',' 'dass' BELOW_T | ',' 'dass' S_T | ',' 'dass' CONTROL_T
BELOW_T -> SUBJ V_T_sg DASS_T | 'die' 'Nachbarn' 'nicht' V_T_pl DASS_T
S_T -> FINAL_T | 'es' 'nicht' 'der' 'Fall' BE_T ',' 'dass' FINAL_T
FINAL_T -> NP_sg IV_T_sg | NP_sg NP TV_T_sg | NP_sg 'nicht' IV_T_sg | NP_sg NP 'nicht' TV_T_sg
FINAL_T -> NP_pl IV_T_pl | NP_pl NP TV_T_pl | NP_pl 'nicht' IV_T_pl | NP_pl NP 'nicht' TV_T_pl
INF -> 'zu' IV_base | NP 'zu' TV_base | 'nicht' 'zu' IV_base | NP 'nicht' 'zu' TV_base
"""
FIXED = """
ANY -> NAME | 'niemand'
SUBJ -> 'jemand' | 'jemand' 'anderes'
NP_sg -> NAME | NAME 'oder' NAME | NAME ',' NAME 'oder' NAME
NP_pl -> NAME 'und' NAME | NAME ',' NAME 'und' NAME
NP -> NP_sg | NP_pl
BE_past -> 'war'
BE_pres -> 'ist'
BELL_past -> 'läutete' 'die' 'Glocke'
BELL_pres -> 'läutet' 'die' 'Glocke'
"""


@pytest.fixture(scope="module")
def parser() -> BottomUpLeftCornerChartParser:
    rules = [re.sub(r"(?<=_)T\b|(?<=_)T(?=_)", tense, CLAUSES) for tense in ("past", "pres")]
    rules += [FIXED, *(f"NAME -> '{name}'" for name in NAMES)]
    tables = (("IV", INTRANSITIVE), ("TV", TRANSITIVE), ("V", WITH_CLAUSE), ("Z", WITH_INFINITIVE))
    for category, table in tables:
        for entry in table.split(";"):
            base, present, past, plural = entry.split()
            forms = {"base": base, "pres_sg": present, "pres_pl": base}
            forms |= {"past_sg": past, "past_pl": plural}
            rules += [f"{category}_{name} -> '{form}'" for name, form in forms.items()]
    return BottomUpLeftCornerChartParser(CFG.fromstring("\n".join(rules)))


def parses(parser: BottomUpLeftCornerChartParser, sentence: str) -> bool:
    tokens = re.findall(r"\w+|[,?]", sentence)
    if tokens[0] not in NAMES:
        tokens[0] = tokens[0].lower()
    return next(iter(parser.parse(tokens)), None) is not None


@pytest.mark.parametrize(
    "environment", ["positive", "negated", "question", "conditional", "modal", "quantified"]
)
def test_sentences_of_every_environment_are_german(
    german: Sample, parser: BottomUpLeftCornerChartParser, environment: str
) -> None:
    sentences = {
        row["premise"]
        for config in ("synthetic", "control")
        for row in german.rows(config, "test")
        if row["environment"] == environment
    }
    assert len(sentences) >= 90
    assert [sentence for sentence in sorted(sentences) if not parses(parser, sentence)] == []


def test_embedded_and_main_clauses_differ(german: Sample) -> None:
    differing = 0
    for row in german.rows("synthetic", "train"):
        if row["part"] == "veridical" and row["depth"] == 1:
            clause = row["hypothesis"].removesuffix("?")
            small = clause[:1].lower() + clause[1:]
            differing += clause not in row["premise"] and small not in row["premise"]
    assert differing > 50


@pytest.mark.parametrize(
    "sentence",
    [
        "Jemand wusste, dass Anna sah Björn",
        "Jemand wusste, dass Anna und Otto lachte",
        "Jemand weiß, dass Anna lachte",
        "Jemand nicht wusste, dass Anna lachte",
        "Wenn jemand wusste nicht, dass Anna lachte, läutete die Glocke",
        "Anna vergaß, zu sehen Björn",
    ],
)
def test_the_grammar_tells_what_is_not_german(
    parser: BottomUpLeftCornerChartParser, sentence: str
) -> None:
    assert not parses(parser, sentence)
