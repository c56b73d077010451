"""Pinned files: a mirror, the cache, a real HTTPS server on loopback, and what can go wrong."""

from __future__ import annotations

import gzip
import hashlib
import lzma
import os
import signal
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from sorites.errors import SourceError, UnpinnedSource
from sorites.progress import Advance, Silent
from sorites.sources.fetch import obtain
from sorites.specfile.model import SourcePin
from tests.compiler.sources.loopback import CERTIFICATE, Server, serving
from tests.processes import started

CONTENT = b"".join(b"line %d of a file that is worth its bytes\n" % n for n in range(20_000))
SHA = hashlib.sha256(CONTENT).hexdigest()


def pin_of(url: str, sha256: str = SHA, most: int = 1 << 20) -> SourcePin:
    return SourcePin("menu", "1", "cc0-1.0", "A café", sha256, url=url, max_bytes=most)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    folder = tmp_path / "mirror"
    (folder / "deep" / "er").mkdir(parents=True)
    return folder


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SORITES_SOURCES", "SORITES_CACHE", "SORITES_OFFLINE"):
        monkeypatch.delenv(name, raising=False)


def failure(pin: SourcePin, cache: Path, *search: Path, site: Server | None = None) -> str:
    with pytest.raises(SourceError) as caught:
        obtain(
            pin,
            Silent(),
            search=search,
            cache=cache,
            transport=site.transport() if site else None,
        )
    return str(caught.value).replace(str(cache.parent), "…")


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*")) if folder.exists() else []


def zipped(*members: tuple[str, bytes]) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


PACKED = {
    "data.txt.gz": gzip.compress(CONTENT),
    "data.txt.xz": lzma.compress(CONTENT),
    "data.txt.zip": zipped(("data.txt", CONTENT)),
}


def test_a_mirror_is_read_where_it_is(mirror: Path, cache: Path) -> None:
    copy = mirror / "deep" / "er" / "data.txt"
    copy.write_bytes(CONTENT)
    pin = pin_of("https://example.org/data.txt")
    assert obtain(pin, Silent(), search=[mirror], cache=cache) == copy
    assert not cache.exists()


@pytest.mark.parametrize("wanted", ["data.txt", *PACKED])
@pytest.mark.parametrize("kept", ["data.txt", *PACKED])
def test_a_mirror_may_keep_it_packed_or_not(
    wanted: str, kept: str, mirror: Path, cache: Path
) -> None:
    (mirror / kept).write_bytes(PACKED.get(kept, CONTENT))
    for _ in range(2):
        found = obtain(pin_of(f"https://x.org/{wanted}"), Silent(), search=[mirror], cache=cache)
        assert found.read_bytes() == CONTENT
        assert found.suffix == ".txt"
    assert files(cache) == ([] if kept == "data.txt" else [f"{SHA}-data.txt"])


def test_a_mirror_with_another_content(mirror: Path, cache: Path) -> None:
    (mirror / "data.txt").write_bytes(b"other")
    other = hashlib.sha256(b"other").hexdigest()
    assert failure(pin_of("https://example.org/data.txt"), cache, mirror) == (
        f"source menu: wrong checksum: …/mirror/data.txt has {other}; the spec has {SHA} for "
        "https://example.org/data.txt. Replace the file by the version that the spec names, or "
        "correct the spec."
    )
    (mirror / "deep" / "data.txt").write_bytes(CONTENT)
    pin = pin_of("https://example.org/data.txt")
    assert obtain(pin, Silent(), search=[mirror], cache=cache) == mirror / "deep" / "data.txt"


def test_a_source_without_a_checksum_is_to_be_pinned(cache: Path) -> None:
    pin = replace(pin_of("https://data.example/data.txt"), sha256=None)
    with pytest.raises(UnpinnedSource) as caught:
        obtain(pin, Silent(), search=[], cache=cache)
    assert str(caught.value) == (
        "source menu: its checksum is not known yet (sha256: null). Run: sorites pin SPEC "
        "--source menu"
    )
    assert not cache.exists()


def test_addresses_are_tried_in_order(cache: Path) -> None:
    with serving(Server(CONTENT, missing=frozenset({"gone/data.txt"}))) as site:
        pin = replace(pin_of(site.url("gone/data.txt")), archives=(site.url("kept/data.txt"),))
        found = obtain(pin, Silent(), search=[], cache=cache, transport=site.transport())
        assert found.read_bytes() == CONTENT
        assert files(cache) == [f"{SHA}-data.txt"]


