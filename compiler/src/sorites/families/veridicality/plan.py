"""The sections of a spec of this kind, as frozen dataclasses, with every problem at its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from sorites.canonical import Json
from sorites.errors import SoritesError
from sorites.families.veridicality.frames import TENSES, Frame, FrameError, read_frame
from sorites.families.veridicality.verbs import Sign, UnknownForm, Verb, derive_form
from sorites.logic.grammar.fragment import Fragment, read_fragment
from sorites.logic.grammar.grammar import GrammarError

__all__ = [
    "AugmentationPlan",
    "NaturalisticPlan",
    "Plan",
    "Report",
    "SyntheticPlan",
    "no_problem",
    "read_plan",
]

_Path: TypeAlias = tuple[str | int, ...]

Report: TypeAlias = Callable[[_Path, str, str], None]
"""Takes the path of a value in the document, what is wrong with it, and a hint."""


@dataclass(frozen=True, slots=True)
class SyntheticPlan:
    """How many pairs to draw from the grammar, and under how many verbs each is put."""

    fragment: Fragment
    max_connectives: int
    pairs: int
    verbs_per_pair: int


@dataclass(frozen=True, slots=True)
class AugmentationPlan:
    """How many further pairs, and the veridical verbs in the order in which they are added."""

    pairs: int
    verbs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NaturalisticPlan:
    """Which pairs of which source; ``split`` is None for a source without splits.

    ``noise`` is the share of veridical labels to flip, 0 for no such config.
    """

    source: str
    form: str
    split: str | None
    pairs: int
    verbs_per_pair: int
    noise: float
    augmentation: AugmentationPlan | None


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is particular to a spec of this kind; ``human`` is the id of a source."""

    verbs: tuple[Verb, ...]
    frame: Frame
    further_frames: tuple[Frame, ...]
    synthetic: SyntheticPlan | None
    naturalistic: NaturalisticPlan | None
    validation: float
    random_test: float
    human: str | None


def read_plan(document: Mapping[str, Json], report: Report) -> Plan | None:
    """The plan of a document that the schema has accepted; None if a problem was reported."""
    # The schema has accepted the document: these are the types that it promises.
    data = cast("dict[str, Any]", document)
    found: list[str] = []

    def tell(path: _Path, message: str, hint: str = "") -> None:
        found.append(message)
        report(path, message, hint)

    verbs = _verbs(data["verbs"], tell)
    main = _frame(data["frames"]["main"], ("frames", "main"), tell)
    further = [
        _frame(frame, ("frames", "further", index), tell)
        for index, frame in enumerate(data["frames"].get("further", []))
    ]
    if main is not None and set(main.tenses) != set(TENSES):
        tell(("frames", "main", "tenses"), "the main frame needs both tenses")
    _frames_together([main, *further], tell)
    fragment = _fragment(data.get("fragment"), tell)
    if "synthetic" not in data and "naturalistic" not in data:
        tell((), "the spec has neither a synthetic nor a naturalistic part", "add one of them")
    if "synthetic" in data and "fragment" not in data:
        tell(("synthetic",), "there is no grammar to draw from", "add the section fragment")
    for section in ("synthetic", "naturalistic"):
        if section in data and main is not None:
            _enough_verbs(verbs, main, data[section]["verbs_per_pair"], (section,), tell)
    if "naturalistic" in data:
        _augmentation_problems(data["naturalistic"], verbs, main, tell)
    human = data.get("human", {}).get("source")
    if found or main is None:
        return None
    return Plan(
        verbs=verbs,
        frame=main,
        further_frames=tuple(frame for frame in further if frame is not None),
        synthetic=_synthetic(data, fragment),
        naturalistic=_naturalistic(data.get("naturalistic")),
        validation=float(data["splits"]["validation"]),
        random_test=float(data["splits"]["random_test"]),
        human=human,
    )


def _verbs(entries: Sequence[dict[str, Any]], tell: Report) -> tuple[Verb, ...]:
    verbs: list[Verb] = []
    owner: dict[str, str] = {}
    for index, entry in enumerate(entries):
        lemma = entry["lemma"]
        forms: dict[str, str] = {}
        for key, tag in (("present", "VBZ"), ("past", "VBD")):
            try:
                forms[key] = entry.get(key) or derive_form(lemma, tag)
            except UnknownForm as error:
                tell(("verbs", index), f"the {key} of {lemma} is missing: {error}", f"add {key}: …")
        if owner.setdefault(f"lemma {lemma}", lemma) != lemma or lemma in {v.lemma for v in verbs}:
            tell(("verbs", index, "lemma"), f"{lemma} stands twice", "leave one out")
        if len(forms) < 2:
            continue
        for form in {forms["present"], forms["past"]}:
            if owner.setdefault(form, lemma) != lemma:
                tell(("verbs", index), f"{form} is a form of both {owner[form]} and {lemma}", "")
        positive, negative = entry["signature"].split("/")
        judgements = {name: float(mean) for name, mean in entry.get("judgements", {}).items()}
        verbs.append(
            Verb(lemma, forms["present"], forms["past"], Sign(positive), Sign(negative), judgements)
        )
    return tuple(verbs)


