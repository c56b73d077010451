"""From what stands after ``--model`` to a backend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from sorites_eval.backends.baselines import Majority, Oracle, Prior, Random
from sorites_eval.backends.protocol import Backend
from sorites_eval.errors import ModelError
from sorites_eval.running.run import Plan

if TYPE_CHECKING:
    from sorites_eval.backends.local.loading import Loaded
    from sorites_eval.backends.vllm.engine import Opened

__all__ = ["API", "VLLM", "Options", "open_backend"]


@dataclass(frozen=True, slots=True)
class Options:
    """How a model is to be loaded and asked; a backend reads those that concern it."""

    seed: int = 0
    batch_size: int = 16
    dtype: str = "auto"
    device_map: str | None = None
    decode: bool = False
    chat: bool | None = None
    trust_remote_code: bool = False
    base_url: str | None = None
    concurrency: int = 8
    logprobs: bool = False
    batch: bool = False
    reasoning_effort: str | None = None
    drop_fields: tuple[str, ...] = ()
    add_fields: tuple[tuple[str, object], ...] = ()
    timeout: float = 600.0
    budget: float | None = None
    price: tuple[float, float] | None = None


_BASELINES: dict[str, Callable[[Plan, Options], Backend]] = {
    "random": lambda plan, options: Random(plan.task, options.seed),
    "prior": lambda plan, options: Prior(plan.task, plan.everything, options.seed),
    "majority": lambda plan, _: Majority(plan.task, plan.everything),
    "oracle": lambda _plan, _options: Oracle(),
}


API = "openai:"
"""Before the name of a model behind an OpenAI-compatible endpoint."""

VLLM = "vllm:"
"""Before the name of a model to be run with vLLM."""


def open_backend(model: str, plan: Plan, options: Options, where: Path) -> Backend:
    """The backend for a model name; a local model that is open already is not loaded again.

    ``where`` is the run's folder, in which a batch leaves its note.
    """
    if model in _BASELINES:
        return _BASELINES[model](plan, options)
    if model.startswith(API):
        return _api(model.removeprefix(API), plan, options, where)
    try:
        if model.startswith(VLLM):
            return _vllm(model.removeprefix(VLLM), plan, options)
        from sorites_eval.backends.local.model import Local
    except ModuleNotFoundError as error:
        raise ModelError(
            f"{model}: to run a model here, {error.name} is needed: pip install 'sorites[models]'."
        ) from error
    return Local(
        _load(model, options.dtype, options.device_map, options.trust_remote_code),
        plan.task,
        batch_size=options.batch_size,
        chat=options.chat,
        written=options.decode,
    )


def _api(model: str, plan: Plan, options: Options, where: Path) -> Backend:
    from sorites_eval.backends.api.batch import Batch
    from sorites_eval.backends.api.chat import Api, ChatFormat
    from sorites_eval.backends.api.endpoint import Endpoint

    endpoint = Endpoint(options.base_url)
    form = ChatFormat(model, plan.task, options.seed, logprobs=options.logprobs)
    if options.batch:
        return Batch(endpoint, form, where, seed=options.seed)
    return Api(endpoint, form, seed=options.seed, concurrency=options.concurrency)


def _vllm(model: str, plan: Plan, options: Options) -> Backend:
    from sorites_eval.backends.vllm.engine import Vllm

    opened = _open_engine(model, options.dtype, options.device_map, options.trust_remote_code)
    return Vllm(opened, plan.task, chat=options.chat, decode=options.decode)


@lru_cache(maxsize=1)
def _open_engine(model: str, dtype: str, device_map: str | None, trust_remote_code: bool) -> Opened:
    from sorites_eval.backends.vllm.engine import open_engine

    return open_engine(
        model, dtype=dtype, device_map=device_map, trust_remote_code=trust_remote_code
    )


@lru_cache(maxsize=1)
def _load(model: str, dtype: str, device_map: str | None, trust_remote_code: bool) -> Loaded:
    from sorites_eval.backends.local.loading import load

    return load(model, dtype=dtype, device_map=device_map, trust_remote_code=trust_remote_code)
