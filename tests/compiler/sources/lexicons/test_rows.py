from __future__ import annotations

from typing import Any

import pytest

from sorites.errors import SourceError
from sorites.sources.lexicons.concepts import SynsetRow
from sorites.sources.lexicons.glosses import GlossRow
from sorites.sources.lexicons.lexicon import Lexicon, count_by_pos
from sorites.sources.lexicons.policies import Policies, Repeats
from sorites.sources.lexicons.rows import LexiconRows, build_lexicon

ONE, TWO = SynsetRow(1, "", "s1", "i1", "NOUN"), SynsetRow(2, "", "s2", "i2", "VERB")
USUAL = (
    GlossRow(1, "en", "en", "one"),
    GlossRow(2, "en", "en", "two"),
    GlossRow(1, "el", "el", "ένα"),
)


def build(
    languages: tuple[str, ...] = ("en", "el"),
    *,
    synsets: Any = (ONE, TWO),
    glosses: Any = USUAL,
    words: Any = ((1, "en", "uno", True), (1, "en", "unos", False), (1, "en", "uno", True)),
    gloss_policy: Any = "first",
    **policies: Any,
) -> Lexicon:
    rows = LexiconRows(
        synsets=synsets,
        glosses=glosses,
        words=lambda wanted: [row for row in words if row[0] in wanted],
        synset_relations=[("hypernym", 1, 2), ("hypernym", 1, 2), ("hypernym", 1, 99)],
        sense_relations=[("antonym", 2, 1)],
    )
    return build_lexicon(rows, languages, Policies(gloss_policy, **policies), where="x.db")


def refusal(*arguments: Any, **changed: Any) -> str:
    with pytest.raises(SourceError) as caught:
        build(*arguments, **changed)
    return str(caught.value)


def test_rows_are_indexed_by_language_and_ili() -> None:
    lexicon = build()
    assert lexicon.pos == {"i1": "NOUN", "i2": "VERB"}
    assert lexicon.glosses == {"en": {"i1": "one", "i2": "two"}, "el": {"i1": "ένα"}}
    assert lexicon.lemmas == {"en": {"i1": ("uno",)}, "el": {}}
    assert lexicon.forms == {"en": {"i1": ("unos",)}, "el": {}}
    assert lexicon.synset_relations == {"hypernym": frozenset({("i1", "i2")})}
    assert lexicon.sense_relations == {"antonym": frozenset({("i2", "i1")})}
    assert lexicon.fully_glossed(("en", "el")) == {"i1"}
    assert lexicon.fully_glossed(("en",)) == {"i1", "i2"}
    assert count_by_pos(lexicon, ["i1", "i2"]) == {"NOUN": 1, "VERB": 1}


def test_words_are_kept_for_what_is_glossed_in_every_language() -> None:
    words = [(1, "en", "uno", True), (2, "en", "dos", True)]
    assert build(words=words).lemmas == {"en": {"i1": ("uno",)}, "el": {}}
    assert build(("en",), words=words).lemmas == {"en": {"i1": ("uno",), "i2": ("dos",)}}


def test_synsets_without_ili_are_counted_and_left_out() -> None:
    unlinked = [ONE, SynsetRow(2, "", "s2", None, "NOUN"), SynsetRow(3, "", "s3", "", "NOUN")]
    lexicon = build(synsets=unlinked)
    assert lexicon.pos == {"i1": "NOUN"}
    assert lexicon.synsets_without_ili == 2


def test_synsets_without_ili_are_kept_under_their_ids() -> None:
    unlinked = [ONE, SynsetRow(2, "", "s2", None, "NOUN")]
    lexicon = build(("en",), synsets=unlinked, without_ili="keep")
    assert lexicon.glosses == {"en": {"i1": "one", "s2": "two"}}
    assert lexicon.synset_relations == {"hypernym": frozenset({("i1", "s2")})}
    assert lexicon.synsets_without_ili == 1


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (
            SynsetRow(2, "b", "s1", None, "NOUN"),
            "x.db: two synsets without ILI have the id 's1', which is to name them; rename one of "
            "the two, or leave such synsets out (`without_ili`)",
        ),
        (
            SynsetRow(2, "b", "b1", "s1", "NOUN"),
            "x.db: 's1' is the id of a synset without ILI and an ILI; rename the synset, or leave "
            "such synsets out (`without_ili`)",
        ),
    ],
)
def test_a_name_stands_for_one_concept(other: SynsetRow, message: str) -> None:
    synsets = [SynsetRow(1, "a", "s1", None, "NOUN"), other]
    assert refusal(("en",), synsets=synsets, without_ili="keep") == message


def test_lexicons_share_an_ili_and_the_first_says_the_part_of_speech() -> None:
    lexicon = build(
        synsets=[
            SynsetRow(1, "a", "a1", "i1", "NOUN"),
            SynsetRow(2, "b", "b1", "i1", "VERB"),
            SynsetRow(3, "b", "b2", "i2", "ADJ"),
        ]
    )
    assert lexicon.pos == {"i1": "NOUN", "i2": "ADJ"}
    assert lexicon.pos_conflicts == 1
    assert lexicon.repeated_ilis == Repeats()


SAME = (SynsetRow(1, "a", "7", "i1", "NOUN"), SynsetRow(2, "a", "9", "i1", "NOUN"))


@pytest.mark.parametrize(
    ("scope", "shown"), [("", "x.db: ILI"), ("omw-el:2.0", "x.db: lexicon 'omw-el:2.0': ILI")]
)
def test_a_repeated_ili_is_refused_where_the_spec_says_so(scope: str, shown: str) -> None:
    synsets = [row._replace(scope=scope) for row in SAME]
    assert refusal(synsets=synsets, ilis="refuse") == (
        f"{shown} 'i1' is used by two synsets, '7' and '9'; an ILI stands for one concept: set "
        "`lexicon.ilis` to first or join, merge the synsets, or correct one of the two"
    )


