"""All domains are gone through, until all together have taken too many steps."""

from __future__ import annotations

from random import Random

import pytest

from sorites.families.argument_schemes.search import arms, sampling
from sorites.families.argument_schemes.search.conditions import conditions
from sorites.families.argument_schemes.search.sampling import Identity, Sample, sample_bindings
from sorites.families.argument_schemes.search.spaces import Spaces
from sorites.logic.prover import Prover
from tests.compiler.families.argument_schemes.search.test_bindings import COVERS, _many_domains
from tests.compiler.logic.texts import parsed

WANTED = conditions(parsed(COVERS), Prover())


def sample(count: int) -> Sample:
    world = _many_domains()
    spaces = Spaces(world, trivial=False)
    return sample_bindings(spaces, Identity(world), [WANTED], count, Random(5), local=True)


def test_going_through_all_ends_after_so_many_steps_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sampling, "FRUITLESS_DRAWS", 0)
    whole = sample(10_000)
    assert whole.complete
    assert len(whole.drawn) == 120
    monkeypatch.setattr(arms, "MOST_STEPS", 10 * arms.STEPS_OF_A_SEARCH)
    part = sample(10_000)
    assert not part.complete
    assert 0 < len(part.drawn) < 40
