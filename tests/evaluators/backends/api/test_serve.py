"""A real server of a real protocol: transformers serve, with a small model, over loopback."""

from __future__ import annotations

import os
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from sorites_eval.backends.api.chat import Api
from sorites_eval.backends.api.endpoint import Endpoint
from sorites_eval.backends.api.form import Asking, ChatFormat
from sorites_eval.backends.local.loading import Loaded
from sorites_eval.backends.local.model import Local
from sorites_eval.contract.tasks import Task
from sorites_eval.prompts.requests import Request
from tests.processes import started


def _command() -> str | None:
    """transformers where it can serve: named by the environment, or installed here with it."""
    if chosen := os.environ.get("SORITES_TRANSFORMERS"):
        return chosen
    try:
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        return None
    return shutil.which("transformers")


def _answers(address: str) -> bool:
    try:
        return httpx2.get(address).is_success
    except httpx2.TransportError:
        return False


@pytest.fixture(scope="module")
def model(make_model: Callable[..., Loaded]) -> Loaded:
    return make_model(tokenizer="bpe", template="chatml")


@pytest.fixture(scope="module")
def server(model: Loaded, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    command = _command()
    if command is None:
        pytest.skip("transformers[serving] is not here: SORITES_TRANSFORMERS can name its command")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = tmp_path_factory.mktemp("serve") / "log"
    folder = model.source
    options = ["--host", "127.0.0.1", "--port", str(port), "--device", "cpu", "--dtype", "float32"]
    environment = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    serve = [command, "serve", folder, *options]
    # It has as long to begin to answer as a child of the tests may take.
    with (
        log.open("wb") as stream,
        started(serve, env=environment, stdout=stream, stderr=stream) as process,
    ):
        while not _answers(f"http://127.0.0.1:{port}/health"):
            assert process.poll() is None, log.read_text()[-3000:]
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/v1"


def test_a_served_model_writes_what_it_writes_here(
    server: str,
    model: Loaded,
    tasks: dict[str, Task],
    requests: dict[tuple[str, str], list[Request]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    task, some = tasks["premise-selection"], requests["premise-selection", "few-shot"]
    form = ChatFormat(model.source, task, Asking())
    served = dict(Api(Endpoint(server), form, concurrency=2).answer(some))
    local = dict(Local(model, task).answer(some))
    assert len({reply.text for reply in local.values()}) > 1
    assert {n: r.text for n, r in served.items()} == {n: r.text for n, r in local.items()}


def test_a_run_over_a_served_model(
    server: str, model: Loaded, small_release: Path, tmp_path: Path
) -> None:
    from sorites_eval.contract.release import open_release
    from sorites_eval.running.run import perform, plan

    release = open_release(small_release)
    drawn = plan(release, release.task("entailment"), "zero-shot", limit=4)
    form = ChatFormat(model.source, drawn.task, Asking(logprobs=True))
    result = perform(drawn, Api(Endpoint(server), form, concurrency=2), tmp_path)
    overall = result.scores["overall"]
    assert isinstance(overall, dict)
    assert overall["n"] == 4
