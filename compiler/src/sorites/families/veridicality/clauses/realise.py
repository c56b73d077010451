"""Verbs put above an embedded sentence: the words of f(s1)."""

from __future__ import annotations

from dataclasses import dataclass

from sorites.families.veridicality.clauses.frames import Frame
from sorites.families.veridicality.clauses.language import Language, Patterns
from sorites.families.veridicality.clauses.stacks import Stack
from sorites.families.veridicality.polarity import Environment
from sorites.families.veridicality.verbs import Complement, Verb
from sorites.logic.grammar.fragment import capitalised

__all__ = ["Bottom", "embed", "pattern_for"]


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
    pattern = patterns[_environment(clause.environment, clause.negative), tense]
    plural = _is_plural(clause.plural, pattern)
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


def _environment(environment: Environment, negative: bool) -> Environment:
    # A subject that negates by itself takes the place of the language's own "no one".
    own = environment is Environment.QUANTIFIED and negative
    return Environment.POSITIVE if own else environment


def _is_plural(plural: bool, pattern: str) -> bool:
    # A passive without a subject and "no one" are singular, whatever the frame.
    return plural and "{subject}" in pattern


def pattern_for(
    language: Language,
    patterns: Patterns,
    environment: Environment,
    verb: Verb,
    tense: str,
    *,
    plural: bool,
    negative: bool,
    subject: str,
) -> str | None:
    """A clause with its verb, and places for the rest: subject, clause, and the consequent.

    The place of the consequent has the name of the tense. ``subject`` is what stands for the
    subject of a verb with an infinitive, which is singular and does not negate. None where the
    verb lacks the form.
    """
    infinitive = verb.complement is Complement.TO
    pattern = patterns.get((_environment(environment, negative and not infinitive), tense))
    if pattern is None or ("{participle}" in pattern and verb.participle is None):
        return None
    agreeing = _is_plural(plural and not infinitive, pattern)
    complement = (
        language.infinitive.replace("{infinitive}", "{clause}") if infinitive else language.that
    )
    words = {
        "subject": subject if infinitive else "{subject}",
        "verb": verb.finite(tense, plural=agreeing),
        "base": verb.lemma,
        "participle": verb.participle or "",
        "complement": complement,
        "consequent": f"{{{tense}}}",
        **{name: by_form[tense, agreeing] for name, by_form in language.auxiliaries.items()},
    }
    return pattern.format_map(words)
