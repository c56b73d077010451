"""Audits without a release: of a spec's sources, or of a file at first look."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from sorites.canonical import json_file
from sorites.errors import InvalidSpec, SoritesError
from sorites.families.audit.audit import Audit, audit_json
from sorites.families.audit.baseline import baseline_of, new_faults, read_baseline
from sorites.families.audit.build import audit_spec
from sorites.families.audit.check import check
from sorites.families.audit.draft import FirstLook, draft_spec
from sorites.families.audit.faults import Fault
from sorites.families.audit.markdown_report import markdown_report
from sorites.families.audit.page import page
from sorites.files import check_folder, write_whole
from sorites.pipeline import check_spec, obtain_sources
from sorites.progress import Progress
from sorites.specfile.load import load_document
from sorites.specfile.model import Spec
from sorites.specfile.reader import read_text

__all__ = ["AuditReport", "audit_file", "audit_of_spec", "check_places", "draft"]


@dataclass(frozen=True, slots=True)
class AuditReport:
    """An audit, and which of its faults a baseline does not accept (all, without one)."""

    spec: Spec
    found: Audit
    new: tuple[Fault, ...]

    def write(self, folder: Path) -> None:
        """Write audit.html, audit.md and audit.json into a folder; raises SoritesError."""
        texts = {
            "audit.html": page(self.spec, self.found),
            "audit.md": markdown_report(self.spec, self.found),
            "audit.json": json_file(audit_json(self.found)),
        }
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name, text in texts.items():
                write_whole(folder / name, text.encode())
        except OSError as error:
            raise _unwritable(folder, error) from error

    def write_baseline(self, path: Path) -> None:
        """Write a baseline that accepts every fault found; raises SoritesError."""
        try:
            write_whole(path, baseline_of(self.found.faults).encode())
        except OSError as error:
            raise _unwritable(path, error) from error


def check_places(folder: Path | None, baseline: Path | None) -> None:
    """Raise SoritesError where an audit could not be written, or its baseline: before the work."""
    for place, within in ((folder, folder), (baseline, baseline and baseline.parent)):
        if place is not None and within is not None:
            try:
                check_folder(within)
            except OSError as error:
                raise _unwritable(place, error) from error


def _unwritable(path: Path, error: OSError) -> SoritesError:
    return SoritesError(f"{path} cannot be written: {error.strerror or error}")


def audit_of_spec(path: Path, *, baseline: Path | None, progress: Progress) -> AuditReport:
    """Audit the sources of a spec, whatever their licence; nothing is released.

    Raises InvalidSpec, UnreadableSpec and SourceError, and SoritesError for a spec of another
    kind or for a baseline that is none.
    """
    known = _known(baseline)
    spec = check_spec(path)
    if spec.kind != "audit":
        raise SoritesError(f"{path} is of the kind {spec.kind}: an audit needs one of kind audit")
    return _report(spec, obtain_sources(spec, progress), known, progress)


def audit_file(
    file: Path, look: FirstLook, *, baseline: Path | None, progress: Progress
) -> AuditReport:
    """Audit a file of which nothing is known but what ``look`` says.

    Raises SoritesError as ``draft_spec`` does, and SourceError for rows that cannot be read.
    """
    known = _known(baseline)
    real = file.resolve()
    document = read_text(draft(file, look), real.parent / f"{real.stem}.audit.yaml")
    spec = load_document(document, real.parent / f"{real.stem}.audit.yaml")
    if problems := check(spec):
        raise InvalidSpec(problems)
    return _report(spec, {"data": real}, known, progress)


def draft(file: Path, look: FirstLook) -> str:
    """The spec of a first look at a file, as YAML; raises SoritesError."""
    return draft_spec(file.resolve(), look)


def _known(baseline: Path | None) -> Counter[str]:
    return Counter() if baseline is None else read_baseline(baseline)


def _report(
    spec: Spec, files: dict[str, Path], known: Counter[str], progress: Progress
) -> AuditReport:
    found = audit_spec(spec, files, progress)
    return AuditReport(spec, found, tuple(new_faults(found.faults, known)))
