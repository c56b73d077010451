"""What the dataset card says of a corrected release, as Markdown."""

from __future__ import annotations

from collections import Counter

from sorites.families.audit.audit import Audit
from sorites.families.audit.faults import FaultKind
from sorites.families.audit.markdown_report import agreement_table, cues_table, faults_by_kind
from sorites.families.audit.release_rows import reason_apart
from sorites.logic.first_order.models import MAX_SIZE
from sorites.release.content import CardSection
from sorites.release.describe.markdown import bullets, escape

__all__ = ["made", "proofs", "rejected", "sections"]


def made(found: Audit) -> str:
    """How the rows were made, in a few sentences."""
    wrong = len(found.of(FaultKind.WRONG_LABEL))
    return (
        f"The {len(found.rows):,} rows of the source were read "
        f"{escape(found.plan.reader.describes)}; {found.read:,} could be. Nothing was repaired. "
        "`label` is the one that is proved from the formulas of the row, `label_given` that of the "
        f"source; {wrong:,} differ. `CHANGELOG.md` lists each, and `audit.html` shows why."
    )


def proofs(found: Audit) -> str:
    """What was proved and how it was checked."""
    first = found.plan.universals[0]
    checks = Counter(
        judged.judgements[first].check.value for judged in found.rows if judged.read is not None
    )
    told = bullets(f"{escape(name)}: {number:,} rows" for name, number in checks.most_common())
    return (
        "Z3 decides whether the conclusion can be true, and whether it can be false, where all "
        "premises are true; its limit is a number of steps, so that the answer is the same on "
        f"every machine. Models of up to {MAX_SIZE} individuals are searched by a way of their "
        "own, and where all predicates are unary, types decide the question too. Two ways that "
        f"disagree are no label. What says the same besides Z3:\n\n{told}\n\n"
        f"{agreement_table(found)}"
    )


def rejected(found: Audit) -> str:
    """Which rows have no proved label."""
    reasons = Counter(
        "a text that was not read" if judged.read is None else reason
        for judged in found.rows
        if (reason := reason_apart(found.plan, judged)) is not None
    )
    if not reasons:
        return ""
    told = bullets(f"{escape(reason)}: {number:,}" for reason, number in reasons.most_common())
    return f"Rows without a proved label are in the config `apart`, each with the reason:\n\n{told}"


def sections(found: Audit) -> tuple[CardSection, ...]:
    """The family's own sections: faults of the source, and cues in its labels."""
    made_of = [CardSection("What is wrong in the source", faults_by_kind(found))]
    if found.cues:
        made_of.append(CardSection("Cues to the given labels", cues_table(found)))
    return tuple(made_of)
