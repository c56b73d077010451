"""The constructions that each section of a spec asks for, and what they need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sorites.families.veridicality.clauses.language import TENSES, Language
from sorites.families.veridicality.clauses.stacks import Construction, constructions
from sorites.families.veridicality.polarity import Environment
from sorites.families.veridicality.reading.frame_entries import Frames
from sorites.families.veridicality.reports import Report

__all__ = ["SECTIONS", "needed_forms", "read_constructions"]

SECTIONS = ("synthetic", "control", "naturalistic")
"""The sections whose pairs are put below verbs."""


def read_constructions(
    data: Mapping[str, Any], frames: Frames, language: Language, tell: Report
) -> dict[str, tuple[Construction, ...]]:
    """The constructions of each section that the spec has."""
    inner = frames[2]
    found: dict[str, tuple[Construction, ...]] = {}
    for section in SECTIONS:
        if section not in data:
            continue
        entry = data[section]
        environments = [Environment(name) for name in entry.get("environments", ["positive"])]
        depths, voices = entry.get("depths", [1]), entry.get("voices", ["active"])
        for voice in voices:
            known = language.environments(passive=voice == "passive")
            for environment in environments:
                impersonal = voice == "passive" and environment is Environment.QUANTIFIED
                if environment not in known and not impersonal:
                    tell(
                        (section, "environments"),
                        f"the language has no {voice} clause for {environment}",
                        "it has: " + (", ".join(known) or "none"),
                    )
        deepest = max(depths)
        if deepest - 1 > len(inner):
            tell(
                (section, "depths"),
                f"{deepest} verbs above a sentence need {deepest - 1} inner clauses; frames.inner "
                f"has {len(inner)}",
                "add: inner: [{subject: someone else}]",
            )
        if section == "control":
            _control_problems(inner, depths, voices, tell)
        found[section] = tuple(constructions(environments, depths, voices, inner))
    return found


def _control_problems(
    inner: Sequence[Any], depths: Sequence[int], voices: Sequence[str], tell: Report
) -> None:
    if "passive" in voices:
        tell(("control", "voices"), "a verb with an infinitive has no impersonal passive", "")
    for depth in depths:
        innermost = inner[depth - 2 : depth - 1] if depth > 1 else ()
        if any(clause.environment is Environment.QUANTIFIED for clause in innermost):
            tell(
                ("frames", "inner", depth - 2),
                "the subject of an infinitive would be quantified below another verb, where its "
                "scope is not certain",
                "give this clause another environment, or control other depths",
            )


def needed_forms(around: Sequence[Construction], language: Language, frames: Frames) -> set[str]:
    """The further forms of verbs that some construction needs."""
    needed = set()
    patterns = [
        (language.passive if of.passive else language.main).get((of.environment, tense), "")
        for of in around
        for tense in TENSES
    ]
    patterns += [
        language.embedded.get((clause.environment, tense), "")
        for of in around
        for clause in of.inner
        for tense in TENSES
    ]
    if any("{participle}" in pattern for pattern in patterns):
        needed.add("participle")
    main, further, inner = frames
    if any(of is not None and of.plural for of in (main, *further, *inner)):
        needed.add("past_plural")
    return needed
