from __future__ import annotations

from itertools import product

import pytest

from sorites.families.sense_relations.licences import (
    LICENCES,
    IncompatibleLicences,
    compatible,
    merge_licences,
    name_of,
)


def merged(*licences: str) -> str:
    return merge_licences([(f"W{number}", each) for number, each in enumerate(licences)])[0]


@pytest.mark.parametrize(
    ("licences", "result"),
    [
        (("cc-by-4.0", "wordnet", "apache-2.0", "cc-by-sa-4.0", "wordnet-ja"), "cc-by-sa-4.0"),
        (("cc0-1.0",), "cc0-1.0"),
        (("cc0-1.0", "cc-by-4.0"), "cc-by-4.0"),
        (("cc-by-4.0", "apache-2.0"), "cc-by-4.0"),
        (("mit", "apache-2.0"), "apache-2.0"),
        (("cc-by-sa-3.0", "cc-by-sa-4.0"), "cc-by-sa-4.0"),
        (("cc-by-sa-4.0", "gpl-3.0"), "gpl-3.0"),
        (("cc-by-nc-4.0", "cc-by-4.0"), "cc-by-nc-4.0"),
        (("cc-by-nc-4.0", "cc-by-nc-sa-4.0"), "cc-by-nc-sa-4.0"),
    ],
)
def test_the_strictest_wins(licences: tuple[str, ...], result: str) -> None:
    assert merged(*licences) == result
    assert merged(*reversed(licences)) == result


def test_an_incompatible_mix_names_the_two() -> None:
    with pytest.raises(IncompatibleLicences) as caught:
        merge_licences([("A", "cc-by-4.0"), ("B", "cc-by-sa-4.0"), ("C", "cc-by-nc-4.0")])
    assert str(caught.value) == (
        "'B' (CC BY-SA 4.0) and 'C' (CC BY-NC 4.0) cannot be released together: no licence is "
        "allowed by both; leave one of them out"
    )


def test_a_licence_that_forbids_adaptations_is_named() -> None:
    with pytest.raises(IncompatibleLicences) as caught:
        merge_licences([("A", "cc-by-4.0"), ("B", "cc-by-nd-4.0")])
    assert str(caught.value) == (
        "'B' is under CC BY-ND 4.0, which allows no adapted work to be released; leave it out"
    )


def test_a_merged_licence_is_allowed_by_every_part() -> None:
    for one, two in product(LICENCES, repeat=2):
        common = compatible(one) & compatible(two)
        if common:
            assert merged(one, two) in common
            assert merged(one, two) == merged(two, one)
        else:
            with pytest.raises(IncompatibleLicences):
                merged(one, two)


def test_compatibility_is_transitive_and_knows_only_known_licences() -> None:
    for licence in LICENCES:
        assert compatible(licence) <= set(LICENCES)
        for other in compatible(licence):
            assert compatible(other) <= compatible(licence)


@pytest.mark.parametrize(
    ("licence", "name"),
    [("cc-by-nc-sa-4.0", "CC BY-NC-SA 4.0"), ("gpl-3.0", "GPL-3.0"), ("cc0-1.0", "CC0 1.0")],
)
def test_names(licence: str, name: str) -> None:
    assert name_of(licence) == name
