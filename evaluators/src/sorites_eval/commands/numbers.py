"""Numbers that options of a command give, as values."""

from __future__ import annotations

import math

from sorites_eval.errors import RunError

__all__ = ["drop_outs", "rate", "whole_numbers"]

_MOST = 1000
"""Numbers of one option."""


def whole_numbers(option: str, given: str | None) -> tuple[int, ...] | None:
    """Whole numbers from 0 on with commas between; None for none. Raises RunError.

    >>> whole_numbers("--steps", "0, 1,4")
    (0, 1, 4)
    """
    if given is None:
        return None
    cells = [cell.strip() for cell in given.split(",")]
    if len(cells) > _MOST or not all(c.isascii() and c.isdecimal() and len(c) < 10 for c in cells):
        raise RunError(
            f"{option} {given[:100]}: not whole numbers with commas between, as in 0,1,4"
        )
    return tuple(map(int, cells))


def drop_outs(given: str | None) -> tuple[float, ...]:
    """Shares from 0 to below 1 with commas between; raises RunError.

    >>> drop_outs("0, 0.1,0.2")
    (0.0, 0.1, 0.2)
    """
    if given is None:
        return ()
    try:
        shares = tuple(float(cell) for cell in given.split(","))
    except ValueError:
        shares = (math.nan,)
    if len(shares) > _MOST or not all(0 <= share < 1 for share in shares):
        raise RunError(
            f"--dropout {given[:100]}: not shares from 0 to below 1 with commas between, as in "
            "0,0.1,0.2"
        )
    return shares


def rate(given: float | None) -> float | None:
    """A learning rate above 0; raises RunError."""
    if given is not None and not (0 < given < math.inf):
        raise RunError(f"--learning-rate {given}: not a rate above 0, as in 0.001")
    return given
