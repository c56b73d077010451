"""What the card says of shortcuts is what the audit found."""

from __future__ import annotations

from sorites.families.argument_schemes.card import shortcut_section
from sorites.families.argument_schemes.shortcuts import READERS, Shortcuts
from sorites.release.audit.shortcuts.measure import OVERALL, Figure
from tests.compiler.families.argument_schemes.samples import Sample

READER, OTHER, *_ = READERS


def figure(reader: str, level: int, stratum: str, share: float) -> Figure:
    return Figure(reader, level, stratum, share * 10, 10)


def test_each_reader_with_figures_has_a_row(sample: Sample) -> None:
    figures = [
        figure(READER, 0, OVERALL, 0.5),
        figure(READER, 1, OVERALL, 0.6),
        figure(READER, 0, "modus ponens, base", 0.3),
        figure(READER, 1, "modus tollens, base", 0.8),
        # Of nothing but schemes, or nothing but all together, there is no row.
        figure(OTHER, 0, OVERALL, 0.5),
    ]
    section = shortcut_section(sample.plan, {"items": Shortcuts(figures, ())})
    assert f"| {READERS[READER]} | 50.0%–60.0% | 80.0% (modus tollens, base) |" in section
    assert READERS[OTHER] not in section


def test_a_sample_says_so(sample: Sample) -> None:
    figures = [figure(READER, 0, OVERALL, 0.5), figure(READER, 0, "a, b", 0.5)]
    whole = shortcut_section(sample.plan, {"items": Shortcuts(figures, ())})
    part = shortcut_section(sample.plan, {"items": Shortcuts(figures, (), 0.125)})
    assert "`items`:" in whole
    assert "`items`, 12.5% of its arguments, drawn by hash:" in part
