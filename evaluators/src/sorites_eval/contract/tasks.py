"""The contract between a release and its evaluators: ``benchmark.json`` as dataclasses.

It declares tasks and knows no dataset: which table holds the items, how an item is put
to a model, what counts as an answer, and how answers are scored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sorites_eval.contract.faults import Path
from sorites_eval.contract.templates import variables

__all__ = [
    "REASONING_TOKENS",
    "Answer",
    "Classification",
    "Confusion",
    "Curve",
    "Exemplars",
    "Prompt",
    "Reference",
    "Rows",
    "Scalar",
    "Score",
    "Selection",
    "Table",
    "Task",
    "Training",
    "TrainingSet",
    "View",
    "fold_label",
    "label_key",
]

Scalar = str | int | float | bool | None
"""A value of a gold column, as JSON and Parquet both can hold it."""

REASONING_TOKENS = 1_024
"""How many tokens a reply may have in a setting with reasoning that sets no limit."""


def label_key(value: Scalar) -> tuple[str, Scalar]:
    """A key under which JSON's ``true`` and ``1`` differ, as Python's do not.

    >>> label_key(True) == label_key(1)
    False
    """
    return type(value).__name__, value


def fold_label(label: str) -> str:
    """A classifier's label as it is compared: without case, spaces, hyphens and underscores.

    >>> fold_label("Not-Entailment") == fold_label("not_entailment")
    True
    """
    return "".join(c for c in label.casefold() if c not in " -_")


class Table(NamedTuple):
    """One split of one config of the release."""

    config: str
    split: str

    def __str__(self) -> str:
        return f"{self.config}/{self.split}"


@dataclass(frozen=True, slots=True)
class View:
    """One way in which an item is asked.

    ``swap`` exchanges pairs of columns before the prompt is rendered. ``labels`` maps the
    label of the item to the label that is right in this view; a label that it leaves out
    stays itself. The map is one to one, so that an answer can be carried back.
    """

    name: str
    swap: tuple[tuple[str, str], ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Selection:
    """Numbered things that an answer names besides its label, such as premises.

    ``P3`` in an answer selects the third where ``marker`` is ``P``; ``gold`` is the column
    with the list of right numbers, counted from 1 as the prompt shows them.
    """

    marker: str
    gold: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model is to say.

    ``labels`` maps the text that a model writes to the value of the ``gold`` column.
    ``format`` is ``choice`` (one of the labels and nothing else) or ``text`` (free text that
    names a label). ``write`` is the template of a gold answer; without it, the label alone.
    """

    format: str
    labels: Mapping[str, Scalar]
    gold: str
    max_new_tokens: int
    selection: Selection | None = None
    write: str | None = None

    def label_of(self, value: Scalar) -> str | None:
        """The label text that stands for a value of the gold column, if one does."""
        wanted = label_key(value)
        return next((text for text, v in self.labels.items() if label_key(v) == wanted), None)


@dataclass(frozen=True, slots=True)
class Exemplars:
    """Worked examples: the rows of ``table`` that agree with the item on ``match``."""

    table: Table
    match: tuple[str, ...] = ()
    answer: str | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    """A setting: how an item becomes a conversation; templates are Jinja.

    With ``reasoning`` a model is to think aloud: its reply is decoded, whatever the format of the
    answer, and read by the last answer that it announces. ``max_new_tokens`` is the setting's
    own limit; without one it is that of the answer, or ``REASONING_TOKENS``. ``labels`` gives the
    texts of the task's labels to its values in another order, as where the same relations are
    numbered otherwise: the order of labels sways models.
    """

    system: str
    user: str
    exemplars: Exemplars | None = None
    reasoning: bool = False
    max_new_tokens: int | None = None
    labels: Mapping[str, Scalar] | None = None


@dataclass(frozen=True, slots=True)
class Confusion:
    """Items of some gold labels, and the wrong labels to look for in their answers."""

    gold: tuple[str, ...]
    taken_for: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """How answers become numbers.

    ``positive`` is the label for precision, recall and F1. ``pairs`` is a column with the id
    of an item's partner of the opposite polarity, for faithfulness. ``graded`` is a column of
    mean ratings, with which the probability of the positive label is compared. ``groups`` are
    lists of columns by which scores are broken down; items with the same value of the column
    ``clusters`` are not independent of each other. ``combine`` is how views become one
    answer: ``bidirectional``, or none, in which case each view is scored as an item.
    ``unit`` are the columns whose groups of rows give the paired values of a test between two
    runs; without them items are paired.
    ``half_right`` and ``wrong_as`` name gold labels for a closer look at how views disagree and
    at wrong answers.
    """

    metrics: tuple[str, ...]
    positive: str | None = None
    pairs: str | None = None
    groups: tuple[tuple[str, ...], ...] = ()
    clusters: str | None = None
    combine: str | None = None
    half_right: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    wrong_as: Mapping[str, Confusion] = field(default_factory=dict)
    unit: tuple[str, ...] = ()
    graded: str | None = None

    def columns(self) -> tuple[str, ...]:
        """Every column of the items that scoring reads, each once."""
        named = [column for group in self.groups for column in group]
        named += [column for column in (self.pairs, self.clusters, self.graded) if column]
        named += self.unit
        return tuple(dict.fromkeys(named))


