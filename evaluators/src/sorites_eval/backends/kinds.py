"""The table of backends: what stands before a model's name, and how such a model is opened.

A new backend is one record here, with a function that opens it. The function imports the
backend's module itself, so that nothing is imported for a backend that is not used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from sorites_eval.backends.api.oddities import silent
from sorites_eval.backends.baselines import Majority, Oracle, Prior, Random
from sorites_eval.backends.custom import as_backend, find, plugins
from sorites_eval.backends.options import Options
from sorites_eval.backends.protocol import Backend
from sorites_eval.contract.tasks import Task
from sorites_eval.errors import ModelError
from sorites_eval.prompts.requests import Item

if TYPE_CHECKING:
    from sorites_eval.backends.api.form import ChatFormat
    from sorites_eval.backends.api.spending import Spending
    from sorites_eval.backends.local.classifying import Classified
    from sorites_eval.backends.local.loading import Loaded
    from sorites_eval.backends.vllm.engine import Opened

__all__ = ["KINDS", "LOCAL", "BackendKind", "Opening", "installed"]


@dataclass(frozen=True, slots=True)
class Opening:
    """What a backend is opened with.

    ``name`` is the model's name without its prefix, ``items`` all items of the task, ``where``
    the run's folder, in which a backend may leave notes. ``tell`` hears of what a person should
    see at once.
    """

    name: str
    task: Task
    items: Sequence[Item]
    options: Options
    where: Path
    tell: Callable[[str], None] = silent


@dataclass(frozen=True, slots=True)
class BackendKind:
    """One kind of model.

    ``prefix`` is what stands before its names and ends in a colon; a prefix without a colon is a
    whole name, and the empty one stands for every other name. ``takes`` says what follows,
    ``extra`` is the extra of sorites-eval that it needs, or empty. Its runs lie in ``folder``
    below the folder of all runs. ``paid`` models are said to cost before they are asked;
    ``greedy`` ones give the same answer every time unless they are given a temperature;
    ``accelerated`` ones run on a GPU where there is one.
    """

    prefix: str
    takes: str
    open: Callable[[Opening], Backend]
    extra: str = ""
    folder: str = ""
    paid: bool = False
    greedy: bool = False
    accelerated: bool = False

    def matches(self, model: str) -> bool:
        """Whether a model's name is of this kind."""
        return (
            model.startswith(self.prefix) if self.prefix[-1:] in {"", ":"} else model == self.prefix
        )

    def name(self, model: str) -> str:
        """The model's name without the prefix."""
        return model.removeprefix(self.prefix) if self.prefix.endswith(":") else model


def _local(opening: Opening) -> Backend:
    from sorites_eval.backends.local.asking import Asking, canonical
    from sorites_eval.backends.local.model import Local
    from sorites_eval.backends.local.seq2seq import Seq2Seq

    options = opening.options
    # What is wrong with the arguments is said before a model is loaded.
    asking = Asking(
        chat_template_args=_template_args(options),
        generation_args=options.generation_args,
        temperature=options.temperature,
        seed=options.seed,
    )
    loaded = _load(
        opening.name,
        options.dtype,
        options.device_map,
        options.trust_remote_code,
        canonical(options.model_args),
    )
    return (Seq2Seq if loaded.seq2seq else Local)(
        loaded,
        opening.task,
        batch_size=options.batch_size,
        chat=options.chat,
        # What is drawn is written: scores of labels are the same every time.
        written=options.decode or bool(options.temperature),
        asking=asking,
    )


def _template_args(options: Options) -> Mapping[str, object]:
    """The variables of a chat template; how hard to think is one that many know."""
    effort = options.reasoning_effort
    return {**({"reasoning_effort": effort} if effort else {}), **options.chat_template_args}


def _api(opening: Opening) -> Backend:
    from sorites_eval.backends.api.batch import Batch
    from sorites_eval.backends.api.chat import Api
    from sorites_eval.backends.api.endpoint import Endpoint

    options = opening.options
    endpoint = Endpoint(options.base_url, timeout=options.timeout, tell=opening.tell)
    form, spending = _form(opening.name, opening), _spending(opening)
    if options.batch:
        if options.budget is not None:
            raise ModelError("--batch is paid as a whole: --budget can't stop it on the way.")
        return Batch(endpoint, form, opening.where)
    return Api(endpoint, form, concurrency=options.concurrency, spending=spending)


def _any_llm(opening: Opening) -> Backend:
    from sorites_eval.backends.api.chat import Api
    from sorites_eval.backends.providers import Provider

    options = opening.options
    provider = Provider(opening.name, options.base_url, timeout=options.timeout, tell=opening.tell)
    return Api(
        provider,
        _form(provider.model, opening),
        concurrency=options.concurrency,
        spending=_spending(opening),
        backend="any-llm",
    )


