"""What was asked for last, up to so many bytes of it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

__all__ = ["Recent"]

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class Recent(Generic[_Key, _Value]):
    """A store that forgets what was not asked for longest where it would exceed its limit.

    What it was given last it keeps, however large that is.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self._held: OrderedDict[_Key, tuple[_Value, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._held)

    def get(self, key: _Key) -> _Value | None:
        """What is held under a key, or None."""
        held = self._held.get(key)
        if held is None:
            return None
        self._held.move_to_end(key)
        return held[0]

    def put(self, key: _Key, value: _Value, size: int) -> None:
        """Hold a value that takes so many bytes."""
        if key in self._held:
            self.size -= self._held.pop(key)[1]
        self._held[key] = value, size
        self.size += size
        while self.size > self.limit and len(self._held) > 1:
            _, (_, freed) = self._held.popitem(last=False)
            self.size -= freed
