"""How a spec tells what a source of human ratings looks like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sorites.families.veridicality.judgements import THRESHOLD, RatingColumns, RatingTable
from sorites.families.veridicality.reading.pair_sources import DELIMITERS
from sorites.sources.sentence_pairs.table_formats import TableFormat, TableLayout

__all__ = ["rating_problems", "read_rating_table"]

_SCALE = (1, 5)


def read_rating_table(section: Mapping[str, Any]) -> RatingTable | None:
    """The table that a section of a spec describes; None where it names no columns."""
    if "columns" not in section:
        return None
    layout = TableLayout(
        TableFormat(section.get("format", "tsv")), DELIMITERS[section.get("delimiter", "comma")]
    )
    least, most = section.get("scale", _SCALE)
    columns = RatingColumns(**section["columns"])
    return RatingTable(layout, columns, (least, most), section.get("threshold", THRESHOLD))


def rating_problems(section: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """What is wrong with a section: the key, the fault and a hint."""
    least, most = section.get("scale", _SCALE)
    if least >= most:
        yield "scale", f"the scale goes from {least} to {most}", "write the lower end first"
    elif not least < section.get("threshold", THRESHOLD) <= most:
        threshold = section.get("threshold", THRESHOLD)
        key = "threshold" if "threshold" in section else "scale"
        yield key, f"the threshold {threshold} does not part the scale {least} to {most}", ""
    if "columns" not in section:
        for key in ("format", "delimiter", "scale", "threshold"):
            if key in section:
                hint = "leave it out, or add columns"
                yield key, "without columns the source has the form of the published file", hint
