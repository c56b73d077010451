"""Verbs put above an embedded sentence: the words of f(s1)."""

from __future__ import annotations

from dataclasses import dataclass

from sorites.families.veridicality.clauses.frames import Frame
from sorites.families.veridicality.clauses.language import Language, Patterns
from sorites.families.veridicality.clauses.stacks import Stack
from sorites.families.veridicality.polarity import Environment
from sorites.families.veridicality.verbs import Complement, Verb
from sorites.logic.grammar.fragment import capitalised

__all__ = ["Bottom", "embed"]


@dataclass(frozen=True, slots=True)
class Bottom:
    """The embedded sentence: as a clause in the tense of the verbs above it, or as an infinitive.

    ``subject`` and ``infinitive`` are empty where it has none.
    """

    clause: str
    subject: str = ""
    infinitive: str = ""


@dataclass(frozen=True, slots=True)
class _Clause:
    subject: str
    plural: bool
    environment: Environment
    negative: bool


def embed(language: Language, frame: Frame, stack: Stack, tense: str, bottom: Bottom) -> str:
    """The sentence with a capital, all its clauses in one tense.

    The subject of a verb with an infinitive is that of the embedded sentence, which it controls.
    """
    verbs, around = stack.verbs, stack.construction
    clauses = [
        _Clause(frame.subject, frame.plural, around.environment, frame.negative),
        *(_Clause(of.subject, of.plural, of.environment, of.negative) for of in around.inner),
    ]
    text = ""
    for place in range(len(verbs) - 1, -1, -1):
        verb, clause = verbs[place], clauses[place]
        if verb.complement is Complement.TO:
            clause = _Clause(bottom.subject, False, clause.environment, False)
            complement = language.infinitive.replace("{infinitive}", bottom.infinitive)
        else:
            below = bottom.clause if place == len(verbs) - 1 else text
            complement = language.that.replace("{clause}", below)
        if place:
            patterns = language.embedded
        else:
            patterns = language.passive if around.passive else language.main
        consequent = (frame.consequent or language.consequent)[tense]
        text = _filled(language, patterns, clause, verb, tense, complement, consequent)
    return capitalised(f"{frame.adjunct} {text}".strip())


def _filled(
    language: Language,
    patterns: Patterns,
    clause: _Clause,
    verb: Verb,
    tense: str,
    complement: str,
    consequent: str,
) -> str:
    # A subject that negates by itself takes the place of the language's own "no one".
    own = clause.environment is Environment.QUANTIFIED and clause.negative
    pattern = patterns[Environment.POSITIVE if own else clause.environment, tense]
    # A passive without a subject and "no one" are singular, whatever the frame.
    plural = clause.plural and "{subject}" in pattern
    words = {
        "subject": clause.subject,
        "verb": verb.finite(tense, plural=plural),
        "base": verb.lemma,
        "participle": verb.participle or "",
        "complement": complement,
        "consequent": consequent,
    }
    words |= {
        name: by_agreement[tense, plural] for name, by_agreement in language.auxiliaries.items()
    }
    return pattern.format_map(words).replace(" ,", ",")
