"""Where a reply names a label, and whether it names it as its answer.

A label is an answer where it is announced or emphasised, stands alone, or is said in a sentence
of a few words ("It is true"). Anywhere else it is a word of a sentence. One that is denied is kept
as such, for it contradicts the same label elsewhere; one that is asked about or doubted is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from sorites_eval.scoring.function_words import (
    ALTERNATING,
    ANNOUNCING,
    ANNOUNCING_PIECES,
    ARTICLES,
    ASKING_ENDS,
    COPULAS,
    DENYING_PIECES,
    DOUBTING_PIECES,
    FINAL_COPULAS,
    JOINING,
    OFFERING,
    QUALIFYING,
    REPEATING,
    REPORTING,
)
from sorites_eval.scoring.naming import Named, Names, names_in
from sorites_eval.scoring.offers import offered, under_condition
from sorites_eval.scoring.polarity import Polarity
from sorites_eval.scoring.tokens import Kind, Token, Tokens

__all__ = ["Mention", "Strength", "mentions"]

_REACH = 12
"""Words that are looked at on either side; it also keeps the time linear."""
_ENDS = frozenset({Kind.END, Kind.LINE, Kind.ASK})
_CLOSING = _ENDS | {Kind.PART, Kind.SAYS, Kind.CLOSE, Kind.REASON, Kind.MARKED}
_PRONOUNS = frozenset({"it's", "that's", "c'est"})
_EXISTING = frozenset({"there", "hay", "há", "gibt", "finns"})


class Strength(IntEnum):
    """How plainly a label is given as the answer; only the plainest of a reply count."""

    NUMBERING = 1
    """Before text on its line, as in "1. First": an answer, or the number of a list."""
    SENTENCE = 2
    """At the end of a sentence of a few words."""
    PLAIN = 3
    """Alone, announced, emphasised, or after one or two words ("It is")."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A label given as an answer, or denied as one; ``start`` and ``end`` are token numbers."""

    label: str
    start: int
    end: int
    strength: Strength
    denied: bool = False


def mentions(found: Tokens, names: Names, own: frozenset[str]) -> list[Mention]:
    """Every label that a text gives as its answer, in order; ``own`` are the words of labels."""
    return [*_Text(found, names, own).mentions()]


@dataclass(frozen=True, slots=True)
class _Ending:
    """The token after a label and its particles, and whether they close the clause or deny."""

    next: int
    closed: bool
    denied: bool


