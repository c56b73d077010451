"""The YAML at the head of a dataset card: what the Hub indexes and ``datasets`` loads by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from huggingface_hub import DatasetCardData

from sorites.canonical import Json
from sorites.release.content import Content, Split, SplitName
from sorites.release.files.features import yaml_features
from sorites.release.files.parquet import DataFile
from sorites.specfile.model import Spec

__all__ = ["card_metadata", "size_category"]

_BOUNDS = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
    (100_000_000, "10M<n<100M"),
    (1_000_000_000, "100M<n<1B"),
)


def card_metadata(
    spec: Spec, content: Content, data_files: Mapping[SplitName, Sequence[DataFile]]
) -> str:
    """The metadata as YAML, without the lines of dashes around it."""
    configs: dict[str, list[Split]] = {}
    for split in content.splits:
        configs.setdefault(split.config, []).append(split)
    # DatasetCardData takes any further keys: those of the licence, and those of ``datasets``.
    further: dict[str, Any] = {
        "configs": [
            _config(name, splits, default=name == content.splits[0].config)
            for name, splits in configs.items()
        ],
        "dataset_info": [_info(name, splits, data_files) for name, splits in configs.items()],
    }
    if spec.license_name is not None:
        further["license_name"] = spec.license_name
    if spec.license_link is not None:
        further["license_link"] = spec.license_link
    data = DatasetCardData(
        language=list(spec.languages),
        license=spec.license,
        pretty_name=spec.title,
        annotations_creators=["machine-generated"],
        language_creators=["machine-generated", *(["found"] if spec.sources else [])],
        multilinguality="multilingual" if len(spec.languages) > 1 else "monolingual",
        size_categories=[size_category(sum(split.table.num_rows for split in content.splits))],
        source_datasets=_source_datasets(spec),
        task_categories=list(spec.card.task_categories) or None,
        tags=[*dict.fromkeys([*spec.card.tags, "benchmark", "croissant", "sorites"])],
        **further,
    )
    order = ["language", "license", "license_name", "license_link", "pretty_name"]
    return data.to_yaml(line_break="\n", original_order=order)


def size_category(rows: int) -> str:
    """The Hub's class of a data set with so many rows.

    >>> size_category(86_400)
    '10K<n<100K'
    """
    return next((name for bound, name in _BOUNDS if rows < bound), "1B<n<10B")


def _source_datasets(spec: Spec) -> list[str]:
    """What the release extends: every pinned source, or nothing if all came with the spec."""
    fetched = [f"extended|other-{pin.id}" for pin in spec.sources.values() if pin.url]
    return fetched or ["original"]


def _config(name: str, splits: Sequence[Split], *, default: bool) -> dict[str, Json]:
    config: dict[str, Json] = {
        "config_name": name,
        "data_files": [
            {"split": split.name, "path": f"data/{name}/{split.name}-*.parquet"} for split in splits
        ],
    }
    return {**config, "default": True} if default else config


def _info(
    name: str, splits: Sequence[Split], data_files: Mapping[SplitName, Sequence[DataFile]]
) -> dict[str, Json]:
    sizes = [sum(file.bytes for file in data_files[name, split.name]) for split in splits]
    return {
        "config_name": name,
        "features": yaml_features(splits[0].columns),
        "splits": [
            {"name": split.name, "num_bytes": size, "num_examples": split.table.num_rows}
            for split, size in zip(splits, sizes, strict=True)
        ],
        "download_size": sum(sizes),
        "dataset_size": sum(sizes),
    }
