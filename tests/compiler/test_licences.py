from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from sorites.licences import (
    LICENCES,
    IncompatibleLicences,
    compatible,
    licence_problems,
    merge_licences,
    name_of,
)
from sorites.specfile.load import load
from tests.conftest import ROOT


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


@pytest.mark.parametrize("kind", ["gloss-relations", "syllobio-nli", "veridical-transitivity"])
@pytest.mark.parametrize("licence", ["cc-by-nc-sa-3.0", "gpl-3.0", "cc-by-nc-nd-4.0"])
def test_no_family_may_release_laxly_what_a_source_holds_strictly(kind: str, licence: str) -> None:
    spec = load(ROOT / "specs" / "sample" / f"{kind}.yaml")
    pins = {name: replace(pin, license=licence) for name, pin in spec.sources.items()}
    strict = replace(spec, license="mit", sources=pins)
    problems = [*licence_problems(strict)]
    assert len(problems) == len(pins)
    assert problems[0].path == "license"
    name = next(iter(pins))
    assert problems[0].message == (
        f"mit is not a licence that the source {name} allows, which is under {name_of(licence)}"
    )
    collected = {name: replace(pin, separate=True) for name, pin in pins.items()}
    assert [*licence_problems(replace(strict, sources=collected))] == []


def test_what_to_do_about_a_licence_is_said() -> None:
    spec = load(ROOT / "specs" / "sample" / "syllobio-nli.yaml")
    pins = {name: replace(pin, license="cc-by-nc-sa-3.0") for name, pin in spec.sources.items()}
    (problem,) = licence_problems(replace(spec, sources=pins))
    assert problem.hint == "it allows: cc-by-nc-sa-3.0, cc-by-nc-sa-4.0"
    pins = {name: replace(pin, license="cc-by-nd-4.0") for name, pin in spec.sources.items()}
    (problem,) = licence_problems(replace(spec, sources=pins))
    assert problem.hint == "it allows no adapted work to be released: leave the source out"
