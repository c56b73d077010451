"""Predictions as a table: what was asked, what came back, how it was read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from sorites_eval.backends.protocol import Choice, Ended, Reply, Usage
from sorites_eval.contract.parquet import FloodError, whole_table
from sorites_eval.contract.tasks import Scalar, Task
from sorites_eval.errors import RunError
from sorites_eval.prompts.requests import Item, Request
from sorites_eval.scoring.answers import Outcome, Reader, Reading
from sorites_eval.scoring.graded import positive_probability
from sorites_eval.scoring.metrics import Prediction
from sorites_eval.scoring.reading import read_answer_text
from sorites_eval.scoring.reasoning import LastAnswer
from sorites_eval.scoring.responses import response_of
from sorites_eval.scoring.thought import part_thought

__all__ = ["FACT", "Answered", "facts", "in_order", "read_replies", "read_table", "write_table"]

FACT = "item."
"""Before the names of the item's own columns in the table."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One request with its item, its reply, and the reply as read."""

    key: str
    item: Item
    request: Request
    gold: str
    reply: Reply
    reading: Reading

    @classmethod
    def read(
        cls,
        task: Task,
        reader: Reader | LastAnswer,
        key: str,
        item: Item,
        request: Request,
        reply: Reply,
    ) -> Answered:
        """Read a reply: a scored choice as it stands, any other text by the reader.

        A thought in its text is taken out first. A reply that met its limit of tokens before there
        was an answer was cut off; a selection that reaches to where it was cut is unreadable.
        """
        view = next(view for view in task.views if view.name == request.view)
        gold = view.labels.get(item.label, item.label)
        reply = _parted(reply)
        return cls(key, item, request, gold, reply, _reading(reader, reply))

    def prediction(self, task: Task) -> Prediction:
        """The free reading, as the scores take it."""
        right = None
        if self.item.selection is not None:
            right = self.reading.selection == self.item.selection
        return Prediction(
            id=self.item.id,
            view=self.request.view,
            gold=self.gold,
            label=self.reading.label,
            outcome=self.reading.outcome,
            facts=self.item.facts,
            right_selection=right,
            selection=in_order(self.reading.selection),
            repeat=self.request.repeat,
            probability=self._probability(task, self.reading.label),
            response=response_of(
                self.reading.outcome, self.reply.text, scored=self.reply.choice is not None
            ),
        )

    def _probability(self, task: Task, label: str | None) -> float | None:
        choice = self.reply.choice
        constrained = choice.constrained if choice else None
        return positive_probability(task, label, constrained, choice.margin if choice else None)

    def constrained(self, task: Task) -> Prediction | None:
        """The most probable label, whatever else the model would rather have said."""
        if self.reply.choice is None:
            return None
        return Prediction(
            id=self.item.id,
            view=self.request.view,
            gold=self.gold,
            label=self.reply.choice.constrained,
            outcome=Outcome.ANSWER if self.reply.choice.constrained else Outcome.UNREADABLE,
            facts=self.item.facts,
            repeat=self.request.repeat,
            probability=self._probability(task, self.reply.choice.constrained),
        )

    def row(self) -> dict[str, object]:
        """The row of the table."""
        choice = self.reply.choice
        selection, gold = self.reading.selection, self.item.selection
        return {
            "key": self.key,
            "id": self.item.id,
            "view": self.request.view,
            "repeat": self.request.repeat,
            "prompt_sha256": self.request.digest(),
            "question": self.request.question,
            "text": self.reply.text,
            "thought": self.reply.thought,
            "ended": str(self.reply.ended),
            "trouble": self.reply.trouble,
            "tokens_read": self.reply.usage.read if self.reply.usage else None,
            "tokens_written": self.reply.usage.written if self.reply.usage else None,
            "outcome": str(self.reading.outcome),
            "answer": self.reading.label,
            "gold": self.gold,
            "selection": None if selection is None else sorted(selection),
            "gold_selection": None if gold is None else sorted(gold),
            "constrained": choice.constrained if choice else None,
            "margin": choice.margin if choice else None,
            "lead": choice.lead if choice else None,
            "mass": choice.mass if choice else None,
            "near_tie": choice.near_tie if choice else None,
            **{FACT + column: value for column, value in self.item.facts.items()},
        }


