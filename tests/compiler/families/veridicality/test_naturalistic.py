from __future__ import annotations

from pathlib import Path

import pytest

from sorites.errors import SoritesError
from sorites.families.veridicality.naturalistic import choose, suitable
from sorites.families.veridicality.reading.pair_sources import read_pair_table
from sorites.sources.sentence_pairs.pairs import PairLabel, SentencePair, read_pairs


def pair(name: str, premise: str, hypothesis: str, label: str = "neutral") -> SentencePair:
    return SentencePair(name, premise, hypothesis, PairLabel(label))


def test_each_sentence_gets_both_tenses_and_a_small_letter() -> None:
    (found,) = suitable([pair("7", "A man is here", "There is a man", "contradiction")]).pairs
    assert found.id == "n7"
    assert found.premise == {"past": "a man was here", "present": "a man is here"}
    assert found.hypothesis == {"past": "there was a man", "present": "there is a man"}
    assert (found.label, found.verdict.value, found.source_id) == ("unk", "contradicted", "7")


def test_what_cannot_be_embedded_is_counted_and_shown() -> None:
    found = suitable(
        [
            pair("1", "A girl plays", "A girl is here"),
            pair("2", "A girl is here", "a girl is here"),
            pair("3", "Mimes are here", "A girl is here"),
            pair("4", "A girl is here", "A boy is here"),
        ]
    )
    assert [p.id for p in found.pairs] == ["n4"]
    assert found.rejected == {
        "a finite verb is uncertain": 1,
        "premise and hypothesis are one sentence": 1,
        "a capital is uncertain": 1,
    }
    assert found.reasons == {
        "1": "'plays' may be a verb or a noun",
        "3": "'Mimes' may be a name",
    }


def test_chosen_pairs_are_half_entailments_with_premises_of_their_own(root: Path) -> None:
    pairs = suitable(
        read_pairs(root / "specs/sample/sentence-pairs.tsv", read_pair_table({"format": "tsv"}))
    ).pairs
    chosen = choose(pairs, 60, 1, "test pairs")
    assert [p.label for p in chosen].count("yes") == 30
    assert len({p.premise["present"] for p in chosen}) == 60
    more = choose(pairs, 20, 1, "more", taken=[p.premise["present"] for p in chosen])
    assert not {p.id for p in more} & {p.id for p in chosen}
    assert choose(reversed(pairs), 60, 1, "test pairs") == chosen


def test_a_premise_is_used_once_only() -> None:
    pairs = suitable(
        [
            pair("1", "A man is here", "There is a man", "entailment"),
            pair("2", "A man is here", "There is a dog"),
            pair("3", "A cat is here", "There is a dog"),
        ]
    ).pairs
    chosen = choose(pairs, 2, 0, "few")
    assert sorted(p.id for p in chosen) == ["n1", "n3"]
    with pytest.raises(SoritesError) as raised:
        choose(pairs, 4, 0, "few")
    assert str(raised.value) == (
        "few: 1 pairs labelled yes are missing: the source has too few that can be embedded and "
        "have a premise of their own; ask for fewer than 4"
    )


def test_the_published_sick_gives_enough(shared_data: Path) -> None:
    pairs = read_pairs(
        shared_data / "sick" / "SICK.txt", read_pair_table({"format": "sick"}), split="TRAIN"
    )
    found = suitable(pairs)
    assert len(found.pairs) + sum(found.rejected.values()) == len(pairs)
    assert len(found.pairs) > 4200
    assert len(choose(found.pairs, 1000, 5, "pairs")) == 1000
