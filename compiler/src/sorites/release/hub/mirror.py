"""A mirror of sources on the Hugging Face Hub: files under their checksums, for when publishers go.

A mirror is a dataset repository. The content of a source lies there, unpacked, as
``sha256/AB/ABCDEF…``, so what a spec pins is found by its checksum alone.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from huggingface_hub import CommitOperationAdd, HfApi, hf_hub_download

from sorites.errors import SoritesError, SourceError
from sorites.licences import LICENCES, compatible, name_of
from sorites.release.hub.passing_faults import Sleep, patiently
from sorites.release.hub.remote import check_repo, explained, read_remote
from sorites.sources.fetch import Fallback
from sorites.specfile.model import SourcePin

__all__ = ["Mirrored", "mirror_from_environment", "mirror_path", "publish_sources"]


@dataclass(frozen=True, slots=True)
class Mirrored:
    """What publishing the sources of a spec did: ids of sources by what became of them.

    ``refused`` gives the reason for each source that stayed out.
    """

    uploaded: tuple[str, ...]
    there: tuple[str, ...]
    refused: Mapping[str, str]


def mirror_path(sha256: str) -> str:
    """Where the content with a checksum lies in a mirror.

    >>> mirror_path("ab" * 32)[:16]
    'sha256/ab/ababab'
    """
    return f"sha256/{sha256[:2]}/{sha256}"


def mirror_from_environment() -> Fallback | None:
    """The mirror that SORITES_MIRROR names, ``ORG/NAME`` on the Hub, if it names one."""
    repo = os.environ.get("SORITES_MIRROR", "")
    if not repo:
        return None

    def fetch(sha256: str, target: Path) -> None:
        try:
            check_repo(repo)
            with tempfile.TemporaryDirectory(dir=target.parent) as folder, explained(repo):
                found = hf_hub_download(
                    repo, mirror_path(sha256), repo_type="dataset", local_dir=folder
                )
                shutil.move(found, target)
        except SoritesError as error:
            raise SourceError(f"the mirror {repo} (SORITES_MIRROR): {error}") from error

    return fetch


def publish_sources(
    sources: Sequence[tuple[SourcePin, Path]],
    repo: str,
    *,
    token: str | None = None,
    sleep: Sleep = time.sleep,
) -> Mirrored:
    """Put sources into a mirror, in one commit, as far as their licences allow.

    ``sources`` are pins with their verified content. What is there already is not sent again.
    Faults that pass by themselves are waited for with ``sleep``.

    Raises SoritesError where the Hub refuses or does not answer.
    """
    check_repo(repo)
    refused = {pin.id: reason for pin, _ in sources if (reason := _forbidden(pin))}
    allowed = {
        pin.sha256: (pin, path)
        for pin, path in sources
        if pin.id not in refused and pin.sha256 is not None
    }
    api = HfApi(token=token)
    sent = patiently(lambda: _send(api, repo, allowed), sleep=sleep)
    there = tuple(pin.id for pin, _ in allowed.values() if pin.id not in sent)
    return Mirrored(sent, there, refused)


def _send(api: HfApi, repo: str, allowed: Mapping[str, tuple[SourcePin, Path]]) -> tuple[str, ...]:
    """Commit what is missing in the mirror; the ids of it."""
    with explained(repo):
        api.create_repo(repo, repo_type="dataset", exist_ok=True)
        remote = read_remote(api, repo)
        known = set(remote.files) if remote is not None else set()
        missing = {
            sha256: each for sha256, each in allowed.items() if mirror_path(sha256) not in known
        }
        if missing:
            api.create_commit(
                repo,
                [
                    CommitOperationAdd(mirror_path(sha256), str(path))
                    for sha256, (_, path) in missing.items()
                ],
                commit_message=f"Add {', '.join(pin.id for pin, _ in missing.values())}",
                repo_type="dataset",
                parent_commit=remote.head if remote is not None else None,
            )
    return tuple(pin.id for pin, _ in missing.values())


def _forbidden(pin: SourcePin) -> str:
    """Why a source may not be passed on, or nothing."""
    if pin.file is not None:
        return "it lies beside the spec, which carries it"
    if pin.license not in LICENCES:
        return f"nothing is known of its licence, {pin.license}"
    if not compatible(pin.license):
        return f"its licence, {name_of(pin.license)}, is about unchanged copies: ask its publisher"
    return ""
