"""Pairs of clauses to be embedded: s1 → s2, where each clause can stand in either tense."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sorites.logic.prover import Verdict

__all__ = ["NO", "YES", "EmbeddedPair", "Logic"]

YES, NO = "yes", "unk"


@dataclass(frozen=True, slots=True)
class Logic:
    """What a pair from a grammar says: its formulas, and how complex its premise is."""

    premise: str
    hypothesis: str
    connectives: int
    depth: int
    shape: str


@dataclass(frozen=True, slots=True)
class EmbeddedPair:
    """A premise s1 and a hypothesis s2, as clauses by tense, without a capital of their own.

    ``tense`` is the one in which the pair stands by itself. ``verdict`` is the label's ground:
    proved where there is ``logic``, taken from the source named by ``source_id`` otherwise.
    """

    id: str
    premise: Mapping[str, str]
    hypothesis: Mapping[str, str]
    tense: str
    verdict: Verdict
    source_id: str | None
    logic: Logic | None

    @property
    def label(self) -> str:
        """``yes`` for an entailment, ``unk`` for anything else."""
        return YES if self.verdict is Verdict.ENTAILED else NO
