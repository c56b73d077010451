"""What a plan says of schemes that a spec names and does not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorites.errors import InvalidSpec
from sorites.pipeline import check_spec
from tests.small_spec import small_spec

SCHEMES = [
    ("generalized modus ponens", "base"),
    ("generalized modus ponens", "negation"),
    ("generalized contraposition", "base"),
    ("hypothetical syllogism 1", "base"),
]
"""One scheme of two variants, between those whose names stand before and after it."""


@pytest.mark.parametrize(
    ("scheme", "variant", "hint"),
    [
        (
            "generalized modus ponens",
            "negatoin",
            'the variants of "generalized modus ponens" are: "base", "negation"',
        ),
        (
            "generalized contraposition",
            "negation",
            'the variants of "generalized contraposition" are: "base"',
        ),
        (
            "hypothetical syllogism 1",
            "negation",
            'the variants of "hypothetical syllogism 1" are: "base"',
        ),
        (
            "barbara",
            "base",
            'the schemes are: "generalized modus ponens", "generalized contraposition", '
            '"hypothetical syllogism 1"',
        ),
    ],
)
def test_an_exemplar_of_no_scheme_is_told_which_there_are(
    tmp_path: Path, scheme: str, variant: str, hint: str
) -> None:
    path = small_spec(
        tmp_path,
        lambda data: data["exemplars"][1].update(scheme=scheme, variant=variant),
        schemes=SCHEMES,
    )
    with pytest.raises(InvalidSpec) as caught:
        check_spec(path)
    (problem,) = caught.value.problems
    assert problem.message == f'no scheme "{scheme}" with variant "{variant}"'
    assert problem.hint == hint
