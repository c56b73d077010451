"""A model in vLLM: for many items on a GPU, asked just as a model in this process is.

A choice takes one token: the most probable ones are told of with their probabilities, and where
a label is not among them it is asked for by name. Prompts go in as token ids, so they are ours to
the last token, and what they begin with in common is computed once. Nothing is asked about the
prompt's own tokens, which would switch that off.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Protocol

import torch
import transformers
from transformers import AutoConfig, AutoTokenizer, PreTrainedTokenizerBase

from sorites_eval.backends.local.model_files import files_digest, source_of
from sorites_eval.backends.local.precision import near_tie_margin
from sorites_eval.backends.local.tokens import Encoder
from sorites_eval.backends.protocol import Reply
from sorites_eval.backends.vllm.one_token import ChoiceReader, Question, Told, questions, written
from sorites_eval.contract.tasks import Scalar, Task
from sorites_eval.errors import ModelError
from sorites_eval.prompts.requests import Request

__all__ = ["Engine", "Opened", "Vllm", "naming", "open_engine", "ranking", "told", "writing"]

WINDOW = 1024
TOP = 20
"""How many of the most probable tokens are told of: the most that the engine gives by default."""

_DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


class LogProbability(Protocol):
    """A token's log-probability in the whole vocabulary, in nats."""

    @property
    def logprob(self) -> float:
        """The number."""
        ...


class Completion(Protocol):
    """What was generated: ids, what was told at each of them, and why it ended."""

    @property
    def token_ids(self) -> Sequence[int]:
        """The ids, with the one that ended it."""
        ...

    @property
    def logprobs(self) -> Sequence[Mapping[int, LogProbability]] | None:
        """For each id the tokens that were told of at its place, itself among them."""
        ...

    @property
    def finish_reason(self) -> str | None:
        """``stop`` after an end token, ``length`` at the limit."""
        ...


class Output(Protocol):
    """What came back for one prompt."""

    @property
    def outputs(self) -> Sequence[Completion]:
        """The completions; here always one."""
        ...


class Engine(Protocol):
    """As much of ``vllm.LLM`` as is used here."""

    def generate(
        self,
        prompts: Sequence[Mapping[str, object]],
        sampling_params: Sequence[object],
        *,
        use_tqdm: bool,
    ) -> Sequence[Output]:
        """Outputs in the order of the prompts."""
        ...


@dataclass(frozen=True, slots=True)
class Opened:
    """An engine with its tokenizer, what makes its parameters, and what identifies the model."""

    engine: Engine
    parameters: Callable[..., object]
    tokenizer: PreTrainedTokenizerBase
    identity: Mapping[str, Scalar]


def ranking() -> dict[str, object]:
    """Parameters that ask for the next token and the most probable ones beside it."""
    return {"temperature": 0.0, "max_tokens": 1, "logprobs": TOP, "detokenize": False}


def naming(tokens: Sequence[int]) -> dict[str, object]:
    """Parameters that ask for the probabilities of these tokens as the next one."""
    return {
        "temperature": 0.0,
        "max_tokens": 1,
        "logprob_token_ids": list(tokens),
        "detokenize": False,
    }


def writing(limit: int) -> dict[str, object]:
    """Parameters for an answer of at most so many tokens, each the most probable one."""
    return {"temperature": 0.0, "max_tokens": limit, "detokenize": False}


def told(completion: Completion) -> Told:
    """What one completion of one token tells."""
    if not completion.token_ids or not completion.logprobs:
        raise ModelError("vLLM returned no token, or none of the probabilities asked for.")
    scores = {token: entry.logprob for token, entry in completion.logprobs[0].items()}
    return Told(completion.token_ids[0], scores)


