"""The sections of a spec of this kind, as frozen dataclasses, with every problem at its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, cast

from sorites.canonical import Json
from sorites.families.veridicality.clauses.frames import Frame
from sorites.families.veridicality.clauses.language import TENSES, Language, pattern_problems
from sorites.families.veridicality.clauses.stacks import Construction
from sorites.families.veridicality.dealing import Kinds
from sorites.families.veridicality.judgements import RatingTable
from sorites.families.veridicality.polarity import Sign
from sorites.families.veridicality.reading.construction_entries import (
    SECTIONS,
    needed_forms,
    read_constructions,
)
from sorites.families.veridicality.reading.frame_entries import read_frames, used_frames
from sorites.families.veridicality.reading.pair_sources import read_pair_table, table_problems
from sorites.families.veridicality.reading.rating_sources import (
    rating_problems,
    read_rating_table,
)
from sorites.families.veridicality.reading.verb_entries import read_verbs
from sorites.families.veridicality.reports import Path, Report, no_problem
from sorites.families.veridicality.verbs import Complement, Verb
from sorites.logic.grammar.fragment import INFINITIVE, Fragment, read_fragment
from sorites.logic.grammar.grammar import GrammarError
from sorites.sources.sentence_pairs.pairs import PairTable

__all__ = [
    "AugmentationPlan",
    "GrammarPlan",
    "HumanPlan",
    "NaturalisticPlan",
    "Plan",
    "no_problem",
    "read_plan",
]

SAME, FURTHER = "same", "further"
"""The pairs of which composites are added to the training parts: the section's own, or others."""


@dataclass(frozen=True, slots=True)
class GrammarPlan:
    """How many pairs to draw from the grammar, and below how many verbs of what kind."""

    fragment: Fragment
    max_connectives: int
    pairs: int
    verbs_per_pair: int
    complement: Complement
    constructions: tuple[Construction, ...]


@dataclass(frozen=True, slots=True)
class AugmentationPlan:
    """Which pairs, and the veridical verbs in the order in which they are added.

    ``same`` adds composites of the section's own pairs; ``further`` is how many others of the
    source there are composites of, 0 for none.
    """

    same: bool
    further: int
    verbs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NaturalisticPlan:
    """Which pairs of which source; ``split`` is None for a source without splits.

    ``noise`` is the share of veridical labels to flip, 0 for no such config.
    """

    source: str
    table: PairTable
    split: str | None
    pairs: int
    verbs_per_pair: int
    constructions: tuple[Construction, ...]
    noise: float
    augmentation: AugmentationPlan | None


