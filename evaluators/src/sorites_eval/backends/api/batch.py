"""The Batch API: all requests in one file, answered within a day at half the price.

What was submitted is noted in the run's folder, so that a command that was interrupted while it
waited finds its batch again and never pays twice.
"""

from __future__ import annotations

import hashlib
import json as json_
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from sorites_eval.backends.api.endpoint import Endpoint
from sorites_eval.backends.api.form import ChatFormat
from sorites_eval.backends.api.refusal import Failed, Refused, failed_reply, refusal
from sorites_eval.backends.protocol import Reply
from sorites_eval.contract.tasks import Scalar
from sorites_eval.errors import ModelError
from sorites_eval.files import write_text
from sorites_eval.prompts.requests import Request

__all__ = ["Batch"]

POLL = 30.0
OVER = frozenset({"completed", "failed", "expired", "cancelled"})


class Batch:
    """Answers through one batch; ``folder`` is the run's."""

    def __init__(
        self,
        endpoint: Endpoint,
        form: ChatFormat,
        folder: Path,
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._endpoint = endpoint
        self._form = form
        self._note = folder / "batch.json"
        self._sleep = sleep

    def identity(self) -> Mapping[str, Scalar]:
        """As when asked one by one: a batch changes no answer."""
        return {"backend": "openai", "endpoint": self._endpoint.url, **self._form.identity()}

    def notes(self) -> Mapping[str, Scalar]:
        """The fields sent."""
        return {**self._form.notes(), "batch": True}

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """Submit, or find what was submitted; wait; collect. Replies come all at the end.

        Requests that the batch did not answer are an error, once all others are handed over.
        """
        places = {_identity(request): number for number, request in enumerate(requests)}
        batch = self._wait(self._submitted(requests, places))
        answered: set[int] = set()
        trouble = f"the batch has {batch['status']}"
        for identity, reply, said in self._collect(batch):
            if reply is None:
                trouble = said
            elif identity in places:
                answered.add(places[identity])
                yield places[identity], reply
        self._note.unlink(missing_ok=True)
        if missing := len(requests) - len(answered):
            raise ModelError(
                f"{self._endpoint.url}: {missing} requests of the batch were not answered; the "
                f"last reason: {trouble}. The same command submits what is missing."
            )

    def _submitted(
        self, requests: Sequence[Request], places: Mapping[str, int]
    ) -> dict[str, object]:
        if (batch := self._noted(places)) is not None:
            return batch
        content = "".join(self._line(request) for request in requests).encode()
        file = self._json(
            "POST", "/files", data={"purpose": "batch"}, upload=("requests.jsonl", content)
        )
        asked = {
            "input_file_id": file["id"],
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
        }
        batch = self._json("POST", "/batches", json=asked)
        note = {"batch": batch["id"], "endpoint": self._endpoint.url, "requests": list(places)}
        write_text(self._note, json_.dumps(note) + "\n")
        return batch

    def _noted(self, places: Mapping[str, int]) -> dict[str, object] | None:
        """The batch submitted before, if it has all that is still to be answered."""
        try:
            note = json_.loads(self._note.read_bytes())
            same = note["endpoint"] == self._endpoint.url
            if same and places.keys() <= set(note["requests"]):
                return self._get(f"/batches/{note['batch']}")
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return None

    def _line(self, request: Request) -> str:
        line = {
            "custom_id": _identity(request),
            "method": "POST",
            "url": "/v1/chat/completions",
            "body": self._form.body(request),
        }
        return json_.dumps(line, ensure_ascii=False) + "\n"

    def _wait(self, batch: dict[str, object]) -> dict[str, object]:
        while batch.get("status") not in OVER:
            self._sleep(POLL)
            batch = self._get(f"/batches/{batch['id']}")
        return batch

    def _collect(self, batch: Mapping[str, object]) -> Iterator[tuple[str, Reply | None, str]]:
        """Replies by their ids; None and the reason for a request that was not answered.

        One that was refused for what it holds is answered with that.
        """
        for key in ("output_file_id", "error_file_id"):
            if not batch.get(key):
                continue
            text = self._endpoint.call("GET", f"/files/{batch[key]}/content").decode()
            for line in filter(None, text.splitlines()):
                entry = json_.loads(line)
                identity = str(entry["custom_id"])
                response = entry.get("response") or {}
                status, body = response.get("status_code"), response.get("body") or {}
                if status == 200:
                    yield identity, self._form.reply(body), ""
                elif status in {400, 413, 422}:
                    yield identity, failed_reply(refusal(json_.dumps(body), status)), ""
                else:
                    yield identity, None, str(entry.get("error") or body or "no answer")[:300]

    def _get(self, path: str) -> dict[str, object]:
        return self._json("GET", path)

    def _json(
        self,
        method: str,
        path: str,
        *,
        json: object = None,
        data: Mapping[str, str] | None = None,
        upload: tuple[str, bytes] | None = None,
    ) -> dict[str, object]:
        try:
            content = self._endpoint.call(method, path, json=json, data=data, upload=upload)
            value = json_.loads(content)
        except (Refused, Failed) as error:
            trouble = failed_reply(error).trouble
            raise ModelError(f"{self._endpoint.url}{path}: {trouble}") from error
        except ValueError as error:
            raise ModelError(f"{self._endpoint.url}{path}: the answer is not JSON.") from error
        if not isinstance(value, dict):
            raise ModelError(f"{self._endpoint.url}{path}: the answer is not an object.")
        return value


def _identity(request: Request) -> str:
    """An id of at most 64 characters that is the same in every run."""
    text = f"{request.id}\0{request.view}\0{request.digest()}"
    return hashlib.sha256(text.encode()).hexdigest()[:48]
