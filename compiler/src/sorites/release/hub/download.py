"""A published release as a directory: an exact version, or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from huggingface_hub import HfApi

from sorites.errors import SoritesError
from sorites.release.files.staging import files_under
from sorites.release.hub.remote import check_repo, explained, read_remote
from sorites.release.manifest.verify import verify_release

__all__ = ["downloaded", "snapshot"]


@contextmanager
def downloaded(
    reference: str, *, token: str | None = None, endpoint: str | None = None
) -> Iterator[Path]:
    """The release ``ORG/NAME@vVERSION`` as a directory, checked, for as long as the block runs.

    Raises SoritesError for a malformed reference, for a repository or version that is not
    there, and InvalidRelease for a release that is not whole.
    """
    repo, mark, tag = reference.partition("@")
    if not mark or not tag:
        raise SoritesError(f"{reference!r} names no release: write ORG/NAME@vVERSION")
    check_repo(repo)
    api = HfApi(endpoint=endpoint, token=token)
    with explained(repo):
        remote = read_remote(api, repo)
        if remote is None:
            raise SoritesError(f"{repo}: there is no such dataset on the Hub for this token")
        if tag not in remote.tags:
            known = ", ".join(sorted(remote.tags)) or "none"
            raise SoritesError(f"{repo} has no version {tag}: its versions are {known}")
    with snapshot(api, repo, remote.tags[tag]) as directory:
        verify_release(directory)
        yield directory


@contextmanager
def snapshot(api: HfApi, repo: str, commit: str) -> Iterator[Path]:
    """A commit's files as real files: the cache of the Hub's client holds links to them.

    Raises SoritesError where the Hub does not give them.
    """
    with explained(repo):
        cached = Path(api.snapshot_download(repo, repo_type="dataset", revision=commit))
    with TemporaryDirectory() as folder:
        for name in files_under(cached):
            if name != ".gitattributes":
                target = Path(folder, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                copyfile(cached / name, target)
        yield Path(folder)
