"""CHANGELOG.md of a release: what changed since the version before, on top of what it said."""

from __future__ import annotations

from sorites.release.compare.diff import Change, Difference, Weight
from sorites.release.content import Content
from sorites.release.describe.markdown import bullets, code, escape
from sorites.specfile.model import Spec

__all__ = ["changelog", "first_changelog"]

_HEADINGS = {
    Weight.MAJOR: "Changed",
    Weight.MINOR: "Added",
    Weight.PATCH: "Described anew",
    Weight.NONE: "Rows",
}


def first_changelog(spec: Spec, content: Content) -> str:
    """The changelog of a data set's first version."""
    rows = bullets(
        f"{code(f'{split.config}/{split.name}')}: {split.table.num_rows:,} rows"
        for split in content.splits
    )
    told = f"\n{content.changes}\n" if content.changes else ""
    return f"{_title(spec)}## {spec.version}\n\nFirst release.\n\n{rows}\n{told}"


def changelog(spec: Spec, content: Content, difference: Difference, before: str) -> str:
    """The changelog of a later version; ``before`` is that of the version it is compared with."""
    parts = [f"## {spec.version}"]
    for weight, heading in _HEADINGS.items():
        changes = [change for change in difference.changes if change.weight == weight]
        if changes:
            parts += [f"### {heading}", _listed(changes)]
    if len(parts) == 1:
        parts.append(f"The same as {difference.old}.")
    if content.changes:
        parts.append(content.changes)
    _, mark, history = before.partition("\n## ")
    return _title(spec) + "\n\n".join(parts) + "\n" + (f"\n## {history}" if mark else "")


def _listed(changes: list[Change]) -> str:
    return bullets(change.text for change in changes)


def _title(spec: Spec) -> str:
    return f"# Changes to {escape(spec.title)}\n\n"