def _form(model: str, opening: Opening) -> ChatFormat:
    from sorites_eval.backends.api.form import Asking, ChatFormat

    options = opening.options
    asking = Asking(
        seed=options.seed,
        logprobs=options.logprobs,
        reasoning_effort=options.reasoning_effort,
        temperature=options.temperature,
        drop=options.drop_fields,
        add=dict(options.add_fields),
    )
    return ChatFormat(model, opening.task, asking)


def _spending(opening: Opening) -> Spending:
    from sorites_eval.backends.api.spending import Price, Spending

    options = opening.options
    price = Price(*options.price) if options.price else None
    return Spending(price, options.budget, opening.task.answer.max_new_tokens)


def _vllm(opening: Opening) -> Backend:
    from sorites_eval.backends.vllm.engine import Vllm

    options = opening.options
    if options.temperature:
        raise ModelError(
            f"vllm:{opening.name}: gives its most probable answer here, and takes no temperature. "
            'Leave out "vllm:" or --temperature.'
        )
    opened = _open_engine(
        opening.name, options.dtype, options.device_map, options.trust_remote_code
    )
    return Vllm(opened, opening.task, chat=options.chat, decode=options.decode)


def _classifier(opening: Opening) -> Backend:
    from sorites_eval.backends.classifier import Classifier
    from sorites_eval.backends.local.asking import canonical

    options = opening.options
    opened = _open_classifier(
        opening.name,
        options.dtype,
        options.device_map,
        options.trust_remote_code,
        canonical(options.model_args),
    )
    return Classifier(opened, opening.task, batch_size=options.batch_size)


def _python(opening: Opening) -> Backend:
    return as_backend(find(opening.name), opening.options.batch_size, opening.name)


@lru_cache(maxsize=1)
def _open_engine(model: str, dtype: str, device_map: str | None, trust_remote_code: bool) -> Opened:
    from sorites_eval.backends.vllm.engine import open_engine

    return open_engine(
        model, dtype=dtype, device_map=device_map, trust_remote_code=trust_remote_code
    )


@lru_cache(maxsize=1)
def _open_classifier(
    model: str, dtype: str, device_map: str | None, trust_remote_code: bool, model_args: str
) -> Classified:
    from sorites_eval.backends.local.classifying import open_classifier

    return open_classifier(
        model,
        dtype=dtype,
        device_map=device_map,
        trust_remote_code=trust_remote_code,
        model_args=json.loads(model_args),
    )


@lru_cache(maxsize=1)
def _load(
    model: str, dtype: str, device_map: str | None, trust_remote_code: bool, model_args: str
) -> Loaded:
    from sorites_eval.backends.local.loading import load

    return load(
        model,
        dtype=dtype,
        device_map=device_map,
        trust_remote_code=trust_remote_code,
        model_args=json.loads(model_args),
    )


LOCAL = BackendKind(
    "",
    "a folder, a .gguf file, or ORG/NAME[@REVISION]",
    _local,
    "models",
    greedy=True,
    accelerated=True,
)
"""The kind of every name without a prefix."""

_ALL = (
    BackendKind("random", "", lambda o: Random(o.task, o.options.seed)),
    BackendKind("prior", "", lambda o: Prior(o.task, o.items, o.options.seed)),
    BackendKind("majority", "", lambda o: Majority(o.task, o.items)),
    BackendKind("oracle", "", lambda _: Oracle()),
    BackendKind(
        "openai:", "a model behind an OpenAI-compatible endpoint", _api, paid=True, greedy=True
    ),
    BackendKind(
        "any-llm:",
        "PROVIDER:MODEL of Anthropic, Google and others",
        _any_llm,
        "providers",
        folder="any-llm",
        paid=True,
        greedy=True,
    ),
    BackendKind(
        "vllm:",
        "a folder or a Hub model, run with vLLM",
        _vllm,
        "vllm",
        folder="vllm",
        greedy=True,
        accelerated=True,
    ),
    BackendKind(
        "classifier:",
        "a model with a classification head, where a task says what it is given",
        _classifier,
        "models",
        folder="classifier",
        greedy=True,
        accelerated=True,
    ),
    BackendKind(
        "python:",
        "package.module:name, a model of one's own",
        _python,
        folder="python",
        accelerated=True,
    ),
    LOCAL,
)
KINDS: Mapping[str, BackendKind] = {kind.prefix: kind for kind in _ALL}
"""Every kind by its prefix."""


def installed() -> Mapping[str, BackendKind]:
    """The kinds that other packages offer, by their prefixes."""
    return {
        f"{prefix}:": BackendKind(
            f"{prefix}:",
            "a model of an installed package",
            _plugin(prefix, opened),
            folder=prefix,
            accelerated=True,
        )
        for prefix, opened in plugins().items()
    }


def _plugin(prefix: str, opened: Callable[[str], object]) -> Callable[[Opening], Backend]:
    def open_named(opening: Opening) -> Backend:
        name = f"{prefix}:{opening.name}"
        return as_backend(opened(opening.name), opening.options.batch_size, name)

    return open_named
