"""CPU seconds of a compile and of a verify, over those of another checkout, one after the other.

    python -m tests.bench.before CHECKOUT [SPEC]

CHECKOUT is a clone of this repository at the state to compare with; SPEC is a path that both have,
`specs/syllobio-nli.yaml` by default. Seconds are those of all processes of a command, user and
system together.
"""

from __future__ import annotations

import copy
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, cast

from sorites.specfile.reader import read

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: list[str]) -> int:
    """Print the ratios; what one of the two cannot do is named and left out."""
    before = Path(arguments[0]).resolve()
    spec = arguments[1] if len(arguments) > 1 else "specs/syllobio-nli.yaml"
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        old = _timed(before, ["compile", spec, "--out", str(folder / "old")])
        new = _timed(ROOT, ["compile", spec, "--out", str(folder / "new")])
        plain = _timed(ROOT, ["compile", _without(spec, folder), "--out", str(folder / "plain")])
        print(_said("compile", new, old))
        print(_said("compile without counterfactual", plain, old))
        if old is not None and new is not None:
            print(
                _said(
                    "verify",
                    _timed(ROOT, ["verify", str(_release(folder / "new"))]),
                    _timed(before, ["verify", str(_release(folder / "old"))]),
                )
            )
    return 0


def _timed(checkout: Path, arguments: list[str]) -> float | None:
    """CPU seconds of a command of one checkout; None if it fails."""
    source = checkout / "compiler" / "src"
    # Before it was called sorites, the package was the folder itself.
    module = "sorites.cli.app" if source.is_dir() else "compiler.cli"
    path = [source, checkout / "evaluators" / "src"] if source.is_dir() else [checkout]
    program = f"import sys; from {module} import main; sys.exit(main())"
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))},
        capture_output=True,
        text=True,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        print(f"{checkout}: {arguments[0]} failed: {done.stderr.strip()[-300:]}")
        return None
    return after.ru_utime + after.ru_stime - spent.ru_utime - spent.ru_stime


def _without(spec: str, folder: Path) -> str:
    """A spec that asks for no counterfactual arguments, nor for tasks and tables over them."""
    document = cast("dict[str, Any]", copy.deepcopy(read(ROOT / spec).data))
    document["items"]["counterfactual"] = {"arguments": 0}
    document["tasks"] = {
        name: task
        for name, task in document["tasks"].items()
        if task["data"]["config"] != "counterfactual"
    }
    document.pop("analyses", None)
    # JSON is YAML, so a spec.
    path = folder / "without.yaml"
    path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    return str(path)


def _release(out: Path) -> Path:
    return next(out.glob("*/*"))


def _said(what: str, new: float | None, old: float | None) -> str:
    if new is None or old is None:
        return f"{what}: not compared"
    return f"{what}: {new / old:.2f} times the CPU seconds of before ({new:.0f} s and {old:.0f} s)"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
