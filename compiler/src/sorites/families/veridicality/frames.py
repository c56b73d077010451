"""Frames: main clauses with a place for a verb and a place for its complement."""

from __future__ import annotations

from dataclasses import dataclass
from string import Formatter

from sorites.errors import SoritesError
from sorites.families.veridicality.verbs import Verb
from sorites.logic.grammar.fragment import capitalised

__all__ = ["TENSES", "Frame", "FrameError", "embed", "read_frame"]

TENSES = ("past", "present")


class FrameError(SoritesError):
    """A frame whose text does not have its two places."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The text of a frame, cut at its places; in which number and polarity its verb stands."""

    id: str
    before: str
    between: str
    after: str
    plural: bool
    negated: bool
    tenses: tuple[str, ...]


def read_frame(
    name: str, text: str, *, plural: bool, negated: bool, tenses: tuple[str, ...]
) -> Frame:
    """Read a text such as ``Someone {verb} that {sentence}``.

    Raises FrameError unless it has each place once, the verb first.
    """
    try:
        pieces = list(Formatter().parse(text))
    except ValueError as error:
        raise FrameError(f"the text cannot be read: {error}") from None
    places = [field for _, field, _, _ in pieces if field is not None]
    for place in ("verb", "sentence"):
        if places.count(place) != 1:
            found = "no place" if place not in places else "more than one place"
            raise FrameError(f"the text has {found} for {{{place}}}")
    if places != ["verb", "sentence"] or any(spec or conv for _, _, spec, conv in pieces):
        raise FrameError("the text has {verb} and then {sentence}, and no other place")
    after = pieces[2][0] if len(pieces) == 3 else ""
    return Frame(name, pieces[0][0], pieces[1][0], after, plural, negated, tenses)


def embed(frame: Frame, verb: Verb, tense: str, clause: str) -> str:
    """A clause put below a verb in a frame; the clause stands in the tense of the verb already.

    >>> from sorites.families.veridicality.verbs import Sign
    >>> know = Verb("know", "knows", "knew", Sign.TRUE, Sign.TRUE, {})
    >>> someone = read_frame("someone", "Someone {verb} that {sentence}",
    ...     plural=False, negated=False, tenses=TENSES)
    >>> embed(someone, know, "past", "Ann, Bob and Chris swam")
    'Someone knew that Ann, Bob and Chris swam'
    """
    return capitalised(
        f"{frame.before}{_verb_phrase(frame, verb, tense)}{frame.between}{clause}{frame.after}"
    )


def _verb_phrase(frame: Frame, verb: Verb, tense: str) -> str:
    if frame.negated:
        auxiliary = "did" if tense == "past" else "do" if frame.plural else "does"
        return f"{auxiliary} not {verb.lemma}"
    if tense == "past":
        return verb.past
    return verb.lemma if frame.plural else verb.present
