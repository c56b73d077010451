"""Downloads over https that resume after a cut and stop at a size limit."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO

import httpx2

from sorites.errors import SourceError
from sorites.progress import Progress

__all__ = ["Download", "download", "hint_on_disk", "tag_of"]

_REDIRECTS = 5
_TRIES = 3
_PAUSE = 0.2
_CHUNK = 1 << 16
_TIMEOUT = httpx2.Timeout(30.0, connect=15.0)
_AGENT = f"sorites/{version('sorites')}"
_BY_HAND = "Get the file by hand and name its folder in SORITES_SOURCES."


@dataclass(frozen=True, slots=True)
class Download:
    """What to fetch: ``what`` names it in messages, ``most`` caps its bytes as they travel."""

    url: str
    what: str
    most: int


def download(
    wanted: Download,
    part: Path,
    file: BinaryIO,
    progress: Progress,
    *,
    transport: httpx2.BaseTransport | None = None,
) -> str:
    """Fetch into the open ``file`` at ``part``, from where it ends; returns its SHA-256.

    A cut connection is tried again, with a pause. What the server says to tell one state of
    the file from another is kept beside ``part``: without it, or where the file has changed
    since, the download starts from the beginning. ``part`` is left as it is when it fails.

    Raises SourceError where the server cannot be reached, answers with an error, redirects to
    anything but https, or sends more than the cap, and where the disk is full.
    """
    tag = tag_of(part)
    with httpx2.Client(transport=transport, timeout=_TIMEOUT, follow_redirects=False) as client:
        for attempt in range(1, _TRIES + 1):
            try:
                return _attempt(client, wanted, file, tag, progress)
            except httpx2.TransportError as error:
                if attempt == _TRIES:
                    raise SourceError(
                        f"{wanted.what}: {wanted.url} could not be fetched: {error}. Run the same "
                        f"command again to go on where it stopped. {_BY_HAND}"
                    ) from None
                time.sleep(_PAUSE * attempt)
            except httpx2.InvalidURL as error:
                raise SourceError(f"{wanted.what}: {wanted.url}: {error}") from None
            except OSError as error:
                raise SourceError(f"{wanted.what}: {hint_on_disk(error, part)}") from error
    raise AssertionError("unreachable")


def tag_of(part: Path) -> Path:
    """The file beside an unfinished download that tells one state of the original from another."""
    return part.with_name(part.name + ".tag")


def hint_on_disk(error: OSError, path: Path) -> str:
    """What a failure to write means, and what to do."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return (
            f"no space left to write {path}. Free some, or set SORITES_CACHE to a folder on "
            "another disk."
        )
    return f"{path} cannot be written: {error.strerror or error}"


def _attempt(
    client: httpx2.Client, wanted: Download, file: BinaryIO, tag: Path, progress: Progress
) -> str:
    hasher = hashlib.sha256()
    with _respond(client, wanted, _resume_headers(file, tag)) as response:
        if response.status_code == httpx2.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
            # What is here is no beginning of what is there.
            _restart(file, tag)
            raise httpx2.ReadError("the server no longer has the rest of this file")
        if not response.is_success:
            raise SourceError(
                f"{wanted.what}: {wanted.url}: the server answered {response.status_code} "
                f"{response.reason_phrase}. {_BY_HAND}"
            )
        if _is_page(response, wanted):
            # Old releases are often answered with a page that says they are gone, and status 200.
            raise SourceError(
                f"{wanted.what}: {wanted.url}: the server answered with a web page, not with the "
                f"file. {_BY_HAND}"
            )
        if response.headers.get("content-encoding", "identity") != "identity":
            raise SourceError(f"{wanted.what}: {wanted.url} was sent in an encoding. {_BY_HAND}")
        start = file.seek(0, os.SEEK_END)
        if not _goes_on_from(response, start):
            _restart(file, tag)
            start = 0
            tag.write_text(_validator(response), encoding="utf-8")
        length = response.headers.get("content-length", "")
        total = start + int(length) if length.isdecimal() else 0
        _check_size(wanted, max(total, start))
        advance = progress.stage(f"fetch {wanted.what}", total)
        file.seek(0)
        while piece := file.read(_CHUNK):
            hasher.update(piece)
        advance(start)
        size = start
        for piece in response.iter_raw():
            size += len(piece)
            _check_size(wanted, size)
            file.write(piece)
            hasher.update(piece)
            advance(len(piece))
        file.flush()
        os.fsync(file.fileno())
    tag.unlink(missing_ok=True)
    return hasher.hexdigest()


def _is_page(response: httpx2.Response, wanted: Download) -> bool:
    kind: str = response.headers.get("content-type", "")
    named = wanted.url.lower().partition("?")[0].endswith((".html", ".htm", ".xhtml"))
    return kind.partition(";")[0].strip().lower() == "text/html" and not named


def _resume_headers(file: BinaryIO, tag: Path) -> dict[str, str]:
    size = file.seek(0, os.SEEK_END)
    validator = tag.read_text(encoding="utf-8") if size and tag.is_file() else ""
    if not validator:
        return {}
    return {"Range": f"bytes={size}-", "If-Range": validator}


def _restart(file: BinaryIO, tag: Path) -> None:
    file.seek(0)
    file.truncate()
    tag.unlink(missing_ok=True)


def _goes_on_from(response: httpx2.Response, start: int) -> bool:
    if response.status_code != httpx2.codes.PARTIAL_CONTENT:
        return False
    if not response.headers.get("content-range", "").startswith(f"bytes {start}-"):
        raise SourceError(f"{response.url}: the server sent another part than was asked for")
    return True


def _validator(response: httpx2.Response) -> str:
    """What If-Range may hold: a strong entity tag, else the date (RFC 9110, section 13.1.5)."""
    tag: str = response.headers.get("etag", "")
    if tag.startswith('"'):
        return tag
    date: str = response.headers.get("last-modified", "")
    return date


def _check_size(wanted: Download, size: int) -> None:
    if size > wanted.most:
        raise SourceError(
            f"{wanted.what}: {wanted.url} is more than {wanted.most:,} bytes. If that is right, "
            "raise max_bytes of the source in the spec."
        )


@contextlib.contextmanager
def _respond(
    client: httpx2.Client, wanted: Download, headers: dict[str, str]
) -> Iterator[httpx2.Response]:
    """The response at the end of the redirects, each of them to https."""
    request = client.build_request(
        "GET",
        wanted.url,
        # Some publishers turn away clients that do not say who they are.
        headers={"User-Agent": _AGENT, "Accept-Encoding": "identity", **headers},
    )
    for _ in range(_REDIRECTS + 1):
        if request.url.scheme != "https":
            raise SourceError(f"{wanted.what}: {wanted.url} leads to {request.url}: not https")
        response = client.send(request, stream=True)
        following = response.next_request
        if following is None:
            with contextlib.closing(response):
                yield response
            return
        response.close()
        request = following
    raise SourceError(f"{wanted.what}: {wanted.url} redirects more than {_REDIRECTS} times")
