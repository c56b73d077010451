from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from sorites.errors import SourceError
from sorites.families.sense_relations.filters import Dropped, apply_filters, identical
from sorites.families.sense_relations.pairs import SensePair
from sorites.families.sense_relations.plan import (
    Filter,
    Identical,
    Length,
    Lexicalisation,
    PartnerLemma,
    Relation,
)
from sorites.sources.lexicons.lexicon import Lexicon

UP = Relation("up", "UP", "DOWN", ("hypernym",), (), "forward")
GLOSSES = Filter("glosses")


def pair(first: str, second: str, relation: str = "up") -> SensePair:
    return SensePair(relation, relation.upper(), first, second, ("hypernym",))


def run(
    lexicon: Lexicon,
    pairs: Sequence[SensePair],
    *filters: Filter,
    relations: Sequence[Relation] = (),
) -> tuple[list[SensePair], list[Dropped]]:
    return apply_filters(pairs, lexicon, ("en", "tr"), filters, relations, where="x.db")


def test_glosses_are_needed_in_every_language(lexicon: Lexicon) -> None:
    kept, (step,) = run(lexicon, [pair("i1", "i2"), pair("i10", "i2")], GLOSSES)
    assert kept == [pair("i1", "i2")]
    assert step == Dropped(
        "glosses", 2, {"up": 1}, {"pair": "up-i10-i2", "ili": "i10", "language": "en"}
    )
    assert step.pairs == 1


def test_identical_glosses(lexicon: Lexicon) -> None:
    same = [pair("i4", "i5"), pair("i1", "i2")]
    kept, (step,) = run(lexicon, same, Filter("identical-glosses", Identical()))
    assert kept == [pair("i1", "i2")]
    assert step.example == {"pair": "up-i4-i5", "language": "tr", "gloss": "yukarı gitmek"}
    kept, _ = run(lexicon, same, Filter("identical-glosses", Identical("all")))
    assert kept == same


@pytest.mark.parametrize(
    ("first", "second", "language", "same"),
    [
        ("To go up.", "to go up", "en", True),
        ("Ανεβαίνω", "ανεβαινω;", "el", True),
        ("IRMAK", "ırmak", "tr", True),
        ("IRMAK", "irmak", "tr", False),
        ("to go up", "to go up!?…", "en", True),
        ("to go: up", "to go up", "en", False),
    ],
)
def test_glosses_that_differ_in_nothing_but_spelling(
    first: str, second: str, language: str, same: bool
) -> None:
    assert identical(first, second, language, Identical(compare="folded")) == same
    assert not identical(first, second, language, Identical())


def test_a_word_of_the_partner_drops_the_pair(lexicon: Lexicon) -> None:
    glosses = {
        "en": {**lexicon.glosses["en"], "i1": "an animal kept at home", "i3": "of animals"},
        "tr": lexicon.glosses["tr"],
    }
    changed = replace(lexicon, glosses=glosses)
    step = Filter("partner-lemma", PartnerLemma(Lexicalisation(match="word")))
    kept, (dropped,) = run(changed, [pair("i1", "i2"), pair("i2", "i1"), pair("i2", "i3")], step)
    assert kept == [pair("i2", "i3")]
    assert dropped.by_relation == {"up": 2}
    assert dropped.example == {
        "pair": "up-i1-i2", "ili": "i1", "language": "en", "word of": "i2", "word": "animal",
        "gloss": "an animal kept at home",
    }  # fmt: skip
    anywhere = Filter("partner-lemma", PartnerLemma(Lexicalisation()))
    assert run(changed, [pair("i2", "i3")], anywhere)[0] == []
    everywhere = Lexicalisation(match="word", languages="all")
    both = Filter("partner-lemma", PartnerLemma(everywhere))
    assert run(changed, [pair("i1", "i2")], both)[0] == [pair("i1", "i2")]


def test_a_leak_at_either_end_drops_the_pair(lexicon: Lexicon) -> None:
    step = Filter("lexicalisation", Lexicalisation())
    kept, (dropped,) = run(lexicon, [pair("i2", "i3"), pair("i3", "i1"), pair("i1", "i2")], step)
    assert kept == [pair("i2", "i3")]
    assert dropped.by_relation == {"up": 2}
    assert dropped.example == {
        "pair": "up-i3-i1", "ili": "i1", "language": "en", "word": "pet", "gloss": "kept as a pet",
    }  # fmt: skip
    with_forms = Filter("lexicalisation", Lexicalisation(words="forms"))
    kept, _ = run(lexicon, [pair("i2", "i3"), pair("i3", "i4")], with_forms)
    assert kept == [pair("i3", "i4")]


def test_parts_of_speech_must_be_equal(lexicon: Lexicon) -> None:
    kept, (step,) = run(lexicon, [pair("i1", "i4"), pair("i4", "i5")], Filter("part-of-speech"))
    assert kept == [pair("i4", "i5")]
    assert step.example == {"pair": "up-i1-i4", "pos_1": "NOUN", "pos_2": "VERB"}


def test_glosses_can_be_too_short(lexicon: Lexicon) -> None:
    short = [pair("i3", "i2"), pair("i4", "i2")]
    kept, (step,) = run(lexicon, short, Filter("length", Length(8)))
    assert kept == [pair("i4", "i2")]
    assert step.example == {"pair": "up-i3-i2", "ili": "i3", "language": "tr", "gloss": "arka uç"}
    assert run(lexicon, short, Filter("length", Length(7)))[0] == short


def test_pairs_of_several_relations(lexicon: Lexicon) -> None:
    ambiguous = [pair("i1", "i2"), pair("i2", "i1", "part"), pair("i3", "i2")]
    kept, (step,) = run(lexicon, ambiguous, Filter("one-relation"))
    assert kept == [pair("i3", "i2")]
    assert step.by_relation == {"part": 1, "up": 1}
    assert step.example == {"pair": "up-i1-i2", "relations": ["part", "up"]}


def test_each_filter_sees_what_the_ones_before_left(lexicon: Lexicon) -> None:
    pairs = [pair("i10", "i2"), pair("i1", "i2"), pair("i3", "i2"), pair("i2", "i4")]
    kept, steps = run(
        lexicon,
        pairs,
        GLOSSES,
        Filter("lexicalisation", Lexicalisation()),
        Filter("part-of-speech"),
    )
    assert [(step.filter, step.before, step.pairs) for step in steps] == [
        ("glosses", 4, 1),
        ("lexicalisation", 3, 1),
        ("part-of-speech", 2, 1),
    ]
    assert kept == [pair("i3", "i2")]


def test_a_filter_that_drops_nothing_has_no_example(lexicon: Lexicon) -> None:
    _, (step,) = run(lexicon, [pair("i1", "i2")], GLOSSES)
    assert step == Dropped("glosses", 1, {}, None)


def test_an_emptied_relation_is_an_error_that_names_the_filter(lexicon: Lexicon) -> None:
    with pytest.raises(SourceError) as caught:
        run(
            lexicon,
            [pair("i1", "i2"), pair("i3", "i4")],
            GLOSSES,
            Filter("lexicalisation", Lexicalisation()),
            Filter("part-of-speech"),
            relations=[UP],
        )
    assert str(caught.value) == (
        "x.db: no pair of the relation 'up' is left: the filter 'part-of-speech' dropped the last "
        "1; loosen the filter, choose fewer languages, or leave the relation out"
    )
