"""Frames as a spec lists them, in parts or as a sentence with two places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sorites.families.veridicality.clauses.frames import (
    Frame,
    FrameError,
    InnerClause,
    frame_problems,
    read_text,
    subject_problems,
)
from sorites.families.veridicality.clauses.language import INNER_ENVIRONMENTS, TENSES, Language
from sorites.families.veridicality.clauses.stacks import Construction
from sorites.families.veridicality.polarity import Environment
from sorites.families.veridicality.reports import Path, Report
from sorites.families.veridicality.verbs import Verb

__all__ = ["Frames", "read_frames", "used_frames"]

Frames = tuple[Frame | None, tuple[Frame, ...], tuple[InnerClause, ...]]
"""The main frame, further frames, and the clauses between the main one and a pair."""


def read_frames(section: Mapping[str, Any], language: Language, tell: Report) -> Frames:
    """The frames of a spec, by themselves: what they say is told by ``used_frames``."""
    main = _frame(section["main"], ("frames", "main"), language, tell)
    further = [
        _frame(entry, ("frames", "further", index), language, tell)
        for index, entry in enumerate(section.get("further", []))
    ]
    if main is not None and set(main.tenses) != set(TENSES):
        tell(("frames", "main", "tenses"), "the main frame needs both tenses", "")
    seen = {main.id} if main is not None else set()
    for index, frame in enumerate(further):
        if frame is not None and frame.id in seen:
            tell(("frames", "further", index, "id"), f"two frames are called {frame.id}", "")
        if frame is not None:
            seen.add(frame.id)
    inner = tuple(
        InnerClause(
            entry["subject"],
            entry.get("agreement") == "plural",
            Environment(entry.get("environment", Environment.POSITIVE)),
            negative=_negates(entry["subject"], language),
        )
        for entry in section.get("inner", [])
    )
    return main, tuple(frame for frame in further if frame is not None), inner


def used_frames(
    frames: Frames,
    section: Mapping[str, Any],
    around: Sequence[Construction],
    language: Language,
    verbs: Sequence[Verb],
    tell: Report,
) -> None:
    """Told is whatever the frames' own words would do to a label in the constructions used."""
    main, further, inner = frames
    environments = tuple(dict.fromkeys(construction.environment for construction in around))
    if main is not None:
        for problem in _uses(main, environments, language, verbs, whole=True):
            tell(_place(("frames", "main"), section["main"]), *problem)
    numbers = {frame.id: index for index, frame in enumerate(further)}
    entries = section.get("further", [])
    for index, entry in enumerate(entries):
        frame = next((of for of in further if of.id == entry["id"]), None)
        if frame is not None and numbers:
            for problem in _uses(frame, environments, language, verbs, whole=False):
                tell(_place(("frames", "further", index), entry), *problem)
    for tense in TENSES if further else ():
        for environment in environments:
            if not any(tense in f.tenses and environment in f.environments for f in further):
                tell(
                    ("frames", "further"),
                    f"no further frame can stand in the {tense}, {environment}",
                    "",
                )
    for index, clause in enumerate(inner):
        path: Path = ("frames", "inner", index, "subject")
        for problem in subject_problems(clause.subject, (clause.environment,), language, verbs):
            tell(path, *problem)
        if clause.environment not in INNER_ENVIRONMENTS:
            allowed = ", ".join(INNER_ENVIRONMENTS)
            message = f"a clause below a verb is no {clause.environment}"
            tell(("frames", "inner", index, "environment"), message, f"one of {allowed}")


def _frame(entry: Mapping[str, Any], path: Path, language: Language, tell: Report) -> Frame | None:
    adjunct, subject, movable = entry.get("adjunct", ""), entry.get("subject", ""), True
    if "text" in entry:
        if subject or adjunct:
            tell((*path, "text"), "a frame is written as a text or as parts, not as both", "")
        try:
            adjunct, subject = read_text(entry["text"], language)
        except FrameError as error:
            tell((*path, "text"), str(error), error.hint)
            return None
        movable = False
    return Frame(
        entry["id"],
        subject,
        plural=entry.get("agreement") == "plural",
        adjunct=adjunct,
        tenses=tuple(entry.get("tenses", TENSES)),
        environments=tuple(Environment(name) for name in entry.get("environments", Environment)),
        consequent=entry.get("consequent"),
        movable=movable,
        negative=_negates(subject, language),
    )


def _negates(subject: str, language: Language) -> bool:
    return any(kind == "negations" for _, kind in language.operators.found(subject))


def _place(path: Path, entry: Mapping[str, Any]) -> Path:
    return (*path, "text" if "text" in entry else "subject")


def _uses(
    frame: Frame,
    environments: Sequence[Environment],
    language: Language,
    verbs: Sequence[Verb],
    *,
    whole: bool,
) -> Iterator[tuple[str, str]]:
    """What is wrong with a frame in the environments in which it will stand."""
    stands_in = [environment for environment in environments if environment in frame.environments]
    missing = [environment for environment in environments if environment not in stands_in]
    if whole and missing:
        yield f"the main frame cannot stand in the environment {missing[0]}", "add it there"
    yield from frame_problems(frame, stands_in, language, verbs)
    for environment in stands_in:
        pattern = language.main[environment, TENSES[0]]
        if environment is Environment.QUANTIFIED and frame.negative:
            continue
        if not frame.movable and "{subject}" in pattern and not pattern.startswith("{subject}"):
            yield (
                f"in the environment {environment} the subject stands within the sentence, and "
                "the text does not show how it is written there",
                "write the frame in parts, such as subject: someone",
            )
            return
