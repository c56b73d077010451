from __future__ import annotations

import pytest

from sorites.families.veridicality.clauses.frames import (
    Frame,
    FrameError,
    InnerClause,
    read_text,
)
from sorites.families.veridicality.clauses.language import Language
from sorites.families.veridicality.clauses.realise import Bottom, embed
from sorites.families.veridicality.clauses.stacks import Construction, Stack
from sorites.families.veridicality.polarity import Environment, Level
from sorites.families.veridicality.verbs import Complement, Sign, UnknownForm, Verb, derive_form

KNOW = Verb("know", "knows", "knew", Sign.TRUE, Sign.TRUE, {}, participle="known")
FORGET = Verb("forget", "forgets", "forgot", Sign.FALSE, Sign.TRUE, {}, Complement.TO)


@pytest.mark.parametrize(
    ("lemma", "tag", "form"),
    [("notice", "VBZ", "notices"), ("imply", "VBZ", "implies"), ("see", "VBD", "saw")],
)
def test_a_form_is_looked_up(lemma: str, tag: str, form: str) -> None:
    assert derive_form(lemma, tag) == form


@pytest.mark.parametrize(
    ("lemma", "message"),
    [
        ("learn", "learn has more than one such form: learned, learnt"),
        ("beware", "beware has no such form in the dictionary"),
        ("flurbify", "flurbify has no such form in the dictionary"),
    ],
)
def test_no_form_is_guessed(lemma: str, message: str) -> None:
    with pytest.raises(UnknownForm) as raised:
        derive_form(lemma, "VBD")
    assert str(raised.value) == message


def test_signature_and_level() -> None:
    verb = Verb("predict", "predicts", "predicted", Sign.OPEN, Sign.TRUE, {})
    assert verb.signature == "o/+"
    assert verb.level(Environment.MODAL) == Level(Sign.OPEN, Sign.TRUE, Environment.MODAL)


@pytest.mark.parametrize(
    ("plural", "environment", "tense", "expected"),
    [
        (False, "positive", "present", "The guests knows that it rains"),
        (True, "positive", "present", "The guests know that it rains"),
        (True, "positive", "past", "The guests knew that it rains"),
        (False, "negated", "present", "The guests does not know that it rains"),
        (True, "negated", "present", "The guests do not know that it rains"),
        (True, "negated", "past", "The guests did not know that it rains"),
        (True, "question", "past", "Did the guests know that it rains?"),
        (True, "conditional", "present", "If the guests know that it rains, the bell rings"),
        (False, "modal", "present", "The guests may know that it rains"),
        (False, "modal", "past", "The guests may have known that it rains"),
        (True, "quantified", "present", "No one knows that it rains"),
    ],
)
def test_the_verb_agrees_in_every_environment(
    english: Language, plural: bool, environment: str, tense: str, expected: str
) -> None:
    frame = Frame("f", "the guests", plural=plural)
    stack = Stack((KNOW,), Construction(Environment(environment)))
    assert embed(english, frame, stack, tense, Bottom("it rains")) == expected


def test_verbs_stand_above_one_another(english: Language) -> None:
    inner = (
        InnerClause("the guests", True, Environment.NEGATED),
        InnerClause("nobody else", False, Environment.QUANTIFIED, negative=True),
    )
    stack = Stack((KNOW, KNOW, KNOW), Construction(Environment.QUESTION, inner))
    assert embed(english, Frame("f", "you", plural=True), stack, "present", Bottom("it rains")) == (
        "Do you know that the guests do not know that nobody else knows that it rains?"
    )


def test_an_infinitive_takes_its_own_subject(english: Language) -> None:
    bottom = Bottom("Ann saw Bob", "Ann", "to see Bob")
    one = Stack((FORGET,), Construction(Environment.NEGATED))
    assert embed(english, Frame("f", "someone"), one, "past", bottom) == (
        "Ann did not forget to see Bob"
    )
    two = Stack(
        (KNOW, FORGET), Construction(inner=(InnerClause("x", False, Environment.POSITIVE),))
    )
    assert embed(english, Frame("f", "someone", adjunct="At noon,"), two, "past", bottom) == (
        "At noon, someone knew that Ann forgot to see Bob"
    )
    assert (FORGET.name, FORGET.signature) == ("forget to", "-/+")


def test_a_passive_has_no_subject(english: Language) -> None:
    stack = Stack((KNOW,), Construction(Environment.MODAL, passive=True))
    frame = Frame("f", "we", plural=True)
    assert embed(english, frame, stack, "past", Bottom("it rained")) == (
        "It may have been known that it rained"
    )
    assert stack.complement == "passive"


def test_a_subject_that_negates_by_itself_stands_for_no_one(english: Language) -> None:
    frame = Frame(
        "f", "none of us", environments=(Environment.QUANTIFIED,), negative=True, plural=True
    )
    stack = Stack((KNOW,), Construction(Environment.QUANTIFIED))
    assert embed(english, frame, stack, "past", Bottom("it rained")) == (
        "None of us knew that it rained"
    )


def test_three_names_with_commas_stay_in_the_premise(english: Language) -> None:
    bottom = Bottom("Ann, Bob and Clara swam")
    assert embed(english, Frame("f", "someone"), Stack((KNOW,)), "past", bottom) == (
        "Someone knew that Ann, Bob and Clara swam"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Someone {verb} that", "the text has no place for {sentence}"),
        ("Someone knows that {sentence}", "the text has no place for {verb}"),
        ("{verb} {verb} {sentence}", "the text has more than one place for {verb}"),
        (
            "That {sentence}, someone {verb}",
            "the text has {verb} and then {sentence}, and no other place",
        ),
        (
            "{who} {verb} that {sentence}",
            "the text has {verb} and then {sentence}, and no other place",
        ),
        (
            "Someone {verb!r} that {sentence}",
            "the text has {verb} and then {sentence}, and no other place",
        ),
        (
            "Someone {verb} that {sentence",
            "the text cannot be read: expected '}' before end of string",
        ),
        (
            "Someone {verb} to {sentence}",
            "between {verb} and {sentence} stands 'to', where a finite clause takes 'that'",
        ),
        (
            "Someone {verb} that someone hopes that {sentence}",
            "between {verb} and {sentence} stands 'that someone hopes that', where a finite clause "
            "takes 'that'; that begins a second",
        ),
        (
            "If someone {verb} that {sentence}, the bell rings",
            "', the bell rings' after {sentence} would be read as part of it",
        ),
        ("{verb} that {sentence}", "the text has no subject before {verb}"),
    ],
)
def test_a_text_that_is_no_frame_is_refused(english: Language, text: str, message: str) -> None:
    with pytest.raises(FrameError) as raised:
        read_text(text, english)
    assert str(raised.value) == message


def test_a_text_is_cut_into_adjunct_and_subject(english: Language) -> None:
    text = "In the letter, the editor {verb} that {sentence}"
    assert read_text(text, english) == ("In the letter,", "the editor")
