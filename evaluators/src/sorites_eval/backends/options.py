"""How a model is to be loaded and asked, whatever kind of model it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Options"]


@dataclass(frozen=True, slots=True)
class Options:
    """How a model is to be loaded and asked; a backend reads those that concern it.

    Without a ``temperature`` a model gives its most probable answer, the same one every time.
    ``engine`` "ray" opens it on ``workers`` of the Ray cluster at an ``address``, or of one that
    is started on this machine.
    """

    seed: int = 0
    batch_size: int = 16
    dtype: str = "auto"
    device_map: str | None = None
    decode: bool = False
    chat: bool | None = None
    trust_remote_code: bool = False
    base_url: str | None = None
    concurrency: int = 8
    logprobs: bool = False
    batch: bool = False
    model_args: Mapping[str, object] = field(default_factory=dict)
    generation_args: Mapping[str, object] = field(default_factory=dict)
    chat_template_args: Mapping[str, object] = field(default_factory=dict)
    reasoning_effort: str | None = None
    drop_fields: tuple[str, ...] = ()
    add_fields: tuple[tuple[str, object], ...] = ()
    timeout: float = 600.0
    budget: float | None = None
    price: tuple[float, float] | None = None
    temperature: float | None = None
    engine: str | None = None
    address: str | None = None
    workers: int | None = None
