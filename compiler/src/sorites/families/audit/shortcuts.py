"""Readers that see a part of an argument, and how far that gives its given label away.

They are those of the argument schemes, as far as they need no ontology: words, forms with their
names masked, how often names occur, numbers and positions, the conclusion and one premise. Each
label is told from all others; what a reader must not beat is always saying the more frequent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sorites.canonical import Json, digest
from sorites.families.audit.judging import JudgedRow
from sorites.logic.first_order.trees import Node, Symbol, numbered, symbols_of
from sorites.release.audit.shortcuts.features import keys, tokens
from sorites.release.audit.shortcuts.measure import OVERALL, Figure, Items, Reader, measure
from sorites.release.audit.shortcuts.significance import above, rejected

__all__ = ["ALLOWED", "Cue", "cues_json", "find_cues"]

ALLOWED = 0.05
"""How far above the share of the more frequent answer a reader may come."""

_LEVEL = 0.01
_WORD = re.compile(r"\w+")

_SEEN = {
    "conclusion words": "the words of the conclusion",
    "form of the conclusion": "the form of the conclusion, names masked",
    "premise words": "the words of the premises",
    "forms, each": "the forms of the premises and of the conclusion, names masked",
    "forms, as one": "the same, all forms together as one",
    "overlap, counts": "how many names there are, and how often each of the conclusion's occurs",
    "overlap, as one": "the same, all together as one",
    "position and number": "how many premises there are, and where the conclusion's names stand",
    "one premise": "the conclusion and the premise that says most (only reported)",
}


@dataclass(frozen=True, slots=True)
class Cue:
    """How often a reader tells a label from the others, over groups of rows with one story.

    ``share`` is that of the more frequent answer; ``beyond`` where the accuracy is above it, and
    what is allowed, by more than chance.
    """

    reader: str
    sees: str
    label: str
    accuracy: float
    share: float
    groups: int
    beyond: bool


def find_cues(rows: Sequence[JudgedRow]) -> list[Cue]:
    """Every reader, for each label; empty for fewer than ten stories or a single label."""
    seen = [judged for judged in rows if judged.read is not None and judged.row.label]
    labels = sorted({judged.row.label for judged in seen})
    groups = tuple(digest(list(judged.story)) for judged in seen)
    if len(labels) < 2 or len({*groups}) < 10:
        return []
    readers = _readers(seen)
    figures: list[tuple[str, float, Figure]] = []
    # Of two labels, telling one from the other says it all.
    for label in labels if len(labels) > 2 else labels[:1]:
        yes = np.array([judged.row.label == label for judged in seen], dtype=np.bool_)
        items = Items(yes, groups, (0,) * len(seen), ("",) * len(seen))
        share = _share(yes, groups)
        # With one stratum the figures of all and those within it are the same.
        overall = {
            figure.reader: figure for figure in measure(readers, items) if figure.stratum == OVERALL
        }
        figures += [(label, share, figure) for figure in overall.values()]
    tested = [index for index, (_, _, figure) in enumerate(figures) if figure.tested]
    probabilities = [
        above(figures[index][2].score, figures[index][2].groups, figures[index][1] + ALLOWED)
        for index in tested
    ]
    beyond = {tested[place] for place in rejected(probabilities, _LEVEL)}
    return [
        Cue(
            figure.reader,
            _SEEN[figure.reader],
            label,
            figure.accuracy,
            share,
            figure.groups,
            index in beyond,
        )
        for index, (label, share, figure) in enumerate(figures)
    ]


def cues_json(cues: Sequence[Cue]) -> list[dict[str, Json]]:
    """The figures for audit.json."""
    return [
        {
            "reader": cue.reader,
            "label": cue.label,
            "accuracy": round(cue.accuracy, 4),
            "more frequent answer": round(cue.share, 4),
            "stories": cue.groups,
            "beyond": cue.beyond,
        }
        for cue in cues
    ]


def _share(yes: np.ndarray[tuple[int], np.dtype[np.bool_]], groups: Sequence[str]) -> float:
    """The share of the more frequent answer, each group counting once."""
    place = {group: index for index, group in enumerate(dict.fromkeys(groups))}
    group = np.array([place[each] for each in groups])
    mean = float((np.bincount(group, yes) / np.bincount(group)).mean())
    return min(max(mean, 1 - mean), 1 - ALLOWED)


def _readers(seen: Sequence[JudgedRow]) -> list[Reader]:
    rows = [_Row(judged) for judged in seen]
    return [
        Reader("conclusion words", tokens(row.conclusion_words for row in rows), "bag"),
        Reader("form of the conclusion", keys(row.form for row in rows), "table"),
        Reader("premise words", tokens(row.premise_words for row in rows), "bag"),
        Reader(
            "forms, each",
            tokens([*row.forms, ("conclusion", row.form)] for row in rows),
            "bag",
        ),
        Reader(
            "forms, as one", keys((tuple(sorted(row.forms)), row.form) for row in rows), "table"
        ),
        Reader("overlap, counts", tokens([*enumerate(row.counts)] for row in rows), "bag"),
        Reader("overlap, as one", keys((tuple(row.counts), row.form) for row in rows), "table"),
        Reader("position and number", tokens([*row.positions] for row in rows), "bag"),
        Reader(
            "one premise",
            tokens([*row.beside] for row in rows),
            "strongest",
            only_reported=True,
        ),
    ]


class _Row:
    """What readers see of a row."""

    def __init__(self, judged: JudgedRow) -> None:
        row, read = judged.row, judged.read
        assert read is not None
        words = row.words or (*row.premises, row.conclusion)
        self.conclusion_words = _WORD.findall(words[-1].lower())
        self.premise_words = [
            word for premise in words[:-1] for word in _WORD.findall(premise.lower())
        ]
        conclusion = read.formulas[-1]
        self.form = (_form(conclusion), row.denied)
        self.forms = [_form(premise) for premise in read.premises]
        asked = [*symbols_of([conclusion])]
        names = [{*symbols_of([premise])} for premise in read.premises]
        together = {*asked}.union(*names)
        self.counts = [
            len(together),
            *(sum(symbol in of for of in names) for symbol in asked),
        ]
        self.positions = [
            (-1, len(names)),
            *(
                (slot, position)
                for position, of in enumerate(names)
                for slot, symbol in enumerate(asked)
                if symbol in of
            ),
        ]
        self.beside = [*_beside(self.form, asked, self.forms, read.premises)]


def _form(formula: Node) -> str:
    return numbered([formula]).key[0]


def _beside(
    form: tuple[str, bool],
    asked: Sequence[Symbol],
    forms: Sequence[str],
    premises: Sequence[Node],
) -> Iterator[tuple[object, ...]]:
    """For each premise its form, and which of its names are which of the conclusion's."""
    slots = {symbol: slot for slot, symbol in enumerate(asked)}
    for shown, premise in zip(forms, premises, strict=True):
        yield shown, form, tuple(slots.get(symbol, -1) for symbol in symbols_of([premise]))
