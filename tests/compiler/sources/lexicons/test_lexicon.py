from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sorites.errors import SourceError
from sorites.sources.lexicons.lexicon import (
    LexiconRows,
    build_lexicon,
    count_by_pos,
    file_name,
    ili_order,
)


def rows(**changed: Any) -> LexiconRows:
    usual: dict[str, Any] = {
        "synsets": [("", "1", "i1", "NOUN"), ("", "2", "i2", "VERB")],
        "glosses": [("i1", "en", "one"), ("i2", "en", "two"), ("i1", "el", "ένα")],
        "words": [
            ("i1", "en", "uno", True),
            ("i1", "en", "unos", False),
            ("i1", "en", "uno", True),
        ],
        "synset_relations": [("hypernym", "i1", "i2"), ("hypernym", "i1", "i2")],
        "sense_relations": [("antonym", "i2", "i1")],
    }
    return LexiconRows(**(usual | changed))


def build(changed: LexiconRows, languages: tuple[str, ...] = ("en", "el")) -> Any:
    return build_lexicon(changed, languages, where="x.db", glossed={"en": 2, "el": 1, "tr": 0})


def test_rows_are_indexed_by_language_and_ili() -> None:
    lexicon = build(rows())
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
    words = [("i1", "en", "uno", True), ("i2", "en", "dos", True)]
    assert build(rows(words=words)).lemmas == {"en": {"i1": ("uno",)}, "el": {}}
    assert build(
        rows(words=words, glosses=[("i1", "en", "one"), ("i2", "en", "two")]), ("en",)
    ).lemmas == {"en": {"i1": ("uno",), "i2": ("dos",)}}


def test_synsets_without_ili_are_counted_and_left_out() -> None:
    lexicon = build(
        rows(synsets=[("", "1", "i1", "NOUN"), ("", "2", None, "NOUN"), ("", "3", "", "NOUN")])
    )
    assert lexicon.pos == {"i1": "NOUN"}
    assert lexicon.synsets_without_ili == 2


def test_lexicons_share_an_ili_and_the_first_says_the_part_of_speech() -> None:
    lexicon = build(
        rows(
            synsets=[("a", "a1", "i1", "NOUN"), ("b", "b1", "i1", "VERB"), ("b", "b2", "i2", "ADJ")]
        )
    )
    assert lexicon.pos == {"i1": "NOUN", "i2": "ADJ"}
    assert lexicon.pos_conflicts == 1


@pytest.mark.parametrize(
    ("scope", "shown"), [("", "x.db: ILI"), ("omw-el:2.0", "x.db: lexicon 'omw-el:2.0': ILI")]
)
def test_an_ili_stands_for_one_synset(scope: str, shown: str) -> None:
    with pytest.raises(SourceError) as caught:
        build(rows(synsets=[(scope, "7", "i1", "NOUN"), (scope, "9", "i1", "NOUN")]))
    assert str(caught.value) == (
        f"{shown} 'i1' is used by two synsets, '7' and '9'; an ILI stands for one concept: merge "
        "the synsets, or correct one of the two"
    )


def test_a_synset_has_one_gloss_a_language() -> None:
    with pytest.raises(SourceError) as caught:
        build(rows(glosses=[("i1", "en", "one"), ("i1", "en", "a single one")]))
    assert str(caught.value) == (
        "x.db: ILI 'i1' has two glosses in 'en', 'one' and 'a single one'; a synset has one gloss "
        "a language: remove one of the two"
    )


def test_a_language_without_glosses_is_named_with_those_that_have_some() -> None:
    with pytest.raises(SourceError) as caught:
        build(rows(), languages=("en", "tr"))
    assert str(caught.value) == (
        "x.db: no synset has a gloss in 'tr'; languages with glosses: el (1), en (2); correct "
        "`languages`, or add a wordnet of that language"
    )


def test_ilis_sort_by_number() -> None:
    assert sorted(["i200", "i19", "i3"], key=ili_order) == ["i3", "i19", "i200"]


def test_the_checksum_of_the_cache_is_not_shown() -> None:
    assert file_name(Path("a", "f" * 64 + "-x.db")) == "x.db"
    assert file_name(Path("a", "f" * 63 + "-x.db")) == "f" * 63 + "-x.db"