def test_an_archive_with_another_content_is_passed_over_and_told(cache: Path) -> None:
    other = hashlib.sha256(b"other").hexdigest()
    with serving(Server(b"other", missing=frozenset({"gone/data.txt"}))) as site:
        pin = replace(pin_of(site.url("gone/data.txt")), archives=(site.url("data.txt"),))
        told = failure(pin, cache, site=site).splitlines()
    assert "404" in told[0]
    assert told[1].startswith(f"source menu: wrong checksum: {site.url()} has {other}; the spec")
    assert files(cache) == []


def test_the_mirror_is_asked_last_and_by_checksum(cache: Path) -> None:
    asked: list[str] = []

    def mirror(sha256: str, target: Path) -> None:
        asked.append(sha256)
        target.write_bytes(CONTENT)

    with serving(Server(CONTENT, status=500)) as site:
        pin = pin_of(site.url("data.txt.gz"))
        found = obtain(
            pin, Silent(), search=[], cache=cache, transport=site.transport(), mirror=mirror
        )
    assert asked == [SHA]
    assert found == cache / f"{SHA}-data.txt"
    assert found.read_bytes() == CONTENT


def test_a_mirror_is_not_believed(cache: Path) -> None:
    with serving(Server(CONTENT, status=404)) as site, pytest.raises(SourceError) as caught:
        obtain(
            pin_of(site.url()),
            Silent(),
            search=[],
            cache=cache,
            transport=site.transport(),
            mirror=lambda _, target: target.write_bytes(b"other") and None,
        )
    assert "the mirror has d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa" in str(
        caught.value
    )
    assert files(cache) == []


def test_a_web_page_is_not_the_file(cache: Path) -> None:
    with serving(Server(b"<html>", media_type="text/html; charset=utf-8")) as site:
        assert failure(pin_of(site.url()), cache, site=site) == (
            f"source menu: {site.url()}: the server answered with a web page, not with the file. "
            "Get the file by hand and name its folder in SORITES_SOURCES."
        )


def test_the_client_says_who_it_is(cache: Path) -> None:
    with serving(Server(CONTENT)) as site:
        obtain(pin_of(site.url()), Silent(), search=[], cache=cache, transport=site.transport())
        assert site.requests[0]["User-Agent"].startswith("sorites/")


def test_a_file_beside_the_spec(tmp_path: Path, cache: Path) -> None:
    file = tmp_path / "data.txt"
    pin = replace(pin_of(""), url=None, file=file)
    assert failure(pin, cache) == (
        "source menu: …/data.txt cannot be read: No such file or directory"
    )
    file.write_bytes(CONTENT)
    assert obtain(pin, Silent(), cache=cache) == file


