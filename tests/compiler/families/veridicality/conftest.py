from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pytest

from sorites.engines.serial import Serial
from sorites.families.veridicality import build
from sorites.families.veridicality.clauses.language import Language
from sorites.progress import Silent
from sorites.release.content import Content
from sorites.specfile.load import load
from sorites.specfile.model import Spec
from sorites.specfile.reader import read

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Sample:
    """The sample, compiled."""

    spec: Spec
    content: Content
    tables: Mapping[tuple[str, str], pa.Table]

    @property
    def document(self) -> dict[str, Any]:
        return cast("dict[str, Any]", self.spec.document.data)

    def rows(self, config: str, split: str) -> Rows:
        rows: Rows = self.tables[config, split].to_pylist()
        return rows


def compiled(root: Path, name: str) -> Sample:
    """A sample of this kind; its sources, if it has any, are those written for this project."""
    folder = root / "specs" / "sample"
    spec = load(folder / f"{name}.yaml")
    files = {"pairs": folder / "sentence-pairs.tsv", "ratings": folder / "verb-ratings.tsv"}
    content = build(spec, files, engine=Serial(), progress=Silent())
    return Sample(spec, content, {(s.config, s.name): s.table for s in content.splits})


@pytest.fixture(scope="session")
def sample(root: Path) -> Sample:
    return compiled(root, "veridical-transitivity")


@pytest.fixture(scope="session")
def environments(root: Path) -> Sample:
    """English verbs in every environment."""
    return compiled(root, "verb-environments")


@pytest.fixture(scope="session")
def german(root: Path) -> Sample:
    return compiled(root, "german-verbs")


@pytest.fixture(scope="session")
def english(root: Path) -> Language:
    data = read(root / "specs" / "veridicality" / "english.yaml").data
    return Language.of(cast("dict[str, Any]", data))
