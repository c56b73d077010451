"""Models of one's own: a function, an object that takes batches, or a whole backend.

What such a model returns for a request is its text, the log-probabilities of the labels, or a
``Reply`` that says everything.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import math
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import entry_points
from itertools import islice
from pathlib import Path
from typing import Protocol, runtime_checkable

from sorites_eval.backends.protocol import Backend, Choice, Reply
from sorites_eval.contract.tasks import Scalar
from sorites_eval.errors import ModelError, SoritesError
from sorites_eval.names import did_you_mean
from sorites_eval.prompts.requests import Request

__all__ = ["GROUP", "Answer", "Batched", "Custom", "Model", "as_backend", "find", "plugins"]

GROUP = "sorites_eval.models"
"""The group of entry points in which a package offers its models."""

NEAR_TIE = 1e-4
Answer = str | Mapping[str, float] | Reply
"""A text, log-probabilities in nats by label, or a reply."""


class Batched(Protocol):
    """A model that answers several requests at a time."""

    def answer_batch(self, requests: Sequence[Request]) -> Iterable[Answer]:
        """One answer a request, in their order; at most ``--batch-size`` of them are asked."""
        ...


@runtime_checkable
class _Complete(Protocol):
    def identity(self) -> Mapping[str, Scalar]: ...
    def notes(self) -> Mapping[str, Scalar]: ...
    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]: ...


Model = Backend | Batched | Callable[[Request], Answer]
"""What can be evaluated: a backend, an object with ``answer_batch``, a function of a request."""


class Custom:
    """A function or an object with ``answer_batch`` as a backend.

    ``identity`` is its name and the hash of its source, or what its own method ``identity``
    says beside the name. ``batch_size`` is how many requests ``answer_batch`` gets at a time.
    """

    def __init__(self, model: object, batch_size: int, name: str | None = None) -> None:
        batch = getattr(model, "answer_batch", None)
        if not callable(batch) and not callable(model):
            raise ModelError(
                f"{name or type(model).__name__}: neither a function nor an object with "
                "answer_batch(requests); see the page about own models."
            )
        self._model = model
        self._batch = batch if callable(batch) else None
        self._size = batch_size
        self._name = name or _name(model)

    def identity(self) -> Mapping[str, Scalar]:
        """The name, and the model's own ``identity()`` or else the sha256 of its source."""
        found: dict[str, Scalar] = {"backend": "python", "model": self._name}
        own = getattr(self._model, "identity", None)
        if not callable(own):
            return {**found, "source_sha256": _source(self._model)}
        for key, value in dict(own()).items():
            if not isinstance(value, str | int | float | bool | None):
                raise ModelError(
                    f"{self._name}: identity() has a {type(value).__name__} under {key!r}; "
                    "each entry is a text, a number, true, false or null."
                )
            found[str(key)] = value
        return found

    def notes(self) -> Mapping[str, Scalar]:
        """None."""
        return {}

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """Replies in the order of the requests; ModelError names the item where one fails."""
        size = self._size if self._batch else 1
        for start in range(0, len(requests), size):
            some = requests[start : start + size]
            for place, (request, answer) in enumerate(
                zip(some, self._asked(some), strict=True), start
            ):
                yield place, self._reply(request, answer)

    def _asked(self, asked: Sequence[Request]) -> list[object]:
        # The right answer stays here, so that no model sees it by mistake.
        some = [replace(request, gold="") for request in asked]
        first = some[0].id
        where = f"item {first}" if len(some) == 1 else f"items {first} to {some[-1].id}"
        try:
            if self._batch is None:
                assert callable(self._model)
                return [self._model(some[0])]
            # One more than asked for shows that there are too many, also of an endless stream.
            found = list(islice(self._batch(some), len(some) + 1))
        except SoritesError:
            raise
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            raise ModelError(
                f"{self._name}: {where}: {type(error).__name__}: {error} "
                f"({Path(last.filename).name}:{last.lineno})."
            ) from error
        if len(found) != len(some):
            count = "more" if len(found) > len(some) else str(len(found))
            raise ModelError(
                f"{self._name}: {where}: {count} answers to {len(some)} requests; "
                "answer_batch returns one for each, in their order."
            )
        return found

    def _reply(self, request: Request, answer: object) -> Reply:
        if isinstance(answer, Reply):
            return answer
        if isinstance(answer, str):
            return Reply(answer)
        if isinstance(answer, Mapping):
            return self._choice(request, answer)
        raise ModelError(
            f"{self._name}: item {request.id}: a {type(answer).__name__} is no answer; return "
            "a text, log-probabilities by label, or a Reply."
        )

    def _choice(self, request: Request, answer: Mapping[object, object]) -> Reply:
        where = f"{self._name}: item {request.id}"
        scores = dict.fromkeys(request.labels, -math.inf)
        for label, value in answer.items():
            if label not in scores:
                raise ModelError(
                    f'{where}: log-probability of an unknown label "{label}". '
                    f"{did_you_mean(str(label), scores)}"
                )
            scores[str(label)] = _log_probability(f'{where}: label "{label}"', value)
        mass = sum(math.exp(score) for score in scores.values())
        if mass == 0 or mass > 1.01:
            raise ModelError(
                f"{where}: the labels' probabilities add up to {mass:.3g}; give natural "
                "logarithms of probabilities, together at most 1."
            )
        best, second = sorted(scores, key=lambda label: -scores[label])[:2]
        margin = scores[best] - scores[second]
        choice = Choice(
            free=best,
            constrained=best,
            margin=margin,
            lead=margin,
            mass=min(1.0, mass),
            near_tie=margin < NEAR_TIE,
        )
        return Reply(best, choice)