def _parted(reply: Reply) -> Reply:
    """A reply whose text holds no thought; one that was still open has met the limit."""
    if reply.choice is not None:
        return reply
    parted = part_thought(reply.text)
    if not parted.thought and not parted.unfinished:
        return replace(reply, text=parted.answer) if parted.answer != reply.text else reply
    thought = "\n".join(filter(None, (reply.thought, parted.thought)))
    ended = Ended.LENGTH if parted.unfinished and reply.ended is Ended.STOP else reply.ended
    text = "" if parted.unfinished else parted.answer
    return replace(reply, text=text, thought=thought, ended=ended)


def _reading(reader: Reader | LastAnswer, reply: Reply) -> Reading:
    if reply.ended is Ended.ERROR:
        return Reading(Outcome.ERROR)
    if reply.ended is Ended.REFUSED:
        return Reading(Outcome.REFUSED)
    if reply.choice is None:
        return read_answer_text(reader, reply.text, cut_off=reply.ended is Ended.LENGTH)
    if reply.choice.free is not None:
        return Reading(Outcome.ANSWER, reply.choice.free)
    if reply.ended is Ended.LENGTH:
        return Reading(Outcome.CUT_OFF)
    return Reading(Outcome.UNREADABLE if reply.text.strip() else Outcome.EMPTY)


_SCHEMA = {
    **dict.fromkeys(("key", "id", "view", "prompt_sha256", "question", "text"), pa.string()),
    **dict.fromkeys(("thought", "ended", "trouble", "outcome", "answer", "gold"), pa.string()),
    **dict.fromkeys(("tokens_read", "tokens_written"), pa.int64()),
    **dict.fromkeys(("selection", "gold_selection"), pa.list_(pa.int64())),
    "constrained": pa.string(),
    **dict.fromkeys(("margin", "lead", "mass"), pa.float64()),
    "near_tie": pa.bool_(),
    "repeat": pa.int64(),
}


def write_table(path: Path, answered: Sequence[Answered]) -> None:
    """Write predictions as Parquet; the caller moves the file into its place."""
    rows = [entry.row() for entry in answered]
    columns: dict[str, pa.Array] = {}
    for name in rows[0]:
        values = [row[name] for row in rows]
        columns[name] = pa.array(values, _SCHEMA[name]) if name in _SCHEMA else pa.array(values)
    pq.write_table(pa.table(columns), path, compression="zstd")


_MOST_ROWS, _MOST_BYTES = 50_000_000, 16 * 2**30


def read_table(path: Path) -> pa.Table:
    """The table that ``write_table`` wrote."""
    try:
        with pq.ParquetFile(path, arrow_extensions_enabled=False) as file:
            return whole_table(file, most_rows=_MOST_ROWS, most_bytes=_MOST_BYTES)
    except FloodError as error:
        raise RunError(f"{path}: {error}") from error
    except (pa.ArrowException, OSError) as error:
        raise RunError(f"{path}: cannot be read as predictions: {error}") from error


def read_replies(path: Path) -> dict[str, Reply]:
    """The replies of a finished run by their keys, to be used again."""
    return dict(_replies(read_table(path).to_pylist())) if path.exists() else {}


def _replies(rows: Sequence[Mapping[str, object]]) -> Iterator[tuple[str, Reply]]:
    for row in rows:
        choice = None
        if row["mass"] is not None:
            answered = Outcome(str(row["outcome"])) is Outcome.ANSWER
            choice = Choice(
                free=str(row["answer"]) if answered else None,
                constrained=None if row["constrained"] is None else str(row["constrained"]),
                margin=_number(row["margin"]),
                lead=_number(row["lead"]),
                mass=_number(row["mass"]),
                near_tie=bool(row["near_tie"]),
            )
        yield (
            str(row["key"]),
            Reply(
                str(row["text"]),
                choice,
                thought=str(row.get("thought") or ""),
                ended=Ended(str(row.get("ended") or Ended.STOP)),
                trouble=str(row.get("trouble") or ""),
                usage=_usage(row.get("tokens_read"), row.get("tokens_written")),
            ),
        )


def _usage(read: object, written: object) -> Usage | None:
    return Usage(read, written) if isinstance(read, int) and isinstance(written, int) else None


def in_order(selection: Iterable[int] | None) -> tuple[int, ...] | None:
    """What was selected as a value that compares and hashes."""
    return None if selection is None else tuple(sorted(selection))


def _number(value: object) -> float:
    return value if isinstance(value, float) else float("nan")


def facts(row: Mapping[str, object]) -> dict[str, Scalar]:
    """The item's own columns of a row, under their own names."""
    return {
        name.removeprefix(FACT): value
        for name, value in row.items()
        if name.startswith(FACT) and isinstance(value, str | int | float | bool | None)
    }
