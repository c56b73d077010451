"""From an item to what a model is asked: views, exemplars, and the gold answer in words.

A request is a conversation. A chat model gets it as messages; a base model gets it as plain
text: the system text, a blank line, then for each turn the user's text, the answer on the same
line if the text ends in a colon and on the next line otherwise, and a blank line. Rendered
texts carry no space at their ends.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sorites_eval.contract import templates
from sorites_eval.contract.faults import Fault, InvalidBenchmark, InvalidTemplate, Path
from sorites_eval.contract.release import Release, Row
from sorites_eval.contract.tasks import Scalar, Task, View
from sorites_eval.errors import InvalidRelease
from sorites_eval.names import did_you_mean

__all__ = ["STOP", "Item", "Message", "Request", "ask", "prepare"]

STOP = "\n\n"
"""What ends a turn in plain text: an answer there is cut at the first one."""

MAX_LIST = 1_000


@dataclass(frozen=True, slots=True)
class Message:
    """One turn: ``role`` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Item:
    """One row of a task, with what scoring needs to know of it.

    ``label`` is the gold label's text, ``selection`` the gold numbers where the task asks for
    a selection, ``facts`` the columns by which scores are grouped, paired and clustered.
    """

    id: str
    label: str
    selection: frozenset[int] | None
    facts: Mapping[str, Scalar]
    row: Row


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model: an item in one view.

    ``messages`` ends with the user's turn. Requests with the same ``shared`` begin with the
    same messages, all but the last. ``gold`` is the right answer as a model would write it;
    ``labels`` are the texts to choose from. ``repeat`` counts from 0 where it is asked again.
    ``texts`` are what a classifier is given: the premise, and the hypothesis if there is one.
    """

    id: str
    view: str
    messages: tuple[Message, ...]
    shared: str
    gold: str
    labels: tuple[str, ...] = ()
    repeat: int = 0
    texts: tuple[str, ...] = ()

    @property
    def question(self) -> str:
        """The last turn: the item itself, without instructions and examples."""
        return self.messages[-1].content

    def digest(self) -> str:
        """The sha256 of the whole conversation."""
        turns = [[m.role, m.content] for m in self.messages]
        return hashlib.sha256(json.dumps(turns, ensure_ascii=False).encode()).hexdigest()

    def plain(self) -> str:
        """The conversation as text for a model that knows no turns, up to the answer."""
        return plain_text(self.messages)


def plain_text(messages: Sequence[Message]) -> str:
    """Turns as plain text; after a user's turn comes what separates it from the answer."""
    parts: list[str] = []
    for message in messages:
        if message.role == "user":
            parts += [message.content, " " if message.content.endswith(":") else "\n"]
        elif message.content:
            parts += [message.content, STOP]
    return "".join(parts)


def prepare(release: Release, task: Task, more: Iterable[str] = ()) -> list[Item]:
    """Read the items of a task, with every column that any of its settings uses, and ``more``.

    Raises InvalidRelease or InvalidBenchmark, naming the place, if a column is missing, an id
    is not unique, or a gold value is none of the task's labels.
    """
    columns = {task.id, task.answer.gold, *task.score.columns(), *more}
    if task.answer.selection:
        columns.add(task.answer.selection.gold)
    for setting in task.prompts:
        columns |= _item_columns(task, setting)
    _require(release, task, columns)
    items = [_item(task, row) for row in release.rows(task.data, columns)]
    if not items:
        raise InvalidRelease(f"{release.name}: {task.data.config}/{task.data.split} has no rows.")
    if len({item.id for item in items}) < len(items):
        raise InvalidRelease(f'{release.name}: the ids in column "{task.id}" are not unique.')
    return items


def ask(release: Release, task: Task, setting: str, items: Sequence[Item]) -> Iterator[Request]:
    """All requests for some items in a setting: each item in each view, in order."""
    prompt = task.prompts[setting]
    examples = _Exemplars(release, task, setting)
    where: Path = ("tasks", task.name, "prompts", setting)
    for item in items:
        for view in task.views:
            row = _swapped(item.row, view)
            before = examples.before(row)
            system = _rendered(prompt.system, row, (*where, "system"))
            turns = ((Message("system", system),) if system else ()) + before
            question = _rendered(prompt.user, row, (*where, "user"))
            if Message("user", question) in before:
                raise InvalidRelease(
                    f"item {item.id}: it is one of the examples that stand before it in the "
                    f"setting {setting}, so its answer is shown. Ask it in another setting."
                )
            shared = hashlib.sha256(repr(turns).encode()).hexdigest()
            gold = _written(task, view, item.row)
            messages = (*turns, Message("user", question))
            labels, texts = tuple(task.answer.labels), _classified(task, row)
            yield Request(item.id, view.name, messages, shared, gold, labels, texts=texts)


def _classified(task: Task, row: Row) -> tuple[str, ...]:
    if task.classify is None:
        return ()
    where: Path = ("tasks", task.name, "classify")
    premise = _rendered(task.classify.premise, row, (*where, "premise"))
    if task.classify.hypothesis is None:
        return (premise,)
    return premise, _rendered(task.classify.hypothesis, row, (*where, "hypothesis"))


