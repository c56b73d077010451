"""From what stands after ``--model`` to a backend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from sorites_eval.backends.api.oddities import silent
from sorites_eval.backends.baselines import Majority, Oracle, Prior, Random
from sorites_eval.backends.protocol import Backend
from sorites_eval.errors import ModelError
from sorites_eval.running.run import Plan

if TYPE_CHECKING:
    from sorites_eval.backends.api.form import ChatFormat
    from sorites_eval.backends.api.spending import Spending
    from sorites_eval.backends.local.loading import Loaded
    from sorites_eval.backends.vllm.engine import Opened

__all__ = ["ANY_LLM", "API", "VLLM", "Options", "open_backend"]


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

ANY_LLM = "any-llm:"
"""Before PROVIDER:MODEL of any provider that the library any-llm knows."""

VLLM = "vllm:"
"""Before the name of a model to be run with vLLM."""


def open_backend(
    model: str,
    plan: Plan,
    options: Options,
    where: Path,
    tell: Callable[[str], None] = silent,
) -> Backend:
    """The backend for a model name; a local model that is open already is not loaded again.

    ``where`` is the run's folder, in which a batch leaves its note; ``tell`` hears of what should
    be seen at once, such as odd answers of an endpoint.
    """
    if model in _BASELINES:
        return _BASELINES[model](plan, options)
    if model.startswith(API):
        return _api(model.removeprefix(API), plan, options, where, tell)
    if model.startswith(ANY_LLM):
        return _any_llm(model.removeprefix(ANY_LLM), plan, options, tell)
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


def _api(
    model: str, plan: Plan, options: Options, where: Path, tell: Callable[[str], None]
) -> Backend:
    from sorites_eval.backends.api.batch import Batch
    from sorites_eval.backends.api.chat import Api
    from sorites_eval.backends.api.endpoint import Endpoint

    endpoint = Endpoint(options.base_url, timeout=options.timeout, tell=tell)
    form = _form(model, plan, options)
    spending = _spending(plan, options)
    if options.batch:
        if options.budget is not None:
            raise ModelError("--batch is paid as a whole: --budget can't stop it on the way.")
        return Batch(endpoint, form, where)
    return Api(endpoint, form, concurrency=options.concurrency, spending=spending)


def _any_llm(model: str, plan: Plan, options: Options, tell: Callable[[str], None]) -> Backend:
    from sorites_eval.backends.api.chat import Api
    from sorites_eval.backends.providers import Provider

    provider = Provider(model, options.base_url, timeout=options.timeout, tell=tell)
    form = _form(provider.model, plan, options)
    spending = _spending(plan, options)
    return Api(
        provider, form, concurrency=options.concurrency, spending=spending, backend="any-llm"
    )


def _form(model: str, plan: Plan, options: Options) -> ChatFormat:
    from sorites_eval.backends.api.form import Asking, ChatFormat

    asking = Asking(
        seed=options.seed,
        logprobs=options.logprobs,
        reasoning_effort=options.reasoning_effort,
        drop=options.drop_fields,
        add=dict(options.add_fields),
    )
    return ChatFormat(model, plan.task, asking)


def _spending(plan: Plan, options: Options) -> Spending:
    from sorites_eval.backends.api.spending import Price, Spending

    price = Price(*options.price) if options.price else None
    return Spending(price, options.budget, plan.task.answer.max_new_tokens)


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
