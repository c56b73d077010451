"""Finished runs, read back and compared."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from sorites_eval.backends.baselines import Oracle, Random
from sorites_eval.backends.protocol import Reply
from sorites_eval.contract.release import open_release
from sorites_eval.contract.tasks import Scalar
from sorites_eval.errors import RunError
from sorites_eval.prompts.requests import Request
from sorites_eval.reporting.between_runs import between
from sorites_eval.reporting.compare import Comparison, compare, to_csv, to_json
from sorites_eval.running.finished import Run, find_runs
from sorites_eval.running.run import perform, plan
from sorites_eval.scoring.statistics import adjust, wilcoxon


class Weakening:
    """Right without distractors, wrong half the time with one, always wrong with two."""

    def identity(self) -> Mapping[str, Scalar]:
        return {"backend": "test", "model": "weakening"}

    def notes(self) -> Mapping[str, Scalar]:
        return {}

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        for position, request in enumerate(requests):
            distractors = request.question.count("\nP") - 1
            wrong = distractors == 2 or (distractors == 1 and position % 4 < 2)
            other = {"True": "False", "False": "True"}[request.gold]
            yield position, Reply(other if wrong else request.gold)


@pytest.fixture
def runs(make_release: Callable[..., Path], tmp_path: Path) -> list[Run]:
    release = open_release(make_release(items=240))
    task = release.task("entailment")
    drawn = plan(release, task, "zero-shot")
    for backend in (Oracle(), Random(task, 0), Weakening()):
        perform(drawn, backend, tmp_path / "runs" / str(backend.identity()["model"]))
    return find_runs([tmp_path / "runs"])


@pytest.fixture
def found(runs: list[Run]) -> Comparison:
    return compare(runs)


def test_runs_are_found_below_a_folder_once(runs: list[Run], tmp_path: Path) -> None:
    again = find_runs([tmp_path / "runs" / "oracle", tmp_path / "runs"])
    assert sorted(run.model for run in again) == sorted(run.model for run in runs)
    assert [run.model for run in runs] == ["oracle", "random", "weakening"]


def test_standings_have_intervals_over_clusters(found: Comparison) -> None:
    oracle, random, weakening = found.standings
    assert oracle.run == "oracle · entailment · zero-shot"
    assert (oracle.interval.estimate, oracle.interval.high) == (1, 1)
    assert 0.95 < oracle.interval.low < 0.98
    assert oracle.interval.clusters == 120
    assert random.interval.low < 0.5 < random.interval.high
    assert weakening.interval.estimate == pytest.approx(0.5)


def test_two_runs_are_paired_on_items(found: Comparison) -> None:
    (test,) = [
        f for f in found.findings if (f.first, f.second) == ("oracle", "weakening") and f.difference
    ]
    assert (test.test.name, test.test.n, test.unit) == ("Wilcoxon", 120, "binding_id")
    assert test.family == "models"
    assert test.test.p is not None
    assert test.test.p < 1e-10
    assert test.difference is not None
    assert test.difference.estimate == pytest.approx(0.5)
    # Of 240 items two each have one binding.
    assert test.difference.clusters == 120
    assert test.p_adjusted is not None
    assert test.p_adjusted >= test.test.p


def test_a_trend_over_distractors_is_seen(found: Comparison) -> None:
    trends = {
        f.over: f.test
        for f in found.findings
        if f.first.startswith("weakening") and f.test.name == "Spearman"
    }
    assert trends["distractors"].effect == pytest.approx(-1)
    assert trends["distractors, modus ponens"].effect < -0.8


def test_two_kinds_of_items_are_set_against_each_other(found: Comparison) -> None:
    """Each cluster is of one scheme: what is ranked is clusters."""
    (test,) = [f for f in found.findings if f.first.startswith("random") and f.family == "contrast"]
    assert test.over == "scheme = modus ponens against scheme = modus tollens"
    assert (test.test.name, test.test.n, test.unit) == ("Mann-Whitney", 120, "binding_id")


def test_json_and_csv_hold_every_test(found: Comparison) -> None:
    document = json.loads(to_json(found))
    rows = list(csv.DictReader(io.StringIO(to_csv(found))))
    assert len(document["findings"]) == len(rows) == len(found.findings)
    assert document["standings"][0]["interval"]["estimate"] == 1.0
    assert rows[0]["test"] in {"Mann-Whitney", "Spearman"}
    assert {row["unit"] for row in rows} >= {"binding_id", "scheme × distractors"}
    assert not any(value.startswith("=") for row in rows for value in row.values())


def test_a_folder_without_a_run_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(RunError) as caught:
        find_runs([tmp_path])
    assert str(caught.value) == (
        f"{tmp_path}: no finished run here. A run is finished once it has a run.json: the same "
        "sorites-eval run command completes it."
    )


def test_what_is_no_run_is_refused(runs: list[Run]) -> None:
    (runs[0].folder / "run.json").write_text('{"run": 7}')
    with pytest.raises(RunError, match=r"not a run of format 1"):
        find_runs([runs[0].folder])


class Scripted:
    """Right or wrong by a rule of item, view and repeat."""

    def __init__(self, name: str, rule: Callable[[Request], bool]) -> None:
        self._name, self._rule = name, rule

    def identity(self) -> Mapping[str, Scalar]:
        return {"backend": "test", "model": self._name}

    def notes(self) -> Mapping[str, Scalar]:
        return {}

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        for position, request in enumerate(requests):
            wrong = next(label for label in request.labels if label != request.gold)
            yield position, Reply(request.gold if self._rule(request) else wrong)


Document = dict[str, dict[str, dict[str, dict[str, object]]]]


def scripted(
    root: Path, out: Path, rules: Mapping[str, Callable[[Request], bool]], task: str = "entailment"
) -> list[Run]:
    release = open_release(root)
    drawn = plan(release, release.task(task), "zero-shot")
    for name, rule in rules.items():
        perform(drawn, Scripted(name, rule), out / name)
    return find_runs([out])


def number(request: Request) -> int:
    """The number in an id such as ``i-17-yes``."""
    return int(request.id.split("-")[1])


def test_independent_items_are_paired_by_mcnemar(
    make_release: Callable[..., Path], tmp_path: Path, document: Document
) -> None:
    """Right in 0..29 against right in 10..49: 20 items only the first (10 bindings × 2), 40 only
    the second."""
    del document["tasks"]["entailment"]["score"]["clusters"]
    root = make_release(items=100, document=document)
    rules = {"a": lambda r: number(r) < 30, "b": lambda r: number(r) >= 10}
    found = compare(scripted(root, tmp_path / "runs", rules))
    (test,) = [f for f in found.findings if f.difference]
    assert (test.test.name, test.test.n, test.unit) == ("McNemar", 100, "item")
    assert test.test.effect == 20 / 40
    contrast = next(f for f in found.findings if f.family == "contrast")
    assert (contrast.test.name, contrast.unit) == ("Fisher", "item")


def test_the_interval_of_a_difference_knows_the_pairs(
    make_release: Callable[..., Path], tmp_path: Path
) -> None:
    """Two runs that are wrong on nearly the same items differ by little, and surely so: an interval
    that forgot the pairs would be several times as wide."""
    root = make_release(items=400)
    rules = {"a": lambda r: number(r) % 2 == 0, "b": lambda r: number(r) % 2 == 0 or number(r) < 9}
    found = compare(scripted(root, tmp_path / "runs", rules))
    (test,) = [f for f in found.findings if f.difference]
    assert test.difference is not None
    assert test.difference.estimate == pytest.approx(-4 / 200)
    a, b = found.standings
    unpaired = (a.interval.high - a.interval.low) ** 2 + (b.interval.high - b.interval.low) ** 2
    assert test.difference.high - test.difference.low < 0.4 * unpaired**0.5


def test_runs_of_other_rows_are_not_compared(
    make_release: Callable[..., Path], tmp_path: Path
) -> None:
    """Ids are the same in both releases, contents are not."""
    for items, name in ((40, "a"), (44, "b")):
        scripted(make_release(items=items), tmp_path / "runs" / name, {name: lambda _: True})
    found = compare(find_runs([tmp_path / "runs"]))
    assert len(found.standings) == 2
    assert not [finding for finding in found.findings if finding.second]


def test_views_are_paired_with_themselves(
    make_release: Callable[..., Path], tmp_path: Path, document: Document
) -> None:
    """Each run is right in one view alone, so that by item, without the view, they would agree."""
    score = document["tasks"]["relation"]["score"]
    del score["combine"], score["clusters"]
    root = make_release(glosses=27, document=document)
    rules = {"a": lambda r: r.view == "forward", "b": lambda r: r.view == "reversed"}
    found = compare(scripted(root, tmp_path / "runs", rules, "relation"))
    (test,) = [f for f in found.findings if f.difference]
    assert (test.unit, test.test.n) == ("item", 27)
    assert (found.standings[0].n, found.standings[1].n) == (54, 54)
    assert test.difference is not None
    assert test.difference.estimate == 0


def test_an_item_is_compared_in_the_views_in_which_both_were_asked(
    make_release: Callable[..., Path], tmp_path: Path, document: Document
) -> None:
    """One run is right in the first view alone, the other was asked in no other: they are equal."""
    score = document["tasks"]["relation"]["score"]
    del score["combine"], score["clusters"]
    score["groups"] = [["concept"]]
    root = make_release(glosses=27, document=document)
    rules = {"a": lambda r: r.view == "forward", "b": lambda r: True}
    first, second = scripted(root, tmp_path / "runs", rules, "relation")
    half = [p for p in second.predictions if p.view == "forward"]
    found = between(first, replace(second, predictions=half), [("concept",)], None)
    (groups,) = [finding for finding in found if finding.unit == "concept"]
    assert groups.test == wilcoxon([1.0] * 7, [1.0] * 7)


def test_groups_are_paired_with_themselves(
    make_release: Callable[..., Path], tmp_path: Path
) -> None:
    """One run is a little better in every concept, and concepts differ by more than that."""

    def right(request: Request, more: int) -> bool:
        return int(request.id) // 7 % 10 < int(request.id) % 7 + more

    root = make_release(glosses=140)
    rules = {"a": lambda r: right(r, 2), "b": lambda r: right(r, 1)}
    found = compare(scripted(root, tmp_path / "runs", rules, "relation"), unit=["concept"])
    (test,) = [f for f in found.findings if f.second and not f.difference]
    assert (test.test.n, test.test.effect) == (7, 1)
    assert test.test.p == pytest.approx(2 / 2**7)


def test_two_groups_are_too_few_for_a_test(runs: list[Run]) -> None:
    found = compare(runs, unit=["scheme"]).findings
    assert not [finding for finding in found if finding.unit == "scheme" and finding.second]
    found = compare(runs, unit=["distractors"]).findings
    tests = [finding for finding in found if finding.unit == "distractors" and finding.second]
    assert {finding.test.n for finding in tests} == {3}


def test_one_correction_is_over_all_families(found: Comparison) -> None:
    families = {finding.family for finding in found.findings}
    assert families == {"models", "trend", "contrast"}
    assert len({finding.test.name for finding in found.findings}) >= 3
    raw = [finding.test.p for finding in found.findings]
    assert [finding.p_adjusted for finding in found.findings] == adjust(raw)
    defined = [p for p in raw if p is not None]
    least = min(defined)
    harmonic = sum(1 / k for k in range(1, len(defined) + 1))
    first = next(f for f in found.findings if f.test.p == least)
    assert first.p_adjusted == pytest.approx(min(1, least * len(defined) * harmonic))


def test_settings_of_one_model_are_a_family(small_release: Path, tmp_path: Path) -> None:
    release = open_release(small_release)
    task = release.task("entailment")
    for setting in ("zero-shot", "few-shot"):
        perform(plan(release, task, setting), Oracle(), tmp_path / setting)
    found = compare(find_runs([tmp_path]))
    assert {f.family for f in found.findings if f.second} == {"settings"}
    assert {(f.first, f.second) for f in found.findings if f.second} == {("few-shot", "zero-shot")}


def test_a_declared_unit_gives_the_paired_values(
    make_release: Callable[..., Path], tmp_path: Path, document: Document
) -> None:
    """Pairs of languages are the unit; F1 of each label is tested alone and over all labels."""
    score = document["tasks"]["relation"]["score"]
    score |= {"unit": ["language_1", "language_2"], "metrics": ["accuracy", "f1-by-label"]}
    score["groups"] = [["concept"]]
    root = make_release(glosses=90, document=document)
    rules = {"a": lambda r: True, "b": lambda r: int(r.id) % 4 > 0}
    runs = scripted(root, tmp_path / "runs", rules, "relation")
    plain = [f for f in compare(runs).findings if f.second and not f.difference]
    unit = "language_1 × language_2"
    assert [(f.over, f.unit, f.test.n) for f in plain] == [(unit, unit, 3)]
    assert plain[0].test.effect == 1
    several = compare(runs, metric="f1-by-label").findings
    tests = [(f.over, f.test.n) for f in several if f.second and not f.difference]
    labels = [(f"{unit}, f1 {label}", 3) for label in "123"]
    assert tests == [*labels, (f"{unit}, all of 3", 9)]
    other = compare(runs, unit=["concept"]).findings
    (test,) = [f for f in other if f.second and not f.difference]
    assert (test.unit, test.test.n) == ("concept", 7)


def test_a_unit_and_a_metric_must_be_there(runs: list[Run]) -> None:
    with pytest.raises(RunError) as caught:
        compare(runs, unit=["shceme"])
    assert str(caught.value) == (
        f'{runs[0].folder}: no column "shceme" for a unit. Did you mean "scheme"? There are: '
        "binding_id, distractors, partner, scheme."
    )
    with pytest.raises(RunError, match=r'the task entailment has no metric "f2"\. '):
        compare(runs, metric="f2")


def test_clusters_in_both_levels_are_paired(
    make_release: Callable[..., Path], tmp_path: Path, document: Document
) -> None:
    """A binding is asked affirmed and denied: its own two items are set against each other."""
    document["tasks"]["entailment"]["score"]["groups"] = [["label"]]
    root = make_release(items=40, document=document)
    found = compare(scripted(root, tmp_path / "runs", {"a": lambda r: r.gold == "True"}))
    (test,) = found.findings
    assert (test.test.name, test.test.n, test.unit) == ("Wilcoxon", 20, "binding_id")
    assert test.over == "label = False against label = True"
    assert test.test.effect == -1
