"""How labels are decided: over types, or by Z3 where types cannot tell; and what Z3 proves as well.

The decision over types is exact and fast. Z3, which shares nothing with it, proves every distinct
argument without distractors, and of those with distractors about SAMPLE.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from sorites.logic.formulas import Formula
from sorites.logic.prover import Prover, Verdict
from sorites.logic.types import Judgement, judge

__all__ = ["SAMPLE", "decide", "in_sample"]

SAMPLE = 2_000
"""Arguments of a release with all that is shown that Z3 proves, about so many."""


def decide(prover: Prover, premises: Sequence[Formula], conclusion: Formula) -> Judgement:
    """How a conclusion stands to premises, and which of them it needs.

    Z3 answers what types cannot, such as a question of more names than can be listed; UNKNOWN
    where it meets its limit.
    """
    found = judge(premises, conclusion, existential_import=prover.existential_import)
    if found is not None:
        return found
    verdict = prover.verdict(premises, conclusion)
    if verdict is not Verdict.ENTAILED:
        return Judgement(verdict)
    spare = prover.redundant(premises, conclusion)
    return Judgement(verdict, frozenset(range(len(premises))) - {*spare})


def in_sample(key: str, arguments: int) -> bool:
    """Whether an argument is in the sample, by its key alone: about SAMPLE of so many are.

    >>> all(in_sample(key, 100) for key in "abc")
    True
    """
    drawn = int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big")
    return drawn * arguments < SAMPLE << 64
