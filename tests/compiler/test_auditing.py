"""``sorites audit`` from the command line: first looks, printed specs, baselines, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

from sorites import api
from sorites.cli.app import app
from sorites.errors import SoritesError

ROWS = [
    {"p": ["all x.(F(x) -> G(x))", "F(a)"], "c": "G(a)", "label": "True"},
    {"p": ["all x.(F(x) -> G(x))", "G(b)"], "c": "F(b)", "label": "True"},
    {"p": ["F(c)"], "c": "-F(c)", "label": "False"},
    {"p": ["F(d)"], "c": "G(d)", "label": "Unknown"},
]
WRONG = {"p": ["F(e)"], "c": "G(e)", "label": "False"}


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path / "data.jsonl", [*ROWS])


COLUMNS = ["--premises", "p", "--conclusion", "c", "--label", "label", "--notation", "nltk"]


def audit(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["audit", *map(str, arguments)])


def test_a_first_look(file: Path) -> None:
    done = audit(file, *COLUMNS)
    assert done.exit_code == 3
    assert done.stdout == (
        f"{file}: 4 rows, 4 read; 3 labels hold and 1 does not\n"
        "wrong label: 1\n"
        "  data/2 (data:2): labelled True, but neither the conclusion nor its negation follows\n"
        "      The premises are true and the conclusion is false where there is only b; "
        "G is true of b; F is true of nothing.\n"
    )


def test_the_printed_spec_works(file: Path, tmp_path: Path) -> None:
    printed = audit(file, *COLUMNS, "--print-spec", "--existential")
    assert printed.exit_code == 0
    spec = tmp_path / "data.yaml"
    spec.write_text(printed.stdout, "utf-8")
    assert audit(spec).stdout.startswith(f"{spec}: 4 rows, 4 read; 3 labels hold and 1 does not in")
    folder = api.compile(spec, tmp_path / "out")
    api.verify(folder)


def test_a_baseline_accepts_what_is_known_and_nothing_else(file: Path, tmp_path: Path) -> None:
    baseline = tmp_path / "known.json"
    assert audit(file, *COLUMNS, "--write-baseline", baseline).exit_code == 0
    done = audit(file, *COLUMNS, "--baseline", baseline)
    assert done.exit_code == 0
    assert done.stdout.endswith("0 new faults; 1 is accepted by the baseline\n")
    # In another order the fault is the same, and a new one is told.
    write(file, [WRONG, *reversed(ROWS)])
    done = audit(file, *COLUMNS, "--baseline", baseline)
    assert done.exit_code == 3
    assert "data/1 (data:1): labelled False" in done.stdout
    assert "data/4" not in done.stdout
    assert done.stdout.endswith("1 new fault; 1 is accepted by the baseline\n")
    # What is accepted once is not accepted twice.
    write(file, [*ROWS, {**ROWS[1], "label": "False"}, ROWS[1]])
    done = audit(file, *COLUMNS, "--baseline", baseline)
    assert "data/6" in done.stdout


@pytest.mark.parametrize("option", ["--out", "--write-baseline"])
def test_a_place_that_cannot_be_written_is_told_before_the_work(
    option: str, file: Path, tmp_path: Path
) -> None:
    place = file / "below" / "audit"
    done = audit(tmp_path / "none.jsonl", *COLUMNS, option, place)
    assert isinstance(done.exception, SoritesError)
    assert str(done.exception) == f"{place} cannot be written: Not a directory"


def test_a_report_is_written(file: Path, tmp_path: Path) -> None:
    done = audit(file, *COLUMNS, "--out", tmp_path / "report")
    assert {path.name for path in (tmp_path / "report").iterdir()} == {
        "audit.html",
        "audit.md",
        "audit.json",
    }
    assert done.stdout.endswith(f"the whole audit: {tmp_path / 'report' / 'audit.html'}\n")


def test_every_format_is_read(tmp_path: Path) -> None:
    table = pa.Table.from_pylist(ROWS)
    pq.write_table(table, tmp_path / "data.parquet")
    flat = [{**row, "p": "\n".join(row["p"])} for row in ROWS]
    lines = ["p;c;label".replace(";", ",")]
    lines += [f'"{row["p"]}","{row["c"]}",{row["label"]}' for row in flat]
    (tmp_path / "data.csv").write_text("\n".join(lines) + "\n", "utf-8")
    tsv = ["p\tc\tlabel"] + [f"{json.dumps(row['p'])}\t{row['c']}\t{row['label']}" for row in ROWS]
    (tmp_path / "data.tsv").write_text("\n".join(tsv) + "\n", "utf-8")
    for name in ("data.parquet", "data.csv", "data.tsv"):
        done = audit(tmp_path / name, *COLUMNS)
        assert "4 rows, 4 read; 3 labels hold and 1 does not" in done.stdout, name


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["data.jsonl"],
            "data.jsonl is no spec (its name ends in neither .yaml nor .yml): say what it holds "
            "with --premises, --conclusion, --label, --notation",
        ),
        (
            ["data.jsonl", *COLUMNS[:-1], "ntlk"],
            'unknown notation "ntlk": did you mean "nltk"?',
        ),
        (
            ["data.jsonl", *COLUMNS[:5], "c", *COLUMNS[6:]],
            "what the labels -F(c), F(b), G(a), G(d) mean is not known: say so, each with --labels "
            "LABEL=entailed, contradicted or undetermined",
        ),
        (
            ["data.jsonl", *COLUMNS, "--labels", "True"],
            "--labels True: write LABEL=VERDICT, such as True=entailed",
        ),
        (
            ["data.jsonl", *COLUMNS, "--labels", "True=entails", "--labels", "False=contradicted"],
            'True: unknown verdict "entails": did you mean "entailed"?',
        ),
        (
            ["data.txt", *COLUMNS],
            "data.txt is none of .jsonl, .ndjson, .parquet, .csv, .tsv: write a spec that says its "
            "format",
        ),
        (["spec.yaml", "--label", "x"], "spec.yaml says it all: leave out --label"),
        (
            ["data.jsonl", *COLUMNS, "--baseline", "data.jsonl"],
            "data.jsonl is no baseline: write one with sorites audit … --write-baseline data.jsonl",
        ),
    ],
)
def test_what_is_refused(
    file: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], told: str
) -> None:
    monkeypatch.chdir(file.parent)
    done = audit(*arguments)
    assert isinstance(done.exception, SoritesError)
    assert str(done.exception) == told


def test_hidden_characters_of_others_are_not_printed(tmp_path: Path) -> None:
    file = write(tmp_path / "data.jsonl", [{**WRONG, "c": "G(e) \x1b[31m"}, *ROWS])
    assert "\x1b" not in audit(file, *COLUMNS).stdout
