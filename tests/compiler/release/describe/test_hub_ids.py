from __future__ import annotations

from dataclasses import replace

import pytest

from sorites.errors import InvalidSpec
from sorites.release.content import Content
from sorites.release.describe.hub_ids import LICENCES, TASK_CATEGORIES, card_problems
from sorites.release.write import write_release
from sorites.specfile.model import CardText, Spec


def test_the_lists_hold_what_specs_use(spec: Spec) -> None:
    assert {"cc-by-4.0", "cc-by-sa-4.0", "cc0-1.0", "other"} <= LICENCES
    assert {"text-classification", "multiple-choice"} <= TASK_CATEGORIES
    assert [*card_problems(spec)] == []


def test_ids_that_the_hub_does_not_know_are_refused(spec: Spec, content: Content) -> None:
    card = CardText(task_categories=("text-classification", "text-clasification", "inference"))
    wrong = replace(spec, license="cc-by-4", card=card)
    with pytest.raises(InvalidSpec) as caught:
        write_release(wrong, content, spec.path.parent / "out")
    assert [(p.path, p.message, p.hint) for p in caught.value.problems] == [
        ("license", "cc-by-4 is not one of the Hub's licences", "did you mean cc-by-4.0?"),
        (
            "card.task_categories[1]",
            "text-clasification is not one of the Hub's task categories for text",
            "did you mean text-classification?",
        ),
        (
            "card.task_categories[2]",
            "inference is not one of the Hub's task categories for text",
            f"they are: {', '.join(sorted(TASK_CATEGORIES))}",
        ),
    ]
    assert not (spec.path.parent / "out").exists()


def test_another_licence_needs_a_name_and_a_link(spec: Spec) -> None:
    (problem,) = card_problems(replace(spec, license="other", license_name="mine"))
    assert (problem.message, problem.hint) == (
        "the licence other does not say which one it is",
        "add license_name and license_link",
    )