WORDS = ((1, "en", "uno", True), (2, "en", "dos", True))


def test_of_synsets_with_one_ili_the_first_is_taken() -> None:
    lexicon = build(("en",), synsets=SAME, words=WORDS)
    assert lexicon.glosses == {"en": {"i1": "one"}}
    assert lexicon.lemmas == {"en": {"i1": ("uno",)}}
    assert lexicon.synset_relations == {}
    assert lexicon.repeated_ilis == Repeats(1, ("i1: 7, 9",))
    assert lexicon.repeated_glosses == Repeats()


def test_synsets_with_one_ili_are_joined() -> None:
    lexicon = build(("en",), synsets=SAME, words=WORDS, ilis="join", gloss_policy="first")
    assert lexicon.lemmas == {"en": {"i1": ("uno", "dos")}}
    assert lexicon.synset_relations == {"hypernym": frozenset({("i1", "i1")})}
    assert lexicon.repeated_ilis == Repeats(1, ("i1: 7, 9",))
    assert lexicon.repeated_glosses == Repeats(1, ("i1 (en): one | two",))


TWICE = (*USUAL, GlossRow(1, "en", "en", "a single one"), GlossRow(1, "en", "en", "one"))


def test_of_several_glosses_the_first_is_taken() -> None:
    lexicon = build(glosses=TWICE)
    assert lexicon.glosses["en"]["i1"] == "one"
    assert lexicon.repeated_glosses == Repeats(1, ("i1 (en): one | a single one",))


def test_several_glosses_are_joined() -> None:
    lexicon = build(glosses=TWICE, gloss_policy="join")
    assert lexicon.glosses["en"] == {"i1": "one; a single one", "i2": "two"}


def test_several_glosses_are_refused_where_the_spec_says_so() -> None:
    assert refusal(glosses=TWICE, gloss_policy="refuse") == (
        "x.db: 'i1' has two glosses in 'en', 'one' and 'a single one'; set `lexicon.glosses` to "
        "first or join, or remove one of the two"
    )
    # Equal ones are one.
    assert build(glosses=[*USUAL, USUAL[0]], gloss_policy="refuse").repeated_glosses == Repeats()


@pytest.mark.parametrize("order", [1, -1])
def test_a_language_goes_before_its_variants_and_its_lexicon_before_others(order: int) -> None:
    rows = [
        GlossRow(1, "eng", "en", "own"),
        GlossRow(1, "en-GB", "en", "variant"),
        GlossRow(1, "en", "el", "of another language's lexicon"),
        GlossRow(1, "en-GB", "el", "variant, there"),
        GlossRow(2, "en-GB", "el", "variant alone"),
    ]
    lexicon = build(("en",), glosses=rows[::order])
    assert lexicon.glosses == {"en": {"i1": "own", "i2": "variant alone"}}
    assert lexicon.secondary_glosses == 3
    assert lexicon.repeated_glosses == Repeats()


def test_a_variant_that_is_asked_for_is_a_language_of_its_own() -> None:
    rows = [GlossRow(1, "en", "en", "colour"), GlossRow(1, "eng-US", "en", "color")]
    lexicon = build(("en", "en-US"), glosses=rows)
    assert lexicon.glosses == {"en": {"i1": "colour"}, "en-US": {"i1": "color"}}


def test_what_is_in_other_languages_is_counted_and_named() -> None:
    rows = [*USUAL, GlossRow(1, "sl", "sl", "ena"), GlossRow(2, "sl", "sl", "dva")]
    assert build(("en",), glosses=rows).other_glosses == {"el": 1, "sl": 2}


def test_empty_glosses_are_none() -> None:
    assert build(("en",), glosses=[*USUAL, GlossRow(2, "en", "en", " \n")]).repeated_glosses == (
        Repeats()
    )


def test_what_is_not_seen_is_in_no_gloss_and_in_no_word() -> None:
    """Overrides of direction, escapes of terminals, breaks of lines, what a wrong encoding left."""
    glosses = [
        GlossRow(1, "en", "en", "kept\u202e as\n   a\tpet\x94"),
        GlossRow(2, "en", "en", "\x1b[31mred"),
        GlossRow(2, "en", "en", "\u202e"),
    ]
    words = [(1, "en", "d\u2066og", True), (1, "en", "\u2066", True), (2, "en", "a\r\nb", False)]
    lexicon = build(("en",), glosses=glosses, words=words)
    assert lexicon.glosses == {"en": {"i1": "kept as a pet", "i2": "[31mred"}}
    assert lexicon.cleaned_glosses == 2
    assert (lexicon.lemmas, lexicon.forms) == ({"en": {"i1": ("dog",)}}, {"en": {"i2": ("a b",)}})
    assert build().cleaned_glosses == 0


def test_a_language_without_glosses_is_named_with_those_that_have_some() -> None:
    assert refusal(("en", "tr")) == (
        "x.db: no synset has a gloss in 'tr'; languages with glosses: el (1), en (2); correct "
        "`languages`, or add a wordnet of that language"
    )


@pytest.mark.parametrize(("languages", "named"), [(("en",), ""), (("en", "el"), " in 'en'")])
def test_glosses_without_any_ili(languages: tuple[str, ...], named: str) -> None:
    synsets = [row._replace(ili=None) for row in (ONE, TWO)]
    assert refusal(languages, synsets=synsets) == (
        f"x.db: 2 synsets have glosses{named} but none has an ILI, which links synsets; for a data "
        "set in one language set `lexicon.without_ili` to keep"
    )
