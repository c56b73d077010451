"""A stand-in for vLLM's engine: a small model of transformers, asked by the same parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch

from sorites_eval.backends.local.loading import Loaded

__all__ = ["GreedyEngine"]


@dataclass(frozen=True)
class Probability:
    logprob: float


@dataclass(frozen=True)
class Completed:
    token_ids: list[int]
    logprobs: list[dict[int, Probability]] | None
    finish_reason: str


@dataclass(frozen=True)
class Outputs:
    outputs: list[Completed]


class GreedyEngine:
    """Writes the most probable tokens, one prompt at a time; ``calls`` are the settings asked."""

    def __init__(self, loaded: Loaded) -> None:
        self._model = loaded.model
        self._end = loaded.tokenizer.eos_token_id
        self.calls: list[list[Mapping[str, object]]] = []

    def generate(
        self,
        prompts: Sequence[Mapping[str, object]],
        sampling_params: Sequence[object],
        *,
        use_tqdm: bool,
    ) -> list[Outputs]:
        """As ``vllm.LLM.generate`` with parameters for each prompt, given as mappings."""
        assert not use_tqdm
        settings = [dict(setting) for setting in sampling_params]  # type: ignore[call-overload]
        self.calls.append(settings)
        return [
            Outputs([self._complete([*prompt["prompt_token_ids"]], setting)])  # type: ignore[misc]
            for prompt, setting in zip(prompts, settings, strict=True)
        ]

    def _complete(self, ids: list[int], setting: Mapping[str, object]) -> Completed:
        assert setting["temperature"] == 0.0
        written: list[int] = []
        told: list[dict[int, Probability]] = []
        limit = setting["max_tokens"]
        while len(written) < limit:  # type: ignore[operator]
            with torch.inference_mode():
                logits = self._model(torch.tensor([ids + written]), use_cache=False).logits[0, -1]
            scores = logits.log_softmax(-1)
            best = int(scores.argmax())
            named = setting.get("logprob_token_ids")
            if named is None:
                named = scores.topk(setting.get("logprobs", 1)).indices.tolist()
            told.append({token: Probability(float(scores[token])) for token in [*named, best]})
            written.append(best)
            if best == self._end:
                return Completed(written, told, "stop")
        return Completed(written, told, "length")