def test_mirrors_are_bounded(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path.joinpath("m", *"abcdefghijkl")
    deep.mkdir(parents=True)
    (deep / "data.txt").write_bytes(CONTENT)
    monkeypatch.setenv("SORITES_OFFLINE", "1")
    message = failure(pin_of("https://example.org/data.txt"), cache, tmp_path / "m")
    assert message == (
        "source menu: data.txt is neither below SORITES_SOURCES (…/m) nor in the cache (…/cache), "
        "and SORITES_OFFLINE forbids fetching it. Put the file into a folder and name that folder "
        "in SORITES_SOURCES."
    )
    missing = failure(pin_of("https://example.org/data.txt"), cache, tmp_path / "none")
    assert missing == "source menu: SORITES_SOURCES names …/none, which is not a folder"


def test_folders_come_from_the_environment(
    mirror: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (mirror / "data.txt.gz").write_bytes(PACKED["data.txt.gz"])
    monkeypatch.setenv("SORITES_SOURCES", os.pathsep.join([str(cache.parent), str(mirror)]))
    monkeypatch.setenv("SORITES_CACHE", str(cache))
    found = obtain(pin_of("https://example.org/data.txt"), Silent())
    assert found == cache / f"{SHA}-data.txt"


HOSTILE = {
    "../member": (
        zipped(("../evil.txt", CONTENT)),
        ".zip",
        "the member '../evil.txt' leads out of its folder",
    ),
    "absolute": (zipped(("/evil", b"x")), ".zip", "the member '/evil' leads out of its folder"),
    "backslash": (
        zipped(("..\\evil", b"x")),
        ".zip",
        "the member '..\\\\evil' leads out of its folder",
    ),
    "folder": (zipped(("evil/", b"")), ".zip", "the member 'evil/' is not a file"),
    "two members": (
        zipped(("a", b"x"), ("b", b"y")),
        ".zip",
        "2 members; a .zip must hold one file only",
    ),
    "no zip": (b"PK no", ".zip", "a damaged archive (File is not a zip file); get the file again"),
    "gz bomb": (
        gzip.compress(bytes(50_000_000)),
        ".gz",
        "the content is more than 1,048,576 bytes. If that is right, raise max_bytes of the "
        "source in the spec.",
    ),
    "xz bomb": (
        lzma.compress(bytes(50_000_000)),
        ".xz",
        "the content is more than 1,048,576 bytes. If that is right, raise max_bytes of the "
        "source in the spec.",
    ),
    "zip bomb": (
        zipped(("a", bytes(50_000_000))),
        ".zip",
        "the content is more than 1,048,576 bytes. If that is right, raise max_bytes of the "
        "source in the spec.",
    ),
    "gz cut short": (PACKED["data.txt.gz"][:-100], ".gz", "cut short; get the file again"),
    "xz cut short": (PACKED["data.txt.xz"][:-100], ".xz", "cut short; get the file again"),
    "no gz": (
        b"no",
        ".gz",
        "a damaged archive (Not a gzipped file (b'no')); get the file again",
    ),
    "no xz": (
        b"no xz at all",
        ".xz",
        "a damaged archive (Input format not supported by decoder); get the file again",
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_archives(case: str, mirror: Path, cache: Path) -> None:
    content, suffix, message = HOSTILE[case]
    (mirror / f"data.txt{suffix}").write_bytes(content)
    found = failure(pin_of("https://example.org/data.txt"), cache, mirror)
    assert found == f"source menu: …/mirror/data.txt{suffix}: {message}"
    assert files(cache) == []
    assert files(cache.parent) == ["cache", f"data.txt{suffix}", "deep", "er", "mirror"]


def test_xz_streams_in_a_row_and_an_empty_one(mirror: Path, cache: Path) -> None:
    half = len(CONTENT) // 2
    both = lzma.compress(CONTENT[:half]) + bytes(8) + lzma.compress(CONTENT[half:]) + bytes(4)
    (mirror / "data.txt.xz").write_bytes(both)
    found = obtain(pin_of("https://x.org/data.txt"), Silent(), search=[mirror], cache=cache)
    assert found.read_bytes() == CONTENT


class Watched(Silent):
    """A progress that keeps what it was told."""

    def __init__(self) -> None:
        self.stages: list[tuple[str, int]] = []
        self.steps = 0

    def stage(self, name: str, total: int) -> Advance:
        self.stages.append((name, total))
        self.steps = 0

        def advance(steps: int) -> None:
            self.steps += steps

        return advance


@pytest.mark.parametrize("name", ["data.txt", *PACKED])
def test_a_download(name: str, cache: Path) -> None:
    body = PACKED.get(name, CONTENT)
    with serving(Server(body)) as site:
        pin = pin_of(site.url(name))
        progress = Watched()
        found = obtain(pin, progress, search=[], cache=cache, transport=site.transport())
        assert found.read_bytes() == CONTENT
        assert progress.stages[0] == ("fetch source menu", len(body))
        assert progress.steps == len(body)
        assert files(cache) == [f"{SHA}-data.txt"]
        assert obtain(pin, Silent(), search=[], cache=cache) == found
        assert len(site.requests) == 1
        found.write_bytes(b"altered")
        again = obtain(pin, Silent(), search=[], cache=cache, transport=site.transport())
        assert again.read_bytes() == CONTENT


def test_a_cut_download_goes_on_where_it_was_cut(cache: Path) -> None:
    with serving(Server(CONTENT, cuts=[100_000, 50_000])) as site:
        progress = Watched()
        pin = pin_of(site.url())
        found = obtain(pin, progress, search=[], cache=cache, transport=site.transport())
        assert found.read_bytes() == CONTENT
        asked = [request.get("Range") for request in site.requests]
        assert asked == [None, "bytes=100000-", "bytes=150000-"]
        assert progress.steps == len(CONTENT)


def test_a_download_that_always_breaks_off_is_kept_for_the_next_run(cache: Path) -> None:
    with serving(Server(CONTENT, cuts=[100_000, 0, 0])) as site:
        pin = pin_of(site.url())
        message = failure(pin, cache, site=site)
        assert message.startswith(f"source menu: {site.url()} could not be fetched: ")
        assert message.endswith(
            ". Run the same command again to go on where it stopped. Get the file by hand and "
            "name its folder in SORITES_SOURCES."
        )
        assert files(cache) == [f"{SHA}-data.txt.part", f"{SHA}-data.txt.part.tag"]
        obtain(pin, Silent(), search=[], cache=cache, transport=site.transport())
        assert site.requests[-1]["Range"] == "bytes=100000-"
        assert files(cache) == [f"{SHA}-data.txt"]


@pytest.mark.parametrize("change", ["etag", "ranges", "no etag"])
def test_a_download_starts_anew_where_it_cannot_go_on(change: str, cache: Path) -> None:
    site = Server(CONTENT, cuts=[100_000, 0, 0], etag="" if change == "no etag" else '"one"')
    with serving(site):
        pin = pin_of(site.url())
        failure(pin, cache, site=site)
        site.etag = '"two"' if change == "etag" else site.etag
        site.ranges = change != "ranges"
        found = obtain(pin, Silent(), search=[], cache=cache, transport=site.transport())
        assert found.read_bytes() == CONTENT


def test_a_longer_part_than_the_file_is_thrown_away(cache: Path) -> None:
    with serving(Server(CONTENT)) as site:
        cache.mkdir()
        (cache / f"{SHA}-data.txt.part").write_bytes(CONTENT + b"more")
        (cache / f"{SHA}-data.txt.part.tag").write_text('"one"')
        pin = pin_of(site.url())
        found = obtain(pin, Silent(), search=[], cache=cache, transport=site.transport())
        assert found.read_bytes() == CONTENT
        assert files(cache) == [f"{SHA}-data.txt"]


def test_a_wrong_checksum(cache: Path) -> None:
    for name, body in (("data.txt", b"other"), ("data.txt.gz", gzip.compress(b"other"))):
        with serving(Server(body)) as site:
            other = hashlib.sha256(b"other").hexdigest()
            assert failure(pin_of(site.url(name)), cache, site=site) == (
                f"source menu: wrong checksum: {site.url(name)} has {other}; the spec has {SHA} "
                f"for {site.url(name)}. Replace the file by the version that the spec names, or "
                "correct the spec."
            )
            assert files(cache) == []


def test_a_download_over_the_cap(cache: Path) -> None:
    with serving(Server(CONTENT)) as site:
        message = (
            f"source menu: {site.url()} is more than 1,000 bytes. If that is right, raise "
            "max_bytes of the source in the spec."
        )
        assert failure(pin_of(site.url(), most=1000), cache, site=site) == message
        assert files(cache) == [f"{SHA}-data.txt.part", f"{SHA}-data.txt.part.tag"]
    # A server may say nothing of the length, or not the truth.
    with serving(Server(CONTENT, length=-1)) as site:
        assert "more than 1,000 bytes" in failure(pin_of(site.url(), most=1000), cache, site=site)
    assert f"{SHA}-data.txt" not in files(cache)


def test_a_bomb_is_not_unpacked(cache: Path) -> None:
    with serving(Server(gzip.compress(bytes(50_000_000)))) as site:
        message = failure(pin_of(site.url("data.txt.gz")), cache, site=site)
        assert message.endswith(
            "the content is more than 1,048,576 bytes. If that is right, raise max_bytes of the "
            "source in the spec."
        )
        assert files(cache) == []


def test_redirects(cache: Path) -> None:
    with serving(Server(CONTENT)) as site:
        site.redirects = {
            "/a.txt": "/data.txt",
            "/b.txt": "http://localhost:1/data.txt",
            "/c.txt": "/c.txt",
            "/d.txt": "file:///etc/passwd",
        }
        found = obtain(
            pin_of(site.url("a.txt")), Silent(), search=[], cache=cache, transport=site.transport()
        )
        assert found.read_bytes() == CONTENT
        found.unlink()
        assert failure(pin_of(site.url("b.txt")), cache, site=site) == (
            f"source menu: {site.url('b.txt')} leads to http://localhost:1/data.txt: not https"
        )
        assert failure(pin_of(site.url("c.txt")), cache, site=site) == (
            f"source menu: {site.url('c.txt')} redirects more than 5 times"
        )
        assert failure(pin_of(site.url("d.txt")), cache, site=site).endswith("not https")


def test_errors_of_the_server(cache: Path) -> None:
    with serving(Server(CONTENT, status=404)) as site:
        assert failure(pin_of(site.url()), cache, site=site) == (
            f"source menu: {site.url()}: the server answered 404 Not Found. Get the file by hand "
            "and name its folder in SORITES_SOURCES."
        )
    with serving(Server(CONTENT, encoding="gzip")) as site:
        assert "was sent in an encoding" in failure(pin_of(site.url()), cache, site=site)


def test_a_certificate_that_nobody_knows(cache: Path) -> None:
    with serving(Server(CONTENT)) as site:
        message = failure(pin_of(site.url()), cache)
        assert "CERTIFICATE_VERIFY_FAILED" in message
        assert site.requests == []


def test_offline(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SORITES_OFFLINE", "1")
    with serving(Server(CONTENT)) as site:
        assert failure(pin_of(site.url()), cache, site=site) == (
            "source menu: data.txt is neither below SORITES_SOURCES (which is not set) nor in the "
            "cache (…/cache), and SORITES_OFFLINE forbids fetching it. Put the file into a folder "
            "and name that folder in SORITES_SOURCES."
        )
        assert site.requests == []


def test_two_at_once(cache: Path) -> None:
    with serving(Server(CONTENT, stall=1000)) as site, ThreadPoolExecutor(4) as pool:
        pin = pin_of(site.url())
        jobs = [
            pool.submit(obtain, pin, Silent(), search=[], cache=cache, transport=site.transport())
            for _ in range(4)
        ]
        for _ in jobs:
            # None of them has it before all of them have begun.
            assert site.stalled.acquire(timeout=60)
        site.released.set()
        assert {job.result().read_bytes() for job in jobs} == {CONTENT}
    assert files(cache) == [f"{SHA}-data.txt"]


PROGRAM = """
import resource, ssl, sys
from pathlib import Path
import httpx2
from sorites.progress import Silent
from sorites.sources.fetch import obtain
from sorites.specfile.model import SourcePin
url, sha, cache, certificate, most = sys.argv[1:]
if int(most):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(most), int(most)))
pin = SourcePin("menu", "1", "cc0-1.0", "A café", sha, url=url)
context = ssl.create_default_context(cafile=certificate)
obtain(pin, Silent(), search=[], cache=Path(cache), transport=httpx2.HTTPTransport(verify=context))
"""


def process(
    site: Server, cache: Path, most: int = 0
) -> AbstractContextManager[subprocess.Popen[str]]:
    command = [sys.executable, "-c", PROGRAM, site.url(), SHA, cache, CERTIFICATE, str(most)]
    return started(command, stderr=subprocess.PIPE)


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGINT])
def test_killed_half_way_and_run_again(by: signal.Signals, cache: Path) -> None:
    with serving(Server(CONTENT, stall=300_000)) as site:
        with process(site, cache) as victim:
            assert site.stalled.acquire(timeout=60)
            part = cache / f"{SHA}-data.txt.part"
            while not part.exists() or part.stat().st_size == 0:
                assert victim.poll() is None
            victim.send_signal(by)
            assert victim.wait() == -by
        kept = part.stat().st_size
        assert 0 < kept < len(CONTENT)
        site.stall = None
        found = obtain(
            pin_of(site.url()), Silent(), search=[], cache=cache, transport=site.transport()
        )
        assert found.read_bytes() == CONTENT
        assert site.requests[-1]["Range"] == f"bytes={kept}-"


def test_a_full_disk(cache: Path) -> None:
    with serving(Server(CONTENT)) as site:
        with process(site, cache, most=65_536) as victim:
            _, told = victim.communicate()
            assert victim.returncode == 1
        assert told.strip().splitlines()[-1] == (
            f"sorites.errors.SourceError: source menu: no space left to write "
            f"{cache}/{SHA}-data.txt.part. Free some, or set SORITES_CACHE to a folder on another "
            "disk."
        )
        assert f"{SHA}-data.txt" not in files(cache)


def test_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file, not a folder")
    with serving(Server(CONTENT)) as site:
        message = failure(pin_of(site.url()), tmp_path / "cache", site=site)
        assert message == f"source menu: …/cache/{SHA}-data.txt.part cannot be written: File exists"
