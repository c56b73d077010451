"""Ray clusters: that of this machine, and addresses at which there is none."""

from __future__ import annotations

import socket

import pytest

from sorites.engines.choose import engine_of
from sorites.engines.engine import EngineError

pytest.importorskip("ray", reason="needs ray (sorites[ray])")


@pytest.mark.slow
def test_a_cluster_of_this_machine_shares_its_memory() -> None:
    with engine_of("ray", workers=2) as engine:
        assert engine.processes_here == 2


def test_an_address_without_a_cluster_is_told_at_once() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(EngineError) as raised, engine_of("ray", workers=2, address=address):
            pass
    assert str(raised.value) == (
        f"no Ray cluster at {address}: Connection refused. Start one there (ray start --head), or "
        "leave out --address for one on this machine"
    )