def _log_probability(where: str, value: object) -> float:
    try:
        score = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise ModelError(f"{where}: {value!r} is not a number.") from error
    if math.isnan(score) or score > 0.01:
        raise ModelError(f"{where}: {score:g} is not the logarithm of a probability.")
    return score


def as_backend(model: object, batch_size: int, name: str | None = None) -> Backend:
    """A backend for whatever a person brings: one as it is, a class made into an object first.

    Raises ModelError for what is none of a backend, an object with ``answer_batch`` and a
    function.
    """
    if isinstance(model, type):
        name = name or _name(model)
        try:
            model = model()
        except Exception as error:
            raise ModelError(
                f"{name}: cannot be made without arguments: {error} Give a function that makes "
                "it, or the object itself."
            ) from error
    if isinstance(model, _Complete):
        return model
    return Custom(model, batch_size, name)


def find(place: str) -> object:
    """What ``package.module:name`` stands for; modules of the current folder are found too.

    Raises ModelError, saying which part of it is not there.
    """
    module, colon, name = place.partition(":")
    if not colon or not module or not name:
        raise ModelError(f"python:{place}: expected python:package.module:name.")
    here = str(Path.cwd())
    added = here not in sys.path
    if added:
        sys.path.insert(0, here)
    try:
        found: object = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name and module.startswith(error.name):
            raise ModelError(
                f"python:{place}: no module {error.name}. It is looked for among the installed "
                f"packages and in {here}."
            ) from error
        raise ModelError(f"python:{place}: {module} needs {error.name}, not installed.") from error
    except Exception as error:
        raise ModelError(
            f"python:{place}: importing {module} failed: {type(error).__name__}: {error}"
        ) from error
    finally:
        if added:
            sys.path.remove(here)
    for part in name.split("."):
        if not hasattr(found, part):
            known = [known for known in dir(found) if not known.startswith("_")]
            raise ModelError(f"python:{place}: no {part} there. {did_you_mean(part, known)}")
        found = getattr(found, part)
    return found


def plugins() -> dict[str, Callable[[str], object]]:
    """What installed packages offer: prefix -> a function that opens a model by its name.

    A package declares it in the entry points group ``sorites_eval.models``; it is imported only
    when one of its models is opened.
    """

    def opener(prefix: str) -> Callable[[str], object]:
        def open_named(name: str) -> object:
            (point,) = entry_points(group=GROUP, name=prefix)
            try:
                loaded: Callable[[str], object] = point.load()
                return loaded(name)
            except SoritesError:
                raise
            except Exception as error:
                raise ModelError(
                    f"{prefix}:{name}: {point.value} failed: {type(error).__name__}: {error}"
                ) from error

        return open_named

    return {point.name: opener(point.name) for point in entry_points(group=GROUP)}


def _name(model: object) -> str:
    own = getattr(model, "name", None)
    if isinstance(own, str) and own:
        return own
    named = model if hasattr(model, "__qualname__") else type(model)
    module, short = str(named.__module__), str(named.__qualname__)
    return short if module == "__main__" else f"{module}:{short}"


def _source(model: object) -> str:
    code = model if inspect.isroutine(model) else type(model)
    try:
        return hashlib.sha256(inspect.getsource(code).encode()).hexdigest()
    except (OSError, TypeError):
        return ""
