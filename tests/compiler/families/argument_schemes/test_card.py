"""What the card says of readers that see only a part of an item."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorites.families.argument_schemes.card import hierarchy_table, shortcut_section
from sorites.families.argument_schemes.items_plan import ShortcutBounds
from sorites.families.argument_schemes.shortcuts import READERS, Shortcuts, stratum
from sorites.release.audit.shortcuts.measure import OVERALL, Figure
from tests.compiler.families.argument_schemes.samples import Sample

WORDS, FORM = "conclusion words", "form and phrase"


def figures(reader: str) -> list[Figure]:
    """A reader at two levels: overall, and in two schemes."""
    return [
        Figure(reader, 0, OVERALL, 5.0, 10),
        Figure(reader, 1, OVERALL, 6.0, 10),
        Figure(reader, 0, "barbara, base", 2.0, 4),
        Figure(reader, 1, "barbara, base", 3.0, 4),
        Figure(reader, 0, "celarent, base", 1.0, 4),
        Figure(reader, 1, "celarent, base", 2.0, 4),
    ]


def rows(section: str) -> list[list[str]]:
    """The cells of the lines of its table, without the head."""
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_a_reader_has_its_range_over_levels_and_its_worst_scheme(sample: Sample) -> None:
    found = Shortcuts([*figures(WORDS), *figures(FORM)], [])
    section = shortcut_section(sample.plan, {"items": found, "counterfactual": Shortcuts([], [])})
    assert rows(section) == [
        [READERS[reader], "50.0%–60.0%", "75.0% (barbara, base)"] for reader in (WORDS, FORM)
    ]
    assert "`items`:" in section
    assert "`counterfactual`:" not in section


@pytest.mark.parametrize("kept", ["overall", "schemes", "none"])
def test_a_reader_without_a_figure_of_either_kind_has_no_line(sample: Sample, kept: str) -> None:
    partial = [
        figure
        for figure in figures(FORM)
        if kept != "none" and (figure.stratum == OVERALL) == (kept == "overall")
    ]
    found = Shortcuts([*figures(WORDS), *partial], [])
    assert [row[0] for row in rows(shortcut_section(sample.plan, {"items": found}))] == [
        READERS[WORDS]
    ]


def test_a_sample_says_so(sample: Sample) -> None:
    whole = shortcut_section(sample.plan, {"items": Shortcuts(figures(WORDS), ())})
    part = shortcut_section(sample.plan, {"items": Shortcuts(figures(WORDS), (), 0.125)})
    assert "`items`:" in whole
    assert "`items`, 12.5% of its arguments, drawn by hash:" in part


def test_bounds_of_schemes_stand_with_their_reasons(sample: Sample) -> None:
    key = sample.plan.schemes[0].key
    plan = replace(sample.plan, shortcuts=ShortcutBounds(0.55, {key: (0.7, "few *classes*")}))
    section = shortcut_section(plan, {})
    assert f"The bound of {stratum(*key)} is 70%: few \\*classes\\*" in section
    assert "is right in more than 55%" in section
    denials = shortcut_section(replace(sample.plan, negatives="denials"), {})
    assert denials.startswith("What gives labels away in this design: ")


def test_the_hierarchy_is_counted_by_level(sample: Sample) -> None:
    ontology = sample.world.ontology
    levels = ontology.levels()
    found = rows(hierarchy_table(sample.world))
    assert [row[0] for row in found] == [str(level) for level in sorted({*levels.values()})]
    for level, classes, members in found:
        here = [entry for entry in ontology.classes if levels[entry.id] == int(level)]
        assert int(classes) == len(here)
        assert int(members) == len(frozenset().union(*(entry.members for entry in here)))
    assert sum(int(row[1]) for row in found) == len(ontology.classes)
