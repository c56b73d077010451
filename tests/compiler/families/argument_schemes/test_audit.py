"""The figures of an audit against a count of the rows, and of what was left out."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from sorites.engines.serial import Serial
from sorites.families.argument_schemes.audit import audit
from sorites.families.argument_schemes.making.schemes import build_items
from sorites.families.argument_schemes.plan import read_plan
from sorites.families.argument_schemes.search.world import build_world
from sorites.pipeline import check_spec
from sorites.progress import Silent
from sorites.specfile.reader import read
from tests.compiler.families.argument_schemes.samples import Row, Sample
from tests.small_spec import small_spec


def test_what_was_rejected_is_added_up_over_schemes(tmp_path: Path) -> None:
    spec = check_spec(small_spec(tmp_path))
    plan, _ = read_plan(spec)
    files = {name: pin.file for name, pin in spec.sources.items() if pin.file is not None}
    world = build_world(plan.ontology.read(files))
    done = build_items(plan, world, engine=Serial(), progress=Silent()).schemes
    own = [
        replace(scheme, rejected=Counter({"everywhere": 1, f"in {number} alone": number + 1}))
        for number, scheme in enumerate(done)
    ]
    assert audit(plan, world, own, {})["rejected"] == {
        "everywhere": 4,
        "in 0 alone": 1,
        "in 1 alone": 2,
        "in 2 alone": 3,
        "in 3 alone": 4,
    }


def test_pairs_classes_and_conclusions_are_those_of_the_rows(sample: Sample) -> None:
    told = read(sample.folder / "audit.json").data["schemes"]
    rows: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in sample.items:
        rows[row["scheme"], row["variant"]].append(row)
    assert len(rows) == len(told) == 28
    for scheme in sample.plan.schemes:
        found, of_scheme = rows[scheme.key], told[", ".join(scheme.key)]
        own = {name for premise in scheme.premises for name in premise.symbols.predicates}
        # Each pair is shown under made-up names too, and with every number of distractors.
        holds = {
            row["argument"]: frozenset(
                bound["id"] for bound in row["bindings"] if bound["symbol"] in own
            )
            for row in found
            if row["label"] and row["names"] == "real"
        }
        uses = Counter(name for classes in holds.values() for name in classes)
        assert of_scheme["pairs"] == len(holds)
        assert of_scheme["distinct_classes"] == len(uses)
        assert of_scheme["distinct_conclusions"] == len({row["conclusion"] for row in found})
        share = max(uses.values()) / len(holds)
        assert of_scheme["largest_share_of_a_class"] == pytest.approx(share, abs=1e-4)
        domains = {row["domain"] for row in found if row["label"] and row["names"] == "real"}
        assert of_scheme["domains"] == len(domains - {None})
