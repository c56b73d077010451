"""Scores and tasks as tables for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from sorites_eval.backends.protocol import Backend
from sorites_eval.contract.release import Release
from sorites_eval.contract.tasks import Task
from sorites_eval.reporting import run_scores
from sorites_eval.running.run import Plan, Result
from sorites_eval.scoring.answers import Outcome
from sorites_eval.scoring.scores import Scores

if TYPE_CHECKING:
    from sorites_eval.reporting.analyses.analyse import Analysed
    from sorites_eval.reporting.compare import Comparison, Finding

__all__ = ["analyses", "comparison", "scores", "tasks"]


def tasks(release: Release) -> Group:
    """Every task of a release."""
    table = Table(box=None, pad_edge=False)
    for heading in ("task", "settings", "answers", "scores"):
        table.add_column(heading, overflow="fold")
    for name, task in release.benchmark.tasks.items():
        table.add_row(name, "\n".join(task.prompts), _answers(task), ", ".join(task.score.metrics))
    return Group(Text(f"{release.name} {release.version}", style="bold"), table)


def _answers(task: Task) -> str:
    labels = " | ".join(task.answer.labels)
    if task.answer.selection:
        labels += f" and {task.answer.selection.marker}1, {task.answer.selection.marker}2, …"
    return labels


def scores(plan: Plan, backend: Backend, result: Result) -> Group:
    """The overall scores of a run, how it was asked, and where its files are."""
    overall = result.scores["overall"]
    constrained = result.scores.get("constrained")
    other = constrained["overall"] if isinstance(constrained, dict) else None
    table = Table(box=None, pad_edge=False)
    table.add_column("score")
    table.add_column("free" if other else "", justify="right")
    if other:
        table.add_column("constrained", justify="right")
    assert isinstance(overall, Mapping)
    for name, value in overall.items():
        row = [name, _number(value)]
        if other:
            row.append(_number(other.get(name)))
        table.add_row(*row)
    title = Text(f"{plan.task.name} · {plan.setting} · {backend.identity()['model']}", style="bold")
    groups = run_scores.groups(Scores.read(result.scores), plan.by)
    remarks = (
        Text(line, style="bold yellow" if line.startswith("Warning: ") else "dim")
        for line in _remarks(plan, backend, result)
    )
    return Group(title, table, *groups, *remarks)


def comparison(found: Comparison) -> Group:
    """Standings with their intervals, then every test with its effect and p."""
    standings = _table("run", "n", "right", "95 % interval")
    for standing in found.standings:
        interval = standing.interval
        bounds = f"{_number(interval.low)} to {_number(interval.high)}"
        standings.add_row(standing.run, str(standing.n), _number(interval.estimate), bounds)
    parts: list[RenderableType] = [standings]
    between = [finding for finding in found.findings if finding.second]
    if between:
        table = _table("first – second", "over", "difference", "effect", "p", "adjusted")
        for finding in between:
            names = f"{finding.first} – {finding.second}"
            table.add_row(names, finding.over, _difference(finding), *_effect(finding))
        parts += ["", table]
    within = [f for f in found.findings if not f.second and f.test.effect is not None]
    if within:
        table = _table("run", "over", "effect", "p", "adjusted")
        for finding in within:
            table.add_row(finding.first, finding.over, *_effect(finding))
        parts += ["", table]
    notes = "Intervals are over clusters. Adjusted: Benjamini–Yekutieli over all tests here."
    return Group(*parts, "", Text(notes, style="dim"))


def analyses(found: Sequence[Analysed]) -> Group:
    """Each analysis, what it gives, and how many lines its first table has."""
    table = Table(box=None, pad_edge=False)
    for heading in ("analysis", "after"):
        table.add_column(heading, overflow="fold")
    table.add_column("lines", justify="right")
    for one in found:
        lines = "no run fits" if one.is_empty else f"{len(one.found[0].lines):,}"
        table.add_row(one.analysis.name, one.analysis.source or "–", lines)
    return Group(table)


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in headings:
        text = heading in {"run", "over", "first – second"}
        table.add_column(heading, justify="left" if text else "right", overflow="fold")
    return table


def _difference(finding: Finding) -> str:
    if finding.difference is None:
        return ""
    interval = finding.difference
    return f"{interval.estimate:+.3f} ({interval.low:+.3f} to {interval.high:+.3f})"


def _effect(finding: Finding) -> tuple[str, str, str]:
    test = finding.test
    effect = "–" if test.effect is None else f"{test.effect:.2f}"
    return f"{test.effect_name} {effect}", _p(test.p), _p(finding.p_adjusted)


def _p(value: float | None) -> str:
    if value is None:
        return "–"
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _remarks(plan: Plan, backend: Backend, result: Result) -> list[str]:
    lines: list[str] = []
    if len(plan.items) < len(plan.everything):
        part = f"{len(plan.items):,} of {len(plan.everything):,} items"
        part += "".join(f", with {condition}" for condition in plan.where)
        # Conditions alone leave no choice to a seed.
        drawn = plan.limit is not None and len(plan.items) <= plan.limit
        lines.append(part + (f", a sample with seed {plan.seed}." if drawn else "."))
    lines += _outcomes(result)
    lines += _several(result.scores.get("repeats"))
    ties = result.scores.get("near_ties")
    if isinstance(ties, dict) and ties["count"]:
        lines.append(f"{ties['count']} near ties: rounding could turn these labels.")
    system = backend.notes().get("system_text")
    if system:
        lines.append(f"Asked with {'the chat template' if 'turn' in str(system) else system}.")
    if result.reused:
        lines.append(f"{result.reused:,} answers were already there and were not asked again.")
    lines.append(f"Written to {result.folder}")
    return lines


def _several(repeats: object) -> list[str]:
    """What several answers an item come to, with their intervals."""
    if not isinstance(repeats, Mapping):
        return []
    found = [("majority", repeats["majority"])]
    found += [(f"pass@{entry['k']}", entry) for entry in repeats["pass_at_k"]]
    shown = [
        f"{name} {_number(value['estimate'])} ({_number(value['low'])} to {_number(value['high'])})"
        for name, value in found
    ]
    return [f"{repeats['n']} answers an item: {', '.join(shown)}."]


def _outcomes(result: Result) -> list[str]:
    """Every outcome but answers, if there is any, and what the warning says."""
    counts, warnings = result.scores.get("outcomes"), result.scores.get("warnings")
    assert isinstance(counts, dict)
    assert isinstance(warnings, list)
    shown = [f"{count:,} {outcome}" for outcome, count in counts.items() if count]
    plain = len(shown) == 1 and counts[Outcome.ANSWER]
    lines = [] if plain else [f"Replies: {', '.join(shown)}."]
    return lines + [f"Warning: {warning}" for warning in warnings]


def _number(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
