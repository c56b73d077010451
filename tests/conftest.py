"""What all tests share: where the real data lies, if it is at hand."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

collect_ignore = ["bench", "mutants"]
"""Run by `make bench` and `make mutants`; they need environments of their own."""

ROOT = Path(__file__).resolve().parent.parent

# How long an example takes says how busy the machine is, and nothing of what is tested.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")


def pytest_configure() -> None:
    """Give child processes the default SIGINT, also where a shell started the suite with ``&``.

    Such a shell has it ignored, and what is ignored stays so in every child. A handler does not:
    this process goes on ignoring the signal, its children do not.
    """
    in_main = threading.current_thread() is threading.main_thread()
    if in_main and signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda _number, _frame: None)


def _shared_data() -> Path | None:
    candidates = [Path(entry) for entry in os.environ.get("SORITES_SOURCES", "").split(os.pathsep)]
    candidates.append(ROOT.parent / "shared" / "data")
    for candidate in candidates:
        if (candidate / "reactome").is_dir():
            return candidate.resolve()
    return None


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with real Reactome, WordNet and SICK files; skips where there is none."""
    found = _shared_data()
    if found is None:
        pytest.skip("no folder with the real sources: set SORITES_SOURCES to one to run this")
    return found


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the checkout."""
    return ROOT
