from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sorites.characters import fold
from sorites.logic import read_back
from sorites.logic.formulas import parse
from sorites.logic.read_back import Names, Reading, SentenceReader
from sorites.logic.sentence_templates import (
    Phrase,
    Saying,
    SentenceRules,
    Templates,
    Wording,
    read_phrase,
    read_template,
)

TEXTS = {
    "F(a)": "{a} is in {F}",
    "-F(a)": "{a} is not in {F}",
    "all x.(F(x) -> G(x))": "every thing in {F} is in {G}",
    "all x.(F(x) -> -G(x))": "no thing in {F} is in {G}",
    "exists x.(F(x) & G(x))": "some thing in {F} is in {G}",
}


def templates(texts: dict[str, str]) -> Templates:
    return Templates(
        {
            parse(formula).shape: Saying(
                parse(formula), (Wording("plain", {"main": read_template(parse(formula), text)}),)
            )
            for formula, text in texts.items()
        }
    )


PHRASES = {
    "asserted": read_phrase("it is true that {sentence}"),
    "denied": read_phrase("it is false that {sentence}"),
}
RULES = SentenceRules()
READER = SentenceReader(templates(TEXTS), PHRASES, RULES)

# Names that hold words of the templates, and one another.
AWKWARD = ["A", "B", "A is in B", "B is in", "is", "every thing", "in A", "A B", "Straße", "no"]


def named(classes: dict[str, str], individuals: dict[str, str]) -> Names:
    return Names(
        {symbol: {"": name} for symbol, name in classes.items()},
        {symbol: {"": name} for symbol, name in individuals.items()},
    ).folded()


@given(
    st.sampled_from(sorted(TEXTS)),
    st.lists(st.sampled_from(AWKWARD), min_size=3, max_size=3, unique_by=fold),
    st.booleans(),
)
@settings(max_examples=400, deadline=None, derandomize=True)
def test_whatever_is_said_is_among_what_is_read(
    formula: str, called: list[str], deny: bool
) -> None:
    wanted = parse(formula)
    names = named({"F": called[0], "G": called[1]}, {"a": called[2]})
    forms = {"F": {"": called[0]}, "G": {"": called[1]}, "a": {"": called[2]}}
    clause = READER_TEMPLATES.verbalise(wanted, forms)
    assert Reading(wanted, "", "plain") in READER.premise(RULES.sentence(clause), names)
    key = "denied" if deny else "asserted"
    said = RULES.sentence(PHRASES[key].around(clause))
    assert Reading(wanted, key, "plain") in READER.conclusion(said, names)


READER_TEMPLATES = templates(TEXTS)


@given(
    st.lists(st.sampled_from([*TEXTS.values(), "{F}", "{a} {G}"]), min_size=1, max_size=2),
    st.lists(
        st.sampled_from([*AWKWARD, "bee", "A is not", "C", "D and", "in"]), min_size=4, max_size=4
    ),
    st.sampled_from(["", "it is true that "]),
)
@settings(max_examples=1_000, deadline=None, derandomize=True)
def test_marks_for_names_change_no_reading(
    parts: list[str], called: list[str], before: str
) -> None:
    """Whether or not names stand apart, and whether or not a text is a sentence at all."""
    names = named({"F": called[0], "G": called[1], "H": called[2]}, {"a": called[3]})
    texts = {"F": called[0], "G": called[1], "a": called[3]}
    text = RULES.sentence(before + " ".join(part.format_map(texts) for part in parts))
    found = [read(text, names) for read in (READER.premise, READER.conclusion)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(read_back, "_with_marks", lambda *_: None)
        expected = [read(text, names) for read in (READER.premise, READER.conclusion)]
    assert [*map(set, found)] == [*map(set, expected)]


def test_sentences_that_differ_in_names_alone_are_read_with_one_set_of_marks() -> None:
    for cls, one in (("bees", "Maya"), ("wasps", "Willi")):
        names = named({"F": cls}, {"a": one})
        reading = Reading(parse("F(a)"), "", "plain")
        assert READER.premise(f"{one} is in {cls}.", names) == (reading,)
    assert READER._marked.cache_info().hits


def test_a_name_that_holds_a_template_makes_a_sentence_of_two_readings() -> None:
    names = named({"F": "A", "G": "B", "H": "A is in B", "I": "C"}, {})
    text = "Every thing in A is in B is in C."
    found = {str(reading.formula) for reading in READER.premise(text, names)}
    assert found == {"all x.(H(x) -> I(x))"}
    both = named({"F": "A", "G": "B is in C", "H": "A is in B", "I": "C"}, {})
    found = {str(reading.formula) for reading in READER.premise(text, both)}
    assert found == {"all x.(H(x) -> I(x))", "all x.(F(x) -> G(x))"}


def test_two_names_that_look_alike_make_two_readings() -> None:
    names = named({"F": "Lung cancer", "G": "LUNG\u00ad  cancer", "H": "Cough"}, {})
    found = READER.premise("Every thing in lung cancer is in Cough.", names)
    assert {str(reading.formula) for reading in found} == {
        "all x.(F(x) -> H(x))",
        "all x.(G(x) -> H(x))",
    }


def test_one_name_twice_is_no_statement_about_two_classes() -> None:
    names = named({"F": "A", "G": "B"}, {})
    assert READER.premise("Every thing in A is in A.", names) == ()


def test_the_full_stop_and_every_word_must_be_there() -> None:
    names = named({"F": "A", "G": "B"}, {})
    assert READER.premise("Every thing in A is in B", names) == ()
    assert READER.premise("Every thing in A is also in B.", names) == ()
    assert READER.conclusion("Every thing in A is in B.", names) == ()


def test_phrases_that_are_alike_give_two_readings() -> None:
    empty = {"asserted": Phrase("", ""), "denied": Phrase("", "")}
    reader = SentenceReader(templates(TEXTS), empty, RULES)
    names = named({"F": "A"}, {"a": "tom"})
    assert {reading.phrase for reading in reader.conclusion("Tom is in A.", names)} == {*empty}


def test_a_clause_is_read_in_the_form_that_its_phrase_asks_for() -> None:
    formula = parse("F(a)")
    clauses = {
        "main": read_template(formula, "{a} ist im {F}"),
        "subordinate": read_template(formula, "{a} im {F} ist"),
    }
    reader = SentenceReader(
        Templates({formula.shape: Saying(formula, (Wording("plain", clauses),))}),
        {"asserted": read_phrase("es stimmt, dass {sentence:subordinate}")},
        RULES,
    )
    names = named({"F": "Chor"}, {"a": "Ida"})
    assert [r.formula.text for r in reader.premise("Ida ist im Chor.", names)] == ["F(a)"]
    assert reader.premise("Ida im Chor ist.", names) == ()
    found = reader.conclusion("Es stimmt, dass Ida im Chor ist.", names)
    assert [(r.formula.text, r.phrase) for r in found] == [("F(a)", "asserted")]
    assert reader.conclusion("Es stimmt, dass Ida ist im Chor.", names) == ()
