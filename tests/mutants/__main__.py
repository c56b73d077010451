"""`make mutants`: change the core in a hundred small ways, and count how many a test notices.

A copy of the checkout is changed, one mutant at a time; the tests of its file, then of its room,
then of the rooms around it run there until one fails. Each of these sets of tests must pass on the
unchanged code, or its failures would say nothing. Exit code 1 if fewer than 90 % are killed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.mutants.mutant import Mutant
from tests.mutants.named import named_mutants

ROOT = Path(__file__).resolve().parents[2]

ENOUGH = 0.9

PATIENCE = 5
"""A mutant hangs that takes so many times as long as the unchanged code and a minute more. It is
killed, as no test would let it pass."""


def main() -> int:
    """Draw, run, and list the survivors."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--named", action="store_true", help="those that once survived, by name")
    parser.add_argument("--python", type=Path, default=ROOT / ".venv" / "bin" / "python")
    parser.add_argument("--file", type=Path, help="draw from one file alone, such as check.py")
    parser.add_argument("--near", action="store_true", help="the tests of its file and room alone")
    parser.add_argument(
        "--only", type=int, nargs="+", metavar="N", help="of those drawn, these by their number"
    )
    options = parser.parse_args()
    if options.named:
        mutants = named_mutants(ROOT)
    else:
        # Cosmic Ray is in an environment of its own, and the named ones need none of it.
        from tests.mutants.drawing import draw

        mutants = draw(ROOT, options.number, options.seed, options.file)
    chosen = dict(enumerate(mutants, start=1))
    if options.only is not None:
        if lost := [number for number in options.only if number not in chosen]:
            parser.error(f"--only {lost[0]}: there are mutants 1 to {len(mutants)}")
        chosen = {number: chosen[number] for number in options.only}
    survivors = []
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "checkout"
        ignore = shutil.ignore_patterns(
            ".git", ".venv*", "_build", "demo", "runs", "data", ".*_cache", ".hypothesis"
        )
        shutil.copytree(ROOT, copy, ignore=ignore, symlinks=True)
        runner = Runner(copy, options.python, near=options.near)
        for number, mutant in chosen.items():
            killed = runner.kills(mutant)
            if not killed:
                survivors.append(mutant)
            verdict = "killed" if killed else "SURVIVED"
            print(f"{number}/{len(mutants)} {verdict} {mutant.path}:{mutant.line}")
            print(f"    {mutant.before}\n    {mutant.after}", flush=True)
    share = 1 - len(survivors) / len(chosen)
    print(f"\n{share:.0%} of {len(chosen)} mutants were killed; survivors:")
    for mutant in survivors:
        print(f"  {mutant.path}:{mutant.line}: {mutant.after}")
    return share < (1 if options.named else ENOUGH)


class Runner:
    """Runs tests in a copy of the checkout."""

    def __init__(self, copy: Path, python: Path, *, near: bool) -> None:
        self._copy, self._python, self._near = copy, python, near
        self._seconds: dict[tuple[Path, ...], float] = {}

    def kills(self, mutant: Mutant) -> bool:
        """Whether a test fails on a mutant, of those that pass on the unchanged code."""
        path = self._copy / mutant.path
        original = path.read_text(encoding="utf-8")
        for tests in map(tuple, self._tests_of(mutant.path)):
            limit = 60 + PATIENCE * self._unchanged(tests)
            path.write_text(mutant.code, encoding="utf-8")
            try:
                if self._fails(tests, limit):
                    return True
            finally:
                path.write_text(original, encoding="utf-8")
        return False

    def _unchanged(self, tests: tuple[Path, ...]) -> float:
        """The seconds that tests take on the unchanged code, where they must pass."""
        if tests not in self._seconds:
            start = time.monotonic()
            if self._fails(tests, None):
                names = ", ".join(test.relative_to(self._copy).as_posix() for test in tests)
                raise SystemExit(
                    f"these tests fail on the unchanged code: {names}. Mend them first"
                )
            self._seconds[tests] = time.monotonic() - start
        return self._seconds[tests]

    def _fails(self, tests: Sequence[Path], limit: float | None) -> bool:
        command = [self._python, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        copy = self._copy
        places = [copy / "compiler" / "src", copy / "evaluators" / "src", copy]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, places)),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        try:
            done = subprocess.run(
                command, cwd=copy, env=environment, capture_output=True, timeout=limit, check=False
            )
        except subprocess.TimeoutExpired:
            return True
        # 5: no test was collected.
        return done.returncode not in (0, 5)

    def _tests_of(self, source: Path) -> Iterator[list[Path]]:
        """The tests of a file, then those of its room, then of the rooms above, narrowest first."""
        package, within = (
            ("compiler", source.relative_to("compiler/src/sorites"))
            if source.parts[0] == "compiler"
            else ("evaluators", source.relative_to("evaluators/src/sorites_eval"))
        )
        top = self._copy / "tests" / package
        own = top / within.parent / f"test_{within.name}"
        if own.is_file():
            yield [own]
        seen = {own}
        room = own.parent
        while room != top:
            here = sorted(path for path in room.glob("test_*.py") if path not in seen)
            seen |= {*here}
            if here:
                yield here
                if self._near:
                    return
            room = room.parent
        whole = self._copy / "tests"
        yield [*sorted(top.glob("test_*.py")), whole / "test_contract.py", whole / "test_oracle.py"]


if __name__ == "__main__":
    sys.exit(main())
