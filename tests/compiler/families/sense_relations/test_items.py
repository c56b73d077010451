from __future__ import annotations

from sorites.families.sense_relations.items import COLUMNS, pair_table
from sorites.families.sense_relations.pairs import SensePair
from sorites.release.content import schema_of
from sorites.sources.lexicons.lexicon import Lexicon


def test_a_pair_has_a_row_for_each_ordered_pair_of_languages(lexicon: Lexicon) -> None:
    pairs = [
        SensePair("hypernymy", "HYP", "i1", "i2", ("hypernym",)),
        SensePair("odd", "ODD", "i3", "i4", ("also", "similar")),
    ]
    table = pair_table(pairs, lexicon, ("en", "tr"))
    assert table.schema == schema_of(COLUMNS)
    rows = table.to_pylist()
    assert [row["id"] for row in rows] == [
        "hypernymy-i1-i2-en-en",
        "hypernymy-i1-i2-en-tr",
        "hypernymy-i1-i2-tr-en",
        "hypernymy-i1-i2-tr-tr",
        "odd-i3-i4-en-en",
        "odd-i3-i4-en-tr",
        "odd-i3-i4-tr-en",
        "odd-i3-i4-tr-tr",
    ]
    assert rows[1] == {
        "id": "hypernymy-i1-i2-en-tr",
        "pair_id": "hypernymy-i1-i2",
        "relation": "hypernymy",
        "label": "HYP",
        "types": ["hypernym"],
        "pos": "NOUN",
        "ili_1": "i1",
        "ili_2": "i2",
        "language_1": "en",
        "language_2": "tr",
        "gloss_1": "kept as a pet",
        "gloss_2": "canlı varlık",
        "lemmas_1": ["dog", "pet"],
        "lemmas_2": ["hayvan"],
        "partner_1": "",
        "partner_2": "",
    }
    assert rows[4]["pos"] == "NOUN-VERB"
    assert rows[4]["types"] == ["also", "similar"]


def test_a_concept_without_words_has_an_empty_list(lexicon: Lexicon) -> None:
    (row,) = pair_table([SensePair("up", "UP", "i5", "i4", ())], lexicon, ("en",)).to_pylist()
    assert (row["lemmas_1"], row["lemmas_2"]) == ([], ["rise"])
