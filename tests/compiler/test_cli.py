"""The command ``sorites`` as a person runs it: what it prints, and its exit code."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sorites import api
from sorites.cli.app import app, main
from sorites.cli.exit_codes import MEANINGS
from tests.small_spec import SAMPLE, small_spec


class Checked:
    """A copy of the sample's files in which something was changed, and what check says of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("sample", "arguments", "schemas"):
            shutil.copytree(SAMPLE.parent.parent / name, folder / name)
        self.spec = folder / "sample" / "syllobio-nli.yaml"

    def replace(self, old: str, new: str, name: str = "sample/syllobio-nli.yaml") -> Checked:
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, old
        path.write_text(text.replace(old, new), encoding="utf-8")
        return self

    def line(self, text: str, name: str = "sample/syllobio-nli.yaml") -> int:
        lines = (self.folder / name).read_text(encoding="utf-8").splitlines()
        return next(at for at, line in enumerate(lines, 1) if text in line)

    def run(self) -> tuple[int, str]:
        result = CliRunner().invoke(app, ["check", str(self.spec)])
        return result.exit_code, result.stderr.replace(f"{self.folder}/", "")


@pytest.fixture
def checked(tmp_path: Path) -> Checked:
    return Checked(tmp_path)


SPEC = "sample/syllobio-nli.yaml"
SCHEMES = "arguments/schemes.yaml"


def test_a_valid_spec(checked: Checked) -> None:
    result = CliRunner().invoke(app, ["check", str(checked.spec)])
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout == f"{checked.spec}: sample-syllobio-nli 2.0.0 is valid\n"


def test_an_unknown_key_and_the_nearest_one(checked: Checked) -> None:
    checked.replace("  arguments: ", "  argument: ")
    line = checked.line("  argument: ")
    code, said = checked.run()
    assert code == 1
    assert f'{SPEC}:{line}:3: items.argument: unknown key "argument"\n' in said
    assert '    did you mean "arguments"?\n' in said


def test_a_formula_that_does_not_parse_and_where_it_stops(checked: Checked) -> None:
    old = "  premises: [all x.(F(x) -> -G(x)), F(a)]\n"
    checked.replace(old, "  premises: [all x.(F(x) => ), F(a)]\n", SCHEMES)
    line = checked.line("=> )", SCHEMES)
    assert checked.run() == (
        1,
        f"{SCHEMES}:{line}:14: schemes[1].premises[0]: character 16 of the formula: Unexpected "
        "token: ')': Expression expected\n"
        "    formulas are written as in nltk.sem.logic, such as all x.(F(x) -> G(x))\n"
        f"{SPEC}: 1 problem\n",
    )


def test_a_conclusion_that_does_not_follow_and_a_case_against_it(checked: Checked) -> None:
    # The negated modus tollens as it was published.
    checked.replace(
        "  premises: [all x.(F(x) -> -G(x)), G(a)]\n",
        "  premises: [all x.(F(x) -> G(x)), G(a)]\n",
        SCHEMES,
    )
    line = checked.line("  premises: [all x.(F(x) -> G(x)), G(a)]", SCHEMES) + 1
    assert checked.run() == (
        1,
        f"{SCHEMES}:{line}:15: schemes[5].conclusion: the conclusion -F(a) does not follow: all "
        "premises are true and it is false where a is F and G\n"
        "    mend the premises or the conclusion\n"
        f"{SPEC}: 1 problem\n",
    )


def test_a_redundant_premise(checked: Checked) -> None:
    checked.replace(
        "  premises: [all x.(F(x) -> G(x)), F(a)]\n",
        "  premises: [all x.(F(x) -> G(x)), F(a), all x.(G(x) -> H(x))]\n",
        SCHEMES,
    )
    line = checked.line("F(a), all x.(G(x) -> H(x))]", SCHEMES)
    assert checked.run() == (
        1,
        f"{SCHEMES}:{line}:42: schemes[0].premises[2]: the premise all x.(G(x) -> H(x)) is "
        "redundant: G(a) follows without it\n"
        "    a scheme has the premises of one minimal set, so that a model can be asked for them; "
        "by positions from 0 the sets are {0, 1}\n"
        f"{SPEC}: 1 problem\n",
    )