def _frame(entry: dict[str, Any], path: _Path, tell: Report) -> Frame | None:
    try:
        return read_frame(
            entry["id"],
            entry["text"],
            plural=entry.get("agreement", "singular") == "plural",
            negated=entry.get("polarity", "positive") == "negative",
            tenses=tuple(entry.get("tenses", TENSES)),
        )
    except FrameError as error:
        tell((*path, "text"), str(error), "write it like: Someone {verb} that {sentence}")
        return None


def _frames_together(frames: Sequence[Frame | None], tell: Report) -> None:
    seen: set[str] = set()
    known = [frame for frame in frames if frame is not None]
    for index, frame in enumerate(known):
        if frame.id in seen:
            tell(("frames", "further", index - 1, "id"), f"two frames are called {frame.id}", "")
        seen.add(frame.id)
    covered = {tense for frame in known[1:] for tense in frame.tenses}
    if len(known) > 1 and covered != set(TENSES):
        missing = next(tense for tense in TENSES if tense not in covered)
        tell(("frames", "further"), f"no further frame can stand in the {missing}", "")
    if len({frame.negated for frame in known}) > 1:
        # A verb would be veridical in one config and not in another, under the same pairs.
        tell(("frames",), "the frames are partly positive, partly negative", "keep one polarity")


def _fragment(section: dict[str, Any] | None, tell: Report) -> Fragment | None:
    if section is None:
        return None
    try:
        fragment = read_fragment(section["grammar"])
    except GrammarError as error:
        where = f"line {error.line} of the grammar: " if error.line else ""
        tell(("fragment", "grammar"), f"{where}{error.reason}", "")
        return None
    if set(fragment.tenses) != set(TENSES):
        have = ", ".join(fragment.tenses)
        tell(
            ("fragment", "grammar"),
            f"the sentences have the tenses {have}",
            f"the start symbol needs TENSE={' and TENSE='.join(TENSES)}",
        )
        return None
    return fragment


def _enough_verbs(
    verbs: Sequence[Verb], frame: Frame, per_pair: int, path: _Path, tell: Report
) -> None:
    veridical = sum(verb.sign(negated=frame.negated) is Sign.TRUE for verb in verbs)
    fewest = min(veridical, len(verbs) - veridical)
    if per_pair % 2:
        tell((*path, "verbs_per_pair"), f"{per_pair} is odd: half of the verbs are veridical", "")
    elif per_pair // 2 > fewest:
        tell(
            (*path, "verbs_per_pair"),
            f"{per_pair} verbs a pair need {per_pair // 2} veridical verbs and as many others; "
            f"there are {veridical} and {len(verbs) - veridical}",
            f"at most {2 * fewest}",
        )


def _augmentation_problems(
    section: dict[str, Any], verbs: Sequence[Verb], frame: Frame | None, tell: Report
) -> None:
    known = {verb.lemma: verb for verb in verbs}
    for index, lemma in enumerate(section.get("augmentation", {}).get("verbs", [])):
        path = ("naturalistic", "augmentation", "verbs", index)
        if lemma not in known:
            tell(path, f"{lemma} is no verb of the spec", "")
        elif frame is not None and known[lemma].sign(negated=frame.negated) is not Sign.TRUE:
            tell(path, f"{lemma} is not veridical: it is {known[lemma].signature}", "")


def _synthetic(data: dict[str, Any], fragment: Fragment | None) -> SyntheticPlan | None:
    section = data.get("synthetic")
    if section is None or fragment is None:
        return None
    return SyntheticPlan(
        fragment, data["fragment"]["max_connectives"], section["pairs"], section["verbs_per_pair"]
    )


def _naturalistic(section: dict[str, Any] | None) -> NaturalisticPlan | None:
    if section is None:
        return None
    more = section.get("augmentation")
    return NaturalisticPlan(
        section["source"],
        section["format"],
        section.get("split"),
        section["pairs"],
        section["verbs_per_pair"],
        float(section.get("noise", 0)),
        AugmentationPlan(more["pairs"], tuple(more["verbs"])) if more else None,
    )


def no_problem(path: _Path, message: str, hint: str) -> None:
    """A report for a document that ``check`` has accepted before."""
    raise SoritesError(f"{'.'.join(map(str, path))}: {message}" + (f" ({hint})" if hint else ""))
