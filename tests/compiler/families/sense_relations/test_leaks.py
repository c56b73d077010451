from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sorites.families.sense_relations.leaks import Leak, contains, find_leak
from sorites.families.sense_relations.plan import Lexicalisation
from sorites.sources.lexicons.lexicon import Lexicon


def leak(
    language: str, gloss: str, *words: str, forms: tuple[str, ...] = (), **choices: Any
) -> str | None:
    """The word that leaks from one gloss."""
    lexicon = Lexicon(
        pos={"i1": "NOUN"},
        glosses={language: {"i1": gloss}},
        lemmas={language: {"i1": words}},
        forms={language: {"i1": forms}},
        synset_relations={},
        sense_relations={},
        wordnets=(),
    )
    found = find_leak(lexicon, "i1", [language], Lexicalisation(**choices))
    return found.word if found else None


@pytest.mark.parametrize(
    ("gloss", "word", "anywhere", "whole"),
    [
        ("a cat", "cat", True, True),
        ("cathedral", "cat", True, False),
        ("a concatenation, then a cat", "cat", True, True),
        ("bobcat", "cat", True, False),
        ("cat2", "cat", True, False),
        ("cat-like", "cat", True, True),
        ("the cat's eye", "cat", True, True),
        ("dog", "cat", False, False),
        ("", "cat", False, False),
        ("anything", "", False, False),
        # A letter with a mark of its own is another letter.
        ("q\u0303", "q", False, False),
        ("qq\u0303", "q", True, False),
    ],
)
def test_a_word_in_a_gloss(gloss: str, word: str, anywhere: bool, whole: bool) -> None:
    assert contains(gloss, word, whole=False) is anywhere
    assert contains(gloss, word, whole=True) is whole


def test_turkish_dotted_and_dotless_i() -> None:
    heat = ("tr", "Ilık ve ISI yayan", "ısı")
    assert leak(*heat, case="language") == "ısı"
    assert leak(*heat, case="fold") is None
    worker = ("tr", "İşçilikle geçinen kimse", "işçi")
    assert leak(*worker, case="language") == "işçi"
    assert leak(*worker, case="fold") is None
    # Another word: "is" is soot, and "ıs" is owner.
    assert leak("tr", "IS SAHİBİ", "is", case="language") is None
    assert leak("tr", "IS SAHİBİ", "is", case="fold") == "is"
    # In English, I is i whatever the choice.
    assert leak("en", "ICE on a pond", "ice", case="language") == "ice"


def test_romanian_cedilla_and_comma() -> None:
    assert leak("ro", "\u015foarecele de casă", "\u0219oarece") == "\u0219oarece"
    assert leak("ro", "în \u021bar\u0103", "\u0163ar\u0103") == "\u0163ar\u0103"
    assert leak("ro", "\u0219oarecele", "\u015foarece", case="keep") == "\u015foarece"


def test_greek_accents_and_final_sigma() -> None:
    assert leak("el", "ό,τι φωσφορίζει", "φως") == "φως"
    assert leak("el", "ό,τι φωσφορίζει", "φως", match="word") is None
    assert leak("el", "ΤΟ ΦΩΣ ΤΗΣ ΜΕΡΑΣ", "φως") == "φως"
    # Capitals are written without accents: setting them aside is a choice.
    assert leak("el", "Η ΩΡΑ ΤΗΣ ΔΥΣΗΣ", "ώρα") is None
    assert leak("el", "Η ΩΡΑ ΤΗΣ ΔΥΣΗΣ", "ώρα", unaccented=("el",)) == "ώρα"
    assert leak("el", "η ώρα", "ωρα") is None
    assert leak("en", "a résumé", "resume", unaccented=("el",)) is None


def test_combining_characters() -> None:
    assert leak("fr", "un cafe\u0301 noir", "caf\u00e9") == "caf\u00e9"
    assert leak("fr", "un caf\u00e9 noir", "cafe\u0301") == "cafe\u0301"
    assert leak("fr", "un cafe\u0301 noir", "cafe") is None


def test_japanese_without_spaces() -> None:
    assert leak("ja", "子犬の鳴き声", "犬") == "犬"
    # A whole word cannot be told by its neighbours: anywhere is where it counts.
    assert leak("ja", "子犬の鳴き声", "犬", match="word") == "犬"
    assert leak("ja", "小さな猫", "犬") is None
    assert leak("ja", "ﾈｺの仲間", "ネコ") == "ネコ"
    assert leak("ja", "カの仲間", "ガ") is None


def test_case_forms_and_words_are_choices() -> None:
    assert leak("en", "a Dog show", "dog") == "dog"
    assert leak("en", "a Dog show", "dog", case="keep") is None
    assert leak("en", "dogs bark", "dog", match="word") is None
    assert leak("en", "the mice ran", "mouse", forms=("mice",)) is None
    assert leak("en", "the mice ran", "mouse", forms=("mice",), words="forms") == "mice"
    assert leak("en", "an ice-cream cone", "ice cream") is None


def test_any_or_all_of_the_languages(lexicon: Lexicon) -> None:
    found = find_leak(lexicon, "i1", ["tr", "en"], Lexicalisation())
    assert found == Leak("i1", "en", "pet", "kept as a pet")
    assert find_leak(lexicon, "i1", ["tr", "en"], Lexicalisation(languages="all")) is None
    both = replace(lexicon, lemmas={**lexicon.lemmas, "tr": {"i1": ("etobur",)}})
    found = find_leak(both, "i1", ["tr", "en"], Lexicalisation(languages="all"))
    assert found == Leak("i1", "tr", "etobur", "evcil etobur")


@pytest.mark.parametrize(
    ("language", "gloss", "word"),
    [
        ("he", "כל ישות שיש לה קיום", "יֵשׁוּת"),
        ("he", "כל יֵשׁוּת שיש לה קיום", "ישות"),
        ("ar", "كل كتاب كبير", "كِتَاب"),
        ("ar", "كل كـتـاب كبير", "كتاب"),
        ("fa", "کتابِ بزرگ", "کتاب"),
        ("ro", "un animal de casa mic", "animal_de_casa"),
        ("ron", "un oraş mic", "oraș"),
    ],
)
def test_marks_that_readers_leave_out_and_underscores(language: str, gloss: str, word: str) -> None:
    assert leak(language, gloss, word) == word
    assert leak(language, gloss, word, match="word") == word
    assert leak(language, gloss, word, case="keep") == word


def test_marks_that_make_another_letter_are_kept() -> None:
    assert leak("ar", "سأل", "سال") is None
    assert leak("el", "ώρα", "ωρα") is None
    assert leak("ro", "casa de marcat mica", "casademarcat") is None
