"""A provider on loopback, and what is asked of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sorites_eval.contract.release import open_release
from sorites_eval.running.run import Plan, plan
from tests.evaluators.backends.api.loopback import KEY, Provider, serving


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    """A provider of its own for each test, and a key for it."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serving(Provider()) as made:
        yield made


@pytest.fixture
def drawn(small_release: Path) -> Plan:
    """Twelve syllogisms to be judged."""
    release = open_release(small_release)
    return plan(release, release.task("entailment"), "zero-shot")


@pytest.fixture
def many(make_release: Callable[..., Path]) -> Plan:
    """A hundred and twenty of them."""
    release = open_release(make_release(items=120))
    return plan(release, release.task("entailment"), "zero-shot")
