from __future__ import annotations

from dataclasses import replace

import pytest

from sorites.errors import SourceError
from sorites.families.sense_relations.pairs import SensePair, sense_pairs
from sorites.families.sense_relations.plan import Direction, Relation
from sorites.sources.lexicons.lexicon import Lexicon


def hypernymy(direction: Direction = "forward") -> Relation:
    return Relation("hypernymy", "HYP", "HPO", ("hypernym",), (), direction)


HOLONYMY = Relation("holonymy", "HOL", "MER", ("holo_part",), (), "forward")
ANTONYMY = Relation("antonymy", "ANT", "ANT", (), ("antonym",), "forward")


def ends(lexicon: Lexicon, relation: Relation) -> list[tuple[str, str, str]]:
    found = sense_pairs(lexicon, [relation], where="x.db").pairs
    return [(pair.label, pair.first, pair.second) for pair in found]


def test_pairs_run_as_the_type_does_sorted_by_ili(lexicon: Lexicon) -> None:
    assert ends(lexicon, hypernymy()) == [("HYP", "i1", "i2"), ("HYP", "i10", "i2")]


def test_the_other_direction_has_the_inverse_label(lexicon: Lexicon) -> None:
    assert ends(lexicon, hypernymy("backward")) == [("HPO", "i2", "i1"), ("HPO", "i2", "i10")]
    assert ends(lexicon, hypernymy("both")) == [
        ("HYP", "i1", "i2"), ("HPO", "i2", "i1"), ("HYP", "i10", "i2"), ("HPO", "i2", "i10"),
    ]  # fmt: skip


def test_what_is_held_of_itself_or_both_ways_is_left_out_and_counted(lexicon: Lexicon) -> None:
    found = sense_pairs(lexicon, [hypernymy(), ANTONYMY], where="x.db")
    assert found.reflexive == {"hypernymy": 1, "antonymy": 0}
    assert found.both_ways == {"hypernymy": 1, "antonymy": 0}


def test_a_relation_stated_from_its_other_end_is_found(lexicon: Lexicon) -> None:
    # The lexicon says that the dog has a tail; the pair runs from the part to the whole.
    (pair,) = sense_pairs(lexicon, [HOLONYMY], where="x.db").pairs
    assert pair == SensePair("holonymy", "HOL", "i3", "i1", ("holo_part",))
    assert pair.id == "holonymy-i3-i1"


def test_both_ends_stating_a_relation_make_one_pair(lexicon: Lexicon) -> None:
    both = replace(
        lexicon,
        synset_relations={**lexicon.synset_relations, "hyponym": frozenset({("i2", "i1")})},
    )
    assert ends(both, hypernymy()) == ends(lexicon, hypernymy())


def test_a_symmetric_relation_is_one_unordered_pair(lexicon: Lexicon) -> None:
    assert ends(lexicon, ANTONYMY) == [("ANT", "i4", "i5")]


def test_relations_between_synsets_can_be_added_to_those_between_senses(lexicon: Lexicon) -> None:
    both = replace(ANTONYMY, synset_types=("antonym",))
    assert ends(lexicon, both) == [("ANT", "i1", "i3"), ("ANT", "i4", "i5")]


def test_a_spec_may_use_the_earlier_names(lexicon: Lexicon) -> None:
    earlier = replace(hypernymy(), synset_types=("class_hypernym",))
    assert ends(lexicon, earlier) == ends(lexicon, hypernymy())


def test_types_that_agree_are_kept_together(lexicon: Lexicon) -> None:
    two = replace(
        lexicon,
        synset_relations={
            "holo_part": frozenset({("i3", "i1")}),
            "holo_member": frozenset({("i3", "i1")}),
        },
    )
    relation = replace(HOLONYMY, synset_types=("holo_part", "holo_member"))
    (pair,) = sense_pairs(two, [relation], where="x.db").pairs
    assert pair.types == ("holo_member", "holo_part")


def test_a_relation_that_the_lexicon_lacks_is_named(lexicon: Lexicon) -> None:
    entailment = Relation("entailment", "ENT", "TNE", ("entails",), (), "forward")
    with pytest.raises(SourceError) as caught:
        sense_pairs(lexicon, [entailment], where="x.db")
    assert str(caught.value) == (
        "x.db: has no relation of the types of 'entailment' (entails); between synsets it has: "
        "antonym, hypernym, mero_part; between senses: antonym; correct `synset_types` or "
        "`sense_types`"
    )
