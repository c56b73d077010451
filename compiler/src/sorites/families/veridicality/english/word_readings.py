"""What a word can be, by the dictionary of lemminflect."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import lemminflect

__all__ = ["Readings", "readings"]


@dataclass(frozen=True, slots=True)
class Readings:
    """What the dictionary knows a word as; ``third`` and ``base`` hold the lemma of the verb."""

    third: str | None
    base: str | None
    noun: bool
    plural_noun: bool
    adjective: bool
    past_only: bool

    @property
    def finite(self) -> bool:
        """Whether it can be a verb in the present."""
        return self.third is not None or self.base is not None


@lru_cache(maxsize=65_536)
def readings(word: str) -> Readings:
    """The readings of a word in small letters; none where the dictionary lacks it."""
    lemmas: dict[str, tuple[str, ...]] = lemminflect.getAllLemmas(word)
    verbs = lemmas.get("VERB", ())
    third = next((v for v in verbs if word in _inflected(v, "VBZ") and word != v), None)
    past = any(word in _inflected(v, "VBD") for v in verbs)
    other = any(word == v or word in _inflected(v, "VBN") for v in verbs)
    return Readings(
        third=third,
        base=word if word in verbs else None,
        noun="NOUN" in lemmas,
        plural_noun=any(word != noun for noun in lemmas.get("NOUN", ())),
        adjective="ADJ" in lemmas,
        past_only=past and not other and not lemmas.keys() & {"NOUN", "ADJ", "ADV"},
    )


def _inflected(lemma: str, tag: str) -> tuple[str, ...]:
    forms: tuple[str, ...] = lemminflect.getInflection(lemma, tag, inflect_oov=False)
    return forms
