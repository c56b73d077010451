"""A spec from its file: read, validated by the schema of its kind, every problem at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, cast
from urllib.parse import unquote, urlsplit

from sorites.canonical import Json
from sorites.errors import InvalidSpec, Problem
from sorites.names import did_you_mean
from sorites.specfile.complaints import complaints
from sorites.specfile.model import CardText, SourcePin, Spec
from sorites.specfile.reader import Document, read
from sorites.specfile.schemas import Schemas, load_schemas
from sorites_eval.contract.identity import parse_version

__all__ = ["kinds", "load", "load_document"]


def kinds() -> tuple[str, ...]:
    """The kinds of spec that there are, sorted."""
    return load_schemas().kinds()


def load(path: Path) -> Spec:
    """Read and validate a spec.

    Raises UnreadableSpec where it cannot be read at all, and InvalidSpec with every problem,
    sorted by position.
    """
    return load_document(read(path), path)


def load_document(document: Document, path: Path, *, schemas: Schemas | None = None) -> Spec:
    """Validate a document that was read from ``path``; raises InvalidSpec with every problem."""
    schemas = schemas or load_schemas()
    kind = _kind(document, schemas)
    problems = [
        document.problem(found.path, found.message, found.hint, key=found.at_key)
        for found in complaints(schemas.validator(kind).iter_errors(document.data))
    ]
    problems += _unknown_citations(document)
    problems += _source_problems(document, path)
    if problems:
        raise InvalidSpec(sorted(problems, key=lambda problem: _order(problem, document)))
    return _spec(document, path)


def _order(problem: Problem, document: Document) -> tuple[bool, str, int, int]:
    return problem.file != document.file, problem.file, problem.line, problem.column


def _kind(document: Document, schemas: Schemas) -> str:
    data = _mapping(document.data)
    known = schemas.kinds()
    if "kind" not in data:
        problem = document.problem((), 'the key "kind" is missing', f"known: {', '.join(known)}")
        raise InvalidSpec([problem])
    kind = data["kind"]
    if not isinstance(kind, str) or kind not in known:
        shown = kind if isinstance(kind, str) else "that is not text"
        problem = document.problem(("kind",), f"unknown kind {shown}", did_you_mean(shown, known))
        raise InvalidSpec([problem])
    return kind


def _mapping(value: object) -> Mapping[str, Json]:
    """A value as a mapping; empty where it is not one, which the schema has reported."""
    return value if isinstance(value, Mapping) else {}


def _pins(document: Document) -> Iterator[tuple[str, Mapping[str, Json]]]:
    for name, pin in _mapping(_mapping(document.data).get("sources")).items():
        yield name, _mapping(pin)


def _unknown_citations(document: Document) -> Iterator[Problem]:
    known = _mapping(_mapping(document.data).get("citations"))
    for name, pin in _pins(document):
        key = pin.get("citation")
        if isinstance(key, str) and key not in known:
            hint = did_you_mean(key, known) or "add it under citations"
            yield document.problem(
                ("sources", name, "citation"), f'no citation has the key "{key}"', hint
            )


def _source_problems(document: Document, path: Path) -> Iterator[Problem]:
    for name, pin in _pins(document):
        url, file = pin.get("url"), pin.get("file")
        if isinstance(url, str) and url.startswith("https://"):
            for message, hint in _url_problems(url):
                yield document.problem(("sources", name, "url"), message, hint)
        archives = pin.get("archives")
        for index, address in enumerate(archives if isinstance(archives, list) else ()):
            if isinstance(address, str) and address.startswith("https://"):
                for message, hint in _url_problems(address):
                    yield document.problem(("sources", name, "archives", index), message, hint)
        if isinstance(file, str) and file:
            for message, hint in _file_problems(file, path):
                yield document.problem(("sources", name, "file"), message, hint)


def _url_problems(url: str) -> Iterator[tuple[str, str]]:
    try:
        parts = urlsplit(url)
        host, user = parts.hostname, parts.username
    except ValueError:
        host, user = None, None
    if not host:
        yield f"{url} is not a URL", "write it as https://HOST/PATH/FILE"
        return
    if user is not None:
        yield "a URL must not hold a user name or a password", "remove what stands before the @"
    name = unquote(parts.path).rpartition("/")[2]
    if not name or name in (".", "..") or "\\" in name or "\x00" in name:
        yield f"{url} does not end in the name of a file", "give the URL of the file itself"


def _file_problems(file: str, path: Path) -> Iterator[tuple[str, str]]:
    folder = path.parent.resolve()
    pure = PurePosixPath(file)
    if pure.is_absolute() or "\\" in file or ".." in pure.parts or ":" in file:
        yield f"{file} is not a path within the folder of the spec", "move the file beside the spec"
    elif not (folder / file).resolve().is_relative_to(folder):
        yield f"{file} leads out of the folder of the spec", "put the file itself there, not a link"
    elif not (folder / file).is_file():
        yield f"there is no file {file} in the folder of the spec", "check its name"


def _spec(document: Document, path: Path) -> Spec:
    # The schema has accepted the document: these are the types that it promises.
    data = cast("dict[str, Any]", document.data)
    card = data.get("card", {})
    return Spec(
        path=path,
        kind=data["kind"],
        name=data["name"],
        version=parse_version(data["version"]),
        title=data["title"],
        summary=data["summary"].strip(),
        license=data["license"],
        license_name=data.get("license_name"),
        license_link=data.get("license_link"),
        languages=tuple(data["languages"]),
        seed=data["seed"],
        citations=data.get("citations", {}),
        card=CardText(
            tags=_texts(card.get("tags", [])),
            task_categories=_texts(card.get("task_categories", [])),
            uses=_texts(card.get("uses", [])),
            limits=_texts(card.get("limits", [])),
            home=card.get("home", ""),
            date=card.get("date", ""),
        ),
        sources={name: _pin(name, pin, path) for name, pin in data.get("sources", {}).items()},
        tasks=data["tasks"],
        document=document,
        analyses=data.get("analyses", {}),
    )


def _texts(value: Sequence[str]) -> tuple[str, ...]:
    return tuple(value)


def _pin(name: str, pin: Mapping[str, Any], path: Path) -> SourcePin:
    file = pin.get("file")
    optional = {"max_bytes": pin["max_bytes"]} if "max_bytes" in pin else {}
    return SourcePin(
        id=name,
        version=pin["version"],
        license=pin["license"],
        attribution=pin["attribution"],
        sha256=pin["sha256"],
        url=_hub_address(pin["hub"]) if "hub" in pin else pin.get("url"),
        file=path.parent / file if file is not None else None,
        archives=tuple(pin.get("archives", ())),
        separate=pin.get("separate", False),
        made=(pin["made"]["name"], pin["made"]["how"]) if "made" in pin else None,
        **optional,
    )


def _hub_address(place: Mapping[str, str]) -> str:
    repo, revision, path = place["repo"], place["revision"], place["path"]
    return f"https://huggingface.co/datasets/{repo}/resolve/{revision}/{path}"