def test_premises_that_contradict_one_another(checked: Checked) -> None:
    checked.replace(
        "  premises: [all x.(F(x) -> G(x)), F(a)]\n",
        "  premises: [all x.(F(x) -> G(x)), F(a), -G(a)]\n",
        SCHEMES,
    )
    line = checked.line("F(a), -G(a)]", SCHEMES)
    assert checked.run() == (
        1,
        f"{SCHEMES}:{line}:13: schemes[0].premises: the premises contradict one another: anything "
        "follows from them\n"
        "    no ontology can make them true together\n"
        f"{SPEC}: 1 problem\n",
    )


def test_a_shape_without_a_template(checked: Checked) -> None:
    name = "arguments/templates.yaml"
    checked.replace(
        "- formula: all x.((F(x) & G(x)) -> -H(x))\n"
        "  texts:\n"
        "    - {name: every, text: 'no {member:singular} in both {F} and {G} is in {H}'}\n"
        "    - {name: all, text: 'all {member:plural} in both {F} and {G} are outside {H}'}\n"
        "    - {name: only, text: 'only {member:plural} outside {H} are in both {F} and {G}'}\n",
        "",
        name,
    )
    lines = [
        number
        for number, line in enumerate(
            (checked.folder / SCHEMES).read_text(encoding="utf-8").splitlines(), 1
        )
        if line == "  premises: [all x.((F(x) & H(x)) -> -G(x))]"
    ]
    assert len(lines) == 2
    said = "".join(
        f"{SCHEMES}:{line}:14: schemes[{index}].premises[0]: no template has the shape of "
        "all x.((F(x) & H(x)) -> -G(x)), which is this premise\n"
        "    add to templates: {formula: all x.((F(x) & H(x)) -> -G(x)), text: …}\n"
        for line, index in zip(lines, (10, 11), strict=True)
    )
    code, found = checked.run()
    assert code == 1
    assert found == f"{said}{SPEC}: 2 problems\n"


def test_a_scheme_in_local_domains_that_there_is_none_of(checked: Checked) -> None:
    checked.replace(
        "    - {scheme: generalized modus ponens, variant: de morgan}\n",
        "    - {scheme: generalized modus ponens, variant: demorgan}\n"
        "    - {scheme: barbara, variant: base}\n",
    )
    line = checked.line("variant: demorgan}")
    assert checked.run() == (
        1,
        f'{SPEC}:{line}:7: items.local_domains[0]: no scheme "generalized modus ponens" '
        'with variant "demorgan"\n'
        '    the variants of "generalized modus ponens" are: "base", "negation", '
        '"complex predicates", "de morgan"\n'
        f'{SPEC}:{line + 1}:7: items.local_domains[1]: no scheme "barbara" with variant '
        '"base"\n'
        '    the schemes are: "generalized modus ponens", "generalized modus tollens", '
        '"generalized contraposition", "hypothetical syllogism 1", "hypothetical syllogism 3", '
        '"disjunctive syllogism", "generalized dilemma"\n'
        f"{SPEC}: 2 problems\n",
    )


def test_a_template_that_does_not_fit_its_formula(checked: Checked) -> None:
    name = "arguments/templates.yaml"
    checked.replace(
        "text: 'every {member:singular} in {F} is also in {G}'",
        "text: 'every {member:singular} in {F} is also in {H}'",
        name,
    )
    line = checked.line("every {member:singular} in {F} is also in {H}", name)
    code, said = checked.run()
    assert code == 1
    assert (
        f"{name}:{line}:27: templates[3].texts[0].text: the placeholder {{H}} is no symbol of "
        "all x.(F(x) -> G(x)); its symbols are {F}, {G}\n"
        "    use each symbol of the formula as {SYMBOL}\n"
    ) in said


