"""Publishing a release on the Hugging Face Hub: one commit, one tag, read back; or nothing.

A version is published when its tag exists. The tag is set on a commit that holds the whole
release, so a reader of the tag never sees a part of one. Each step first looks whether it is
done, so the same command may be repeated after any fault. A published version never changes.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi, get_token
from huggingface_hub.errors import HfHubHTTPError

from sorites.errors import SoritesError
from sorites.release.compare.diff import Difference, diff_releases
from sorites.release.compare.versions import check_step, version_in
from sorites.release.hub.check_card import check_card
from sorites.release.hub.download import snapshot
from sorites.release.hub.hand_edits import refuse_hand_edits
from sorites.release.hub.passing_faults import Sleep, patiently
from sorites.release.hub.remote import (
    FileHash,
    Remote,
    check_repo,
    explained,
    files_at,
    local_hashes,
    read_remote,
)
from sorites.release.manifest.recorded import Release, read_manifest
from sorites.release.manifest.verify import verify_release
from sorites_eval.contract.identity import Version

__all__ = ["Publication", "publish"]


@dataclass(frozen=True, slots=True)
class Publication:
    """What publishing did, or would do.

    ``commit`` is what the tag points to, None if that is still to be made. ``uploads`` and
    ``deletions`` are the paths that the commit changes; ``difference`` is from the last version
    that is published, None for the first. ``published`` tells whether the version was there
    already.
    """

    repo: str
    tag: str
    commit: str | None
    creates_repo: bool
    uploads: tuple[str, ...]
    deletions: tuple[str, ...]
    difference: Difference | None
    published: bool

    def summary(self) -> list[str]:
        """What was done, or is to be done, in lines for a person."""
        if self.published:
            return [f"{self.repo} {self.tag} is published already, with the same content."]
        lines = [f"{self.repo} {self.tag}{' (a new repository)' if self.creates_repo else ''}"]
        if self.difference is not None:
            lines.append(f"Since {self.difference.old}:")
            lines += [f"  {change.text}" for change in self.difference.changes]
        lines += [f"  + {path}" for path in self.uploads]
        lines += [f"  - {path}" for path in self.deletions]
        if self.commit is not None:
            lines.append(f"  {self.tag} -> {self.commit}")
        return lines


def publish(
    directory: Path,
    repo: str,
    *,
    private: bool = False,
    dry_run: bool = False,
    overwrite: bool = False,
    token: str | None = None,
    endpoint: str | None = None,
    sleep: Sleep = time.sleep,
) -> Publication:
    """Publish a release in the dataset repository ``ORG/NAME`` under the tag ``vVERSION``.

    A dry run reads only. ``overwrite`` undoes what was changed by hand on the Hub. Faults that
    pass by themselves are waited for with ``sleep``. The token is the one given, or that of the
    environment (HF_TOKEN or a login); a dry run of a public repository needs none.

    Raises InvalidRelease for a release that is not whole or whose card is wrong, SoritesError
    for a repository that holds something else or was changed by hand, a version that is published
    with other content or is too small a step, a token that is missing or may not write, and a Hub
    that does not answer.
    """
    check_repo(repo)
    verify_release(directory)
    release = read_manifest(directory)
    check_card(release)
    if not dry_run and not (token or get_token()):
        raise SoritesError(
            f"{repo}: there is no token to publish with: set HF_TOKEN, or run `hf auth login`"
        )
    api = HfApi(endpoint=endpoint, token=token)
    existed: list[bool] = []

    def attempt() -> Publication:
        with explained(repo):
            remote = read_remote(api, repo)
            existed.append(remote is not None)
            if remote is None and not dry_run:
                api.create_repo(repo, repo_type="dataset", private=private, exist_ok=True)
                remote = read_remote(api, repo)
            planned = _plan(api, release, repo, remote, overwrite=overwrite)
            planned = replace(planned, creates_repo=not existed[0])
            if dry_run or planned.published or remote is None:
                return planned
            commit = planned.commit or _commit(api, release, planned, remote)
            _tag(api, planned, commit)
            _read_back(api, release, planned, commit)
        return replace(planned, commit=commit)

    # Each attempt first looks what is done already, so it may be repeated.
    return patiently(attempt, sleep=sleep)


def _plan(
    api: HfApi, release: Release, repo: str, remote: Remote | None, *, overwrite: bool
) -> Publication:
    """What is to be done, once it is sure that it may be."""
    tag = f"v{release.version}"
    local = local_hashes(release.directory)
    if remote is None:
        return Publication(repo, tag, None, True, tuple(local), (), None, published=False)
    if tag in remote.tags:
        there = files_at(api, repo, remote.tags[tag])
        _refuse_other_content(repo, tag, _differing(local, there))
        return Publication(repo, tag, remote.tags[tag], False, (), (), None, published=True)
    _refuse_foreign(api, release, repo, remote)
    difference = _difference(api, release, repo, remote)
    changed = _differing(local, remote.files)
    if changed and not overwrite:
        published = _published(remote)
        refuse_hand_edits(api, repo, remote, max(published)[1] if published else None)
    return Publication(
        repo=repo,
        tag=tag,
        # A run that was cut off between its commit and its tag left the commit at the head.
        commit=None if changed else remote.head,
        creates_repo=False,
        uploads=tuple(name for name in changed if name in local),
        deletions=tuple(name for name in changed if name not in local),
        difference=difference,
        published=False,
    )


def _differing(
    local: Mapping[str, frozenset[FileHash]], there: Mapping[str, FileHash]
) -> list[str]:
    return [
        name
        for name in sorted({*local, *there})
        if name not in local or name not in there or there[name] not in local[name]
    ]


def _refuse_other_content(repo: str, tag: str, differing: list[str]) -> None:
    if differing:
        raise SoritesError(
            f"{repo}: {tag} is published already, with other content "
            f"({', '.join(differing[:5])}{', …' if len(differing) > 5 else ''}). "
            "A published version never changes: raise the version in the spec"
        )


def _refuse_foreign(api: HfApi, release: Release, repo: str, remote: Remote) -> None:
    """Refuse a repository that holds anything but earlier versions of this data set."""
    if "release.json" not in remote.files:
        others = sorted(remote.files.keys() - {"README.md"})
        if others:
            raise SoritesError(
                f"{repo} is another data set: it holds {others[0]} and no release.json. "
                "Publish under a name that is free"
            )
        return
    with TemporaryDirectory() as folder:
        api.hf_hub_download(
            repo, "release.json", repo_type="dataset", revision=remote.head, local_dir=folder
        )
        head = read_manifest(Path(folder))
    if head.name != release.name:
        raise SoritesError(
            f"{repo} is another data set: it holds {head.name}, not {release.name}. "
            "Publish under a name that is free"
        )
    newest = max([head.version, *(version for version, _ in _published(remote))])
    if newest > release.version:
        raise SoritesError(
            f"{repo} holds version {newest} already, "
            f"which is later than {release.version}: raise the version in the spec"
        )


def _difference(api: HfApi, release: Release, repo: str, remote: Remote) -> Difference | None:
    published = _published(remote)
    if not published:
        return None
    with snapshot(api, repo, remote.tags[max(published)[1]]) as before:
        difference = diff_releases(before, release.directory)
    check_step(difference)
    return difference


def _published(remote: Remote) -> list[tuple[Version, str]]:
    """The versions that are tagged, with their tags."""
    tags = [(version_in(tag.removeprefix("v")), tag) for tag in remote.tags]
    return [(number, tag) for number, tag in tags if number is not None and tag.startswith("v")]


def _commit(api: HfApi, release: Release, planned: Publication, remote: Remote) -> str:
    additions = [
        CommitOperationAdd(path_in_repo=name, path_or_fileobj=release.directory / name)
        for name in planned.uploads
    ]
    deletions = [CommitOperationDelete(path_in_repo=name) for name in planned.deletions]
    commit = api.create_commit(
        planned.repo,
        [*additions, *deletions],
        commit_message=f"Release {release.version}",
        repo_type="dataset",
        parent_commit=remote.head,
    )
    return commit.oid


def _tag(api: HfApi, planned: Publication, commit: str) -> None:
    try:
        api.create_tag(planned.repo, tag=planned.tag, revision=commit, repo_type="dataset")
    except HfHubHTTPError as error:
        # Someone was faster, or a first answer was lost: what counts is where the tag points.
        if error.response.status_code != 409:
            raise


def _read_back(api: HfApi, release: Release, planned: Publication, commit: str) -> None:
    """Compare the tag and every checksum with what was to be published."""
    remote = read_remote(api, planned.repo)
    if remote is None or remote.tags.get(planned.tag) != commit:
        raise SoritesError(
            f"{planned.repo}: {planned.tag} does not point to the commit that was made for it "
            f"({commit}): someone else published that version meanwhile"
        )
    there = files_at(api, planned.repo, commit)
    _refuse_other_content(
        planned.repo, planned.tag, _differing(local_hashes(release.directory), there)
    )
