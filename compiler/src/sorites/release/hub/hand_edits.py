"""What was changed by hand in a published data set, so that publishing does not undo it unseen."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path

from huggingface_hub import HfApi

from sorites.errors import InvalidRelease, SoritesError
from sorites.printable import printable
from sorites.release.hub.download import snapshot
from sorites.release.hub.remote import FileHash, Remote, files_at
from sorites.release.manifest.verify import verify_release

__all__ = ["refuse_hand_edits"]

_TEXTS = (".md", ".json", ".yaml", ".yml", ".txt")
_MOST_FILES = 10
_MOST_LINES = 40
_LONGEST_TEXT = 1_000_000  # bytes; a diff of more helps nobody


def refuse_hand_edits(api: HfApi, repo: str, remote: Remote, last_tag: str | None) -> None:
    """Refuse a head that is neither the last published version nor a whole release.

    A whole release without a tag is what a run left that was cut off before it set the tag. The
    Hub's own ``.gitattributes`` is no edit. Raises SoritesError with a diff.
    """
    before = {} if last_tag is None else files_at(api, repo, remote.tags[last_tag])
    if "release.json" not in remote.files or before == remote.files:
        return
    with snapshot(api, repo, remote.head) as head:
        try:
            verify_release(head)
        except InvalidRelease as fault:
            changes = [str(fault)]
            if last_tag is not None:
                with snapshot(api, repo, remote.tags[last_tag]) as published:
                    changes = _changes(before, remote.files, published, head)
            since = f" since {last_tag}" if last_tag is not None else ""
            raise SoritesError(
                f"{repo}: it was changed by hand{since}, and publishing would undo that:\n"
                + printable("\n".join(changes), allowed="\n\t")
                + "\nTake the change into the spec, or publish over it with --overwrite"
            ) from fault


def _changes(
    before: Mapping[str, FileHash], after: Mapping[str, FileHash], old: Path, new: Path
) -> list[str]:
    names = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
    lines: list[str] = []
    for name in names[:_MOST_FILES]:
        sign = "+" if name not in before else "-" if name not in after else "~"
        lines.append(f"  {sign} {name}")
        if sign == "~" and name.endswith(_TEXTS):
            lines += [f"    {line}" for line in _diff(old / name, new / name)]
    if len(names) > _MOST_FILES:
        lines.append(f"  … and {len(names) - _MOST_FILES} more files")
    return lines


def _diff(old: Path, new: Path) -> list[str]:
    if max(old.stat().st_size, new.stat().st_size) > _LONGEST_TEXT:
        return []
    before, after = (
        path.read_text(encoding="utf-8", errors="replace").splitlines() for path in (old, new)
    )
    # The first two lines name the files, which are known.
    found = list(difflib.unified_diff(before, after, lineterm="", n=1))[2:]
    cut = [f"… and {len(found) - _MOST_LINES} more lines"] if len(found) > _MOST_LINES else []
    return found[:_MOST_LINES] + cut
