"""A language as a table: how its clauses look in each environment, and its operators.

A pattern has the places ``{subject}``, ``{complement}`` and one form of the verb: ``{verb}``
(finite, agreeing), ``{base}`` or ``{participle}``; and the names of auxiliaries, which agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from string import Formatter
from typing import Any

from sorites.families.veridicality.clauses.operators import Operators
from sorites.families.veridicality.polarity import Environment

__all__ = ["INNER_ENVIRONMENTS", "TENSES", "Language", "Patterns", "pattern_problems", "places"]

TENSES = ("past", "present")

INNER_ENVIRONMENTS = (
    Environment.POSITIVE,
    Environment.NEGATED,
    Environment.MODAL,
    Environment.QUANTIFIED,
)
"""Environments of a clause below another verb: what is known is no question."""

Patterns = Mapping[tuple[Environment, str], str]
"""Environment and tense to a pattern."""

_FORMS = ("verb", "base", "participle")
_MARK = {
    Environment.NEGATED: "negations",
    Environment.QUANTIFIED: "negations",
    Environment.CONDITIONAL: "conditions",
    Environment.MODAL: "possibilities",
}


@dataclass(frozen=True, slots=True)
class Language:
    """What a spec says of its language.

    ``main`` are the patterns of a sentence of its own, ``embedded`` those below a verb,
    ``passive`` those of an impersonal passive, empty where there is none. ``marker`` is the word
    that tells a verb with an infinitive from one with a clause, such as *to*. ``auxiliaries`` are,
    by name, the words by tense and by whether the subject is in the plural. ``consequent`` is, by
    tense, what follows where a condition is fulfilled. ``english`` says whether forms of verbs
    may be looked up and sentences of a source put into the past.
    """

    main: Patterns
    embedded: Patterns
    passive: Patterns
    auxiliaries: Mapping[str, Mapping[tuple[str, bool], str]]
    that: str
    infinitive: str
    marker: str
    consequent: Mapping[str, str]
    operators: Operators
    english: bool

    def environments(self, *, passive: bool = False) -> tuple[Environment, ...]:
        """The environments for which there are patterns."""
        patterns = self.passive if passive else self.main
        return tuple(dict.fromkeys(environment for environment, _ in patterns))

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> Language:
        """Read from the section ``language`` of a spec, which the schema has accepted."""
        main = _patterns(table["clauses"])
        return cls(
            main=main,
            embedded={**main, **_patterns(table.get("embedded", {}))},
            passive=_patterns(table.get("passive", {})),
            auxiliaries={
                name: {
                    (tense, number == "plural"): word
                    for tense, by_number in by_tense.items()
                    for number, word in by_number.items()
                }
                for name, by_tense in table.get("auxiliaries", {}).items()
            },
            that=table["complements"]["that"],
            infinitive=table["complements"].get("to", "{infinitive}"),
            marker=table["complements"].get("marker", "to"),
            consequent=table["consequent"],
            operators=Operators.of(table["operators"]),
            english=table.get("inflection") == "english",
        )


def places(pattern: str) -> tuple[str, ...]:
    """The names of a pattern's places, in their order; raises ValueError for stray braces."""
    pieces = [piece for piece in Formatter().parse(pattern) if piece[1] is not None]
    if any(spec or conversion for _, _, spec, conversion in pieces):
        raise ValueError("a place is a name in braces, and nothing else")
    names = tuple(str(name) for _, name, _, _ in pieces)
    if not all(name.isidentifier() for name in names):
        raise ValueError("a place is a name in braces, and nothing else")
    return names


def pattern_problems(language: Language) -> Iterator[str]:
    """What is wrong with the patterns: places that are missing, operators that do not belong.

    That each environment has its own kind of operator and no other is what the labels rest on.
    """
    for kind, patterns in (
        ("clauses", language.main),
        ("embedded", language.embedded),
        ("passive", language.passive),
    ):
        for (environment, tense), pattern in patterns.items():
            for problem in _problems(language, environment, tense, pattern, kind == "passive"):
                yield f"{kind}, {environment}, {tense}: {problem}"


def _problems(
    language: Language, environment: Environment, tense: str, pattern: str, passive: bool
) -> Iterator[str]:
    try:
        found = places(pattern)
    except ValueError as error:
        yield f"'{pattern}' cannot be read: {error}"
        return
    wanted = ["complement"]
    if environment is not Environment.QUANTIFIED and not passive:
        wanted.append("subject")
    if environment is Environment.CONDITIONAL:
        wanted.append("consequent")
    for name in wanted:
        if found.count(name) != 1:
            yield f"'{pattern}' needs the place {{{name}}} once"
    if sum(found.count(name) for name in _FORMS) != 1:
        yield f"'{pattern}' needs one of {{verb}}, {{base}} and {{participle}}"
    others = [name for name in found if name not in (*wanted, *_FORMS)]
    for name in others:
        if name not in language.auxiliaries:
            yield f"'{pattern}' has a place {{{name}}}, which is no auxiliary of the language"
    if ("?" in pattern) != (environment is Environment.QUESTION):
        yield f"'{pattern}' must {'' if '?' not in pattern else 'not '}end in a question mark"
    marks = [kind for _, kind in language.operators.found(_spoken(language, pattern, tense))]
    mark = _MARK.get(environment)
    expected = [] if mark is None else [mark]
    if marks != expected:
        yield (
            f"'{pattern}' has the operators {', '.join(marks) or 'none'}, and its environment "
            f"{', '.join(expected) or 'none'}"
        )


def _spoken(language: Language, pattern: str, tense: str) -> str:
    """A pattern with its auxiliaries, and its other places empty."""
    return pattern.format_map(_Auxiliaries(language, tense))


class _Auxiliaries(dict[str, str]):
    def __init__(self, language: Language, tense: str) -> None:
        super().__init__()
        self.update((name, words[tense, False]) for name, words in language.auxiliaries.items())

    def __missing__(self, name: str) -> str:
        return "…"


def _patterns(table: Mapping[str, Any]) -> dict[tuple[Environment, str], str]:
    return {
        (Environment(environment), tense): text if isinstance(text, str) else text[tense]
        for environment, text in table.items()
        for tense in TENSES
    }
