"""Pairs of clauses to be embedded: s1 → s2, where each clause can stand in either tense."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sorites.families.veridicality.clauses.realise import Bottom
from sorites.logic.formulas import Formula
from sorites.logic.prover import Verdict
from sorites.sources.sentence_pairs.pairs import PairLabel

__all__ = ["NO", "VERDICTS", "YES", "Control", "EmbeddedPair", "Logic"]

YES, NO = "yes", "unk"

VERDICTS: Mapping[PairLabel, Verdict] = {
    PairLabel.ENTAILMENT: Verdict.ENTAILED,
    PairLabel.CONTRADICTION: Verdict.CONTRADICTED,
    PairLabel.NEUTRAL: Verdict.UNDETERMINED,
}
"""What the label of a source's pair says."""


@dataclass(frozen=True, slots=True)
class Logic:
    """What a pair from a grammar says: its formulas, and how complex its premise is."""

    premise: Formula
    hypothesis: Formula
    connectives: int
    nesting: int
    shape: str


@dataclass(frozen=True, slots=True)
class Control:
    """A premise as a subject and an infinitive; ``symbol`` stands for the subject in formulas."""

    subject: str
    symbol: str
    infinitive: str


@dataclass(frozen=True, slots=True)
class EmbeddedPair:
    """A premise s1 and a hypothesis s2, as clauses by tense, without a capital of their own.

    ``tense`` is the one in which the pair stands by itself. ``verdict`` is the label's ground:
    proved where there is ``logic``, taken from the source named by ``source_id`` otherwise.
    ``below_a_verb`` is the premise by tense where it has another order of words there.
    """

    id: str
    premise: Mapping[str, str]
    hypothesis: Mapping[str, str]
    tense: str
    verdict: Verdict
    source_id: str | None
    logic: Logic | None
    below_a_verb: Mapping[str, str] | None = None
    control: Control | None = None

    @property
    def label(self) -> str:
        """``yes`` for an entailment, ``unk`` for anything else."""
        return YES if self.verdict is Verdict.ENTAILED else NO

    def bottom(self, tense: str) -> Bottom:
        """The premise as it stands below verbs of a tense."""
        clause = (self.below_a_verb or self.premise)[tense]
        if self.control is None:
            return Bottom(clause)
        return Bottom(clause, self.control.subject, self.control.infinitive)
