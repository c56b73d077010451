"""Specs of audits for tests, from what differs in each."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from sorites.families.audit.audit import Audit, run_audit
from sorites.families.audit.build import plan_of
from sorites.progress import Silent
from sorites.specfile.load import load

LABELS = {"entailment": "entailed", "neutral": "undetermined", "contradiction": "contradicted"}


def write_spec(
    folder: Path,
    files: Mapping[str, Path],
    *,
    reading: Mapping[str, object],
    data: Mapping[str, object] | None = None,
    labels: Mapping[str, object] = LABELS,
    universals: list[str] | None = None,
    license: str = "cc0-1.0",
    split: str | None = None,
) -> Path:
    """A spec over files that lie in the folder, one a split; JSON is YAML."""
    columns = {
        "format": "jsonl",
        "id": "id",
        "premises": "premises",
        "conclusion": "conclusion",
        "label": "label",
        "splits": {name: name for name in files},
        **(data or {}),
    }
    spec = {
        "kind": "audit",
        "name": "planted",
        "version": "1.0.0",
        "title": "An audit",
        "summary": "An audit for a test.",
        "license": license,
        "languages": ["en"],
        "seed": 0,
        "sources": {
            name: {
                "file": path.name,
                "version": "1",
                "license": license,
                "attribution": "A test",
                "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            }
            for name, path in files.items()
        },
        "data": {name: value for name, value in columns.items() if value is not None},
        "reading": reading,
        "labels": labels,
        "all": universals or ["modern"],
        "tasks": {
            "follows": {
                "title": "Does it follow?",
                "description": "Say how the conclusion stands to the premises.",
                "data": {"config": "items", "split": split or next(iter(files))},
                "id": "id",
                "answer": {
                    "format": "choice",
                    "labels": {label: label for label in labels},
                    "gold": "label",
                },
                "prompts": {"zero-shot": {"user": "{{ premises }} {{ conclusion }}?"}},
                "score": {"metrics": ["accuracy"]},
            }
        },
    }
    path = folder / "audit.yaml"
    path.write_text(json.dumps(spec, ensure_ascii=False, indent=1), "utf-8")
    return path


def audited(path: Path, files: Mapping[str, Path]) -> Audit:
    """The audit of a spec over files that are at hand."""
    return run_audit(plan_of(load(path)), files, Silent())
