"""Audits: ``audit``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sorites.cli.exit_codes import ExitCode
from sorites.printable import printable

if TYPE_CHECKING:
    from sorites.auditing import AuditReport
    from sorites.families.audit.draft import FirstLook

__all__ = ["audit"]

_SHOWN = 10
"""Faults of a kind that are listed."""


def audit(
    path: Annotated[
        Path,
        typer.Argument(
            help="A spec of kind audit, or a file: JSON Lines, Parquet, CSV or TSV.",
            metavar="SPEC|FILE",
        ),
    ],
    premises: Annotated[
        list[str] | None,
        typer.Option(help="The column of the premises, or once for each column of one premise."),
    ] = None,
    conclusion: Annotated[str | None, typer.Option(help="The column of the conclusion.")] = None,
    label: Annotated[str | None, typer.Option(help="The column of the label.")] = None,
    notation: Annotated[
        str | None, typer.Option(help="nltk, folio, prover9 or tptp: how formulas are written.")
    ] = None,
    labels: Annotated[
        list[str] | None,
        typer.Option(
            help="What a label means, such as True=entailed or No=contradicted,undetermined; "
            "well-known labels need none.",
            metavar="LABEL=VERDICT",
        ),
    ] = None,
    identity: Annotated[
        str | None, typer.Option("--id", help="The column that tells rows apart.")
    ] = None,
    existential: Annotated[
        bool,
        typer.Option("--existential", help="Prove also where all says that there is some."),
    ] = False,
    print_spec: Annotated[
        bool, typer.Option("--print-spec", help="Print the spec of this audit and stop.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Where audit.html, audit.md and audit.json are written.")
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option(help="Faults that are accepted: only new ones count.")
    ] = None,
    write_baseline: Annotated[
        Path | None, typer.Option(help="Write a baseline that accepts every fault found.")
    ] = None,
) -> None:
    """Prove the labels of somebody else's data, and say which are wrong and why.

    A spec says all; for a first look at a file, options say which columns hold what. Exit code 3
    if there is a fault that the baseline does not accept, 1 or 2 if the audit could not be made.
    """
    from rich.console import Console

    from sorites import auditing
    from sorites.errors import SoritesError
    from sorites.terminal import bars

    auditing.check_places(out, write_baseline)
    is_spec = path.suffix.lower() in (".yaml", ".yml")
    given = {
        "--premises": premises,
        "--conclusion": conclusion,
        "--label": label,
        "--notation": notation,
    }
    if is_spec:
        asked = {**given, "--labels": labels, "--id": identity, "--existential": existential}
        said = [name for name, value in asked.items() if value]
        if said or print_spec:
            raise SoritesError(f"{path} says it all: leave out {', '.join(said) or '--print-spec'}")
        with bars(Console(stderr=True)) as progress:
            report = auditing.audit_of_spec(path, baseline=baseline, progress=progress)
    else:
        look = _look(path, given, labels or [], identity, existential)
        if print_spec:
            typer.echo(auditing.draft(path, look), nl=False)
            return
        with bars(Console(stderr=True)) as progress:
            report = auditing.audit_file(path, look, baseline=baseline, progress=progress)
    if out is not None:
        report.write(out)
    if write_baseline is not None:
        report.write_baseline(write_baseline)
    for line in _told(report, path, with_baseline=baseline is not None):
        # What strangers' files say may be anything.
        typer.echo(printable(line))
    if out is not None:
        typer.echo(f"the whole audit: {out / 'audit.html'}")
    if report.new and write_baseline is None:
        raise typer.Exit(ExitCode.FAULTS)


def _look(
    path: Path,
    given: dict[str, list[str] | str | None],
    labels: Sequence[str],
    identity: str | None,
    existential: bool,
) -> FirstLook:
    from sorites.errors import SoritesError
    from sorites.families.audit.draft import FirstLook

    missing = [name for name, value in given.items() if not value]
    if missing:
        raise SoritesError(
            f"{path} is no spec (its name ends in neither .yaml nor .yml): say what it holds with "
            f"{', '.join(missing)}"
        )
    means: dict[str, tuple[str, ...]] = {}
    for each in labels:
        label, sign, verdicts = each.rpartition("=")
        if not sign or not label or not verdicts:
            raise SoritesError(f"--labels {each}: write LABEL=VERDICT, such as True=entailed")
        means[label] = tuple(verdicts.split(","))
    return FirstLook(
        tuple(given["--premises"] or ()),
        str(given["--conclusion"]),
        str(given["--label"]),
        str(given["--notation"]),
        means,
        identity,
        existential,
    )


def _told(report: AuditReport, path: Path, *, with_baseline: bool) -> Iterator[str]:
    from sorites.families.audit.faults import FaultKind

    def counted(number: int, one: str, many: str) -> str:
        return f"{number:,} {one if number == 1 else many}"

    found = report.found
    several = len(found.agreements) > 1
    held = "; ".join(
        f"{counted(each.agree, 'label holds', 'labels hold')} and "
        f"{counted(each.differ, 'does', 'do')} not"
        + (f" in the {each.universal} reading of all" if several else "")
        for each in found.agreements
    )
    yield f"{path}: {len(found.rows):,} rows, {found.read:,} read; {held}"
    for kind in FaultKind:
        faults = [fault for fault in report.new if fault.kind is kind]
        if not faults:
            continue
        yield f"{kind.value}: {len(faults):,}"
        for fault in faults[:_SHOWN]:
            yield f"  {fault.split}/{fault.id} ({fault.where}): {fault.message}"
            if fault.evidence and kind is not FaultKind.UNREAD:
                yield f"      {fault.evidence}"
        if len(faults) > _SHOWN:
            yield f"  and {len(faults) - _SHOWN:,} more: --out DIR writes them all"
    for cue in found.cues:
        if cue.beyond:
            yield (
                f"a cue: from {cue.sees}, {cue.label} is told with accuracy {cue.accuracy:.3f}; "
                f"always giving the more frequent answer has {cue.share:.3f}"
            )
    if with_baseline:
        accepted = len(found.faults) - len(report.new)
        yield (
            f"{counted(len(report.new), 'new fault', 'new faults')}; "
            f"{counted(accepted, 'is', 'are')} accepted by the baseline"
        )
    elif not found.faults:
        yield "no fault was found"
