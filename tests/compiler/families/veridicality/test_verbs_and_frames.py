from __future__ import annotations

import pytest

from sorites.families.veridicality.frames import TENSES, Frame, FrameError, embed, read_frame
from sorites.families.veridicality.verbs import Sign, UnknownForm, Verb, derive_form

KNOW = Verb("know", "knows", "knew", Sign.TRUE, Sign.TRUE, {})


def frame(text: str, *, plural: bool = False, negated: bool = False) -> Frame:
    return read_frame("f", text, plural=plural, negated=negated, tenses=TENSES)


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


def test_signature_and_sign() -> None:
    verb = Verb("predict", "predicts", "predicted", Sign.OPEN, Sign.TRUE, {})
    assert verb.signature == "o/+"
    assert verb.sign(negated=False) is Sign.OPEN
    assert verb.sign(negated=True) is Sign.TRUE


@pytest.mark.parametrize(
    ("plural", "negated", "tense", "expected"),
    [
        (False, False, "present", "The guests knows that it rains"),
        (True, False, "present", "The guests know that it rains"),
        (True, False, "past", "The guests knew that it rains"),
        (False, True, "present", "The guests does not know that it rains"),
        (True, True, "present", "The guests do not know that it rains"),
        (True, True, "past", "The guests did not know that it rains"),
    ],
)
def test_the_verb_agrees(plural: bool, negated: bool, tense: str, expected: str) -> None:
    of = frame("the guests {verb} that {sentence}", plural=plural, negated=negated)
    assert embed(of, KNOW, tense, "it rains") == expected


def test_three_names_with_commas_stay_in_the_premise() -> None:
    of = frame("Someone {verb} that {sentence}")
    assert embed(of, KNOW, "past", "Ann, Bob and Clara swam") == (
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
    ],
)
def test_a_frame_without_its_places_is_refused(text: str, message: str) -> None:
    with pytest.raises(FrameError) as raised:
        frame(text)
    assert str(raised.value) == message
