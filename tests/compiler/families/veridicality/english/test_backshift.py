from __future__ import annotations

from pathlib import Path

import pytest

from sorites.families.veridicality.english.backshift import backshift
from sorites.families.veridicality.english.finite_verbs import UncertainVerb
from sorites.families.veridicality.reading.pair_sources import read_pair_table
from sorites.sources.sentence_pairs.pairs import read_pairs
from sorites.sources.sentence_pairs.table_formats import read_table


@pytest.mark.parametrize(
    ("present", "past"),
    [
        ("A man is walking", "A man was walking"),
        ("Two dogs are running and are barking", "Two dogs were running and were barking"),
        ("There is no man and there are no dogs", "There was no man and there were no dogs"),
        ("A child, who looks young, is standing", "A child, who looked young, was standing"),
        ("A woman who owns a bakery is waiting", "A woman who owned a bakery was waiting"),
        ("People who play chess are quiet", "People who played chess were quiet"),
        ("A dog that has a brown coat sits in water", "A dog that had a brown coat sat in water"),
        (
            "The coat that the tailor is mending is grey",
            "The coat that the tailor was mending was grey",
        ),
        ("A table which you cannot see is near", "A table which you could not see was near"),
        ("The cat isn't black and doesn't sleep", "The cat wasn't black and didn't sleep"),
        ("The shop does not have a door", "The shop did not have a door"),
        ("Two men have hats", "Two men had hats"),
        ("A man is eating and sings", "A man was eating and sang"),
        (
            "A man is making a film about a boy who can swim",
            "A man was making a film about a boy who could swim",
        ),
        ("A man is wearing striped shorts", "A man was wearing striped shorts"),
        ("The man's dog is on the man's lap", "The man's dog was on the man's lap"),
        (
            "Someone is wearing tennis shoes, and he is tall",
            "Someone was wearing tennis shoes, and he was tall",
        ),
    ],
)
def test_finite_verbs_and_nothing_else_change(present: str, past: str) -> None:
    assert backshift(present) == past


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("A couple standing on the curb", "no finite verb"),
        ("A bubble blew", "'blew' is in the past already"),
        ("A man was walking", "'was' is in the past already"),
        ("A girl plays", "'plays' may be a verb or a noun"),
        ("Two girls play", "'play' may be a verb"),
        ("The girls are here and play", "'play' may be a verb"),
        ("It's raining and a man is here", "'it's' is contracted"),
        ("The baby is in a trash can", "'can' may be a verb or a noun"),
        ("A man is here and lies down", "'lies' may be a verb or a noun"),
        ("The toy which he likes is red", "'likes' and 'is' are both finite"),
        ("The coat that the tailor mends is grey", "'mends' may be a verb or a noun"),
        ("The coat the tailor sees is grey", "'sees' and 'is' are both finite"),
        ("The coat is one that she likes", "'likes' may be a verb"),
        ("A boy leans against a wall and is happy", "'leans' may be a verb or a noun"),
        ("A dog which wakes is here", "'wake' does not have one past form (known: woke, waked)"),
    ],
)
def test_what_is_uncertain_is_refused(sentence: str, reason: str) -> None:
    with pytest.raises(UncertainVerb) as raised:
        backshift(sentence)
    assert str(raised.value) == reason


def test_the_past_sentences_that_people_judged_come_out_word_for_word(shared_data: Path) -> None:
    sick = {
        pair.id: pair
        for pair in read_pairs(
            shared_data / "sick" / "SICK.txt", read_pair_table({"format": "sick"}), split="TRAIN"
        )
    }
    judged = shared_data / "veridicality" / "naturalistic_inference_human_performance.tsv"
    columns = ("pair_ID", "genre", "sentence1", "sentence2")
    same, others = 0, []
    for _, row in read_table(judged, columns):
        tense, part, *_ = row["genre"].split(".")
        if tense != "past":
            continue
        pair = sick[row["pair_ID"]]
        s1, s2 = backshift(pair.premise), backshift(pair.hypothesis)
        expected = s1 if part == "fpp" else s2
        complement = row["sentence1"].split(" that ", 1)[1]
        if row["sentence2"] == expected and complement == s1[:1].lower() + s1[1:]:
            same += 1
        else:
            others.append((row["sentence1"], row["sentence2"], s1, s2))
    assert others == []
    assert same == 960


def test_most_of_sick_is_certain(shared_data: Path) -> None:
    pairs = read_pairs(shared_data / "sick" / "SICK.txt", read_pair_table({"format": "sick"}))
    sentences = {s for pair in pairs for s in (pair.premise, pair.hypothesis)}
    refused = 0
    for sentence in sentences:
        try:
            past = backshift(sentence)
        except UncertainVerb:
            refused += 1
            continue
        words = past.split()
        assert not {"is", "are", "has", "does", "isn't", "aren't", "cannot"} & {*words}
        changed = zip(
            sentence.split(" "), past.replace("could not", "cannot").split(" "), strict=True
        )
        assert 1 <= sum(one != other for one, other in changed) <= 5
    assert len(sentences) == 6076
    assert refused == 134
