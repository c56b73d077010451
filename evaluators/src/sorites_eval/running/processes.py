"""One run by several processes: ``accelerate launch`` or ``torchrun`` start them, each a share.

Every process asks its part of what is open and keeps its own journal; the first one waits for
all of them and writes the run. They meet only in the run's folder, so that they may be on
several machines that share it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sorites_eval.errors import RunError
from sorites_eval.running.journal import read_answers

__all__ = ["Share", "journals", "wait_for"]

POLL = 0.5


@dataclass(frozen=True, slots=True)
class Share:
    """The part of one process: the requests whose number modulo ``world`` is ``rank``."""

    rank: int = 0
    world: int = 1

    @classmethod
    def from_environment(cls) -> Share:
        """As the launcher says in RANK and WORLD_SIZE; the whole if there is none."""
        try:
            share = cls(int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1")))
        except ValueError as error:
            raise RunError("RANK and WORLD_SIZE in the environment must be numbers.") from error
        if not 0 <= share.rank < share.world:
            raise RunError(f"RANK is {share.rank}, and WORLD_SIZE {share.world}.")
        return share

    @property
    def is_first(self) -> bool:
        """Whether this process writes the run."""
        return self.rank == 0

    @property
    def journal(self) -> str:
        """The name of this process's journal."""
        return "answers.jsonl" if self.is_first else f"answers.{self.rank}.jsonl"

    @property
    def lock(self) -> str:
        """The name of this process's lock."""
        return ".lock" if self.is_first else f".lock.{self.rank}"

    def of(self, requests: Sequence[int]) -> list[int]:
        """This process's part of some requests, whatever the others have done already."""
        return [number for number in requests if number % self.world == self.rank]


def journals(folder: Path) -> list[Path]:
    """Every journal in a run's folder, whichever process wrote it."""
    return sorted(folder.glob("answers*.jsonl"))


def wait_for(folder: Path, keys: set[str], told: Callable[[int], None]) -> None:
    """Wait until the journals hold all keys; ``told`` hears how many are still missing.

    A launcher ends all processes when one fails, so that this does not wait in vain.
    """
    while True:
        there: set[str] = set()
        for journal in journals(folder):
            there |= read_answers(journal).keys()
        missing = len(keys - there)
        told(missing)
        if not missing:
            return
        time.sleep(POLL)
