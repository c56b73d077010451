"""Draw tokens by their probabilities, each row from a seed of its own.

What is drawn for an item depends on its seed alone: not on the batch it is in, nor on the order.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import torch

from sorites_eval.prompts.requests import Request

__all__ = ["Draw", "seed_of"]


def seed_of(seed: int, request: Request) -> str:
    """The seed of one request: that of the run, the item, the view, and which repeat it is."""
    return f"{seed}/{request.id}/{request.view}/{getattr(request, 'repeat', 0)}"


class Draw:
    """Draws the next token of each row at a temperature; ``seeds`` has one for each row."""

    def __init__(self, temperature: float, seeds: Sequence[str]) -> None:
        self._temperature = temperature
        self._chances = [random.Random(seed) for seed in seeds]

    def __call__(self, logits: torch.Tensor, rows: Sequence[int]) -> list[int]:
        """A token for each row of ``logits``, shape [rows, vocabulary]; ``rows`` numbers them."""
        sums = (logits.double() / self._temperature).softmax(-1).cumsum(-1)
        chances = [[self._chances[row].random()] for row in rows]
        points = torch.tensor(chances, dtype=sums.dtype, device=sums.device) * sums[:, -1:]
        found: list[int] = torch.searchsorted(sums, points)[:, 0].tolist()
        return [min(token, logits.shape[-1] - 1) for token in found]
