"""A dataset repository on the Hub as it is: its head, its tags, its files and their hashes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from httpx2 import HTTPError
from huggingface_hub import HfApi, RepoFile
from huggingface_hub.errors import (
    HfHubHTTPError,
    LocalEntryNotFoundError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
)

from sorites.errors import SoritesError
from sorites.release.files.parquet import file_sha256
from sorites.release.files.staging import files_under
from sorites.release.hub.passing_faults import PASSING, PassingFault, retry_after

__all__ = [
    "FileHash",
    "Remote",
    "check_repo",
    "explained",
    "files_at",
    "local_hashes",
    "read_remote",
]

FileHash = tuple[str, int]
"""A hash and a size: SHA-256 for a large file, git's own for any other (see ``local_hashes``)."""

_PART = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_]|[.-](?![.-]))*(?<![.-])", re.ASCII)

_AGAIN = "Run the same command again: what is done already is not done twice"


@dataclass(frozen=True, slots=True)
class Remote:
    """A repository: the commit at its head, its tags, and the files at the head.

    ``files`` leaves out ``.gitattributes``, which the Hub writes itself.
    """

    head: str
    tags: Mapping[str, str]
    files: Mapping[str, FileHash]


def check_repo(repo: str) -> None:
    """Refuse what cannot name a repository of the Hub.

    Raises SoritesError.
    """
    parts = repo.split("/")
    if len(parts) != 2 or len(repo) > 96 or not all(map(_PART.fullmatch, parts)):
        raise SoritesError(
            f"{repo!r} cannot name a repository: write ORG/NAME, of letters, digits, - _ and ."
        )


def read_remote(api: HfApi, repo: str) -> Remote | None:
    """The repository of a dataset, or None if the token can see no such repository."""
    try:
        refs = api.list_repo_refs(repo, repo_type="dataset")
    except RepositoryNotFoundError:
        return None
    heads = [branch.target_commit for branch in refs.branches if branch.name == "main"]
    if not heads:
        raise SoritesError(f"{repo} has no branch main: it was not made as a dataset of the Hub")
    tags = {tag.name: tag.target_commit for tag in refs.tags}
    return Remote(heads[0], tags, files_at(api, repo, heads[0]))


def files_at(api: HfApi, repo: str, commit: str) -> dict[str, FileHash]:
    """The files of a commit with their hashes, but for ``.gitattributes``."""
    entries = api.list_repo_tree(repo, recursive=True, revision=commit, repo_type="dataset")
    return {
        entry.path: (entry.blob_id, entry.size)
        if entry.lfs is None
        else (entry.lfs.sha256, entry.lfs.size)
        for entry in entries
        if isinstance(entry, RepoFile) and entry.path != ".gitattributes"
    }


def local_hashes(directory: Path) -> dict[str, frozenset[FileHash]]:
    """For each file of a release, the hashes it may have on the Hub.

    A file in large storage is known by its SHA-256, any other by git's SHA-1 of its blob.
    """
    hashes = {}
    for name in files_under(directory):
        size = (directory / name).stat().st_size
        blob = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
        with (directory / name).open("rb") as file:
            while piece := file.read(1 << 20):
                blob.update(piece)
        hashes[name] = frozenset({(file_sha256(directory / name), size), (blob.hexdigest(), size)})
    return hashes


@contextmanager
def explained(repo: str) -> Iterator[None]:
    """Turn what the Hub or the network answers into words that say what to do.

    Raises SoritesError, and PassingFault for one that may pass by itself; no message ever holds a
    token.
    """
    try:
        yield
    except HfHubHTTPError as error:
        status = error.response.status_code
        if status in PASSING:
            raise PassingFault(
                _refusal(repo, status), retry_after(error.response.headers)
            ) from error
        raise SoritesError(_refusal(repo, status)) from error
    except (HTTPError, OfflineModeIsEnabled, LocalEntryNotFoundError) as error:
        raise SoritesError(
            f"{repo}: the Hub could not be reached ({type(error).__name__}). {_AGAIN}"
        ) from error
    except ValueError as error:
        # So the client says that the Hub refused the card or a file, or answered no JSON.
        raise SoritesError(f"{repo}: the Hub did not accept the release: {error}") from error


def _refusal(repo: str, status: int) -> str:
    if status == 401:
        return f"{repo}: the Hub does not know the token: set HF_TOKEN to a valid one"
    if status == 403:
        return f"{repo}: the token may not write there: use one with write access to it"
    if status == 412:
        return f"{repo}: someone else changed it meanwhile, and nothing was published. {_AGAIN}"
    return f"{repo}: the Hub answered with an error ({status}). {_AGAIN}"
