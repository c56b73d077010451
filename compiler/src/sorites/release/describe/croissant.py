"""croissant.json: the release described in Croissant 1.0, for tools that read that format.

See https://docs.mlcommons.org/croissant/docs/croissant-spec.html. A split is a RecordSet; its
one file, or a FileSet of its shards, is where the fields come from. Paths are relative to
croissant.json, so the description holds wherever the release is copied to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import pyarrow as pa

from sorites.canonical import Json
from sorites.release.content import Content, Split, SplitName
from sorites.release.describe.citation import citation
from sorites.release.files.parquet import DataFile
from sorites.specfile.model import Spec

__all__ = ["croissant"]

_CONTEXT: Final[Mapping[str, Json]] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def croissant(
    spec: Spec,
    content: Content,
    data_files: Mapping[SplitName, Sequence[DataFile]],
    license_url: str,
) -> dict[str, Json]:
    """The content of croissant.json; ``license_url`` is where the release's licence is read."""
    distribution: list[Json] = []
    records: list[Json] = []
    for split in content.splits:
        files = data_files[split.config, split.name]
        distribution += [_file(file) for file in files]
        place: dict[str, Json] = {"fileObject": {"@id": files[0].path}}
        if len(files) > 1:
            shards = f"{split.config}/{split.name}/shards"
            distribution.append(_shards(shards, split))
            place = {"fileSet": {"@id": shards}}
        records.append(_record_set(split, place))
    description: dict[str, Json] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": spec.name,
        "alternateName": spec.title,
        "description": spec.summary,
        "version": str(spec.version),
        "license": license_url,
        "inLanguage": list(spec.languages),
        "keywords": list(spec.card.tags),
        "distribution": distribution,
        "recordSet": records,
    }
    description["citeAs"] = citation(spec)
    if spec.card.date:
        description["datePublished"] = spec.card.date
    if spec.card.home:
        description["url"] = f"https://huggingface.co/datasets/{spec.card.home}"
    return description


def _file(file: DataFile) -> Json:
    return {
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": file.path,
        "contentUrl": file.path,
        "contentSize": f"{file.bytes} B",
        "encodingFormat": "application/x-parquet",
        "sha256": file.sha256,
    }


def _shards(name: str, split: Split) -> Json:
    return {
        "@type": "cr:FileSet",
        "@id": name,
        "name": name,
        "encodingFormat": "application/x-parquet",
        "includes": f"data/{split.config}/{split.name}-*.parquet",
    }


def _record_set(split: Split, place: Mapping[str, Json]) -> Json:
    name = f"{split.config}/{split.name}"
    fields = [
        {
            "description": column.description,
            **_field(f"{name}/{column.name}", column.type, place, column.name, ()),
        }
        for column in split.columns
    ]
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": split.description,
        "field": fields,
    }


def _field(
    name: str, kind: pa.DataType, place: Mapping[str, Json], column: str, keys: tuple[str, ...]
) -> dict[str, Json]:
    """A field of a column, or of the struct in it that ``keys`` lead to."""
    field: dict[str, Json] = {"@type": "cr:Field", "@id": name, "name": name}
    if pa.types.is_list(kind):
        field["repeated"] = True
        kind = kind.value_type
    if pa.types.is_struct(kind):
        field["subField"] = [
            _field(f"{name}/{part.name}", part.type, place, column, (*keys, part.name))
            for part in kind.fields
        ]
        return field
    source: dict[str, Json] = {**place, "extract": {"column": column}}
    if keys:
        source["transform"] = {"jsonPath": ".".join(keys)}
    field["source"] = source
    field["dataType"] = _data_type(kind)
    return field


def _data_type(kind: pa.DataType) -> str:
    if pa.types.is_boolean(kind):
        return "sc:Boolean"
    if pa.types.is_integer(kind):
        return "sc:Integer"
    if pa.types.is_floating(kind):
        return "sc:Float"
    return "sc:Text"
