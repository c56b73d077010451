"""Rows read and proved: the verdict of each under every reading of all, and what shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sorites.families.audit.plan import AuditPlan, Universal
from sorites.families.audit.reader import Unread
from sorites.families.audit.rows import SourceRow
from sorites.logic.first_order.models import FiniteModel
from sorites.logic.first_order.prover import FirstOrderProver, Judgement
from sorites.logic.first_order.trees import Kind, Node, key_of
from sorites.logic.prover import Verdict

__all__ = ["Judge", "JudgedRow", "ReadRow", "Trouble"]


@dataclass(frozen=True, slots=True)
class Trouble:
    """A text of a row that has no reading: its place (``premise 2``, ``conclusion``), and why."""

    place: str
    text: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


@dataclass(frozen=True, slots=True)
class ReadRow:
    """The formulas of a row and how the release writes them, the conclusion last.

    The conclusion is as it is written: ``SourceRow.denied`` is not yet applied.
    """

    formulas: tuple[Node, ...]
    texts: tuple[str, ...]

    @property
    def premises(self) -> tuple[Node, ...]:
        """The formulas of the premises."""
        return self.formulas[:-1]


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A row with what was found; ``judgements`` by reading of all, in the order of the spec.

    ``read`` is None where a text has no reading (``troubles``). ``content`` is equal for rows
    that say the same: the same premises in any order, and the same conclusion. ``story`` is
    equal for rows with the same premises. ``redundant`` are premises (from 0) that follow from
    the others.
    """

    row: SourceRow
    read: ReadRow | None
    troubles: tuple[Trouble, ...]
    content: tuple[str, ...]
    story: tuple[str, ...]
    judgements: Mapping[Universal, Judgement]
    redundant: tuple[int, ...] = ()

    def label(self, plan: AuditPlan, universal: Universal) -> str | None:
        """The label that is proved; None for a row without one."""
        found = self.judgements.get(universal)
        return None if found is None else plan.label_of(found.verdict)


class Judge:
    """Reads and proves rows by a plan."""

    def __init__(self, plan: AuditPlan) -> None:
        self._plan = plan
        self.provers = {
            universal: FirstOrderProver(existential_import=universal == "existential")
            for universal in plan.universals
        }

    def rows(self, rows: Iterable[SourceRow]) -> Iterator[JudgedRow]:
        """Each row judged, in order."""
        return map(self.row, rows)

    def read(self, row: SourceRow) -> tuple[ReadRow | None, tuple[Trouble, ...]]:
        """The formulas of a row, or all that could not be read in it."""
        reader = self._plan.reader
        places = [f"premise {number}" for number in range(1, len(row.premises) + 1)]
        formulas, texts, troubles = [], [], []
        for place, text in zip(
            [*places, "conclusion"], (*row.premises, row.conclusion), strict=True
        ):
            try:
                formula = reader.read(text)
            except Unread as error:
                troubles.append(Trouble(place, text, str(error)))
            else:
                formulas.append(formula)
                texts.append(reader.shown(text, formula))
        if troubles:
            return None, tuple(troubles)
        return ReadRow(tuple(formulas), tuple(texts)), ()

    def row(self, row: SourceRow) -> JudgedRow:
        """A row with its verdicts."""
        read, troubles = self.read(row)
        if read is None:
            story = tuple(sorted(" ".join(text.split()) for text in row.premises))
            asked = (str(row.denied), " ".join(row.conclusion.split()))
            return JudgedRow(row, None, troubles, (*story, *asked), story, {})
        story = tuple(sorted(key_of(premise) for premise in read.premises))
        conclusion = self.asked(row, read)
        judgements = {
            universal: prover.judge(read.premises, conclusion)
            for universal, prover in self.provers.items()
        }
        redundant: tuple[int, ...] = ()
        first = self._plan.universals[0]
        if judgements[first].verdict is not Verdict.INCONSISTENT:
            redundant = self.provers[first].redundant(read.premises)
        content = (*story, key_of(conclusion))
        return JudgedRow(row, read, (), content, story, judgements, redundant)

    def model(
        self, judged: JudgedRow, universal: Universal, *, conclusion_is: bool
    ) -> FiniteModel | None:
        """A model of a row's premises in which what is asked is true, or false; None if none."""
        assert judged.read is not None
        asked = self.asked(judged.row, judged.read)
        prover = self.provers[universal]
        return prover.model(judged.read.premises, asked, conclusion_is=conclusion_is)

    @staticmethod
    def asked(row: SourceRow, read: ReadRow) -> Node:
        """What the label is about: the conclusion, or its negation where it is denied."""
        conclusion = read.formulas[-1]
        return Node(Kind.NOT, (conclusion,)) if row.denied else conclusion


def numbers(positions: Sequence[int]) -> list[int]:
    """Positions from 0 as people count."""
    return [position + 1 for position in positions]