def _item_columns(task: Task, setting: str) -> set[str]:
    prompt = task.prompts[setting]
    columns = {*templates.variables(prompt.system), *templates.variables(prompt.user)}
    if task.answer.write:
        columns |= templates.variables(task.answer.write)
        columns -= {"label"}
    columns |= {column for view in task.views for pair in view.swap for column in pair}
    if prompt.exemplars:
        columns |= set(prompt.exemplars.match)
    if task.classify:
        columns |= templates.variables(task.classify.premise)
        columns |= templates.variables(task.classify.hypothesis or "")
    return columns


def _require(release: Release, task: Task, columns: set[str]) -> None:
    known = release.columns(task.data)
    for column in sorted(columns):
        if column not in known:
            told = f'the data {task.data} have no column "{column}".'
            raise InvalidBenchmark(Fault(("tasks", task.name), told, did_you_mean(column, known)))


def _item(task: Task, row: Row) -> Item:
    identity = row[task.id]
    if not isinstance(identity, str | int) or isinstance(identity, bool):
        raise InvalidRelease(f'the column "{task.id}" must hold text or whole numbers as ids.')
    for column, value in row.items():
        if isinstance(value, list) and len(value) > MAX_LIST:
            raise InvalidRelease(
                f'item {identity}: column "{column}" has {len(value)} entries; at most '
                f"{MAX_LIST} are read."
            )
    facts = {column: _fact(column, row[column]) for column in task.score.columns()}
    return Item(str(identity), _label(task, row), _selected(task, row), facts, row)


def _fact(column: str, value: object) -> Scalar:
    if isinstance(value, str | int | float | bool | None):
        return value
    raise InvalidRelease(f'the column "{column}" groups scores, so it must hold single values.')


def _label(task: Task, row: Row) -> str:
    value = _fact(task.answer.gold, row[task.answer.gold])
    label = task.answer.label_of(value)
    if label is None:
        raise InvalidRelease(
            f'item {row[task.id]}: the value {value!r} in column "{task.answer.gold}" is none of '
            f"the labels of the task {task.name}."
        )
    return label


def _selected(task: Task, row: Row) -> frozenset[int] | None:
    if task.answer.selection is None:
        return None
    column = task.answer.selection.gold
    value = row[column]
    if not isinstance(value, list) or not all(isinstance(n, int) for n in value):
        raise InvalidRelease(f'item {row[task.id]}: column "{column}" must be a list of numbers.')
    return frozenset(value)


def _swapped(row: Row, view: View) -> Row:
    if not view.swap:
        return row
    other = {a: b for pair in view.swap for a, b in (pair, pair[::-1])}
    return {column: row[other.get(column, column)] for column in row}


def _written(task: Task, view: View, row: Row, answer: str | None = None) -> str:
    label = _label(task, row)
    label = view.labels.get(label, label)
    template = answer or task.answer.write
    if template is None:
        return label
    return _rendered(template, {**row, "label": label}, ("tasks", task.name, "answer", "write"))


def _rendered(template: str, row: Row, where: Path) -> str:
    """A template filled; InvalidBenchmark names its place in the contract."""
    try:
        return templates.render(template, row)
    except InvalidTemplate as error:
        raise InvalidBenchmark(Fault(where, f"the template {error}.")) from error


class _Exemplars:
    """The worked examples of a setting, rendered once for each value of the match columns."""

    def __init__(self, release: Release, task: Task, setting: str) -> None:
        self._task = task
        self._setting = setting
        self._prompt = task.prompts[setting]
        self._match: tuple[str, ...] = ()
        self._rows: dict[tuple[object, ...], list[Row]] = {}
        self._rendered: dict[tuple[object, ...], tuple[Message, ...]] = {}
        if self._prompt.exemplars:
            self._read(release)

    def before(self, row: Row) -> tuple[Message, ...]:
        """The turns that come before an item: question and answer of each example."""
        if not self._prompt.exemplars:
            return ()
        key = tuple(row[column] for column in self._match)
        if key not in self._rendered:
            if key not in self._rows:
                asked = ", ".join(f"{c}={v}" for c, v in zip(self._match, key, strict=True))
                where = ("tasks", self._task.name, "prompts", self._setting, "exemplars")
                raise InvalidBenchmark(Fault(where, f"no example has {asked}."))
            turns = [turn for example in self._rows[key] for turn in self._turns(example)]
            self._rendered[key] = tuple(turns)
        return self._rendered[key]

    def _read(self, release: Release) -> None:
        exemplars = self._prompt.exemplars
        assert exemplars is not None
        self._match = exemplars.match
        columns = {self._task.answer.gold, *exemplars.match}
        columns |= templates.variables(self._prompt.user)
        write = exemplars.answer or self._task.answer.write
        if write:
            columns |= templates.variables(write) - {"label"}
        if self._task.id in release.columns(exemplars.table):
            columns.add(self._task.id)
        for row in release.rows(exemplars.table, columns):
            row.setdefault(self._task.id, "of the examples")
            key = tuple(row[column] for column in exemplars.match)
            self._rows.setdefault(key, []).append(row)

    def _turns(self, row: Row) -> tuple[Message, Message]:
        where = ("tasks", self._task.name, "prompts", self._setting, "user")
        question = _rendered(self._prompt.user, row, where)
        exemplars = self._prompt.exemplars
        write = exemplars.answer if exemplars else None
        answer = _written(self._task, View("only"), row, write)
        return Message("user", question), Message("assistant", answer)
