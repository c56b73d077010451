"""README.md: the dataset card, for a stranger who has nothing else."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence

from sorites.licences import licence_url
from sorites.release.audit.audit import label_counts
from sorites.release.content import Column, Content, Split, SplitName
from sorites.release.describe.card_metadata import card_metadata
from sorites.release.describe.certificates import certificates_section
from sorites.release.describe.citation import citation
from sorites.release.describe.examples import examples
from sorites.release.describe.markdown import bullets, code, escape, fence, table
from sorites.release.files.features import type_name
from sorites.release.files.parquet import DataFile
from sorites.specfile.model import SourcePin, Spec
from sorites_eval.contract.analyses.read import Analysis
from sorites_eval.contract.metrics import METRICS
from sorites_eval.contract.tasks import Task

__all__ = ["canary", "card"]

_SHOWN = 8
"""How many splits are named one by one where all of them would fill a page."""

_CANARIES = uuid.UUID("6f3a4f0e-5e0b-5d2c-9a53-2f0c2f6b1d77")


def canary(name: str) -> str:
    """The GUID of a data set, the same for all its versions (UUID version 5 of its name).

    >>> canary("syllobio-nli") == canary("syllobio-nli") != canary("another")
    True
    """
    return str(uuid.uuid5(_CANARIES, name))


def card(
    spec: Spec,
    content: Content,
    tasks: Sequence[Task],
    analyses: Sequence[Analysis],
    data_files: Mapping[SplitName, Sequence[DataFile]],
) -> str:
    """The dataset card: YAML metadata, then Markdown.

    What comes from the spec or the data is escaped; ``content.made``, ``proofs``, ``rejected``
    and ``sections`` are Markdown of the family and stand as they are.
    """
    splits = {(split.config, split.name): split for split in content.splits}
    parts = [
        f"# {escape(spec.title)}",
        escape(spec.summary),
        f"Version {spec.version}, compiled by Sorites from a declarative spec. "
        "Every label carries a proof or names its source; `release.json` records the spec, the "
        "sources and a checksum of every file.",
        *_section("What it is for", _uses(spec, tasks)),
        *_section("Contents", _contents(content)),
        *_section("How to load", _loading(spec, content)),
        *_section("A row of each config", examples(content)),
        *_section("Columns", _columns(content)),
        *_section("Labels", _labels(tasks, splits)),
        *_section("How it was made", content.made),
        *_section("What was proved", content.proofs),
        *_section("How to check a row", certificates_section(content)),
        *_section("What was left out", _left_out(content)),
        *(part for s in content.sections for part in _section(escape(s.heading), s.markdown)),
        *_section("How to evaluate", _evaluating(spec, tasks, analyses)),
        *_section("Known limits", bullets(map(escape, spec.card.limits))),
        *_section("Sources, licences and attribution", _sources(spec)),
        *_section("How to cite", _citations(spec)),
        *_section("Contamination canary", _canary(spec)),
    ]
    metadata = card_metadata(spec, content, data_files)
    return f"---\n{metadata}\n---\n\n" + "\n\n".join(parts) + "\n"


def _section(heading: str, markdown: str) -> Iterator[str]:
    if markdown.strip():
        yield f"## {heading}"
        yield markdown.strip()


def _uses(spec: Spec, tasks: Sequence[Task]) -> str:
    named = [
        f"**{escape(task.title)}** ({code(task.name)}): {escape(task.description)}"
        for task in tasks
    ]
    return bullets([*map(escape, spec.card.uses), *named])


def _contents(content: Content) -> str:
    rows = [
        [code(s.config), code(s.name), f"{s.table.num_rows:,}", escape(s.description)]
        for s in content.splits
    ]
    return table(["config", "split", "rows", "what it holds"], rows, right=[2])


def _loading(spec: Spec, content: Content) -> str:
    calls = "\n".join(
        f'{_variable(split)} = load_dataset(release, "{split.config}", split="{split.name}")'
        for split in content.splits[:_SHOWN]
    )
    if len(content.splits) > _SHOWN:
        calls += "\n# and so on, for each config and split under Contents"
    placeholder = (
        "" if spec.card.home else "# ORG is the account under which this card is published.\n"
    )
    python = (
        "from datasets import load_dataset\n"
        "from huggingface_hub import snapshot_download\n\n"
        f"{placeholder}"
        f'release = snapshot_download("{_home(spec)}", repo_type="dataset", '
        f'revision="v{spec.version}")\n{calls}'
    )
    return (
        f"{fence(python, 'python')}\n\n"
        "The snapshot comes first because it is exact: it either holds the files of this version "
        "or fails, with or without a network. For a copy on disk, `release` is its folder."
    )


def _home(spec: Spec) -> str:
    return spec.card.home or f"ORG/{spec.name}"


def _variable(split: Split) -> str:
    name = f"{split.config}_{split.name}".replace("-", "_").lower()
    return name if name.isidentifier() else f"split_{name}"


def _columns(content: Content) -> str:
    """One table for all splits with the same columns; small differences are told in a sentence."""
    shared: dict[tuple[Column, ...], list[str]] = {}
    for split in content.splits:
        shared.setdefault(split.columns, []).append(f"{split.config}/{split.name}")
    told: list[tuple[Column, ...]] = []
    parts = []
    for columns, names in shared.items():
        near = next((base for base in told if len({*base} ^ {*columns}) <= len(columns) // 2), ())
        added = [column for column in columns if column not in near]
        text = _enumerated(names)
        if near:
            lost = [code(column.name) for column in near if column not in columns]
            text += f": as in {code(shared[near][0])}"
            text += f", without {', '.join(lost)}" if lost else ""
            text += ", and" if added else "."
        else:
            told.append(columns)
        rows = [[code(c.name), code(type_name(c.type)), escape(c.description)] for c in added]
        listed = f":\n\n{table(['column', 'type', 'meaning'], rows)}" if rows else ""
        parts.append(text + listed)
    return "\n\n".join(parts)


def _enumerated(names: Sequence[str]) -> str:
    shown = ", ".join(map(code, names[:_SHOWN]))
    return f"{shown} and {len(names) - _SHOWN} more" if len(names) > _SHOWN else shown


def _labels(tasks: Sequence[Task], splits: Mapping[SplitName, Split]) -> str:
    """Label balance, one table for all tasks that count the same labels of the same splits."""
    shared: dict[str, list[str]] = {}
    for task in tasks:
        shared.setdefault(_balance(task, splits), []).append(task.name)
    return "\n\n".join(
        f"{', '.join(map(code, names))}:\n\n{balance}" for balance, names in shared.items()
    )


def _balance(task: Task, splits: Mapping[SplitName, Split]) -> str:
    rows = []
    for split, counts in label_counts(task, splits).items():
        total = sum(counts.values())
        rows += [
            [code(split), _label(task, label), f"{number:,}", f"{number / total:.1%}"]
            for label, number in counts.items()
            # A label of another view only, such as that of the reversed pair, is the gold of none.
            if number or len(task.views) < 2
        ]
    return table(["split", "label", "rows", "share"], rows, right=[2, 3])


def _label(task: Task, label: str) -> str:
    """A label as the model writes it, and the value of the gold column if that reads otherwise."""
    value = task.answer.labels.get(label)
    same = value is None or str(value) == label
    return escape(label) if same else f"{escape(label)} ({code(str(value))})"


def _left_out(content: Content) -> str:
    shortfalls = bullets(map(escape, content.shortfalls))
    if shortfalls:
        shortfalls = f"Asked for by the spec, and not to be had:\n\n{shortfalls}"
    return "\n\n".join(filter(None, (content.rejected.strip(), shortfalls)))


def _evaluating(spec: Spec, tasks: Sequence[Task], analyses: Sequence[Analysis]) -> str:
    commands = "\n".join(
        f"sorites-eval run {_home(spec)}@v{spec.version} "
        f"--task {task.name} --setting {setting} --model MODEL --out runs"
        for task in tasks
        for setting in task.prompts
    )
    if not commands:
        return ""
    return (
        "`benchmark.json` declares each task: its prompts, its labels, how an answer is read and "
        "how it is scored. With `pip install 'sorites-eval[models]'`:\n\n"
        f"{fence(commands, 'bash')}\n\n"
        "MODEL is a causal language model of the Hub or a folder that holds one; `random`, "
        "`majority` and `oracle` are built in. An answer that cannot be read counts as none, "
        "never as a guess.\n\n" + _scores(tasks, analyses) + _analysed(analyses)
    )


def _scores(tasks: Sequence[Task], analyses: Sequence[Analysis]) -> str:
    """What each score is, of those that a task or an analysis asks for."""
    asked = {metric for task in tasks for metric in task.score.metrics}
    asked |= {metric for analysis in analyses for metric in analysis.metrics()}
    shown = [metric for name, metric in METRICS.items() if name in asked]
    return "\n".join(f"- {code(m.name)}: {escape(m.meaning)}." for m in shown)


def _analysed(analyses: Sequence[Analysis]) -> str:
    if not analyses:
        return ""
    rows = [[code(a.name), escape(a.title), escape(a.source)] for a in analyses]
    return (
        "\n\n`sorites-eval analyse runs --out analyses` then gives, as tables and figures:\n\n"
        + table(["file", "what it shows", "after"], rows)
    )


def _sources(spec: Spec) -> str:
    release = code(spec.license_name or spec.license)
    url = spec.license_link or licence_url(spec.license)
    text = f"The release is licensed under {f'[{release}]({url})' if url else release}."
    if not spec.sources:
        return text
    rows = [
        [
            code(pin.id),
            escape(pin.version),
            _licence(pin.license),
            escape(pin.attribution),
            _place(pin),
        ]
        for pin in spec.sources.values()
    ]
    header = ["source", "version", "licence", "attribution", "from"]
    return f"{text} It was compiled from:\n\n{table(header, rows)}"


def _licence(licence: str) -> str:
    url = licence_url(licence)
    return f"[{code(licence)}]({url})" if url else escape(licence)


def _place(pin: SourcePin) -> str:
    if pin.url is not None:
        return code(pin.url)
    return code(pin.file_name)


def _citations(spec: Spec) -> str:
    return fence(citation(spec), "bibtex")


def _canary(spec: Spec) -> str:
    return (
        "Please keep this data out of training corpora. So that a copy in one can be found, this "
        f"card carries a string that stands nowhere else: `sorites:{spec.name}:"
        f"{canary(spec.name)}`."
    )
