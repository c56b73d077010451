"""A user's script that imports both packages as pip installs them, under mypy's strict mode."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.wheels import installed

SCRIPT = '''
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import sorites
import sorites_eval
from sorites_eval import Reply, Request


class Always:
    """A model of one's own."""

    def identity(self) -> Mapping[str, str]:
        return {"model": "always"}

    def notes(self) -> Mapping[str, str]:
        return {}

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        yield from ((position, Reply("True")) for position, _ in enumerate(requests))


def whole_way(spec: str, out: Path) -> float:
    try:
        checked: sorites.Spec = sorites.check(spec)
    except sorites.InvalidSpec as error:
        problems: tuple[sorites.Problem, ...] = error.problems
        raise SystemExit("\\n".join(problem.message for problem in problems)) from None
    folder: Path = sorites.compile(spec, out, workers=2)
    release: sorites.Release = sorites.verify(folder)
    step: sorites.Weight = sorites.diff(folder, "ORG/NAME@v1.0.0").weight
    lines: list[str] = sorites.publish(folder, "ORG/NAME", dry_run=True).summary()
    print(checked.name, release.version, step, lines)

    opened: sorites_eval.Release = sorites_eval.open_release(folder)
    options = sorites_eval.Options(batch_size=4)
    runs: list[sorites_eval.Run] = [
        sorites_eval.evaluate(opened, "random", task="entailment", limit=20, options=options),
        sorites_eval.evaluate(opened, Always(), task="entailment", setting="zero-shot", out=out),
    ]
    compared: sorites_eval.Comparison = sorites_eval.compare(runs)
    page: Path = sorites_eval.report([*runs, out / "other"], out)
    print(compared.standings[0].interval.low, page, sorites_eval.__version__, sorites.__version__)
    accuracy: float | int | None = sorites_eval.read_run(runs[0].folder).scores.overall["accuracy"]
    for group in runs[0].scores.groups:
        print(*group.by, *group.values.values(), group.measures["n"])
    return accuracy or 0.0


reveal_type(sorites.compile)
reveal_type(sorites_eval.evaluate)
sorites.nonsense  # type: ignore[attr-defined]
sorites_eval.nonsense  # type: ignore[attr-defined]
sorites_eval.evaluate("release", 7)  # type: ignore[arg-type]
sorites.check(7)  # type: ignore[arg-type]
'''


@pytest.mark.slow
def test_strict_mypy_knows_every_type(tmp_path: Path) -> None:
    python = installed(tmp_path, "sorites-eval", "sorites")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    options = ["--strict", "--config-file=", "--python-executable", str(python)]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    *revealed, last = done.stdout.splitlines()
    assert last == "Success: no issues found in 1 source file"
    assert len(revealed) == 2
    assert "-> pathlib.Path" in revealed[0]
    assert "-> sorites_eval.running.finished.Run" in revealed[1]
    assert "Any" not in revealed[0] + revealed[1]
