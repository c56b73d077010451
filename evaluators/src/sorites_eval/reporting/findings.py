"""What a comparison of runs found: as values, as a table, as JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from sorites_eval.scoring.intervals import Interval
from sorites_eval.scoring.statistics import Test
from sorites_eval.scoring.tables import arrow_table, data_frame

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["Comparison", "Finding", "Standing", "to_csv", "to_json"]

_HEADINGS = (
    *("family", "first", "second", "over", "unit", "test", "n", "effect", "effect_size"),
    *("p", "p_adjusted", "difference", "low", "high"),
)
_TEXTS = ("family", "first", "second", "over", "unit")


@dataclass(frozen=True, slots=True)
class Standing:
    """How often one run was right, over ``n`` items."""

    run: str
    n: int
    interval: Interval


@dataclass(frozen=True, slots=True)
class Finding:
    """One test. ``second`` is empty for a test within a run; ``over`` says over what.

    ``unit`` is what gives one value of the test, or one pair of values. ``family`` is what the
    test asks about: ``models`` or ``settings`` against each other, a ``trend`` or a ``contrast``
    within a run. ``difference`` is in accuracy, first minus second, with an interval where items
    are paired. ``p_adjusted`` corrects for every test of the comparison, of whatever family.
    """

    first: str
    second: str
    over: str
    test: Test
    unit: str
    family: str
    difference: Interval | None = None
    p_adjusted: float | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """How often each run was right, and every test, in the order of the runs."""

    standings: Sequence[Standing]
    findings: Sequence[Finding]

    def to_arrow(self) -> pa.Table:
        """The tests as a table, one a row, with the columns of ``comparison.csv``."""
        return arrow_table([_row(finding) for finding in self.findings], _HEADINGS)

    def to_pandas(self) -> pd.DataFrame:
        """As ``to_arrow``, as a data frame; SoritesError if pandas is not installed."""
        return data_frame(self.to_arrow())


def to_json(comparison: Comparison) -> str:
    """The comparison as JSON; what is undefined or infinite is null."""
    text = json.dumps(_plain(asdict(comparison)), ensure_ascii=False, indent=2, sort_keys=True)
    return text + "\n"


def to_csv(comparison: Comparison) -> str:
    """The tests as CSV, one a line."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(_HEADINGS)
    for finding in comparison.findings:
        cells = [_cell(value) if name in _TEXTS else value for name, value in _row(finding).items()]
        writer.writerow(["" if value is None else value for value in cells])
    return stream.getvalue()


def _row(finding: Finding) -> dict[str, object]:
    """A finding under the names of ``_HEADINGS``."""
    test, interval = finding.test, finding.difference
    bounds = (interval.estimate, interval.low, interval.high) if interval else (None,) * 3
    texts = (finding.family, finding.first, finding.second, finding.over, finding.unit, test.name)
    numbers = (test.n, test.effect_name, test.effect, test.p, finding.p_adjusted, *bounds)
    return dict(zip(_HEADINGS, (*texts, *numbers), strict=True))


def _cell(value: object) -> object:
    """Text that no spreadsheet takes for a formula."""
    text = str(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
