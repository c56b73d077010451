"""What is wrong with other people's rows: each fault, where it is, and what shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from sorites.canonical import digest
from sorites.families.audit.evidence import model_in_words, proof_in_words
from sorites.families.audit.judging import Judge, JudgedRow
from sorites.families.audit.plan import AuditPlan, Universal
from sorites.logic.first_order.prover import Check
from sorites.logic.first_order.trees import symbols_of
from sorites.logic.prover import Verdict

__all__ = ["Fault", "FaultKind", "find_faults"]


class FaultKind(Enum):
    """The kinds of fault, by their names in baselines, worst first."""

    WRONG_LABEL = "wrong label"
    CONFLICT = "two labels for one argument"
    CONTRADICTORY = "contradictory premises"
    UNKNOWN_LABEL = "unknown label"
    UNREAD = "not read"
    UNDECIDED = "not decided"
    LEAK = "in two splits"
    DUPLICATE = "duplicate"
    TWO_ARITIES = "a name with two numbers of arguments"
    REDUNDANT = "redundant premise"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a row.

    ``key`` names it in a baseline: it depends on what the row says and on nothing else, so that
    it is the same in whatever order rows stand. ``evidence`` is a sentence or several that show
    it. ``universals`` are the readings of all in which a label is wrong.
    """

    kind: FaultKind
    split: str
    id: str
    where: str
    message: str
    evidence: str = ""
    given: str = ""
    proved: str = ""
    universals: tuple[Universal, ...] = ()
    key: str = ""


def find_faults(plan: AuditPlan, judge: Judge, rows: Sequence[JudgedRow]) -> list[Fault]:
    """The faults of rows that ``judge`` has judged, in the order of the rows."""
    return [*_Finder(plan, judge).faults(rows)]


class _Finder:
    def __init__(self, plan: AuditPlan, judge: Judge) -> None:
        self._plan = plan
        self._judge = judge
        self._first: dict[tuple[str, ...], JudgedRow] = {}

    def faults(self, rows: Sequence[JudgedRow]) -> Iterator[Fault]:
        for row in rows:
            yield from self._own(row)
            yield from self._shared(row)

    def _own(self, judged: JudgedRow) -> Iterator[Fault]:
        row, plan = judged.row, self._plan
        meant = plan.labels.get(row.label)
        if meant is None:
            known = ", ".join(plan.labels)
            told = f"the label {row.label} is none of {known}" if row.label else "it has no label"
            yield _fault(FaultKind.UNKNOWN_LABEL, judged, told)
        if judged.read is None:
            told = "; ".join(map(str, judged.troubles))
            yield _fault(
                FaultKind.UNREAD,
                judged,
                told,
                "; ".join(f"{each.place}: {each.text}" for each in judged.troubles),
            )
            return
        judgement = judged.judgements[plan.universals[0]]
        if judgement.verdict is Verdict.UNKNOWN:
            disagree = judgement.check is Check.DISAGREES
            yield _fault(
                FaultKind.UNDECIDED,
                judged,
                "two ways to prove it disagree" if disagree else "the prover met its limit",
            )
        if judgement.verdict is Verdict.INCONSISTENT and (
            plan.label_of(Verdict.INCONSISTENT) is None
        ):
            yield _fault(
                FaultKind.CONTRADICTORY,
                judged,
                "the premises cannot all be true",
                proof_in_words(judged, judgement),
            )
        if meant is not None:
            yield from self._wrong(judged, meant)
        for name in _two_arities(judged):
            yield _fault(
                FaultKind.TWO_ARITIES, judged, f"{name} has two numbers of arguments", extra=name
            )
        for position in judged.redundant:
            yield _fault(
                FaultKind.REDUNDANT,
                judged,
                f"premise {position + 1} follows from the others",
                extra=_premise_key(judged, position),
            )

    def _wrong(self, judged: JudgedRow, meant: Sequence[Verdict]) -> Iterator[Fault]:
        wrong = {
            universal: found
            for universal, found in judged.judgements.items()
            if found.verdict not in meant and self._plan.label_of(found.verdict) is not None
        }
        if not wrong:
            return
        universal = next(iter(wrong))
        judgement = wrong[universal]
        proved = self._plan.label_of(judgement.verdict) or ""
        several = len(judged.judgements) > 1
        told = f"labelled {judged.row.label}, but {_SAYS[judgement.verdict]}"
        if several:
            readings = " and the ".join(wrong)
            told += f", in the {readings} reading{'' if len(wrong) == 1 else 's'} of all"
        yield _fault(
            FaultKind.WRONG_LABEL,
            judged,
            told,
            self._evidence(judged, universal, meant),
            proved=proved,
            universals=tuple(wrong),
        )

    def _evidence(self, judged: JudgedRow, universal: Universal, meant: Sequence[Verdict]) -> str:
        judgement = judged.judgements[universal]
        if judgement.verdict is not Verdict.UNDETERMINED:
            return proof_in_words(judged, judgement)
        # What speaks against the label: a model in which what it says is not so.
        truth = Verdict.CONTRADICTED in meant
        model = self._judge.model(judged, universal, conclusion_is=truth)
        if model is None:
            return ""
        told = "the negated conclusion" if judged.row.denied else "the conclusion"
        return (
            f"The premises are true and {told} is {'true' if truth else 'false'} where "
            f"{model_in_words(model)}."
        )

    def _shared(self, judged: JudgedRow) -> Iterator[Fault]:
        first = self._first.setdefault(judged.content, judged)
        if first is judged:
            return
        row, other = judged.row, first.row
        place = f"{other.split}/{other.id}"
        conflict, leak = row.label != other.label, row.split != other.split
        if conflict:
            yield _fault(
                FaultKind.CONFLICT,
                judged,
                f"{place} is the same argument, labelled {other.label}; here {row.label}",
                extra=other.label,
            )
        if leak:
            yield _fault(FaultKind.LEAK, judged, f"{place} is the same argument", extra=other.split)
        if not conflict and not leak:
            yield _fault(FaultKind.DUPLICATE, judged, f"{place} is the same argument")


_SAYS = {
    Verdict.ENTAILED: "the conclusion follows",
    Verdict.CONTRADICTED: "the premises contradict the conclusion",
    Verdict.UNDETERMINED: "neither the conclusion nor its negation follows",
    Verdict.INCONSISTENT: "the premises cannot all be true",
}


def _fault(
    kind: FaultKind,
    judged: JudgedRow,
    message: str,
    evidence: str = "",
    *,
    extra: str = "",
    proved: str = "",
    universals: tuple[Universal, ...] = (),
) -> Fault:
    row = judged.row
    said = [kind.value, row.split, list(judged.content), row.label, extra]
    return Fault(
        kind,
        row.split,
        row.id,
        row.where,
        message,
        evidence,
        row.label,
        proved,
        universals,
        digest(said)[:16],
    )


def _two_arities(judged: JudgedRow) -> list[str]:
    assert judged.read is not None
    arities: dict[tuple[str, bool], set[int]] = {}
    for symbol in symbols_of(judged.read.formulas):
        arities.setdefault((symbol.name, symbol.is_predicate), set()).add(symbol.arity)
    return [name for (name, _), of in arities.items() if len(of) > 1]


def _premise_key(judged: JudgedRow, position: int) -> str:
    assert judged.read is not None
    return judged.read.texts[position]
