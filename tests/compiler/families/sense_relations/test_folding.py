"""The right value for each case in which two spellings are the same to a reader."""

from __future__ import annotations

import unicodedata
from typing import Literal

import pytest

from sorites.families.sense_relations.folding import fold

Case = Literal["fold", "language", "keep"]


@pytest.mark.parametrize(
    ("text", "language", "case", "folded"),
    [
        ("Dog", "en", "fold", "dog"),
        ("Dog", "en", "keep", "Dog"),
        ("STRASSE", "de", "fold", "strasse"),
        ("Straße", "de", "fold", "strasse"),
        # Turkish: two letters. Unicode's own folding knows one, and leaves a dot behind.
        ("ISI", "tr", "language", "ısı"),
        ("İŞÇİ", "tr", "language", "işçi"),
        ("I\u0307ş", "tr", "language", "iş"),
        ("IŞIK", "az", "language", "ışık"),
        ("ISI", "tr", "fold", "isi"),
        ("İş", "tr", "fold", "i\u0307ş"),
        ("Is", "en", "language", "is"),
        ("ISI", "tr", "keep", "ISI"),
        # Romanian: the cedilla of older encodings is the comma below, in any case.
        ("\u015foarece", "ro", "fold", "\u0219oarece"),
        ("\u0163ar\u0103", "ro", "keep", "\u021bar\u0103"),
        ("\u015eI\u0162", "ro", "fold", "\u0219i\u021b"),
        ("s\u0327i", "ro", "fold", "\u0219i"),
        ("\u015fi", "tr", "fold", "\u015fi"),
        # Greek: one sigma, accents kept.
        ("ΛΌΓΟΣ", "el", "fold", "λόγοσ"),
        ("λόγος", "el", "fold", "λόγοσ"),
        ("ΛΟΓΟΣ", "el", "fold", "λογοσ"),
        # Combining characters, widths and spaces.
        ("cafe\u0301", "fr", "fold", "caf\u00e9"),
        ("ﾈｺ", "ja", "fold", "ネコ"),
        ("ＣＤ", "ja", "fold", "cd"),
        ("犬", "ja", "fold", "犬"),
        ("a\u00a0 b\n", "en", "fold", "a b"),
    ],
)  # fmt: skip
def test_spellings_become_the_same(text: str, language: str, case: Case, folded: str) -> None:
    assert fold(text, language, case) == folded


@pytest.mark.parametrize(
    ("text", "language", "folded"),
    [("Ώρα", "el", "ωρα"), ("ΩΡΑ", "el", "ωρα"), ("naïve", "en", "naive"), ("ガ", "ja", "カ")],
)
def test_accents_can_be_set_aside(text: str, language: str, folded: str) -> None:
    assert fold(text, language, "fold", unaccented=True) == folded


@pytest.mark.parametrize("language", ["en", "el", "ro", "tr", "ja"])
@pytest.mark.parametrize("case", ["fold", "language", "keep"])
def test_composed_and_decomposed_spellings_are_the_same(language: str, case: Case) -> None:
    for text in ("Şıra İpek ŢARĂ Ώρα café ガス", "ΐΰ Ǆ ŉ"):
        forms = {fold(unicodedata.normalize(form, text), language, case) for form in ("NFC", "NFD")}
        assert len(forms) == 1


@pytest.mark.parametrize("case", ["fold", "language", "keep"])
def test_folding_twice_changes_nothing(case: Case) -> None:
    for language in ("en", "el", "ro", "tr", "ja"):
        for text in ("İIıi ŞşŢţ ΆΣς ﬁ ガ", "A\u030a \u0345α"):
            once = fold(text, language, case)
            if not (language == "tr" and case != "language"):
                assert fold(once, language, case) == once
