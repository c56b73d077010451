from __future__ import annotations

from collections.abc import Mapping

import pytest

from sorites.families.audit.grammar_reading import GrammarReader
from sorites.families.audit.plan import no_problem, read_plan
from sorites.families.audit.reader import RowReader, Unread
from sorites.logic.grammar.grammar import read_grammar

FORMS = [
    {"formula": "all x.(F(x) -> G(x))", "text": "All {F} are {G}"},
    {"formula": "all x.(F(x) -> -G(x))", "text": "No {F} are {G}"},
    {"formula": "exists x.(F(x) & G(x))", "text": "Some {F} are {G}"},
    {"formula": "exists x.(F(x) & -G(x))", "text": "Some {F} are not {G}"},
    {"formula": "F(a)", "text": "{a} is one of the {F}"},
]


def reader(**reading: object) -> RowReader:
    data = {"format": "jsonl", "splits": {}, "premises": "p", "conclusion": "c", "label": "l"}
    labels = {"yes": "entailed", "no": "undetermined"}
    plan = read_plan(
        {"data": data, "reading": reading, "labels": labels},  # type: ignore[dict-item]
        no_problem,
    )
    assert plan is not None
    return plan.reader


@pytest.mark.parametrize(
    ("sentence", "formula"),
    [
        ("All dogs are pets", "all x. (Dogs(x) -> Pets(x))"),
        ("  all DOGS  are pets. ", "all x. (Dogs(x) -> Pets(x))"),
        ("Some dogs are not pets.", "exists x. (Dogs(x) & -Pets(x))"),
        ("Some early risers are choir members", "exists x. (Early_risers(x) & Choir_members(x))"),
        ("Ann is one of the dogs", "Dogs(ann)"),
    ],
)
def test_sentences_are_read(sentence: str, formula: str) -> None:
    read = reader(templates=FORMS)
    assert read.shown(sentence, read.read(sentence)) == formula


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Most dogs are pets", "no template reads it"),
        ("All dogs are", "no template reads it"),
        ("", "no template reads it"),
        (
            "All dogs that are big are pets",
            "it is read in two ways: all x. (Dogs_that_are_big(x) -> Pets(x)) and "
            "all x. (Dogs_that(x) -> Big_are_pets(x))",
        ),
    ],
)
def test_sentences_without_one_reading_are_not(sentence: str, reason: str) -> None:
    with pytest.raises(Unread) as told:
        reader(templates=FORMS).read(sentence)
    assert str(told.value) == reason


NAMES: list[Mapping[str, str]] = [
    {"singular": "mouse", "plural": "mice"},
    {"singular": "pet that squeaks", "plural": "pets that squeak"},
    {"singular": "pet", "plural": "pets"},
]


def test_names_in_several_forms_are_one_class() -> None:
    read = reader(
        templates=[
            {"formula": "all x.(F(x) -> G(x))", "text": "All {F:plural} are {G:plural}"},
            {"formula": "F(a)", "text": "{a} is a {F:singular}"},
        ],
        classes=NAMES,
    )
    assert read.shown("", read.read("All mice are pets that squeak")) == (
        "all x. (Mouse(x) -> Pet_that_squeaks(x))"
    )
    assert read.shown("", read.read("Tom is a mouse.")) == "Mouse(tom)"
    for sentence in ("All mouse are pets", "All dogs are pets", "Tom is a mice"):
        with pytest.raises(Unread, match=r"^no template reads it$"):
            read.read(sentence)


def test_one_place_twice_is_one_name() -> None:
    read = reader(templates=[{"formula": "all x.(F(x) -> F(x))", "text": "{F} stay {F}"}])
    assert read.shown("", read.read("dogs stay dogs")) == "all x. (Dogs(x) -> Dogs(x))"
    with pytest.raises(Unread):
        read.read("dogs stay cats")


def test_what_can_be_split_in_very_many_ways_ends() -> None:
    read = reader(
        templates=[
            {
                "formula": "P(a) & Q(b) & R(c) & S(d)",
                "text": "{a} o {P} o {b} o {Q} o {c} o {R} o {d} o {S}",
            }
        ]
    )
    with pytest.raises(Unread, match=r"two ways|too many ways"):
        read.read(" o ".join(["x"] * 60))


GRAMMAR = r"""
% start S
S[SEM=<?q(?p)>, TENSE=past] -> NP[SEM=?q] VP[SEM=?p]
NP[SEM=<\P.P(ann)>] -> 'Ann'
NP[SEM=<\P.all x.(dog(x) -> P(x))>] -> 'every' 'dog'
VP[SEM=<\x.-?v(x)>] -> 'did' 'not' V[SEM=?v]
VP[SEM=?v] -> V[SEM=?v]
V[SEM=<\x.bark(x)>] -> 'bark' | 'barked'
"""


def test_a_grammar_reads_sentences() -> None:
    read = GrammarReader(read_grammar(GRAMMAR))
    assert read.shown("", read.read("Ann barked.")) == "bark(ann)"
    assert read.shown("", read.read("Every dog did not bark")) == "all x. (dog(x) -> -bark(x))"
    with pytest.raises(Unread, match=r"^the grammar does not read it$"):
        read.read("Ann sang")
