"""Models behind an endpoint: on loopback, over HTTP, with everything that goes wrong there."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from sorites_eval.backends.api.batch import Batch
from sorites_eval.backends.api.chat import Api, ChatFormat
from sorites_eval.backends.api.endpoint import ATTEMPTS, Endpoint, waiting_time
from sorites_eval.backends.api.estimate import estimate
from sorites_eval.contract.release import open_release
from sorites_eval.contract.tasks import Task
from sorites_eval.errors import ModelError
from sorites_eval.prompts.requests import ask, prepare
from sorites_eval.running.run import Plan, perform, plan

KEY = "sk-secret-of-this-test"


@dataclass
class Provider:
    """What the endpoint does: faults to serve first, and all that it was asked."""

    url: str = ""
    faults: list[tuple[int, dict[str, str], dict[str, object]]] = field(default_factory=list)
    refuses: set[str] = field(default_factory=set)
    bodies: list[dict[str, object]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    files: dict[str, str] = field(default_factory=dict)
    batches: dict[str, dict[str, object]] = field(default_factory=dict)
    polls: int = 0
    loses: set[int] = field(default_factory=set)
    at_once: int = 0
    most_at_once: int = 0
    gate: threading.Barrier | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, body: dict[str, object]) -> dict[str, object]:
        """True for a conclusion that says so, False for any other."""
        question = body["messages"][-1]["content"]
        text = "True" if "It is true that" in question else "False"
        message = {"role": "assistant", "content": f"{text}."}
        choice: dict[str, object] = {"index": 0, "message": message}
        if body.get("logprobs"):
            other = {"True": "False", "False": "True"}[text]
            top = [(text, -0.2), ("Maybe", -2.0), (f" {other}", -3.2)]
            listed = [{"token": t, "logprob": p} for t, p in top]
            choice["logprobs"] = {"content": [{"token": text, "top_logprobs": listed}]}
        return {"choices": [choice], "system_fingerprint": "fp_1"}


def handler(provider: Provider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *arguments: object) -> None:
            """Nothing on the console."""

        def send(self, status: int, body: object, headers: dict[str, str] | None = None) -> None:
            content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
            self.send_response(status)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            with provider.lock:
                provider.keys.add(self.headers.get("Authorization", ""))
                fault = provider.faults.pop(0) if provider.faults else None
            if fault:
                status, headers, body = fault
                self.send(status, body, headers)
            elif self.path == "/v1/files":
                self.send(200, self.kept(content))
            elif self.path == "/v1/batches":
                self.send(200, self.started(json.loads(content)))
            else:
                self.completed(json.loads(content))

        def do_GET(self) -> None:
            *_, kind, identity = self.path.removesuffix("/content").split("/")
            if kind == "files":
                self.send(200, provider.files[identity])
                return
            provider.polls += 1
            batch = provider.batches[identity]
            if provider.polls % 2 == 0 and batch["status"] == "in_progress":
                self.complete(batch)
            self.send(200, batch)

        def completed(self, body: dict[str, object]) -> None:
            for param in provider.refuses & body.keys():
                error = {"message": f"Unsupported parameter: {param}", "param": param}
                self.send(400, {"error": error})
                return
            with provider.lock:
                provider.at_once += 1
                provider.most_at_once = max(provider.most_at_once, provider.at_once)
                provider.bodies.append(body)
                first = len(provider.bodies) == 1
            if provider.gate and not first:
                provider.gate.wait(20)
            answer = provider.answer(body)
            with provider.lock:
                provider.at_once -= 1
            self.send(200, answer)

        def kept(self, content: bytes) -> dict[str, object]:
            kind = self.headers["Content-Type"].encode()
            message = BytesParser().parsebytes(b"Content-Type: " + kind + b"\r\n\r\n" + content)
            parts = {
                p.get_param("name", header="content-disposition"): p for p in message.get_payload()
            }
            assert parts["purpose"].get_payload() == "batch"
            identity = f"file-{len(provider.files)}"
            provider.files[identity] = parts["file"].get_payload(decode=True).decode()
            return {"id": identity}

        def started(self, asked: dict[str, object]) -> dict[str, object]:
            identity = f"batch_{len(provider.batches)}"
            batch = {"id": identity, "status": "in_progress", **asked}
            provider.batches[identity] = batch
            return batch

        def complete(self, batch: dict[str, object]) -> None:
            done = []
            for line in provider.files[str(batch["input_file_id"])].splitlines():
                entry = json.loads(line)
                provider.bodies.append(entry["body"])
                good = len(provider.bodies) - 1 not in provider.loses
                body = provider.answer(entry["body"]) if good else {"error": "overloaded"}
                response = {"status_code": 200 if good else 500, "body": body}
                done.append(json.dumps({"custom_id": entry["custom_id"], "response": response}))
            provider.files[f"out-{batch['id']}"] = "\n".join(reversed(done))
            batch |= {"status": "completed", "output_file_id": f"out-{batch['id']}"}

    return Handler


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    made = Provider()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(made))
    made.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    yield made
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def drawn(small_release: Path) -> Plan:
    release = open_release(small_release)
    return plan(release, release.task("entailment"), "zero-shot")


def api(
    provider: Provider, task: Task, waits: list[float] | None = None, *, logprobs: bool = False
) -> Api:
    endpoint = Endpoint(provider.url, sleep=(waits if waits is not None else []).append)
    form = ChatFormat("small-model", task, 7, logprobs=logprobs)
    return Api(endpoint, form, seed=7, concurrency=4)


def test_a_run_over_http(provider: Provider, drawn: Plan, tmp_path: Path) -> None:
    result = perform(drawn, api(provider, drawn.task), tmp_path)
    overall = result.scores["overall"]
    assert isinstance(overall, dict)
    assert overall["accuracy"] == 1.0
    assert len(provider.bodies) == 12
    body = provider.bodies[0]
    assert (body["temperature"], body["seed"], body["max_tokens"]) == (0, 7, 8)
    assert [m["role"] for m in body["messages"]] == ["system", "user"]
    about = json.loads((tmp_path / "run.json").read_text())
    assert about["model"]["endpoint"] == provider.url
    assert about["notes"]["fingerprints"] == "fp_1"


def test_the_key_is_sent_and_written_nowhere(
    provider: Provider, drawn: Plan, tmp_path: Path
) -> None:
    perform(drawn, api(provider, drawn.task), tmp_path)
    assert provider.keys == {f"Bearer {KEY}"}
    for path in tmp_path.iterdir():
        assert KEY.encode() not in path.read_bytes()


def test_several_requests_travel_at_once(provider: Provider, drawn: Plan) -> None:
    """After the first, the server answers four at a time, and only when all four are there."""
    provider.gate = threading.Barrier(4)
    requests = list(ask(drawn.release, drawn.task, "zero-shot", drawn.items))[:9]
    replies = dict(api(provider, drawn.task).answer(requests))
    assert sorted(replies) == list(range(9))
    assert provider.most_at_once == 4


def test_retry_after_is_honoured(provider: Provider, drawn: Plan, tmp_path: Path) -> None:
    provider.faults = [(429, {"Retry-After": "7"}, {}), (503, {}, {})]
    waits: list[float] = []
    perform(drawn, api(provider, drawn.task, waits), tmp_path)
    assert waits[0] == pytest.approx(7, abs=0.5)
    assert len(provider.bodies) == 12


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"}, 90),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:01 GMT"}, 0),
        ({"retry-after": "soon"}, None),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "120ms"}, 0.12),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0s"}, 360),
        ({"x-ratelimit-remaining-tokens": "10", "x-ratelimit-reset-tokens": "6m0s"}, None),
        ({}, None),
    ],
)
def test_what_headers_ask_for(headers: dict[str, str], seconds: float | None) -> None:
    assert waiting_time(headers, now=10) == seconds


def test_a_field_that_a_model_refuses_is_replaced_or_dropped(
    provider: Provider, drawn: Plan, tmp_path: Path
) -> None:
    provider.refuses = {"max_tokens", "temperature"}
    backend = api(provider, drawn.task)
    perform(drawn, backend, tmp_path)
    assert provider.bodies[0]["max_completion_tokens"] == 8
    assert backend.notes()["fields"] == "max_completion_tokens, model, seed"


def test_a_refusal_is_a_message_without_the_key(provider: Provider, drawn: Plan) -> None:
    error = {"error": {"message": "No such model.", "param": "model"}}
    provider.faults = [(404, {}, error)]
    requests = list(ask(drawn.release, drawn.task, "zero-shot", drawn.items))
    with pytest.raises(ModelError) as caught:
        list(api(provider, drawn.task).answer(requests))
    assert str(caught.value) == f"{provider.url}: refused with 404: No such model."


def test_an_endpoint_that_stays_away(provider: Provider, drawn: Plan) -> None:
    provider.faults = [(500, {}, {})] * ATTEMPTS
    waits: list[float] = []
    requests = list(ask(drawn.release, drawn.task, "zero-shot", drawn.items))
    with pytest.raises(ModelError) as caught:
        list(api(provider, drawn.task, waits).answer(requests))
    assert str(caught.value) == (
        f"{provider.url}: no answer after 8 attempts; the last: HTTP 500. The same command goes on "
        "from here."
    )
    assert len(waits) == ATTEMPTS - 1
    assert waits[5] > waits[0]


def test_a_key_never_travels_in_the_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with pytest.raises(ModelError) as caught:
        Endpoint("http://models.example/v1")
    assert KEY not in str(caught.value)
    monkeypatch.delenv("OPENAI_API_KEY")
    assert Endpoint("http://models.example/v1").url == "http://models.example/v1"
    with pytest.raises(ModelError, match="set OPENAI_API_KEY in the environment"):
        Endpoint(None)


def test_probabilities_where_they_are_offered(
    provider: Provider, drawn: Plan, tmp_path: Path
) -> None:
    result = perform(drawn, api(provider, drawn.task, logprobs=True), tmp_path)
    constrained = result.scores["constrained"]
    assert isinstance(constrained, dict)
    assert constrained["overall"]["accuracy"] == 1.0
    requests = list(ask(drawn.release, drawn.task, "zero-shot", drawn.items))
    ((_, reply),) = api(provider, drawn.task, logprobs=True).answer(requests[:1])
    assert reply.choice is not None
    assert reply.choice.margin == pytest.approx(3.0)
    assert reply.choice.lead == pytest.approx(1.8)
    assert reply.choice.mass == pytest.approx(0.8187 + 0.0408, abs=1e-3)


def batch(provider: Provider, task: Task, folder: Path, sleep: Callable[[float], None]) -> Batch:
    form = ChatFormat("small-model", task, 7, logprobs=False)
    return Batch(Endpoint(provider.url), form, folder, seed=7, sleep=sleep)


def test_a_batch_is_submitted_waited_for_and_collected(
    provider: Provider, drawn: Plan, tmp_path: Path
) -> None:
    waits: list[float] = []
    result = perform(drawn, batch(provider, drawn.task, tmp_path, waits.append), tmp_path)
    overall = result.scores["overall"]
    assert isinstance(overall, dict)
    assert overall["accuracy"] == 1.0
    assert waits == [30.0, 30.0]
    assert not (tmp_path / "batch.json").exists()


def test_an_interrupted_wait_finds_its_batch_again(
    provider: Provider, drawn: Plan, tmp_path: Path
) -> None:
    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        perform(drawn, batch(provider, drawn.task, tmp_path, interrupt), tmp_path)
    perform(drawn, batch(provider, drawn.task, tmp_path, lambda _: None), tmp_path)
    assert len(provider.batches) == 1
    assert len(provider.bodies) == 12


def test_what_a_batch_loses_is_submitted_again(
    provider: Provider, drawn: Plan, tmp_path: Path
) -> None:
    provider.loses = {3, 5}
    with pytest.raises(ModelError) as caught:
        perform(drawn, batch(provider, drawn.task, tmp_path, lambda _: None), tmp_path)
    assert str(caught.value).startswith(
        f"{provider.url}: 2 requests of the batch were not answered; the last reason: "
    )
    result = perform(drawn, batch(provider, drawn.task, tmp_path, lambda _: None), tmp_path)
    assert result.reused == 10
    second = provider.files[str(provider.batches["batch_1"]["input_file_id"])]
    assert len(second.splitlines()) == 2


def test_the_cost_of_a_release(small_release: Path) -> None:
    release = open_release(small_release)
    task = release.task("entailment")
    requests = list(ask(release, task, "few-shot", prepare(release, task)))
    text = estimate(requests, 8, 1000.0, 5000.0)
    read = sum(len(m.content) for r in requests for m in r.messages) // 4 + 4 * 10 * 12
    assert text.startswith(f"12 requests, about {read:,} tokens to read, at most 96 written: ")
    assert f"about ${(read * 1000 + 96 * 5000) / 1e6:,.2f} at most" in text
