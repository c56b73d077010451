"""The real huggingface_hub and datasets in a process of their own, as a user would run them.

Endpoint, cache and token are settings of the environment that the libraries read once, when
they are imported: hence a process. It takes calls as lines of JSON, so that a test can make
many without starting Python each time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.processes import PATIENCE

ROOT = Path(__file__).resolve().parents[2]

LOOP = """
import dataclasses, json, sys
from pathlib import Path

from sorites.errors import SoritesError
from sorites.release.compare.diff import diff_releases
from sorites.release.hub.download import downloaded
from sorites.release.hub.publish import publish

naps = []

def do_publish(directory, repo, **options):
    naps.clear()
    done = publish(Path(directory), repo, sleep=naps.append, **options)
    changes = done.difference and [change.text for change in done.difference.changes]
    return dataclasses.asdict(dataclasses.replace(done, difference=None)) | {
        "changes": changes, "summary": done.summary()
    }

def do_naps():
    return naps

def do_diff(old, new):
    with downloaded(old) as before, downloaded(new) as after:
        return [change.text for change in diff_releases(before, after).changes]

def do_mirror(repo, sources):
    from sorites.release.hub.mirror import publish_sources
    from sorites.specfile.model import SourcePin
    pins = [
        (SourcePin(id=name, version="1", license=licence, attribution="", sha256=sha256,
                   url="https://example.org/" + name), Path(path))
        for name, licence, sha256, path in sources
    ]
    done = publish_sources(pins, repo)
    return {"uploaded": done.uploaded, "there": done.there, "refused": dict(done.refused)}

def do_mirrored(sha256, target):
    from sorites.release.hub.mirror import mirror_from_environment
    mirror_from_environment()(sha256, Path(target))
    return Path(target).read_text()

def do_load(repo, revision, config, split):
    from datasets import load_dataset
    from huggingface_hub import snapshot_download
    folder = snapshot_download(repo, repo_type="dataset", revision=revision)
    return load_dataset(folder, config, split=split).to_list()

def do_stream(repo, revision, config, split):
    from datasets import load_dataset
    return list(load_dataset(repo, config, split=split, revision=revision, streaming=True))

answers, sys.stdout = sys.stdout, sys.stderr
for line in sys.stdin:
    name, arguments, options = json.loads(line)
    try:
        answer = {"result": globals()["do_" + name](*arguments, **options)}
    except SoritesError as error:
        answer = {"error": str(error)}
    except Exception as error:
        answer = {"error": type(error).__name__, "text": str(error)}
    print(json.dumps(answer, default=str), file=answers, flush=True)
"""


class Client:
    """Calls in another process; ``kill`` ends it in the middle of one."""

    def __init__(self, home: Path, endpoint: str, token: str | None, **environment: str) -> None:
        self.home = home
        settings = {
            "HF_ENDPOINT": endpoint,
            "HF_HOME": str(home),
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            # What the tests import, the process imports too.
            "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)]),
        }
        if token is not None:
            settings["HF_TOKEN"] = token
        inherited = {name: value for name, value in os.environ.items() if name[:3] != "HF_"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", LOOP],
            env={**inherited, **settings, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=(home / "stderr.txt").open("a"),
            text=True,
        )

    def call(self, name: str, *arguments: str, **options: Any) -> Any:
        """The answer to a call: ``{"result": …}`` or ``{"error": …}``; None if it was killed.

        A call that takes longer than a child of the tests may is killed as well.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([name, arguments, options]) + "\n")
        self._process.stdin.flush()
        with self._watched():
            line = self._process.stdout.readline()
        return json.loads(line) if line else None

    def result(self, name: str, *arguments: str, **options: Any) -> Any:
        """The result of a call that must succeed."""
        answer = self.call(name, *arguments, **options)
        assert answer is not None
        assert "result" in answer, answer
        return answer["result"]

    @property
    def messages(self) -> str:
        """All that the process wrote for a person to read."""
        return (self.home / "stderr.txt").read_text()

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        with self._watched():
            self._process.wait()
        self._process.stdout.close()

    @contextmanager
    def _watched(self) -> Iterator[None]:
        watch = threading.Timer(PATIENCE, self._process.kill)
        watch.daemon = True
        watch.start()
        try:
            yield
        finally:
            watch.cancel()


@contextmanager
def client(home: Path, endpoint: str, token: str | None, **environment: str) -> Iterator[Client]:
    """A client for as long as the block runs; ``home`` holds its cache."""
    home.mkdir(parents=True, exist_ok=True)
    running = Client(home, endpoint, token, **environment)
    try:
        yield running
    finally:
        running.close()
