"""Whether the dataset card agrees with the release, in the form that the Hub expects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from huggingface_hub import CardData, DatasetCard

from sorites.errors import InvalidRelease
from sorites.release.manifest.recorded import Release

__all__ = ["check_card"]


def check_card(release: Release) -> None:
    """Compare README.md with release.json: licence, configs, splits, their files and rows.

    Raises InvalidRelease, with every fault, for a card that the Hub or ``datasets`` would not
    read, or would read as something else than the release.
    """
    # Here and not above: `datasets` takes a second or two to import, and most commands need none.
    from datasets.utils.metadata import MetadataConfigs

    path = release.directory / "README.md"
    try:
        data = DatasetCard(path.read_text(encoding="utf-8")).data
        configs = MetadataConfigs.from_dataset_card_data(data)
    # Whatever the two libraries think of a malformed card, it is no card.
    except Exception as error:
        raise InvalidRelease(f"{path}: its metadata cannot be read: {error}") from error
    faults = [*_faults(release, data, configs)]
    if faults:
        raise InvalidRelease("\n".join(f"{path}: {fault}" for fault in faults))


def _faults(
    release: Release, data: CardData, configs: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    if data.get("license") != release.license:
        yield f"the licence is {data.get('license')}, but release.json says {release.license}"
    patterns = {
        (name, entry.get("split")): entry.get("path")
        for name, config in configs.items()
        for entry in config.get("data_files") or ()
    }
    described = data.get("dataset_info") or []
    rows = {
        (info.get("config_name"), split.get("name")): split.get("num_examples")
        for info in (described if isinstance(described, list) else [described])
        for split in info.get("splits") or ()
    }
    splits = {(split.config, split.split): split for split in release.splits}
    for name in sorted(patterns.keys() ^ splits.keys(), key=str):
        where = "release.json" if name in patterns else "configs"
        yield f"{name[0]}/{name[1]} is missing in {where}"
    for name, split in splits.items():
        chosen = {
            file.path
            for file in release.data_files()
            if fnmatchcase(file.path, str(patterns.get(name)))
        }
        if name in patterns and chosen != {file.path for file in split.files}:
            yield f"{'/'.join(name)}: {patterns[name]} does not name the files of the split"
        if rows.get(name) != split.rows:
            yield f"{'/'.join(name)}: {rows.get(name)} rows, but release.json says {split.rows}"
