"""From a valid spec and its sources to the content of the corrected release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from sorites.canonical import Json
from sorites.engines.engine import Engine
from sorites.errors import SoritesError
from sorites.families.audit.audit import Audit, audit_json, run_audit
from sorites.families.audit.card import made, proofs, rejected, sections
from sorites.families.audit.changes import corrections
from sorites.families.audit.markdown_report import markdown_report
from sorites.families.audit.page import page
from sorites.families.audit.plan import AuditPlan, no_problem, read_plan
from sorites.families.audit.release_rows import APART, ITEMS, splits_of
from sorites.licences import LICENCES, compatible, name_of
from sorites.progress import Progress
from sorites.release.content import Content, Split, SplitName
from sorites.specfile.model import Spec

__all__ = ["audit_spec", "build", "plan_of", "split_names"]


def plan_of(spec: Spec) -> AuditPlan:
    """The plan of a spec that has been checked."""
    document = spec.document.data
    assert isinstance(document, Mapping)
    plan = read_plan(document, no_problem)
    if plan is None:
        raise SoritesError("the spec has problems: run check first")
    return plan


def split_names(spec: Spec) -> list[SplitName]:
    """The splits that a spec without problems can have; one without rows is left out."""
    return [(config, split) for config in (ITEMS, APART) for split in plan_of(spec).splits]


def audit_spec(spec: Spec, files: Mapping[str, Path], progress: Progress) -> Audit:
    """The audit of a spec's sources, whatever their licence. Raises SourceError."""
    return run_audit(plan_of(spec), files, progress)


def build(
    spec: Spec,
    files: Mapping[str, Path],
    *,
    engine: Engine,
    progress: Progress,
    scratch: Path | None = None,
) -> Content:
    """The content of a release.

    Raises SourceError for a source that cannot be understood; SoritesError where its licence
    allows no derivative, and where no row has a proved label.
    """
    del engine, scratch  # Arguments of one form are proved once, in one process.
    for name, pin in spec.sources.items():
        if pin.license in LICENCES and not compatible(pin.license):
            raise SoritesError(
                f"the source {name} is under {name_of(pin.license)}, which allows no derivative: "
                f"there is the audit alone (sorites audit {spec.path} --out DIR)"
            )
    found = audit_spec(spec, files, progress)
    splits = splits_of(found.plan, found.rows)
    if not any(split.config == ITEMS for split in splits):
        raise SoritesError("no row has a proved label: run sorites audit to see why")
    return Content(
        splits=splits,
        audit=audit_json(found),
        counts=_counts(splits),
        sections=sections(found),
        made=made(found),
        proofs=proofs(found),
        rejected=rejected(found),
        files={"audit.html": page(spec, found), "audit.md": markdown_report(spec, found)},
        changes=corrections(found),
    )


def _counts(splits: tuple[Split, ...]) -> dict[str, Json]:
    return {
        "/".join(split.key): dict(sorted(Counter(split.table["label"].to_pylist()).items()))
        for split in splits
        if split.config == ITEMS
    }
