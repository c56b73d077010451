"""The part of a spec that all kinds share, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sorites.canonical import Json
from sorites.specfile.reader import Document
from sorites_eval.contract.identity import Version

__all__ = ["CardText", "SourcePin", "Spec"]


@dataclass(frozen=True, slots=True)
class SourcePin:
    """A pinned file: where it comes from and what its content must hash to.

    Exactly one of ``url`` (https), ``file`` (a path that was resolved beside the spec) and
    ``made`` (the name of a file that lies at no address, and how it is made) is set; ``archives``
    are further addresses of the same file. ``sha256`` is of the content after
    decompression, or None where nobody could hash it yet; ``max_bytes`` caps that content.
    A ``separate`` source is not adapted: it is collected in the release as a work of its own.
    """

    id: str
    version: str
    license: str
    attribution: str
    sha256: str | None
    url: str | None = None
    file: Path | None = None
    max_bytes: int = 512 * 1024 * 1024
    archives: tuple[str, ...] = ()
    separate: bool = False
    made: tuple[str, str] | None = None

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where the file may be fetched from, in the order in which to try."""
        return (self.url, *self.archives) if self.url is not None else ()

    @property
    def file_name(self) -> str:
        """The name of the file, as a mirror keeps it: the last part of the path or the URL."""
        if self.file is not None:
            return self.file.name
        if self.made is not None:
            return self.made[0]
        return unquote(urlsplit(self.url or "").path).rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class CardText:
    """What a spec adds to the dataset card.

    ``home`` is where on the Hub the release is published, ``ORG/NAME``, and ``date`` when, as
    ``YYYY-MM-DD``; both are empty where the spec does not say.
    """

    tags: tuple[str, ...] = ()
    task_categories: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    home: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Spec:
    """A valid spec: the common part, and the document for the family to read its own from.

    ``document.data`` is the resolved document (every ``{file: …}`` section replaced by its
    content); its canonical JSON is what the manifest keeps and hashes.
    """

    path: Path
    kind: str
    name: str
    version: Version
    title: str
    summary: str
    license: str
    license_name: str | None
    license_link: str | None
    languages: tuple[str, ...]
    seed: int
    citations: Mapping[str, str]
    card: CardText
    sources: Mapping[str, SourcePin]
    tasks: Mapping[str, Json]
    document: Document
    analyses: Mapping[str, Json] = field(default_factory=dict)
