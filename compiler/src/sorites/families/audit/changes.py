"""What the release corrects, for its CHANGELOG."""

from __future__ import annotations

from sorites.families.audit.audit import Audit
from sorites.families.audit.release_rows import reason_apart
from sorites.release.describe.markdown import bullets, code, escape

__all__ = ["corrections"]


def corrections(found: Audit) -> str:
    """Every label that is another than in the source, and every row set apart, as Markdown."""
    plan = found.plan
    changed, apart = [], []
    for judged in found.rows:
        row = judged.row
        place = code(f"{row.split}/{row.id}")
        reason = reason_apart(plan, judged)
        if reason is not None:
            apart.append(f"{place}: {escape(reason)}")
            continue
        label = judged.label(plan, plan.universals[0]) or ""
        if label != row.label:
            given = escape(row.label) if row.label else "no label"
            changed.append(f"{place}: {given} → {escape(label)}")
    parts = []
    if changed:
        parts += [f"### Corrections of the source ({len(changed):,} labels)", bullets(changed)]
    if apart:
        parts += [f"### Set apart ({len(apart):,} rows without a proved label)", bullets(apart)]
    return "\n\n".join(parts) or "Every label of the source is the one that is proved."
