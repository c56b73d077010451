"""Found tables as CSV, Markdown and LaTeX, and a whole folder of analyses."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from sorites_eval.analysis import analyse, report
from sorites_eval.contract.analyses.kinds import KINDS
from sorites_eval.contract.release import Release
from sorites_eval.errors import RunError
from sorites_eval.reporting.analyses.found import Found, Line
from sorites_eval.reporting.analyses.kinds import COMPUTATIONS
from sorites_eval.reporting.analyses.layout import shown
from sorites_eval.reporting.analyses.written import to_csv, to_latex, to_markdown
from tests.evaluators.reporting.analyses.conftest import ANALYSES

FOUND = Found(
    name="small",
    title="50 % & more | less",
    source="A paper, table 2",
    rows=("scheme",),
    columns=("model", "setting"),
    measures=("accuracy", "accuracy sd", "p", "n"),
    lines=(
        Line(
            {"scheme": "=sum_1", "model": "a", "setting": "x"},
            {"accuracy": 0.5, "accuracy sd": 0.01, "p": 0.0004, "n": 1200},
        ),
        Line(
            {"scheme": "=sum_1", "model": "a", "setting": "y"},
            {"accuracy": None, "accuracy sd": None, "p": 0.25, "n": 7},
        ),
    ),
    notes=("A note.",),
)


def test_csv_is_unrounded_and_no_formula() -> None:
    assert to_csv(FOUND) == (
        "scheme,model,setting,accuracy,accuracy sd,p,n\n"
        "'=sum_1,a,x,0.5,0.01,0.0004,1200\n"
        "'=sum_1,a,y,,,0.25,7\n"
    )


def test_markdown_cannot_be_broken_by_what_it_shows() -> None:
    assert to_markdown(FOUND) == (
        "# 50 % & more \\| less\n\nAfter A paper, table 2.\n\n"
        "| scheme | a · x · accuracy | a · x · p | a · y · p |\n"
        "| --- | --: | --: | --: |\n"
        "| =sum_1 | 0.500 ± 0.010 | \\< 0.001 | 0.250 |\n\nA note.\n"
    )


def test_latex_groups_headings_and_escapes() -> None:
    assert to_latex(FOUND) == "\n".join(
        [
            "% After A paper, table 2.",
            "% A note.",
            r"% needs \usepackage{booktabs}",
            r"\begin{table}",
            r"\centering",
            r"\begin{tabular}{lrrr}",
            r"\toprule",
            r" & \multicolumn{3}{c}{a} \\",
            r" & \multicolumn{2}{c}{x} & y \\",
            r"scheme & accuracy & p & p \\",
            r"\midrule",
            r"=sum\_1 & 0.500 $\pm$ 0.010 & $<$ 0.001 & 0.250 \\",
            r"\bottomrule",
            r"\end{tabular}",
            r"\caption{50 \% \& more | less.}",
            r"\label{tab:small}",
            r"\end{table}",
            "",
        ]
    )


def test_values_for_reading() -> None:
    told = [("n", 1200), ("Δ f1", 0.25), ("difference", -0.5), ("p", 0.0001), ("rho", None)]
    assert [shown(name, value) for name, value in told] == [
        "1,200", "+0.250", "-0.500", "< 0.001", "–"
    ]  # fmt: skip


def test_every_kind_is_computed() -> None:
    assert list(COMPUTATIONS) == list(KINDS)


def test_every_analysis_is_written_twice_to_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    digests = []
    for name in ("one", "two"):
        analyse([folder], tmp_path / name)
        files = sorted((tmp_path / name).iterdir())
        digests.append({path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files})
    assert digests[0] == digests[1]
    tables = {*ANALYSES, "settings-tests", "tests-tests"}
    assert {name for name in digests[0] if name.endswith((".csv", ".md", ".tex"))} == {
        f"{name}.{ending}" for name in tables for ending in ("csv", "md", "tex")
    } | {"index.md"}
    drawn = {"settings", "texts", "grid", "distractors-entailment-zero-shot",
             "distractors-entailment-few-shot"}  # fmt: skip
    assert {name for name in digests[0] if name.endswith((".svg", ".png"))} == {
        f"{name}.{ending}" for name in drawn for ending in ("svg", "png")
    }


def test_other_items_and_further_groups(folder: Path) -> None:
    found = {t.name: t for t in analyse([folder], where=["distractors=0"], by=["label"])}
    (first, *_) = found["results"].lines
    assert first.values["n"] == 80
    by_label = found["by-label-entailment"]
    assert by_label.rows == ("label",)
    assert {line.key["label"] for line in by_label.lines} == {True, False}
    assert "accuracy" in by_label.measures
    assert by_label.to_arrow().num_rows == len(by_label.lines)


def test_a_label_that_was_scored_is_no_text(folder: Path, release: Release) -> None:
    """Runs that wrote nothing have no kinds of text, and the table says so."""
    import pyarrow as pa

    from sorites_eval.reporting.analyses.analyse import analysed, find_evidence
    from sorites_eval.reporting.analyses.samples import Evidence
    from sorites_eval.running.finished import prediction_of, read_run

    run = read_run(folder / "hesitant" / "zero-shot")
    scored = [{**row, "mass": 0.9, "constrained": "True", "margin": 1.0} for row in run.rows]
    changed = type(run)(
        run.folder, run.about, run.scores, run.task, pa.Table.from_pylist(scored),
        [prediction_of(run.task, row) for row in scored],
    )  # fmt: skip
    others = [r for r in find_evidence([folder]).runs if r.model == "random"]
    found = {
        one.analysis.name: one.found[0] for one in analysed(Evidence([changed, *others]), release)
    }
    assert {line.key["model"] for line in found["texts"].lines} == {"random"}
    assert found["texts"].notes == (
        "Left out, since labels were scored and no text was written: hesitant · zero-shot · "
        "entailment. Run them with --decode.",
    )
    (line,) = [entry for entry in found["results"].lines if entry.key["model"] == "hesitant"]
    assert line.values["bare answer"] is None


def test_an_empty_folder_is_no_evidence(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no finished run and no results of training here"):
        analyse([tmp_path])


def test_another_release_is_refused(folder: Path, small_release: Path) -> None:
    with pytest.raises(RunError) as caught:
        analyse([folder], release=str(small_release))
    assert "has other rows than the release of " in str(caught.value)
    assert str(caught.value).endswith("Say where that one is: --release.")


def test_the_command_writes_and_lists_them(folder: Path, tmp_path: Path) -> None:
    run = folder / "random" / "zero-shot"
    done = subprocess.run(
        [sys.executable, "-m", "sorites_eval", "analyse", str(run), "--out", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "A paper, table 1" in done.stdout
    assert "index.md" in done.stdout
    index = (tmp_path / "index.md").read_text(encoding="utf-8")
    assert "| Results \\| all | A paper, table 1 | [results.csv](results.csv), " in index


def test_the_report_shows_them(folder: Path, tmp_path: Path) -> None:
    page = report([folder / "random" / "zero-shot"], tmp_path).read_text(encoding="utf-8")
    assert '<h2 id="analyses">Analyses</h2>' in page
    assert '<img src="analyses/grid.svg" alt="Schemes and distractors. ' in page
    assert '<a href="analyses/results.tex">results.tex</a>' in page
    assert (tmp_path / "analyses" / "grid.svg").is_file()
