"""How long work tells a person where it stands, without knowing who is watching."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

__all__ = ["Advance", "Progress", "Silent"]

Advance: TypeAlias = Callable[[int], None]


class Progress(Protocol):
    """Opens a bar for a stage of known length and hands back what moves it forward."""

    def stage(self, name: str, total: int) -> Advance:
        """Start a stage of ``total`` steps (bytes, schemes, rows)."""
        ...


class Silent:
    """A progress that shows nothing, for tests and for output that is not a terminal."""

    def stage(self, name: str, total: int) -> Advance:
        """Start a stage that nobody sees."""
        return lambda steps: None
