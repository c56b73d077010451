"""What changes labels beside the premises, and whether a reader is told of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from sorites.canonical import Json
from sorites.errors import Problem
from sorites.families.argument_schemes.plan import ArgumentPlan
from sorites.specfile.reader import Document, DocumentPath
from sorites_eval.contract.faults import InvalidTemplate
from sorites_eval.contract.templates import variables

__all__ = ["assumption_problems"]

COLUMN = "assumptions"


def assumption_problems(plan: ArgumentPlan, document: Document) -> list[Problem]:
    """Existential import that no sentence tells, and prompts that do not show the sentence."""
    problems: list[Problem] = []
    if plan.existential_import and plan.assumptions is None:
        problems.append(
            document.problem(
                ("logic", "existential_import"),
                "labels rest on existential import, and nothing tells a reader",
                "add logic.assumptions: a sentence such as Every class named here has a member.",
            )
        )
    if plan.assumptions is None:
        return problems
    for place, texts in _prompts(document):
        if not any(map(_shows, texts)):
            problems.append(
                document.problem(
                    place,
                    f"the prompt does not show the column {COLUMN}, on which labels rest",
                    "put {{ assumptions }} before the premises",
                )
            )
    return problems


def _prompts(document: Document) -> Iterator[tuple[DocumentPath, list[str]]]:
    """Each prompt of the tasks that ask about items, with the texts that it shows."""
    data = cast("Mapping[str, Json]", document.data)
    for task, section in cast("Mapping[str, Mapping[str, Json]]", data["tasks"]).items():
        prompts = cast("Mapping[str, Mapping[str, Json]]", section.get("prompts", {}))
        for name, prompt in prompts.items():
            texts = [str(prompt[part]) for part in ("system", "user") if part in prompt]
            yield ("tasks", task, "prompts", name), texts


def _shows(text: str) -> bool:
    try:
        return COLUMN in variables(text)
    except InvalidTemplate:
        # What is wrong with a prompt is said where prompts are checked.
        return True
