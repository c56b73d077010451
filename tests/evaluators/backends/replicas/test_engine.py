"""What is refused before any cluster is there, and how requests are dealt out."""

from __future__ import annotations

import importlib.util
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorites_eval import evaluate
from sorites_eval.backends.opening import Options, open_backend
from sorites_eval.backends.replicas.cluster import cluster
from sorites_eval.backends.replicas.engine import opener
from sorites_eval.backends.replicas.replicated import LARGEST, next_size
from sorites_eval.errors import ModelError, RunError

HERE = Options(engine="ray", workers=2)
NO_RAY = importlib.util.find_spec("ray") is None
ray_needed = pytest.mark.skipif(NO_RAY, reason="needs ray (sorites-eval[ray])")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (Options(address="auto"), "--address is about a Ray cluster: it needs --engine ray."),
        (Options(workers=2), "--workers is about a Ray cluster: it needs --engine ray."),
        (
            Options(engine="threads"),
            'no engine "threads": give ray, or leave --engine out for a model in this process.',
        ),
        (Options(engine="ray", workers=0), "--workers 0: there must be at least one."),
    ],
)
def test_options_that_say_nothing(options: Options, message: str) -> None:
    with pytest.raises(RunError) as caught, opener(options):
        pass
    assert str(caught.value) == message


def test_without_an_engine_models_are_opened_here() -> None:
    with opener(Options()) as opening:
        assert opening is open_backend


@pytest.mark.parametrize("model", ["openai:x", "any-llm:anthropic:x"])
def test_an_endpoint_needs_no_workers(small_release: Path, tmp_path: Path, model: str) -> None:
    with pytest.raises(ModelError) as caught:
        evaluate(small_release, model, task="relation", out=tmp_path, options=HERE)
    assert str(caught.value) == (
        f"{model}: is asked from one machine, several requests at a time; leave out --engine ray, "
        "and say how many with --concurrency."
    )


def test_an_object_has_no_name_to_open_it_by(small_release: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        evaluate(small_release, lambda _: "1", task="relation", out=tmp_path, options=HERE)
    assert str(caught.value) == (
        "workers open a model by its name: with an engine, give python:package.module:name and "
        "not the object."
    )


@pytest.mark.skipif(not NO_RAY, reason="ray is installed")
def test_ray_is_an_extra(small_release: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError) as caught:
        evaluate(small_release, "random", task="relation", out=tmp_path, options=HERE)
    assert str(caught.value) == (
        "--engine ray needs the package ray: pip install 'sorites-eval[ray]'."
    )


@ray_needed
def test_no_cluster_at_the_address() -> None:
    with socket.socket() as taken:
        # A port that is bound and does not listen refuses connections.
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(RunError) as caught, cluster(address, None):
            pass
    assert str(caught.value) == (
        f"no Ray cluster at {address}: Connection refused. Start one there (ray start --head), or "
        "leave out --address for one on this machine."
    )


@ray_needed
@pytest.mark.parametrize(
    ("address", "message"),
    [
        (
            "nonsense",
            "no Ray cluster at nonsense: Invalid address format: nonsense. Start one there (ray "
            "start --head), or leave out --address for one on this machine.",
        ),
        (
            "ray://here:10001",
            "--address ray://here:10001: run the command on a machine of the cluster, and give "
            "the cluster's own address, HOST:6379; ray:// is for programs outside of it.",
        ),
    ],
)
def test_addresses_that_are_none(address: str, message: str) -> None:
    with pytest.raises(RunError) as caught, cluster(address, None):
        pass
    assert str(caught.value) == message


@given(st.integers(1, 10_000), st.integers(1, 64), st.integers(1, 2_000))
def test_every_request_is_dealt_out(waiting: int, workers: int, batch_size: int) -> None:
    sizes = []
    while waiting:
        sizes.append(next_size(waiting, workers, batch_size))
        assert 0 < sizes[-1] <= min(waiting, LARGEST)
        waiting -= sizes[-1]
    assert sizes == sorted(sizes, reverse=True)
    # No part is smaller than a batch, where one could be had.
    assert all(size >= min(batch_size, LARGEST) for size in sizes[:-1])
