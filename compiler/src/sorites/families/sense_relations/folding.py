"""Different spellings of the same text, made equal: for comparison only, never for data.

Unicode's compatibility form NFKC joins combining characters, full and half width; case folding
joins upper and lower case and the two small sigmas (Unicode Standard, section 3.13). Two things
depend on the language: Turkish and Azerbaijani have two letters i (Unicode SpecialCasing.txt),
and Romanian ș and ț are often typed with the cedilla of another alphabet. Vowel marks of Hebrew,
Arabic and Syriac, which most writing leaves out, are set aside, and so is the Arabic stroke that
only stretches a word. An underscore is a space: so do wordnets write words of several parts.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal

from sorites.sources.lexicons.language_codes import base_language

__all__ = ["fold", "fold_gloss"]

_TWO_LETTERS_I = frozenset({"tr", "az"})
_DOTTED = str.maketrans({"İ": "i", "I": "ı"})
_COMMA_BELOW = str.maketrans({"ş": "ș", "ţ": "ț", "Ş": "Ș", "Ţ": "Ț"})
# The points and accents of Hebrew, the short vowels and recitation marks of Arabic with the
# tatweel, the vowels of Syriac (Unicode blocks Hebrew, Arabic and Syriac). The marks that make
# another letter of an Arabic one (madda, hamza) are not among them.
_LEFT_OUT = re.compile(
    "[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u0640\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8"
    "\u06ea-\u06ed\u0711\u0730-\u074a]"
)


@lru_cache(maxsize=1 << 12)  # each gloss is compared with words of both of its pair
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
    >>> fold("animal_de_casa", "ro", "fold"), fold("יֵשׁוּת", "he", "fold")
    ('animal de casa', 'ישות')
    """
    base = base_language(language)
    if text.isascii() and base not in _TWO_LETTERS_I:
        # Most of English, for which all that follows does no more than this.
        text = " ".join(text.replace("_", " ").split())
        return text if case == "keep" else text.lower()
    text = _LEFT_OUT.sub("", unicodedata.normalize("NFKC", text))
    text = " ".join(text.replace("_", " ").split())
    if base == "ro":
        text = text.translate(_COMMA_BELOW)
    if case == "language" and base in _TWO_LETTERS_I:
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


def fold_gloss(gloss: str, language: str) -> str:
    """A gloss without what two editors would write differently: case, marks, the mark at its end.

    >>> fold_gloss("To go up.", "en") == fold_gloss("to go up", "en")
    True
    """
    folded = fold(gloss, language, "language", unaccented=True)
    end = len(folded)
    while end and (folded[end - 1] == " " or unicodedata.category(folded[end - 1])[0] == "P"):
        end -= 1
    return folded[:end]
