from __future__ import annotations

from pathlib import Path

import pytest

from sorites.pipeline import check_spec


def test_the_spec_of_the_bench_is_valid(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the bench trains with torch")
    from tests.bench.veridical_curves import CURVES, reduced

    spec = check_spec(reduced(tmp_path, 60))
    assert [*spec.tasks] == ["naturalistic"]
    data = spec.document.data
    assert isinstance(data, dict)
    assert {*data["tasks"]["naturalistic"]["train"]["curves"]} == {*CURVES}
