"""What is wrong with a ``benchmark.json``: every fault with its place, all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType

from sorites_eval.errors import SoritesError

__all__ = ["Fault", "Faults", "InvalidBenchmark", "InvalidTemplate", "Path"]

Path = tuple[str | int, ...]
"""A place in a document, by keys and list positions: ``("tasks", "entailment", "views", 0)``."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong: where, what, and what to do about it.

    >>> print(Fault(("tasks", "entailment", "views", 0), "must not be empty."))
    benchmark.json: tasks.entailment.views[0]: must not be empty.
    """

    path: Path
    message: str
    hint: str = ""

    def __str__(self) -> str:
        steps = (f"[{step}]" if isinstance(step, int) else f".{step[:100]}" for step in self.path)
        place = "".join(steps).removeprefix(".")
        told = f"{self.message} {self.hint}".rstrip()
        return ": ".join(part for part in ("benchmark.json", place, told) if part)


class InvalidBenchmark(SoritesError):
    """A ``benchmark.json`` that breaks the contract; ``faults`` are all that were found."""

    def __init__(self, *faults: Fault) -> None:
        self.faults = faults
        super().__init__("\n".join(map(str, faults)))


class InvalidTemplate(SoritesError):
    """A template that is not allowed, or that cannot be rendered from a row.

    The message goes on after the words "the template": ``has a call (line 2)``.
    """


class Faults:
    """Collects faults, so that one reading of a document finds them all.

    Each ``with faults:`` block reads one part; a fault there is kept and the next part is read.
    ``stop`` then raises what was kept: nothing may be built from the parts before that.
    """

    def __init__(self) -> None:
        self._found: list[Fault] = []

    def __enter__(self) -> Faults:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if isinstance(error, InvalidBenchmark):
            self._found += error.faults
            return True
        return False

    def add(self, faults: Sequence[Fault]) -> None:
        """Keep faults that were found without an exception."""
        self._found += faults

    def stop(self) -> None:
        """Raise InvalidBenchmark with all that was kept, if anything was."""
        if self._found:
            raise InvalidBenchmark(*dict.fromkeys(self._found))
