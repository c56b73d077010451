"""The tasks of a spec as the compiler needs them: what they read, and from which splits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sorites.canonical import Json
from sorites.errors import SoritesError
from sorites.release.tasks.findings import Path
from sorites.release.tasks.templates import variables

__all__ = ["Exemplars", "Setting", "SplitName", "Task", "View", "read_tasks"]

SplitName = tuple[str, str]
"""A split by the name of its config and its own."""


@dataclass(frozen=True, slots=True)
class Exemplars:
    """Worked examples shown before an item: from which split, alike in which columns."""

    split: SplitName
    match: tuple[str, ...]
    answer: str | None


@dataclass(frozen=True, slots=True)
class Setting:
    """A way to ask: a system and a user template, and perhaps exemplars."""

    name: str
    system: str | None
    user: str
    exemplars: Exemplars | None

    def columns(self) -> frozenset[str]:
        """The columns that the item's own prompt shows; raises SoritesError (see templates)."""
        return variables(self.user) | variables(self.system or "")


@dataclass(frozen=True, slots=True)
class View:
    """One of several times that an item is asked: columns exchanged, labels mapped."""

    name: str
    swap: tuple[tuple[str, str], ...]
    labels: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Task:
    """A task: ``labels`` maps what the model writes to a value of the column ``gold``.

    ``training`` are the splits on which a model may be fine-tuned, each with its place in the
    task, and ``reads`` the columns that it then reads.
    """

    name: str
    title: str
    description: str
    split: SplitName
    id: str
    gold: str
    labels: Mapping[str, Json]
    write: str | None
    selection: str | None
    settings: tuple[Setting, ...]
    views: tuple[View, ...]
    metrics: tuple[str, ...]
    combine: str | None
    positive: str | None
    pairs: str | None
    clusters: str | None
    groups: tuple[tuple[str, ...], ...]
    training: tuple[tuple[Path, SplitName], ...]
    reads: tuple[str, ...]

    def places(self) -> tuple[tuple[Path, SplitName], ...]:
        """The places in the spec that name a split, with the split; its own first."""
        here: Path = ("tasks", self.name)
        return (
            ((*here, "data"), self.split),
            *(
                ((*here, "prompts", setting.name, "exemplars"), setting.exemplars.split)
                for setting in self.settings
                if setting.exemplars is not None
            ),
            *(((*here, *path), split) for path, split in self.training),
        )

    def exemplars(self) -> frozenset[SplitName]:
        """The splits that hold worked examples."""
        return frozenset(s.exemplars.split for s in self.settings if s.exemplars is not None)

    def splits(self) -> tuple[SplitName, ...]:
        """The splits that the task reads, its own first, each once."""
        return tuple(dict.fromkeys(split for _, split in self.places()))


def read_tasks(document: Mapping[str, Json]) -> tuple[Task, ...]:
    """The tasks of a spec that its JSON Schema has accepted, in the order of the document.

    Raises SoritesError where a value has another shape than the schema demands.
    """
    return tuple(_task(name, _mapping(value, name)) for name, value in document.items())


def _task(name: str, task: Mapping[str, Json]) -> Task:
    answer = _mapping(task.get("answer"), f"{name}.answer")
    score = _mapping(task.get("score"), f"{name}.score")
    prompts = _mapping(task.get("prompts"), f"{name}.prompts")
    selection = answer.get("selection")
    train = _mapping(task.get("train", {}), f"{name}.train")
    return Task(
        name=name,
        title=_text(task.get("title"), name),
        description=_text(task.get("description"), ""),
        split=_split(task.get("data"), f"{name}.data"),
        id=_text(task.get("id"), "id"),
        gold=_text(answer.get("gold"), "label"),
        labels=_mapping(answer.get("labels"), f"{name}.answer.labels"),
        write=_optional(answer.get("write")),
        selection=_optional(_mapping(selection, name).get("gold")) if selection else None,
        settings=tuple(
            _setting(key, _mapping(value, f"{name}.prompts.{key}"))
            for key, value in prompts.items()
        ),
        views=tuple(_view(_mapping(view, f"{name}.views")) for view in _list(task.get("views"))),
        metrics=_names(score.get("metrics")),
        combine=_optional(score.get("combine")),
        positive=_optional(score.get("positive")),
        pairs=_optional(score.get("pairs")),
        clusters=_optional(score.get("clusters")),
        groups=tuple(_names(group) for group in _list(score.get("groups"))),
        training=tuple(_training(train, name)),
        reads=_names(train.get("text")),
    )


def _training(train: Mapping[str, Json], name: str) -> Iterator[tuple[Path, SplitName]]:
    sets = _mapping(train.get("sets", {}), f"{name}.train.sets")
    for key, value in sets.items():
        chosen = _mapping(value, f"{name}.train.sets.{key}")
        for part in ("train", "validation", "test"):
            for index, rows in enumerate(_list(chosen.get(part))):
                yield ("train", "sets", key, part, index), _split(rows, f"{name}.train.sets.{key}")
    curves = _mapping(train.get("curves", {}), f"{name}.train.curves")
    for key, value in curves.items():
        added = _mapping(value, f"{name}.train.curves.{key}").get("add")
        yield ("train", "curves", key, "add"), _split(added, f"{name}.train.curves.{key}")


def _setting(name: str, setting: Mapping[str, Json]) -> Setting:
    exemplars = setting.get("exemplars")
    return Setting(
        name=name,
        system=_optional(setting.get("system")),
        user=_text(setting.get("user"), ""),
        exemplars=_exemplars(_mapping(exemplars, f"{name}.exemplars")) if exemplars else None,
    )


def _exemplars(value: Mapping[str, Json]) -> Exemplars:
    return Exemplars(
        split=_split(value, "exemplars"),
        match=_names(value.get("match")),
        answer=_optional(value.get("answer")),
    )


def _view(view: Mapping[str, Json]) -> View:
    swap = [_names(pair) for pair in _list(view.get("swap"))]
    labels = view.get("labels")
    return View(
        name=_text(view.get("name"), "only"),
        swap=tuple((pair[0], pair[1]) for pair in swap),
        labels={key: str(to) for key, to in _mapping(labels, "labels").items()} if labels else {},
    )


def _split(value: Json, where: str) -> SplitName:
    data = _mapping(value, where)
    return str(data.get("config")), str(data.get("split"))


def _mapping(value: Json, where: str) -> Mapping[str, Json]:
    if not isinstance(value, Mapping):
        raise SoritesError(f"tasks.{where}: a mapping is needed here")
    return value


def _list(value: Json) -> Sequence[Json]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()


def _names(value: Json) -> tuple[str, ...]:
    return tuple(str(name) for name in _list(value))


def _text(value: Json, default: str) -> str:
    return value if isinstance(value, str) else default


def _optional(value: Json) -> str | None:
    return value if isinstance(value, str) else None