def test_a_query_that_is_no_query(checked: Checked) -> None:
    checked.replace("SELECT ?child ?parent WHERE { ?child :partOf ?parent }", "SELECT ?child WHERE")
    code, said = checked.run()
    assert code == 1
    assert f"{SPEC}:{checked.line('  hierarchy: |')}:14: ontology.hierarchy: " in said


def test_all_problems_at_once_in_the_order_of_the_lines(checked: Checked) -> None:
    checked.replace(
        "  premises: [all x.(F(x) -> G(x)), F(a)]\n",
        "  premises: [all x.(F(x) -> G(x)), G(a)]\n",
        SCHEMES,
    )
    checked.replace("  conclusion: -G(a)\n", "  conclusion: -G(a\n", SCHEMES)
    checked.replace("    - {scheme: generalized dilemma, variant: de morgan}\n",
                    "    - {scheme: dilemma, variant: de morgan}\n")  # fmt: skip
    code, said = checked.run()
    assert code == 1
    places = [line.split(": ")[0] for line in said.splitlines() if not line.startswith("    ")]
    assert places[-1] == SPEC
    assert said.endswith(f"{SPEC}: 3 problems\n")
    by_file: dict[str, list[int]] = {}
    for place in places[:-1]:
        name, line, _ = place.rsplit(":", 2)
        by_file.setdefault(name, []).append(int(line))
    assert by_file.keys() == {SCHEMES, SPEC}
    assert all(lines == sorted(lines) for lines in by_file.values())
    assert sum(map(len, by_file.values())) == 3


def test_problems_of_form_are_shown_all_at_once_too(checked: Checked) -> None:
    checked.replace("version: 2.0.0\n", "version: one\n")
    checked.replace("  distractors: 5\n", "  distractors: many\n")
    checked.replace("seed: 20241030\n", "sed: 20241030\n")
    code, said = checked.run()
    assert code == 1
    shown = [line for line in said.splitlines() if line.startswith(f"{SPEC}:")]
    lines = [int(line.split(":")[1]) for line in shown if line.split(":")[1].isdigit()]
    assert lines == sorted(lines)
    for text in ("version: one", "distractors: many", "sed: 20241030"):
        assert checked.line(text) in lines


def test_a_bomb_of_aliases_is_refused(checked: Checked) -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    for one, other in zip("abcdefgh", "bcdefghi", strict=True):
        bomb += f"{other}: &{other} [{', '.join([f'*{one}'] * 10)}]\n"
    checked.spec.write_text(f"kind: argument-schemes\n{bomb}", encoding="utf-8")
    code, said = checked.run()
    assert code == 1
    assert f"{SPEC}:" in said
    assert "alias" in said


def test_a_key_given_twice(checked: Checked) -> None:
    checked.replace("seed: 20241030\n", "seed: 20241030\nseed: 1\n")
    line = checked.line("seed: 1")
    code, said = checked.run()
    assert code == 1
    assert f"{SPEC}:{line}:1: " in said
    assert "seed" in said.splitlines()[0]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "{spec} cannot be read: No such file or directory"),
        (b"kind: \xff\xfe\n", "{spec}:1: not UTF-8: byte 0xff. Save the file as UTF-8."),
    ],
)
def test_a_file_that_cannot_be_read(content: bytes | None, message: str, checked: Checked) -> None:
    checked.spec.unlink()
    if content is not None:
        checked.spec.write_bytes(content)
    assert checked.run() == (2, message.format(spec=SPEC) + "\n")


def test_several_specs_are_all_checked_and_the_worst_decides(
    checked: Checked, tmp_path: Path
) -> None:
    valid = small_spec(tmp_path / "valid")
    invalid = small_spec(tmp_path / "invalid", lambda data: data.pop("title"))
    missing = tmp_path / "missing.yaml"
    run = CliRunner().invoke
    assert run(app, ["check", str(valid), str(invalid)]).exit_code == 1
    assert run(app, ["check", str(missing), str(invalid)]).exit_code == 2
    result = run(app, ["check", str(invalid), str(missing), str(valid)])
    assert result.exit_code == 2
    assert f"{valid}: small 1.0.0 is valid\n" in result.stdout
    assert 'the key "title" is missing' in result.stderr
    assert f"{missing} cannot be read" in result.stderr


