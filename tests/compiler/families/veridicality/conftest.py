from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pytest

from sorites.families.veridicality import build
from sorites.progress import Silent
from sorites.release.content import Content
from sorites.specfile.load import load
from sorites.specfile.model import Spec

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


@pytest.fixture(scope="session")
def sample(root: Path) -> Sample:
    folder = root / "specs" / "sample"
    spec = load(folder / "veridical-transitivity.yaml")
    files = {"pairs": folder / "sentence-pairs.tsv"}
    content = build(spec, files, workers=1, progress=Silent())
    return Sample(spec, content, {(s.config, s.name): s.table for s in content.splits})
