"""Backshift: the present tense of a complement turned into the past below a past-tense verb.

``Someone knew that a man was walking`` reports what ``a man is walking`` says (sequence of
tenses; Huddleston and Pullum 2002, chapter 3, section 6). Only finite verbs change; participles,
infinitives and modals that are past in form stay.
"""

from __future__ import annotations

import lemminflect

from sorites.families.veridicality.english.finite_verbs import UncertainVerb, finite_verbs

__all__ = ["backshift"]

_CLOSED = {
    "is": "was",
    "am": "was",
    "are": "were",
    "isn't": "wasn't",
    "aren't": "weren't",
    "has": "had",
    "have": "had",
    "hasn't": "hadn't",
    "haven't": "hadn't",
    "does": "did",
    "do": "did",
    "doesn't": "didn't",
    "don't": "didn't",
    "can": "could",
    "cannot": "could not",
    "can't": "couldn't",
    "will": "would",
    "shall": "should",
    "may": "might",
    "must": "must",
    "should": "should",
    "could": "could",
    "would": "would",
    "might": "might",
}


def backshift(sentence: str) -> str:
    """A sentence in the present put into the past.

    >>> backshift("A child, who looks young, is standing in front of some trees")
    'A child, who looked young, was standing in front of some trees'

    Raises UncertainVerb where a finite verb is not certain, or has more than one past form.
    """
    words = sentence.split(" ")
    for verb in finite_verbs(tuple(words)):
        word = words[verb.index]
        core = word.rstrip(",.;:!?")
        past = _CLOSED[core.lower()] if verb.lemma is None else _past(verb.lemma)
        if core[:1].isupper():
            past = past[:1].upper() + past[1:]
        words[verb.index] = past + word[len(core) :]
    return " ".join(words)


def _past(lemma: str) -> str:
    forms: tuple[str, ...] = lemminflect.getInflection(lemma, "VBD", inflect_oov=False)
    if len(forms) != 1:
        known = ", ".join(forms) or "none"
        raise UncertainVerb(f"'{lemma}' does not have one past form (known: {known})")
    return forms[0]
