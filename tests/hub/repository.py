"""The repositories of a loopback Hub: commits that hold whole trees, branches, tags, rights."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Blob:
    """A file's content; ``lfs`` if it lies in large storage."""

    content: bytes
    lfs: bool

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def oid(self) -> str:
        """Git's hash of the file, or of the pointer that stands for it."""
        content = self.pointer if self.lfs else self.content
        return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()

    @property
    def pointer(self) -> bytes:
        text = f"version https://git-lfs.github.com/spec/v1\noid sha256:{self.sha256}\n"
        return f"{text}size {len(self.content)}\n".encode()

    @property
    def etag(self) -> str:
        return self.sha256 if self.lfs else self.oid


@dataclass(frozen=True)
class Commit:
    oid: str
    title: str
    files: Mapping[str, Blob]


@dataclass
class Repository:
    """A repository: its commits in order, and where branches and tags point."""

    id: str
    kind: str
    private: bool
    commits: list[Commit] = field(default_factory=list)
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)

    def commit(self, title: str, files: Mapping[str, Blob]) -> Commit:
        """Add a commit to main that holds exactly these files."""
        tree = "".join(f"{path} {files[path].oid}\n" for path in sorted(files))
        text = f"{len(self.commits)} {self.branches.get('main')} {title}\n{tree}"
        made = Commit(hashlib.sha1(text.encode()).hexdigest(), title, dict(files))
        self.commits.append(made)
        self.branches["main"] = made.oid
        return made

    def resolve(self, revision: str) -> Commit | None:
        oid = self.branches.get(revision) or self.tags.get(revision) or revision
        return next((commit for commit in self.commits if commit.oid == oid), None)

    @property
    def head(self) -> Commit:
        return self.commits[-1]


@dataclass(frozen=True)
class Account:
    """Whose token it is, and where it may write."""

    name: str
    writes: frozenset[str]


def file_entry(path: str, blob: Blob) -> dict[str, Any]:
    """A file as the tree of a repository lists it."""
    entry: dict[str, Any] = {
        "type": "file",
        "path": path,
        "size": len(blob.content),
        "oid": blob.oid,
    }
    if blob.lfs:
        entry["lfs"] = {
            "oid": blob.sha256,
            "size": len(blob.content),
            "pointerSize": len(blob.pointer),
        }
    return entry