@dataclass(frozen=True, slots=True)
class Rows:
    """A split, or those of its rows that hold one of the values given for each column."""

    table: Table
    where: Mapping[str, tuple[Scalar, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """Rows to train on and to validate with; ``test`` where it is not the task's data."""

    title: str
    train: tuple[Rows, ...]
    validation: tuple[Rows, ...]
    test: tuple[Rows, ...] = ()

    def parts(self) -> tuple[tuple[str, tuple[Rows, ...]], ...]:
        """The selections of rows by what they are for: train, validation, test."""
        return ("train", self.train), ("validation", self.validation), ("test", self.test)


@dataclass(frozen=True, slots=True)
class Curve:
    """A set that grows: at point k, with the rows of ``add`` whose column ``by`` is at most k.

    ``held_out`` is a column: only rows are tested on whose value in it no row of ``add`` has.
    With ``alone`` the rows of the base set are not trained on; it says only what to validate with
    and what to test on.
    """

    title: str
    base: str
    add: Rows
    by: str
    held_out: str | None = None
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Training:
    """How a classifier is trained: the columns it reads, and its sets, the first the default."""

    text: tuple[str, ...]
    sets: Mapping[str, TrainingSet]
    curves: Mapping[str, Curve] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reference:
    """Answers that are not a model's, such as people's: a table and its column with the answer."""

    table: Table
    answer: str


@dataclass(frozen=True, slots=True)
class Classification:
    """How an item is put to a model with a classification head.

    ``premise`` and ``hypothesis`` are templates over the item's columns; without a hypothesis the
    premise is classified alone. ``labels`` maps the model's labels to labels of the task; the
    model's are compared without case, spaces, hyphens and underscores.
    """

    premise: str
    hypothesis: str | None
    labels: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Task:
    """One question that a release asks about each of its items."""

    name: str
    title: str
    description: str
    data: Table
    id: str
    views: tuple[View, ...]
    answer: Answer
    prompts: Mapping[str, Prompt]
    score: Score
    train: Training | None = None
    references: Mapping[str, Reference] = field(default_factory=dict)
    classify: Classification | None = None

    def max_new_tokens(self, setting: str) -> int:
        """How many tokens a reply in a setting may have."""
        prompt = self.prompts[setting]
        default = REASONING_TOKENS if prompt.reasoning else self.answer.max_new_tokens
        return prompt.max_new_tokens or default

    def places(self) -> tuple[tuple[Path, Table], ...]:
        """Every place in the task that names a table, with that table; its own data first."""
        found: list[tuple[Path, Table]] = [(("data",), self.data)]
        for name, prompt in self.prompts.items():
            if prompt.exemplars is not None:
                found.append((("prompts", name, "exemplars"), prompt.exemplars.table))
        if self.train is not None:
            for name, chosen in self.train.sets.items():
                for part, selections in chosen.parts():
                    for index, rows in enumerate(selections):
                        found.append((("train", "sets", name, part, index), rows.table))
            for name, curve in self.train.curves.items():
                found.append((("train", "curves", name, "add"), curve.add.table))
        for name, reference in self.references.items():
            found.append((("references", name), reference.table))
        return tuple(found)

    def tables(self) -> tuple[Table, ...]:
        """The tables of items, examples and training rows, its own data first, each once."""
        found = [table for path, table in self.places() if path[0] != "references"]
        return tuple(dict.fromkeys(found))

    def prompt_columns(self) -> frozenset[str]:
        """The columns of an item that the prompts of any setting show."""
        shown: frozenset[str] = frozenset()
        for prompt in self.prompts.values():
            shown |= variables(prompt.system) | variables(prompt.user)
        return shown

    def exemplar_tables(self) -> frozenset[Table]:
        """The tables that hold worked examples."""
        return frozenset(p.exemplars.table for p in self.prompts.values() if p.exemplars)