def sorites(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "sorites", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).resolve().parents[2],
        env={**os.environ, "NO_COLOR": "1", **environment},
        check=False,
    )


def test_compile_and_verify_say_what_was_done(tmp_path: Path) -> None:
    spec = small_spec(tmp_path)
    out = tmp_path / "out"
    done = sorites("compile", spec, "--out", out, "--workers", "1")
    place = out / "small" / "1.0.0"
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (f"{place} is complete. What it says of itself: {place / 'README.md'}\n")
    verified = sorites("verify", place)
    assert (verified.returncode, verified.stderr) == (0, "")
    assert verified.stdout.startswith(
        f"{place}: every checksum holds and every label is what its certificate shows ("
    )
    (place / "README.md").write_text("mine")
    spoilt = sorites("verify", place)
    assert (spoilt.returncode, spoilt.stdout) == (3, "")
    assert spoilt.stderr == (
        f"{place}/README.md: altered: its SHA-256 is not the one in release.json\n"
    )


@pytest.mark.parametrize(
    "arguments", [["compile", "{missing}", "--out", "x"], ["verify", "{missing}"]]
)
def test_no_traceback_for_what_is_not_there(arguments: list[str], tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    done = sorites(*(argument.format(missing=missing) for argument in arguments))
    assert done.returncode == (2 if arguments[0] == "compile" else 1)
    assert str(missing) in done.stderr
    assert "Traceback" not in done.stderr


def test_one_rule_for_the_exit_codes_of_all_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """0 done, 1 refused or impossible, 2 not understood, 3 looked and found faults."""
    valid = small_spec(tmp_path / "valid")
    invalid = small_spec(tmp_path / "invalid", lambda data: data.pop("title"))
    out, missing = tmp_path / "out", tmp_path / "missing"
    api.compile(valid, out, workers=1)
    place = out / "small" / "1.0.0"
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"p": ["F(a)"], "c": "G(a)", "l": "True"}\n', encoding="utf-8")
    columns = ["--premises", "p", "--conclusion", "c", "--label", "l"]
    columns += ["--labels", "True=entailed", "--labels", "False=contradicted", "--notation", "nltk"]
    (place / "audit.json").write_text("{}", encoding="utf-8")
    codes = {
        ("check", valid): 0,
        ("check", invalid): 1,
        ("check", missing): 2,
        ("check",): 2,
        ("compile", invalid, "--out", out): 1,
        ("compile", missing, "--out", out): 2,
        ("audit", rows, *columns): 3,
        ("audit", rows, *columns[:-1], "none"): 1,
        ("audit", rows, *columns, "--label", "x"): 1,
        ("audit", invalid): 1,
        ("audit", tmp_path / "missing.yaml"): 2,
        ("audit", rows, "--lable", "l"): 2,
        ("verify", place): 3,
        ("verify", missing): 1,
        ("verify", tmp_path): 1,
        ("diff", place, place): 0,
        ("diff", place, missing): 1,
        ("publish", place, "--repo", "a/b", "--dry-run"): 1,
    }
    for arguments, code in codes.items():
        monkeypatch.setattr(sys, "argv", ["sorites", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        assert (ended.value.code, arguments) == (code, arguments), capsys.readouterr().err
    told = " ".join(sorites("--help", COLUMNS="200").stdout.split())
    assert all(f"{code:d} {meaning}" in told for code, meaning in MEANINGS.items())


def test_the_version() -> None:
    done = sorites("--version")
    assert (done.returncode, done.stdout) == (0, f"sorites {version('sorites')}\n")


def test_the_shell_completes_commands() -> None:
    # Asked in the name of the command, also where it is run with python -m.
    asked = {"_SORITES_COMPLETE": "complete_bash", "COMP_WORDS": "sorites re", "COMP_CWORD": "1"}
    assert sorites(**asked).stdout.split() == ["rebuild", "release"]
