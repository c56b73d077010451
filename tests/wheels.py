"""Our wheels in a new virtual environment, as a stranger has them; nothing is fetched for it."""

from __future__ import annotations

import subprocess
import sys
import venv
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]

PROJECTS = {"sorites-eval": ROOT / "evaluators", "sorites": ROOT}


def closure(name: str) -> dict[str, Distribution]:
    """The distributions that an installation brings: those required, and what they require.

    ``name`` may ask for extras: ``sorites-eval[figures]``.
    """
    found: dict[str, Distribution] = {}
    waiting = [Requirement(name)]
    while waiting:
        wanting = waiting.pop()
        extras = wanting.extras or {""}
        for line in distribution(wanting.name).requires or ():
            wanted = Requirement(line)
            key = canonicalize_name(wanted.name)
            marker = wanted.marker
            if key not in found and (
                marker is None or any(marker.evaluate({"extra": extra}) for extra in extras)
            ):
                found[key] = distribution(key)
                waiting.append(wanted)
    return found


def installed(folder: Path, *names: str) -> Path:
    """The Python of a new environment with the wheels of some of our projects, built anew.

    A name may ask for extras.
    It holds what they say they depend on, linked from this environment, and nothing else.
    """
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", folder]
    subprocess.run([*build, *(PROJECTS[Requirement(name).name] for name in names)], check=True)
    venv.create(folder / "venv", with_pip=False, symlinks=True)
    python = folder / "venv" / "bin" / "python"
    install = [*pip, "--python", str(python), "install", "--no-deps", "--no-index"]
    subprocess.run([*install, *folder.glob("*.whl")], check=True)
    (packages,) = (folder / "venv" / "lib").glob("python*/site-packages")
    for name in names:
        for key, needed in closure(name).items():
            if key not in PROJECTS:
                _link(needed, packages)
    return python


def _link(source: Distribution, packages: Path) -> None:
    """A distribution of this environment in another one, by links to its files."""
    for top in {file.parts[0] for file in source.files or () if file.parts[0] != ".."}:
        target = packages / top
        if top != "__pycache__" and not target.exists():
            target.symlink_to(Path(str(source.locate_file(top))))
