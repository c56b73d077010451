"""Different spellings of the same text, made equal: for comparison only, never for data.

Unicode's compatibility form NFKC joins combining characters, full and half width; case folding
joins upper and lower case and the two small sigmas (Unicode Standard, section 3.13). Two things
depend on the language: Turkish and Azerbaijani have two letters i (Unicode SpecialCasing.txt),
and Romanian ș and ț are often typed with the cedilla of another alphabet.
"""

from __future__ import annotations

import unicodedata
from typing import Literal

__all__ = ["fold"]

_TWO_LETTERS_I = frozenset({"tr", "az"})
_DOTTED = str.maketrans({"İ": "i", "I": "ı"})
_COMMA_BELOW = str.maketrans({"ş": "ș", "ţ": "ț", "Ş": "Ș", "Ţ": "Ț"})


def fold(
    text: str, language: str, case: Literal["fold", "language", "keep"], *, unaccented: bool = False
) -> str:
    """A text in the form in which it is compared.

    ``case``: ``fold`` is Unicode's case folding, the same for all languages; ``language`` is that
    of the language; ``keep`` tells upper from lower case. ``unaccented`` sets accents and other
    combining marks aside.

    >>> fold("ΦΩΣ", "el", "fold") == fold("φως", "el", "fold")
    True
    >>> fold("IRMAK", "tr", "language"), fold("IRMAK", "tr", "fold")
    ('ırmak', 'irmak')
    >>> fold("Ώρα", "el", "fold", unaccented=True)
    'ωρα'
    """
    text = " ".join(unicodedata.normalize("NFKC", text).split())
    if language == "ro":
        text = text.translate(_COMMA_BELOW)
    if case == "language" and language in _TWO_LETTERS_I:
        text = text.translate(_DOTTED)
    if case != "keep":
        # Folding may take a composed letter apart, so the text is composed again.
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", text).casefold())
    if unaccented:
        apart = unicodedata.normalize("NFD", text)
        text = unicodedata.normalize(
            "NFC", "".join(each for each in apart if not unicodedata.combining(each))
        )
    return text
