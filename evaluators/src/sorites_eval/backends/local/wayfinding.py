"""Find out by trying how a model's rows may go together, and whether it is a causal model at all.

At opening, a few short rows go through the model together, padded and with a shared beginning,
and each of them alone; the first way whose scores are those of the rows alone is taken. The
first prompts of a run, and any that are longer than all before, are tried in the same manner:
windows, chunks and switches show only in rows that reach them.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from weakref import WeakKeyDictionary

import torch
from transformers import PreTrainedModel

from sorites_eval.backends.local.calls import NotANumber, call
from sorites_eval.backends.local.decoding import writer
from sorites_eval.backends.local.faults import FAULTS, first_line
from sorites_eval.backends.local.passes import forward
from sorites_eval.backends.local.precision import compute_dtype
from sorites_eval.backends.local.prefix import SharedPrefix, can_share
from sorites_eval.backends.local.scaling import rate, settle
from sorites_eval.backends.local.way import CHOOSING, WRITING, Way
from sorites_eval.errors import ModelError

__all__ = ["WayFinder", "distance", "find_ways", "is_causal", "tolerance"]

STEPS = 3
EXACT, ROUGH, ROUGHEST = 3e-4, 0.03, 0.3
"""Distances that rounding may explain: in float32, and in half precision at least and at most."""

_LENGTHS = (26, 9, 6, 17)
_SHARED = 5
_found: WeakKeyDictionary[PreTrainedModel, dict[bool, tuple[Way, ...]]] = WeakKeyDictionary()


def distance(some: torch.Tensor, others: torch.Tensor) -> float:
    """How far apart two sets of scores are, as a share of how far scores lie apart in them.

    The largest over the rows of: root mean square of the differences of log-probabilities over
    the standard deviation of the log-probabilities. Tokens that a model rules out do not count.
    """
    a, b = some.flatten(0, -2).log_softmax(-1), others.flatten(0, -2).log_softmax(-1)
    apart = 0.0
    for x, y in zip(a, b, strict=True):
        finite = x.isfinite() & y.isfinite()
        x, y = x[finite].double(), y[finite].double()
        spread = float(y.std()) if y.numel() > 1 else 0.0
        apart = max(apart, float((x - y).square().mean().sqrt()) / max(spread, 1e-9))
    return apart


def is_causal(model: PreTrainedModel, row: Sequence[int]) -> bool:
    """Whether the scores after a token stay as they are whatever follows it."""
    half = len(row) // 2
    whole = _alone(model, row, len(row))[:half]
    begun = _alone(model, row[:half], half)
    return distance(whole, begun) <= _tolerance(model, row)


def find_ways(model: PreTrainedModel, vocabulary: int, *, writing: bool) -> tuple[Way, ...]:
    """The ways that the model allows, quickest first; the last one is always row by row.

    ``vocabulary`` is how many ids the tokenizer has. Raises ModelError for a model that is not
    causal or that fails on a single row, and NotANumber.
    """
    known = _found.setdefault(model, {})
    if writing not in known:
        rows = _rows(model, vocabulary)
        steady = len({rate(model, len(row) + more) for row in rows for more in (0, STEPS)}) == 1
        try:
            causal = not steady or is_causal(model, rows[0])
        except FAULTS as error:
            raise ModelError(
                f"{type(model).__name__} fails on a row of {len(rows[0])} tokens: "
                f"{first_line(error)}"
            ) from error
        if not causal:
            raise ModelError(
                f"{type(model).__name__} is not a causal language model: its scores after a token "
                "change with the tokens that follow, so they say nothing about what comes next."
            )
        finder = WayFinder(model, WRITING if writing else CHOOSING, writing=writing)
        # Rows at whose lengths positions change their meaning would blame the ways for it.
        if steady:
            finder.try_out(rows, _SHARED)
        known[writing] = finder.ways
    return known[writing]


class WayFinder:
    """Keeps to the quickest way that has been right on every row that was tried.

    ``ways`` are those that are left, the first the one in use.
    """

    def __init__(self, model: PreTrainedModel, ways: Sequence[Way], *, writing: bool) -> None:
        sharing = can_share(model)
        self.ways = tuple(way for way in ways if sharing or not way.shares)
        self._model = model
        self._writing = writing
        self._longest = 0

    @property
    def way(self) -> Way:
        """The way in use."""
        return self.ways[0]

    def try_out(self, rows: Sequence[Sequence[int]], shared: int) -> None:
        """Try the way on some rows, at least two, if one of them is longer than all before.

        ``shared`` is how many tokens they begin with in common, as far as these may be shared.
        Each way that fails is given up. Raises NotANumber.
        """
        longest, shortest = max(rows, key=len), min(rows, key=len)
        if len(longest) <= self._longest or len(rows) < 2:
            return
        forced = [row[-STEPS:] if self._writing else [] for row in rows]
        # Of two rows that are about as long, the shorter one has the padding and all else besides.
        alike = len(rows) == 2 and 5 * len(shortest) >= 4 * len(longest)
        right = {
            number: _alone(self._model, [*row, *more], len(more) + 1)
            for number, (row, more) in enumerate(zip(rows, forced, strict=True))
            if not alike or row is shortest
        }
        allowed = _tolerance(self._model, longest)
        while len(self.ways) > 1 and not self._agrees(rows, forced, right, shared, allowed):
            self.ways = self.ways[1:]
        self._longest = len(longest)

    def _agrees(
        self,
        rows: Sequence[Sequence[int]],
        forced: Sequence[Sequence[int]],
        right: Mapping[int, torch.Tensor],
        shared: int,
        allowed: float,
    ) -> bool:
        way = self.way
        try:
            for group in _groups(rows, way):
                some = [rows[number] for number in group]
                more = [forced[number] for number in group]
                if len(group) == 1 and not way.alone:
                    # A neighbour of the same length, whose tokens must not be seen.
                    some.append([*some[0][:shared], *some[0][shared:][::-1]])
                    more.append(more[0])
                found = _together(self._model, way, some, more, shared if way.shares else 0)
                for number, logits in zip(group, found, strict=False):
                    if number not in right:
                        continue
                    if distance(logits, right[number][: len(logits)]) > allowed:
                        return False
        except torch.OutOfMemoryError:
            raise
        except (*FAULTS, NotANumber):
            return False
        return True


def _groups(rows: Sequence[Sequence[int]], way: Way) -> list[list[int]]:
    if way.alone:
        return [[number] for number in range(len(rows))]
    if way.padding != "none":
        return [list(range(len(rows)))]
    lengths = sorted({len(row) for row in rows})
    return [[n for n, row in enumerate(rows) if len(row) == length] for length in lengths]


def _together(
    model: PreTrainedModel,
    way: Way,
    rows: Sequence[Sequence[int]],
    forced: Sequence[Sequence[int]],
    shared: int,
) -> list[torch.Tensor]:
    """The scores after each row, and after each of the tokens forced on it: shape [places,
    vocabulary]. The first row leaves before the last of them, as rows do that have ended.
    """
    prefix = SharedPrefix(model, rows[0][:shared], positions=way.positions)
    if not forced[0]:
        suffixes = [row[shared:] for row in rows]
        last = [[len(row) - 1] for row in suffixes]
        return list(forward(model, way, prefix, suffixes, last).logits)
    rows_written = writer(model, way, prefix, rows)
    found = [[logits] for logits in rows_written.logits]
    there = list(range(len(rows)))
    steps = len(forced[0])
    for step in range(steps):
        leaves = step + 1 == steps and len(rows) > 1
        going = list(range(1 if leaves else 0, len(there)))
        rows_written.go_on([forced[row][step] for row in there], going)
        there = [there[number] for number in going]
        for row, logits in zip(there, rows_written.logits, strict=True):
            found[row].append(logits)
    return [torch.stack(logits) for logits in found]


def _alone(model: PreTrainedModel, row: Sequence[int], places: int) -> torch.Tensor:
    """The scores at the last places of one row: no batch, no padding, no cache."""
    settle(model)
    ids = torch.tensor([list(row)], device=model.device)
    return call(model, input_ids=ids, use_cache=False, logits_to_keep=places)[0, -places:]


def tolerance(dtype: torch.dtype, measured: float = 0.0) -> float:
    """The distance that rounding explains.

    In float32 the ways that are right differ by some 1e-6 in small models and 1e-5 in large ones.
    In half precision what was ``measured`` counts.
    """
    return EXACT if dtype == torch.float32 else min(ROUGHEST, max(ROUGH, 4 * measured))


def _tolerance(model: PreTrainedModel, row: Sequence[int]) -> float:
    """The distance between a row alone and beside itself, which changes nothing but rounding."""
    if (dtype := compute_dtype(model)) == torch.float32:
        return tolerance(dtype)
    settle(model)
    ids = torch.tensor([list(row)] * 2, device=model.device)
    twice = call(model, input_ids=ids, use_cache=False, logits_to_keep=1)[:1, -1]
    return tolerance(dtype, distance(twice, _alone(model, row, 1)))


def _rows(model: PreTrainedModel, vocabulary: int) -> list[list[int]]:
    """Rows of several lengths with a common beginning, of ids from all of the vocabulary.

    Ids that have a meaning of their own, such as padding, are left out.
    """
    config = model.config.get_text_config()
    special = {getattr(config, f"{name}_token_id", None) for name in ("bos", "eos", "pad", "sep")}
    some = [token for token in range(vocabulary) if token not in special]
    chance = random.Random(0)
    shared = chance.choices(some, k=_SHARED)
    return [shared + chance.choices(some, k=length - _SHARED) for length in _LENGTHS]
