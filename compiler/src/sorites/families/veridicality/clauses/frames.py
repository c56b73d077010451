"""Frames: the parts of a main clause that a spec writes, and the refusal of those that mislead.

A frame has a subject, perhaps with an adjunct before it; the auxiliary, the form of the verb and
the complementiser come from the language and the environment. Fixed text that holds an operator
of its own would change what is true of the complement without anybody's knowing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from string import Formatter

from sorites.errors import SoritesError
from sorites.families.veridicality.clauses.language import TENSES, Language
from sorites.families.veridicality.clauses.operators import KINDS, words_of
from sorites.families.veridicality.polarity import Environment
from sorites.families.veridicality.verbs import Verb

__all__ = ["Frame", "FrameError", "InnerClause", "frame_problems", "read_text", "subject_problems"]

_REMEDY = {
    "complementisers": "to put one verb below another, write depths and frames.inner",
    "negations": "leave it out and write environments: [negated], or for a subject [quantified]",
    "conditions": "leave it out and write environments: [conditional]",
    "possibilities": "leave it out and write environments: [modal]",
    "universals": "with any environment but positive its scope is not certain",
    "adverbs": "what is left of the verb's signature is not known",
}


_LIKE = "write it like: Someone {verb} that {sentence}"
_INFINITIVE = "for an infinitive give the verb complement: to, and add the section control"
_STACK = "to put one verb below another, write depths and frames.inner"
_AFTER = "for a condition write subject: …, consequent: … and environments: [conditional]"


class FrameError(SoritesError):
    """A frame whose text cannot be cut into parts that are understood, and what to do."""

    def __init__(self, message: str, hint: str = _LIKE) -> None:
        self.hint = hint
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Frame:
    """The parts of a main clause that are its own.

    ``subject`` is written as within a sentence; ``negative`` says whether it negates by itself,
    as *none of the judges* does. ``environments`` and ``tenses`` are those in
    which the frame is to stand. ``movable`` is False where the text does not show how its
    subject is written within a sentence.
    """

    id: str
    subject: str
    plural: bool = False
    adjunct: str = ""
    tenses: tuple[str, ...] = TENSES
    environments: tuple[Environment, ...] = tuple(Environment)
    consequent: Mapping[str, str] | None = None
    movable: bool = True
    negative: bool = False


@dataclass(frozen=True, slots=True)
class InnerClause:
    """A clause between the main one and the pair: its subject, and where its verb stands."""

    subject: str
    plural: bool
    environment: Environment
    negative: bool = False


def read_text(text: str, language: Language) -> tuple[str, str]:
    """The adjunct and the subject of a frame that is written as a sentence with two places.

    Raises FrameError unless it has the place of the verb and then that of the sentence, joined
    by the complementiser of the language and followed by nothing.
    """
    try:
        pieces = list(Formatter().parse(text))
    except ValueError as error:
        raise FrameError(f"the text cannot be read: {error}") from None
    found = [field for _, field, _, _ in pieces if field is not None]
    for place in ("verb", "sentence"):
        if found.count(place) != 1:
            what = "no place" if place not in found else "more than one place"
            raise FrameError(f"the text has {what} for {{{place}}}")
    if found != ["verb", "sentence"] or any(spec or conv for _, _, spec, conv in pieces):
        raise FrameError("the text has {verb} and then {sentence}, and no other place")
    before, between = pieces[0][0].strip(), pieces[1][0].strip()
    after = pieces[2][0].strip() if len(pieces) == 3 else ""
    expected = language.that.replace("{clause}", "").strip()
    if between != expected:
        operators = [word for word, _ in language.operators.found(between)]
        more = f"; {' and '.join(operators[1:])} begins a second" if len(operators) > 1 else ""
        hint = _INFINITIVE if between == language.marker else _STACK if more else _LIKE
        raise FrameError(
            f"between {{verb}} and {{sentence}} stands '{between}', where a finite clause takes "
            f"'{expected}'{more}",
            hint,
        )
    if after:
        raise FrameError(f"'{after}' after {{sentence}} would be read as part of it", _AFTER)
    if not before:
        raise FrameError("the text has no subject before {verb}")
    adjunct, comma, subject = before.rpartition(", ")
    return adjunct + comma.strip(), subject


def frame_problems(
    frame: Frame, environments: Iterable[Environment], language: Language, verbs: Iterable[Verb]
) -> Iterator[tuple[str, str]]:
    """What in the fixed text of a frame would change a label there, with a hint for each."""
    text = f"{frame.adjunct} {frame.subject}".strip()
    consequents = [*frame.consequent.values()] if frame.consequent else []
    yield from subject_problems(text, environments, language, verbs)
    for text in consequents:
        yield from subject_problems(text, (Environment.CONDITIONAL,), language, verbs)


def subject_problems(
    text: str,
    environments: Iterable[Environment],
    language: Language,
    verbs: Iterable[Verb],
) -> Iterator[tuple[str, str]]:
    """Operators in fixed text that its environments do not declare, and verbs of the spec."""
    stands_in = set(environments)
    negations = 0
    for word, kind in language.operators.found(text):
        negations += kind == "negations"
        if kind == "negations" and stands_in <= {Environment.QUANTIFIED} and negations == 1:
            continue
        if kind == "universals" and stands_in <= {Environment.POSITIVE}:
            continue
        yield f"'{word}' in '{text}' {KINDS[kind]}", _REMEDY[kind]
    words = words_of(text)
    for verb in verbs:
        for form in verb.forms:
            if _contains(words, words_of(form)):
                yield (
                    f"'{form}' in '{text}' is a form of {verb.lemma}, a verb of the spec",
                    "to put one verb below another, write depths and frames.inner",
                )


def _contains(words: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    return any(
        words[start : start + len(phrase)] == phrase
        for start in range(len(words) - len(phrase) + 1)
    )