class _Text:
    def __init__(self, found: Tokens, names: Names, own: frozenset[str]) -> None:
        self._found = found
        self._tokens = found.tokens
        self._polarity = Polarity(own)
        self._named = [*names_in(self._tokens, names)]
        self._label_at = {
            n: named.label for named in self._named for n in range(named.start, named.end)
        }
        self._asked = _asked(self._tokens)
        self._offered = offered(self._tokens, self._named)
        self._conditional = under_condition(self._tokens)

    def mentions(self) -> Iterator[Mention]:
        for named in self._named:
            mention = self._mention(named)
            if mention is not None:
                yield mention

    def _mention(self, named: Named) -> Mention | None:
        start, end = named.start, named.end
        if self._asked[end - 1] or start in self._offered or self._repeats(end):
            return None
        if self._has_rival(named) or self._conditional[start]:
            return None
        ending = self._ending(start, end)
        before = self._before(start)
        first = start - len(before)
        border = self._tokens[first - 1] if first else None
        if self._is_doubted(before, ending.next, border, first):
            return None
        head = self._tokens[max(0, first - 2) : first - 1] if self._is_separator(border) else []
        denied = ending.denied or self._polarity.denies(before) or self._polarity.denies(head)
        strength = self._strength(named, ending, before, first, border)
        if strength is None:
            return None
        denied = denied or self._is_taken_back(ending.next)
        return Mention(named.label, start, end, strength, denied)

    def _strength(
        self,
        named: Named,
        ending: _Ending,
        before: Sequence[Token],
        first: int,
        border: Token | None,
    ) -> Strength | None:
        start, end = named.start, named.end
        plain = [t for t in before if not self._polarity.denies([t]) and t.folded not in ARTICLES]
        words = sum(_weight(token) for token in plain)
        if self._is_emphasised(start, end) and not self._is_denied_after(end):
            return Strength.PLAIN
        if border is not None and border.kind is Kind.REASON:
            return None
        if not ending.closed:
            return Strength.PLAIN if not before and self._announces_after(end) else None
        if self._is_separator(border) and self._has_head(first - 1) and words <= 3:
            return Strength.PLAIN
        numbering = self._is_numbering(named, ending)
        if self._announces(before):
            return Strength.NUMBERING if numbering and self._is_headed(ending) else Strength.PLAIN
        if not before and numbering:
            return Strength.NUMBERING
        if not before and self._stands_alone(border, ending):
            return Strength.PLAIN
        if not before or words > self._most(plain) or not self._is_said(named, before):
            return None
        return Strength.PLAIN if words <= 2 else Strength.SENTENCE

    def _most(self, words: Sequence[Token]) -> int:
        """How many words may lead to a label: more if the verb is early ("This is a case of")."""
        return 4 if any(word.folded in COPULAS for word in words[:2]) else 3

    def _ending(self, start: int, end: int) -> _Ending:
        """What follows a label: past a particle tied to it or a copula at the end of a clause."""
        place, suffix = end, ""
        after = self._at(place)
        last = self._tokens[end - 1]
        run = after is not None and after.unspaced and not last.unspaced and len(after.text) <= 6
        if after and run and (after.tied or (start and self._tokens[start - 1].unspaced)):
            suffix, place = after.text, place + 1
        elif after and (after.folded in FINAL_COPULAS):
            place += 1
        after = self._at(place)
        denied = any(piece in suffix for piece in DENYING_PIECES)
        asked = suffix.endswith(ASKING_ENDS) or any(p in suffix for p in DOUBTING_PIECES)
        closed = (after is None or after.kind in _CLOSING) and not asked
        return _Ending(place, closed, denied)

    def _before(self, start: int) -> list[Token]:
        """The words of the clause before a label, the nearest ``_REACH`` of them."""
        first = start
        while first and start - first < _REACH and self._tokens[first - 1].kind is Kind.WORD:
            first -= 1
        return self._tokens[first:start]

    def _has_rival(self, named: Named) -> bool:
        """Whether another label is offered beside it, as in "True or False" and "True/False"."""
        for step, edge in ((-1, named.start - 1), (1, named.end)):
            joint = self._at(edge)
            if joint is None:
                continue
            joins = joint.text in {"/", "|", "\\"} or joint.kind is Kind.SAYS
            if joins or joint.folded in JOINING:
                place = edge + step
                other = self._at(place)
                if other and other.folded in ARTICLES:
                    place += step
                if self._label_at.get(place, named.label) != named.label:
                    return True
            if self._label_at.get(edge, named.label) != named.label:
                return True
        return False

    def _repeats(self, end: int) -> bool:
        after = self._at(end)
        return after is not None and after.folded in REPEATING

    def _is_doubted(
        self, before: Sequence[Token], after: int, border: Token | None, first: int
    ) -> bool:
        words = list(before)
        if self._is_separator(border):
            words += self._before(first - 1)
        if any(self._polarity.doubts(token) for token in words) or self._is_reported(before):
            return True
        lead = self._tokens[max(0, first - 2) : first]
        if any(token.folded in ALTERNATING for token in (*lead, *before)):
            return True
        following = self._at(after + 1)
        closing = self._at(after)
        offers = following is not None and following.folded in OFFERING | ALTERNATING
        if offers and closing is not None and closing.kind in {Kind.END, Kind.PART}:
            return True
        clause = self._clause(after)
        return 0 < len(clause) <= 2 and any(self._polarity.doubts(token) for token in clause)

    def _is_reported(self, before: Sequence[Token]) -> bool:
        """Whether someone else is said to give the label, as in "The student answered True"."""
        said = [n for n, token in enumerate(before) if token.folded in REPORTING]
        if not said or any(token.folded in {"i", "we"} for token in before):
            return False
        between = before[said[-1] + 1 :]
        return not any(token.folded in COPULAS for token in between[:1]) or (
            between[0].folded in _PRONOUNS
        )

    def _is_denied_after(self, end: int) -> bool:
        """Whether the rest of the clause says that it is not so."""
        rest = self._tokens[end : end + 4]
        words = [t for n, t in enumerate(rest) if all(r.kind is Kind.WORD for r in rest[: n + 1])]
        return self._polarity.denies(words)

    def _is_taken_back(self, place: int) -> bool:
        """Whether nothing but a denial follows, as in "True. No." and "True - wrong"."""
        clause = self._clause(place)
        return len(clause) == 1 and self._polarity.denies(clause)

    def _clause(self, place: int) -> Sequence[Token]:
        """The words between the mark at a place and the next mark, at most three."""
        start = place
        while (
            start < len(self._tokens) and start - place < 3 and self._tokens[start].kind in _CLOSING
        ):
            if self._tokens[start].kind in {Kind.REASON, Kind.MARKED}:
                return ()
            start += 1
        if start == place:
            return ()
        end = start
        while end < len(self._tokens) and end - start < 3 and self._tokens[end].kind is Kind.WORD:
            end += 1
        mark = self._at(end)
        whole = mark is None or mark.kind in _CLOSING - {Kind.MARKED}
        return self._tokens[start:end] if whole else ()

    def _is_emphasised(self, start: int, end: int) -> bool:
        if start not in self._found.opened:
            return False
        after = self._at(end)
        stop = after is not None and after.kind in _CLOSING
        return end - 1 in self._found.closed or (stop and end in self._found.closed)

    def _has_head(self, place: int) -> bool:
        """Whether words stand before a separator: what it announces, and no marked number alone."""
        head = self._at(place - 1) if place else None
        return head is not None and head.kind in {Kind.WORD, Kind.CLOSE}

    def _is_separator(self, border: Token | None) -> bool:
        return border is not None and border.kind is Kind.SAYS

    def _announces(self, before: Sequence[Token]) -> bool:
        """Whether an announcing word stands among the last few before a label."""
        near = before[-6:]
        return any(
            token.folded in ANNOUNCING
            or (token.unspaced and any(piece in token.text for piece in ANNOUNCING_PIECES))
            for token in near
        )

    def _announces_after(self, end: int) -> bool:
        """Whether the clause goes on as in "… is the correct answer" and "… ist die Antwort"."""
        words: list[Token] = []
        for token in self._tokens[end : end + 6]:
            if token.kind is not Kind.WORD:
                break
            words.append(token)
        whole = end + len(words)
        after = self._at(whole)
        if (
            not words
            or self._polarity.denies(words)
            or any(self._polarity.doubts(word) for word in words)
        ):
            return False
        if after is not None and after.kind not in _CLOSING:
            return False
        between = [w for w in words[:-1] if w.folded not in QUALIFYING and w.folded not in ARTICLES]
        return len(between) <= 2 and self._announces(words[-1:])

    def _stands_alone(self, border: Token | None, ending: _Ending) -> bool:
        """Whether it opens a sentence, or is all that the last part of one says."""
        if border is None or border.kind in _ENDS:
            return True
        after = self._at(ending.next)
        return after is None or after.kind in _ENDS or after.kind is Kind.CLOSE

    def _is_numbering(self, named: Named, ending: _Ending) -> bool:
        """Whether a short label may be the number of an entry of a list."""
        mark, text = self._at(ending.next), self._at(ending.next + 1)
        if len(named.label) > 2 or mark is None or text is None or text.kind is Kind.LINE:
            return False
        return mark.kind in {Kind.CLOSE, Kind.SAYS} or mark.text == "."

    def _is_headed(self, ending: _Ending) -> bool:
        """Whether a colon follows, so that the label heads what comes next."""
        return self._is_separator(self._at(ending.next))

    def _is_said(self, named: Named, before: Sequence[Token]) -> bool:
        """Whether a few words say the label of what was asked, and not of some part of it."""
        about = [token for token in before if token.folded not in COPULAS]
        if any(token.text.isdigit() or token.folded in _EXISTING for token in before):
            return False
        if len(about) != len(before) and len(about) == 1 and about[0].text.isupper():
            return about[0].text == "I"
        if any(self._label_at.get(n) for n in range(named.start - len(before), named.start)):
            return False
        if len(named.label) == 1:
            alone = named.start == 1 and all(t.kind in _ENDS for t in self._tokens[named.end :][:2])
            leads = [token for token in before if not self._polarity.denies([token])] or before
            said = leads[-1].folded in COPULAS or before[-1].unspaced
            return said or (alone and named.label.isdigit())
        return True

    def _at(self, place: int) -> Token | None:
        return self._tokens[place] if 0 <= place < len(self._tokens) else None


def _weight(token: Token) -> int:
    """How many words a token is worth: a run of a script without spaces is several."""
    return -(-len(token.text) // 2) if token.unspaced else 1


def _asked(tokens: Sequence[Token]) -> list[bool]:
    """For each token, whether its sentence is a question."""
    asked = [False] * len(tokens)
    now = False
    for place in range(len(tokens) - 1, -1, -1):
        kind = tokens[place].kind
        if kind in _ENDS:
            now = kind is Kind.ASK
        asked[place] = now
    return asked
