"""A provider on loopback, over HTTP, with everything that goes wrong there."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from sorites_eval.backends.api.pacing import Clock

KEY = "sk-secret-of-this-test"

HEAD = {"id": "chat-1", "object": "chat.completion", "created": 1, "model": "small"}

Body = dict[str, object]
Fault = tuple[int, dict[str, str], object]


@dataclass
class Provider:
    """What the endpoint does: faults to serve first, and all that it was asked.

    ``refuses`` are fields it does not know, told in the way of ``dialect``; ``rate`` lets so many
    requests through in so many seconds. ``item`` may answer a body in a way of its own.
    """

    url: str = ""
    faults: list[Fault] = field(default_factory=list)
    refuses: set[str] = field(default_factory=set)
    dialect: str = "param"
    knows_system: bool = True
    item: Callable[[Body], Fault | Body | None] = lambda body: None
    rate: tuple[int, float] | None = None
    retry_after: str | None = None
    stalls: int = 0
    trickles: int = 0
    turned_away: int = 0
    bodies: list[Body] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    files: dict[str, str] = field(default_factory=dict)
    batches: dict[str, dict[str, object]] = field(default_factory=dict)
    polls: int = 0
    loses: set[int] = field(default_factory=set)
    at_once: int = 0
    most_at_once: int = 0
    gate: threading.Barrier | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)
    over: threading.Event = field(default_factory=threading.Event)
    recent: deque[float] = field(default_factory=deque)

    def answer(self, body: Body) -> Body:
        """True for a conclusion that says so, False for any other."""
        text = said(body)
        message = {"role": "assistant", "content": f"{text}."}
        choice: Body = {"index": 0, "message": message, "finish_reason": "stop"}
        if body.get("logprobs"):
            other = {"True": "False", "False": "True"}[text]
            top = [(text, -0.2), ("Maybe", -2.0), (f" {other}", -3.2)]
            listed = [{"token": t, "logprob": p} for t, p in top]
            choice["logprobs"] = {"content": [{"token": text, "top_logprobs": listed}]}
        usage = {"prompt_tokens": 100, "completion_tokens": 2, "total_tokens": 102}
        return {**HEAD, "choices": [choice], "system_fingerprint": "fp_1", "usage": usage}

    def lets_through(self) -> bool:
        """Whether one more request is within the rate."""
        if self.rate is None:
            return True
        count, seconds = self.rate
        with self.lock:
            now = time.monotonic()
            while self.recent and self.recent[0] <= now - seconds:
                self.recent.popleft()
            if len(self.recent) >= count:
                self.turned_away += 1
                return False
            self.recent.append(now)
            return True


def said(body: Body) -> str:
    """The right answer to a body."""
    return "True" if "It is true that" in question(body) else "False"


def question(body: Body) -> str:
    """The last turn."""
    messages = body["messages"]
    assert isinstance(messages, list)
    return str(messages[-1]["content"])


def told(text: object, finish: str | None = "stop", **message: object) -> Body:
    """A chat completion with a text."""
    content = {"role": "assistant", "content": text, **message}
    return {**HEAD, "choices": [{"index": 0, "message": content, "finish_reason": finish}]}


class Skipping:
    """A clock whose sleeps pass at once, and are noted."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self._ahead = 0.0
        self._lock = threading.Lock()

    def clock(self) -> Clock:
        return Clock(self._now, self._sleep)

    def _now(self) -> float:
        return time.monotonic() + self._ahead

    def _sleep(self, seconds: float) -> None:
        with self._lock:
            self.waits.append(seconds)
            self._ahead += seconds


@contextmanager
def serving(made: Provider) -> Iterator[Provider]:
    """The provider, on a port of its own until the end."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(made))
    server.daemon_threads = True
    made.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield made
    finally:
        made.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


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
                stalls, provider.stalls = provider.stalls > 0, provider.stalls - 1
                trickles, provider.trickles = provider.trickles > 0, provider.trickles - 1
            if stalls or trickles:
                self.hang(trickles)
            elif fault:
                status, headers, body = fault
                self.send(status, body, headers)
            elif self.path == "/v1/files":
                self.send(200, self.kept(content))
            elif self.path == "/v1/batches":
                self.send(200, self.started(json.loads(content)))
            else:
                self.completed(json.loads(content))

        def hang(self, trickles: bool) -> None:
            """Half an answer, and then nothing, or a space now and then for ever."""
            self.send_response(200)
            self.send_header("Content-Length", "100000")
            self.end_headers()
            self.close_connection = True
            try:
                self.wfile.write(b'{"choices": [')
                while not provider.over.wait(0.02 if trickles else 30):
                    self.wfile.write(b" ")
            except OSError:
                pass

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

        def refuse(self, name: str) -> None:
            if provider.dialect == "param":
                error = {"message": f"Unsupported parameter: {name}", "param": name}
                self.send(400, {"error": error})
            elif provider.dialect == "loc":
                entry = {"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs"}
                self.send(422, {"detail": [entry]})
            else:
                self.send(400, f"unknown field '{name}'")

        def completed(self, body: Body) -> None:
            for name in sorted(provider.refuses & body.keys()):
                self.refuse(name)
                return
            roles = [turn["role"] for turn in body["messages"]]
            if "system" in roles and not provider.knows_system:
                self.send(400, {"object": "error", "message": "Only user and assistant roles"})
                return
            if not provider.lets_through():
                after = (
                    {} if provider.retry_after is None else {"Retry-After": provider.retry_after}
                )
                self.send(429, {"error": {"message": "Too many."}}, after)
                return
            own = provider.item(body)
            if isinstance(own, tuple):
                status, headers, answer = own
                self.send(status, answer, headers)
                return
            with provider.lock:
                provider.at_once += 1
                provider.most_at_once = max(provider.most_at_once, provider.at_once)
                provider.bodies.append(body)
                first = len(provider.bodies) == 1
            if provider.gate and not first:
                provider.gate.wait(20)
            answer = own or provider.answer(body)
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
                own = provider.item(entry["body"])
                body: object = provider.answer(entry["body"]) if good else {"error": "overloaded"}
                status = 200 if good else 500
                if isinstance(own, tuple):
                    status, _, body = own
                response = {"status_code": status, "body": body}
                done.append(json.dumps({"custom_id": entry["custom_id"], "response": response}))
            provider.files[f"out-{batch['id']}"] = "\n".join(reversed(done))
            batch |= {"status": "completed", "output_file_id": f"out-{batch['id']}"}

    return Handler
