"""A compiled release of argument schemes, with what it was compiled from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from sorites.families.argument_schemes.plan import ArgumentPlan, read_plan
from sorites.families.argument_schemes.search.world import World, build_world
from sorites.pipeline import check_spec
from sorites.release.certificates.certificates import CONFIG
from sorites.release.manifest.verify import verify_release
from sorites.specfile.model import Spec

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Sample:
    """A compiled release of argument schemes, with what it was compiled from."""

    folder: Path
    spec: Spec
    plan: ArgumentPlan
    world: World
    items: Sequence[Row]
    denials: Sequence[Row]
    counterfactual: Sequence[Row]
    exemplars: Sequence[Row]
    tables: Mapping[tuple[str, str], pa.Table]


def read_sample(folder: Path, path: Path, files: Mapping[str, Path] | None = None) -> Sample:
    """A release and its spec, read back."""
    spec = check_spec(path)
    plan, _ = read_plan(spec)
    if files is None:
        files = {name: pin.file for name, pin in spec.sources.items() if pin.file is not None}
    tables = {key: table for key, table in verify_release(folder).items() if key[0] != CONFIG}
    return Sample(
        folder=folder,
        spec=spec,
        plan=plan,
        world=build_world(plan.ontology.read(files)),
        items=tables["items", "test"].to_pylist(),
        denials=tables["denials", "test"].to_pylist(),
        counterfactual=tables["counterfactual", "test"].to_pylist(),
        exemplars=tables["exemplars", "train"].to_pylist(),
        tables=tables,
    )