class Vllm:
    """Answers with vLLM. ``decode`` lets the model write where the task is a choice."""

    def __init__(
        self, opened: Opened, task: Task, *, chat: bool | None = None, decode: bool = False
    ) -> None:
        self._opened = opened
        self._encoder = Encoder(opened.tokenizer, chat)
        self._labels = list(task.answer.labels)
        self._limit = task.answer.max_new_tokens
        self._choice = task.answer.format == "choice" and not decode
        near = near_tie_margin(_DTYPES[str(opened.identity["dtype"])])
        self._reader = ChoiceReader(self._encoder, self._labels, near)

    def identity(self) -> Mapping[str, Scalar]:
        """The model, its files, precision, libraries, and how it is asked."""
        how = "choice" if self._choice else f"text of at most {self._limit} tokens"
        return {**self._opened.identity, "chat_template": self._encoder.chat, "answers": how}

    def notes(self) -> Mapping[str, Scalar]:
        """What became of the system text and the shared prefix."""
        return {"system_text": self._encoder.system, "prefix_shared": True}

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """Replies, window by window; requests that begin alike are neighbours."""
        order = sorted(range(len(requests)), key=lambda position: requests[position].shared)
        for start in range(0, len(order), WINDOW):
            window = order[start : start + WINDOW]
            some = [requests[position] for position in window]
            replies = self._choose(some) if self._choice else self._write(some)
            yield from zip(window, replies, strict=True)

    def _choose(self, requests: Sequence[Request]) -> list[Reply]:
        texts = [self._encoder.text(request) for request in requests]
        prompts = self._encoder.choices(texts, self._labels)
        for prompt in prompts:
            self._encoder.check(prompt, self._labels)
        asked = [questions(prompt) for prompt in prompts]
        every = iter(self._tell([question for several in asked for question in several]))
        return [
            self._reader.read(prompt, list(islice(every, len(several))))
            for prompt, several in zip(prompts, asked, strict=True)
        ]

    def _tell(self, asked: Sequence[Question]) -> list[Told]:
        first = self._generate([q.ids for q in asked], [ranking()] * len(asked))
        known = [told(completion) for completion in first]
        # Apart from the first ones: an engine may answer a whole batch by name if one asks so.
        again = [n for n, question in enumerate(asked) if known[n].lacks(question)]
        named = self._generate(
            [asked[n].ids for n in again], [naming(known[n].lacks(asked[n])) for n in again]
        )
        for number, completion in zip(again, named, strict=True):
            known[number] = known[number].with_more(told(completion).scores)
            if known[number].lacks(asked[number]):
                raise ModelError(
                    "this vLLM does not tell of tokens by name: pip install -U 'vllm>=0.28'."
                )
        return known

    def _write(self, requests: Sequence[Request]) -> list[Reply]:
        ids = self._encoder.ids([self._encoder.opening(request) for request in requests])
        done = self._generate(ids, [writing(self._limit)] * len(ids))
        return [
            Reply(written(self._encoder, c.token_ids, ended=c.finish_reason == "stop"))
            for c in done
        ]

    def _generate(
        self, prompts: Sequence[Sequence[int]], settings: Sequence[Mapping[str, object]]
    ) -> list[Completion]:
        if not prompts:
            return []
        try:
            outputs = self._opened.engine.generate(
                [{"prompt_token_ids": list(ids)} for ids in prompts],
                [self._opened.parameters(**setting) for setting in settings],
                use_tqdm=False,
            )
        except (ValueError, TypeError) as error:
            raise ModelError(f"vLLM refuses the prompts: {_first_line(error)}") from error
        return [output.outputs[0] for output in outputs]


def open_engine(
    name: str, *, dtype: str = "auto", device_map: str | None = None, trust_remote_code: bool
) -> Opened:
    """Open a folder or a model of the Hub (``ORG/NAME`` or ``ORG/NAME@REVISION``) in vLLM.

    ``dtype`` "auto" is bfloat16; ``device_map`` "auto" spreads the model over every GPU. Raises
    ModelError, saying what to do, if vLLM is missing or cannot open the model.
    """
    source, revision, gguf = source_of(name)
    if gguf:
        raise ModelError(f'{name}: GGUF files are not run with vLLM here; leave out "vllm:".')
    precision = "bfloat16" if dtype == "auto" else dtype
    if precision not in _DTYPES:
        known = ", ".join(("auto", *_DTYPES))
        raise ModelError(f'unknown dtype "{dtype}": one of {known}.')
    try:
        library = importlib.import_module("vllm")
    except ModuleNotFoundError as error:
        raise ModelError(
            f"{name}: vLLM is not installed: pip install 'sorites-eval[vllm]'. It needs Linux and "
            'a GPU; elsewhere leave out "vllm:", and the model runs with transformers.'
        ) from error
    try:
        config = AutoConfig.from_pretrained(
            source, revision=revision, trust_remote_code=trust_remote_code
        )
        commit = getattr(config, "_commit_hash", None) or revision
        tokenizer = AutoTokenizer.from_pretrained(
            source, revision=commit, trust_remote_code=trust_remote_code
        )
        engine: Engine = library.LLM(
            model=source,
            revision=commit,
            tokenizer_revision=commit,
            dtype=precision,
            enable_prefix_caching=True,
            tensor_parallel_size=torch.cuda.device_count() if device_map == "auto" else 1,
            trust_remote_code=trust_remote_code,
        )
    except (OSError, ValueError, ImportError, RuntimeError, KeyError) as error:
        raise ModelError(f"{name}: vLLM could not open it: {_first_line(error)}") from error
    local = Path(source).is_dir()
    identity: dict[str, Scalar] = {
        "backend": "vllm",
        "model": Path(source).name if local else source,
        "revision": str(commit or ""),
        "files_sha256": files_digest(Path(source), None) if local else "",
        "dtype": precision,
        "vllm": str(library.__version__),
        "transformers": transformers.__version__,
        "torch": torch.__version__,
    }
    return Opened(engine, library.SamplingParams, tokenizer, identity)


def _first_line(error: Exception) -> str:
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
