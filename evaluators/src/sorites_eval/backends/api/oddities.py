"""What an endpoint says that it should not: each kind shown once, and all of them counted."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable

__all__ = ["Oddities", "silent"]

MOST_SHOWN = 500


def silent(_: str) -> None:
    """Tell nobody."""


class Oddities:
    """Counts odd answers by what they say, numbers aside, and tells of each kind once."""

    def __init__(self, tell: Callable[[str], None] = silent) -> None:
        self._tell = tell
        self._counts: Counter[str] = Counter()
        self._first: dict[str, str] = {}
        self._lock = threading.Lock()

    def add(self, text: str) -> None:
        """Note one; its text is what the endpoint said, shortened."""
        shown = " ".join(text.split())[:MOST_SHOWN]
        kind = re.sub(r"\d+", "#", shown)[:120]
        with self._lock:
            self._counts[kind] += 1
            is_new = kind not in self._first
            self._first.setdefault(kind, shown)
        if is_new:
            self._tell(f"{shown} (shown once)")

    def summary(self) -> str:
        """All of them, the most frequent first; empty if there were none."""
        common = self._counts.most_common(10)
        return "; ".join(f"{count} × {self._first[kind][:200]}" for kind, count in common)
