"""Analyses of a spec, checked before there are rows and against them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorites.errors import InvalidSpec
from sorites.release.content import Content
from sorites.release.tasks.benchmark import benchmark, task_problems
from tests.compiler.release.sample import SPEC, sample_spec

ANALYSES = """\
analyses:
  by-kind:
    kind: table
    title: By kind
    source: A paper, table 1
    tasks: [entailment]
    where: {steps: [1]}
    rows: [kind]
    columns: [model]
    metrics: [accuracy]
  over-steps:
    kind: trend
    title: Over steps
    tasks: [entailment]
    x: steps
    metric: accuracy
"""


def test_they_travel_with_the_release(tmp_path: Path, content: Content) -> None:
    spec = sample_spec(tmp_path, SPEC + ANALYSES)
    assert benchmark(spec, content)["analyses"] == spec.document.data["analyses"]  # type: ignore[index,call-overload]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("rows: [kind]", "rows: [kindd]",
         "analyses.by-kind.rows[0]: items/test has no column kindd\n    did you mean kind?"),
        ("rows: [kind]", "rows: [premises]",
         "analyses.by-kind.rows[0]: the column premises holds no single values"),
        ("{steps: [1]}", "{steps: [77]}",
         "analyses.by-kind.where.steps[0]: no row of items/test has 77 in the column steps\n"
         "    known: 1, 2"),
        ("{steps: [1]}", "{kind: [hott]}",
         'analyses.by-kind.where.kind[0]: no row of items/test has "hott" in the column kind\n'
         '    did you mean "hot"?'),
        ("x: steps", "x: kind",
         "analyses.over-steps.x: the column kind holds no numbers but string"),
    ],
)  # fmt: skip
def test_what_does_not_fit_the_rows(
    tmp_path: Path, content: Content, before: str, after: str, told: str
) -> None:
    spec = sample_spec(tmp_path, SPEC + ANALYSES.replace(before, after))
    with pytest.raises(InvalidSpec) as caught:
        benchmark(spec, content)
    (problem,) = caught.value.problems
    assert (
        f"{problem.path}: {problem.message}" + f"\n    {problem.hint}" * bool(problem.hint) == told
    )
    assert problem.line > len(SPEC.splitlines())


def test_a_name_that_is_unknown_is_told_with_its_line_before_there_are_rows(
    tmp_path: Path,
) -> None:
    spec = sample_spec(tmp_path, SPEC + ANALYSES.replace("[entailment]", "[entailmnt]", 1))
    (problem,) = task_problems(spec)
    number = (SPEC + ANALYSES).splitlines().index("    tasks: [entailment]") + 1
    assert str(problem).startswith(f"{tmp_path / 'cafe-menu.yaml'}:{number}:13: analyses.by-kind.")
    assert 'tasks[0]: unknown task "entailmnt"' in str(problem)
