"""Readers that see only a part of an argument, and how far that gives its label away.

Each sees what the argument should not be needed for: the words of the conclusion; its form and
the phrase before it; the words of the premises; the forms of all sentences; how often names occur;
what is true in the ontology; numbers and positions; the conclusion and one premise. For premise
selection there is one that takes every premise whose form the scheme has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sorites.families.argument_schemes.plan import ArgumentPlan
from sorites.logic.formulas import Formula, parse
from sorites.release.audit.shortcuts.features import Features, Ids, Integers, keys, tokens
from sorites.release.audit.shortcuts.measure import (
    Figure,
    Finding,
    Items,
    Reader,
    beyond_bound,
    measure,
    outcomes,
)

__all__ = ["ONE_PREMISE", "READERS", "SELECTION", "Shortcuts", "read_shortcuts", "stratum"]

ONE_PREMISE = "conclusion and one premise"
SELECTION = "every premise whose form the scheme has"

READERS = {
    "conclusion words": "the words of the conclusion",
    "form and phrase": "the form of the conclusion and the phrase before it",
    "premise words": "the words of the premises",
    "shape, forms": "the forms of the premises and of the conclusion with its phrase, names masked",
    "shape, whole": "the same, all forms together as one",
    "overlap, counts": "how many names there are, and how often each of the conclusion's occurs",
    "overlap, whole": "the same, with the phrase, all together as one",
    "truth of the premises": "whether all premises are true in the ontology",
    "truth of the conclusion": "whether the conclusion is, with the phrase",
    "truth of both": "both of these",
    "position and number": "how many premises there are, and where the conclusion's names stand",
    ONE_PREMISE: "the conclusion and the premise that says most (only reported)",
    SELECTION: "premise selection: taking every premise of a form that the scheme has",
}
"""What each reader sees, for the card."""

_WORD = re.compile(r"\w+")


MOST_ITEMS = 65_536
"""Items that readers are tried on; of more, those of a sample of the arguments."""


@dataclass(frozen=True, slots=True)
class Shortcuts:
    """The figures of a config, and those that are beyond their bound.

    ``share``: of so many of the arguments, drawn by the hashes that name them; 1 for all.
    """

    figures: Sequence[Figure]
    findings: Sequence[Finding]
    share: float = 1.0


def stratum(scheme: str, variant: str) -> str:
    """A scheme as it is called in the audit."""
    return f"{scheme}, {variant}"


def read_shortcuts(plan: ArgumentPlan, table: pa.Table) -> Shortcuts:
    """Train and try every reader on the items with real names.

    Synthetic names repeat the same pairs in the same forms. Of more than ``MOST_ITEMS`` those of
    a sample of the arguments are read, which depends on the arguments alone.
    """
    real = pc.equal(table["names"], "real")
    share = min(1.0, MOST_ITEMS / max(1, pc.sum(real).as_py() or 0))
    drawn = real if share == 1 else pc.and_(real, _in_sample(table["argument"], share))
    shown = _Columns(table, drawn)
    if len(shown["argument"].unique()) < 2:
        return Shortcuts((), ())
    schemes = shown["scheme"].to_pylist()
    variants = shown["variant"].to_pylist()
    items = Items(
        labels=np.array(shown["label"].to_pylist(), dtype=np.bool_),
        groups=tuple(shown["argument"].to_pylist()),
        levels=tuple(shown["distractors"].to_pylist()),
        strata=tuple(map(stratum, schemes, variants)),
    )
    seen = _Seen(shown)
    figures = measure(seen.readers(), items)
    forms = {scheme.key: {p.shape for p in scheme.premises} for scheme in plan.schemes}
    figures += outcomes(SELECTION, seen.selection(forms, items), items)
    own = {stratum(*key): bound for key, (bound, _) in plan.shortcuts.own().items()}
    return Shortcuts(figures, beyond_bound(figures, plan.shortcuts.bound, own), share)


def _in_sample(arguments: pa.ChunkedArray, share: float) -> pa.ChunkedArray:
    """Whether the hash that names an argument lies in the first part of all hashes."""
    return pc.less(pc.utf8_slice_codeunits(arguments, 0, 8), f"{int(share * 16**8):08x}")


@dataclass(frozen=True, slots=True)
class _Columns:
    """Columns of some rows of a table, one at a time: all of them would be half the memory."""

    table: pa.Table
    drawn: pa.ChunkedArray

    def __getitem__(self, name: str) -> pa.Array:
        return self.table[name].filter(self.drawn).combine_chunks()


class _Seen:
    """What of a table its readers see."""

    def __init__(self, table: _Columns) -> None:
        self._table = table
        shown = table["premise_formulas"]
        # Premise j of item i is the one at starts[i] + j.
        self._starts = np.asarray(shown.offsets, dtype=np.int64)
        self._starts = self._starts - self._starts[0]
        self._premise, self._formulas = _formulas(shown.flatten())
        self._concluded, self._conclusions = _formulas(table["conclusion_formula"])
        self._names = [frozenset(_names(formula)) for formula in self._formulas]
        self._phrase = table["polarity"].to_pylist()

    def readers(self) -> list[Reader]:
        """All of them but the one for premise selection."""
        table = self._table
        shapes = keys(formula.shape for formula in self._formulas).take(self._premise)
        said = keys(
            (self._conclusions[at].shape, phrase)
            for at, phrase in zip(self._concluded, self._phrase, strict=True)
        )
        counts = self._counts()
        truth = [table["premises_true"].to_pylist(), table["conclusion_true"].to_pylist()]
        forms = shapes.grouped(self._starts)
        return [
            Reader("conclusion words", _words(table["conclusion"]), "bag"),
            Reader("form and phrase", said, "table"),
            Reader(
                "premise words",
                _words(table["premises"].flatten()).grouped(self._starts),
                "bag",
            ),
            Reader("shape, forms", forms.beside(said), "bag"),
            Reader("shape, whole", _whole(forms, said.ids), "table"),
            Reader("overlap, counts", tokens([*enumerate(row)] for row in counts), "bag"),
            Reader(
                "overlap, whole",
                keys(zip(map(tuple, counts), said.ids.tolist(), strict=True)),
                "table",
            ),
            Reader("truth of the premises", keys(truth[0]), "table"),
            Reader(
                "truth of the conclusion", keys(zip(truth[1], self._phrase, strict=True)), "table"
            ),
            Reader("truth of both", keys(zip(*truth, self._phrase, strict=True)), "table"),
            Reader("position and number", tokens(self._positions()), "bag"),
            Reader(ONE_PREMISE, self._one_premise(), "strongest", only_reported=True),
        ]

    def selection(
        self, forms: Mapping[tuple[str, str], set[str]], items: Items
    ) -> NDArray[np.float64]:
        """Whether taking every premise of the scheme's forms is right; NaN where nothing is."""
        table = self._table
        keyed = zip(table["scheme"].to_pylist(), table["variant"].to_pylist(), strict=True)
        gold = table["gold_premises"].to_pylist()
        found = np.full(len(items.labels), np.nan)
        for row, key in enumerate(keyed):
            if items.labels[row] and items.levels[row] > 0:
                taken = [
                    position
                    for position, premise in enumerate(self._row(row), 1)
                    if self._formulas[premise].shape in forms[key]
                ]
                found[row] = taken == gold[row]
        return found

    def _row(self, row: int) -> list[int]:
        return cast("list[int]", self._premise[self._starts[row] : self._starts[row + 1]].tolist())

    def _counts(self) -> list[list[int]]:
        """For each item: how many names, and in how many premises each of the conclusion's is."""
        found = []
        for row, at in enumerate(self._concluded.tolist()):
            shown = [self._names[premise] for premise in self._row(row)]
            asked = _names(self._conclusions[at])
            together = frozenset(asked).union(*shown)
            found.append(
                [len(together), *(sum(name in names for names in shown) for name in asked)]
            )
        return found

    def _positions(self) -> list[list[tuple[int, int]]]:
        found = []
        for row, at in enumerate(self._concluded.tolist()):
            asked = _names(self._conclusions[at])
            shown = self._row(row)
            found.append(
                [
                    (-1, len(shown)),
                    *(
                        (slot, position)
                        for position, premise in enumerate(shown)
                        for slot, name in enumerate(asked)
                        if name in self._names[premise]
                    ),
                ]
            )
        return found

    def _one_premise(self) -> Features:
        """For each premise its form, and which of its names are which of the conclusion's."""
        conclusion = np.repeat(self._concluded, np.diff(self._starts))
        pairs = self._premise * len(self._conclusions) + conclusion
        distinct, where = np.unique(pairs, return_inverse=True)
        patterns = []
        for pair in distinct.tolist():
            premise, at = divmod(pair, len(self._conclusions))
            asked = {name: slot for slot, name in enumerate(_names(self._conclusions[at]))}
            patterns.append(
                (
                    self._formulas[premise].shape,
                    self._conclusions[at].shape,
                    tuple(asked.get(name, -1) for name in _names(self._formulas[premise])),
                )
            )
        return keys(patterns).take(where.reshape(-1)).grouped(self._starts)


def _formulas(texts: pa.Array) -> tuple[Integers, list[Formula]]:
    encoded = texts.dictionary_encode()
    return (
        np.asarray(encoded.indices, dtype=np.int64),
        [parse(text) for text in encoded.dictionary.to_pylist()],
    )


def _words(texts: pa.Array) -> Features:
    encoded = texts.dictionary_encode()
    known = tokens(_WORD.findall(text.lower()) for text in encoded.dictionary.to_pylist())
    return known.take(np.asarray(encoded.indices, dtype=np.int64))


def _whole(forms: Features, said: Ids) -> Features:
    return keys(
        (tuple(sorted(forms.ids[start:end].tolist())), concluded)
        for start, end, concluded in zip(
            forms.starts, forms.starts[1:], said.tolist(), strict=False
        )
    )


def _names(formula: Formula) -> tuple[str, ...]:
    return (*formula.symbols.predicates, *formula.symbols.individuals)