@dataclass(frozen=True, slots=True)
class HumanPlan:
    """Which source holds judgements; ``table`` is None for the form of the published file."""

    source: str
    table: RatingTable | None


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is particular to a spec of this kind."""

    language: Language
    verbs: tuple[Verb, ...]
    frame: Frame
    further_frames: tuple[Frame, ...]
    synthetic: GrammarPlan | None
    control: GrammarPlan | None
    naturalistic: NaturalisticPlan | None
    validation: float
    random_test: float
    human: HumanPlan | None

    @property
    def constructions(self) -> tuple[Construction, ...]:
        """Every construction of some section, each once."""
        sections = (self.synthetic, self.control, self.naturalistic)
        found = dict.fromkeys(chain(*(s.constructions for s in sections if s is not None)))
        if self.naturalistic is not None and self.naturalistic.augmentation is not None:
            # Composites that are added to the training parts stand below one positive verb.
            found.setdefault(Construction())
        return tuple(found)


def read_plan(document: Mapping[str, Json], report: Report) -> Plan | None:
    """The plan of a document that the schema has accepted; None if a problem was reported."""
    # The schema has accepted the document: these are the types that it promises.
    data = cast("dict[str, Any]", document)
    found: list[str] = []

    def tell(path: Path, message: str, hint: str = "") -> None:
        found.append(message)
        report(path, message, hint)

    language = Language.of(data["language"])
    for problem in pattern_problems(language):
        tell(("language",), problem)
    frames = read_frames(data["frames"], language, tell)
    around = read_constructions(data, frames, language, tell)
    everything = [*dict.fromkeys(chain(*around.values()))]
    verbs = read_verbs(data["verbs"], language, needed_forms(everything, language, frames), tell)
    if not found:
        used_frames(frames, data["frames"], everything, language, verbs, tell)
    fragment = _fragment(data.get("fragment"), tell)
    _section_problems(data, fragment, language, tell)
    for section, of_section in around.items():
        complement = Complement.TO if section == "control" else Complement.THAT
        _enough_verbs(verbs, complement, of_section, data[section], section, tell)
    for key, problem, hint in rating_problems(data.get("human", {})):
        tell(("human", key), problem, hint)
    if "naturalistic" in data:
        _naturalistic_problems(data["naturalistic"], verbs, tell)
    main, further, _ = frames
    if found or main is None:
        return None
    return Plan(
        language=language,
        verbs=verbs,
        frame=main,
        further_frames=further,
        synthetic=_grammar_plan(data, "synthetic", fragment, around),
        control=_grammar_plan(data, "control", fragment, around),
        naturalistic=_naturalistic(data.get("naturalistic"), around),
        validation=float(data["splits"]["validation"]),
        random_test=float(data["splits"]["random_test"]),
        human=_human(data.get("human")),
    )


def _section_problems(
    data: Mapping[str, Any], fragment: Fragment | None, language: Language, tell: Report
) -> None:
    if not any(section in data for section in SECTIONS):
        tell((), "the spec has neither a synthetic nor a naturalistic part", "add one of them")
    for section in ("synthetic", "control"):
        if section in data and "fragment" not in data:
            tell((section,), "there is no grammar to draw from", "add the section fragment")
    infinitives = fragment is None or any(INFINITIVE in of.leaves for of in fragment.shapes)
    if "control" in data and not infinitives:
        message = f"the grammar has no sentence with TENSE={INFINITIVE}"
        tell(("control",), message, "such as: Ann to swim")
    if "naturalistic" in data and not language.english:
        tell(
            ("naturalistic",),
            "sentences of a source are put into the past, which is known for English alone",
            "draw the sentences from a grammar: synthetic",
        )


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
    verbs: Sequence[Verb],
    complement: Complement,
    around: Sequence[Construction],
    entry: Mapping[str, Any],
    section: str,
    tell: Report,
) -> None:
    per_pair = entry["verbs_per_pair"]
    path = (section, "verbs_per_pair")
    if per_pair % 2:
        tell(path, f"{per_pair} is odd: half of the verbs are veridical", "")
        return
    for construction in around:
        kinds = Kinds(verbs, complement, construction)
        veridical, others = (len(kinds.innermost(veridical=kind)) for kind in (True, False))
        fewest = min(veridical, others)
        if per_pair // 2 > fewest:
            where = f" in the construction {construction.marks}" if construction.marks else ""
            tell(
                path,
                f"{per_pair} verbs a pair need {per_pair // 2} veridical verbs and as many others; "
                f"there are {veridical} and {others}{where}",
                f"at most {2 * fewest}",
            )


def _naturalistic_problems(section: Mapping[str, Any], verbs: Sequence[Verb], tell: Report) -> None:
    for key, problem, hint in table_problems(section):
        tell(("naturalistic", key), problem, hint)
    if "augmentation" in section:
        _augmentation_problems(section["augmentation"], verbs, tell)


def _augmentation_problems(section: Mapping[str, Any], verbs: Sequence[Verb], tell: Report) -> None:
    here = ("naturalistic", "augmentation")
    known = {verb.lemma: verb for verb in verbs if verb.complement is Complement.THAT}
    for index, lemma in enumerate(section["verbs"]):
        if lemma not in known:
            tell((*here, "verbs", index), f"{lemma} is no verb of the spec", "")
        elif known[lemma].positive is not Sign.TRUE:
            signature = known[lemma].signature
            tell((*here, "verbs", index), f"{lemma} is not veridical: it is {signature}", "")
    chosen = _pairs_of(section)
    if FURTHER in chosen and "number" not in section:
        tell(here, "it is not said how many further pairs there are", "add number: …")
    if FURTHER not in chosen and "number" in section:
        tell(
            (*here, "number"),
            "the same pairs are all pairs of the section",
            "leave number out, or write pairs: [same, further]",
        )
    veridical = {lemma for lemma, verb in known.items() if verb.positive is Sign.TRUE}
    if SAME in chosen and veridical <= {*section["verbs"]}:
        tell(
            (*here, "verbs"),
            "every veridical verb is added: none is left to test on",
            "with composites of the same pairs, a test below a verb that is added repeats them",
        )


def _pairs_of(section: Mapping[str, Any]) -> tuple[str, ...]:
    """Which pairs a section ``augmentation`` takes: same, further or both."""
    pairs = section["pairs"]
    return (pairs,) if isinstance(pairs, str) else tuple(pairs)


def _grammar_plan(
    data: Mapping[str, Any],
    section: str,
    fragment: Fragment | None,
    around: Mapping[str, tuple[Construction, ...]],
) -> GrammarPlan | None:
    if section not in data or fragment is None:
        return None
    return GrammarPlan(
        fragment,
        data["fragment"]["max_connectives"],
        data[section]["pairs"],
        data[section]["verbs_per_pair"],
        Complement.TO if section == "control" else Complement.THAT,
        around[section],
    )


def _naturalistic(
    section: Mapping[str, Any] | None, around: Mapping[str, tuple[Construction, ...]]
) -> NaturalisticPlan | None:
    if section is None:
        return None
    more = section.get("augmentation")
    return NaturalisticPlan(
        section["source"],
        read_pair_table(section),
        section.get("split"),
        section["pairs"],
        section["verbs_per_pair"],
        around["naturalistic"],
        float(section.get("noise", 0)),
        _augmentation(more) if more else None,
    )


def _augmentation(section: Mapping[str, Any]) -> AugmentationPlan:
    further = section["number"] if FURTHER in _pairs_of(section) else 0
    return AugmentationPlan(SAME in _pairs_of(section), further, tuple(section["verbs"]))


def _human(section: Mapping[str, Any] | None) -> HumanPlan | None:
    if section is None:
        return None
    return HumanPlan(section["source"], read_rating_table(section))
