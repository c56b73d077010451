"""What is wrong with a formula in a notation, and where."""

from __future__ import annotations

from sorites.errors import SoritesError

__all__ = ["NotationError"]


class NotationError(SoritesError):
    """A text that is no formula of its notation; ``position`` counts characters from 1."""

    def __init__(self, reason: str, position: int) -> None:
        self.reason = reason
        self.position = position
        super().__init__(f"at character {position}: {reason}")
