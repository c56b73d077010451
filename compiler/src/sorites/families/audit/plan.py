"""The sections of a spec that only this kind has, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, cast

from sorites.canonical import Json
from sorites.families.audit.grammar_reading import GrammarReader
from sorites.families.audit.notation_reading import NotationReader
from sorites.families.audit.reader import RowReader
from sorites.families.audit.template_reading import TemplateReader
from sorites.logic.formulas import FormulaError, parse
from sorites.logic.grammar.grammar import GrammarError, read_grammar
from sorites.logic.notations.known import NOTATIONS
from sorites.logic.prover import Verdict
from sorites.logic.sentence_templates import Forms, TemplateError, read_template
from sorites.sources.sentence_pairs.table_formats import TableFormat, TableLayout

__all__ = ["AuditPlan", "Columns", "Report", "Universal", "no_problem", "read_plan"]

Universal: TypeAlias = Literal["modern", "existential"]
"""What ``all`` says of what there is none of: nothing, or that there is some."""

Report: TypeAlias = Callable[[tuple[str | int, ...], str, str], None]
"""Takes what is wrong: the place in the spec, a message, and what to do."""

_MAX_LINE = 1_000_000
_DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t"}
# What the columns of the release are called.
_TAKEN = frozenset(
    (
        *("id", "premises", "conclusion", "premise_formulas", "conclusion_formula", "story"),
        *("label", "label_given", "corrected", "verdict", "denied", "needed", "redundant"),
        *("check", "reason", "label_existential", "verdict_existential"),
        *("label_modern", "verdict_modern"),
    )
)


@dataclass(frozen=True, slots=True)
class Columns:
    """What the columns of the source are called.

    ``premises`` is one column, whose lists or texts hold them all, or several of one each.
    ``words`` are the columns of the sentences that formulas stand for.
    """

    premises: tuple[str, ...]
    conclusion: str
    label: str
    id: str | None = None
    premises_in_one: bool = True
    separator: str = "\n"
    denied: str | None = None
    denials: tuple[str, ...] = ()
    words_premises: tuple[str, ...] = ()
    words_in_one: bool = True
    words_conclusion: str | None = None
    keep: tuple[str, ...] = ()

    @property
    def wanted(self) -> tuple[str, ...]:
        """Every column that is read."""
        single = (self.id, self.conclusion, self.label, self.denied, self.words_conclusion)
        named = [*self.premises, *self.words_premises, *self.keep]
        return tuple(dict.fromkeys([*named, *(name for name in single if name is not None)]))


@dataclass(frozen=True, slots=True)
class AuditPlan:
    """What an audit reads, and what the labels of the source mean.

    ``splits`` are the sources by the split's name. ``universals``: the first gives the labels.
    """

    layout: TableLayout
    splits: Mapping[str, str]
    columns: Columns
    reader: RowReader
    labels: Mapping[str, tuple[Verdict, ...]]
    universals: tuple[Universal, ...]

    def label_of(self, verdict: Verdict) -> str | None:
        """The label of a verdict; None where no label says it."""
        return next((label for label, of in self.labels.items() if verdict in of), None)

    def only(self, split: str) -> AuditPlan:
        """The same plan for one of its splits alone."""
        return replace(self, splits={split: self.splits[split]})

    def settles(self, verdict: Verdict) -> bool:
        """Whether a verdict can speak against a label: it is known, and the premises can be true.

        Premises that contradict each other are a fault of their own, unless a label says so.
        """
        if verdict is Verdict.INCONSISTENT:
            return self.label_of(verdict) is not None
        return verdict is not Verdict.UNKNOWN


def no_problem(path: tuple[str | int, ...], message: str, hint: str) -> None:
    """A report for specs that have been checked."""


def read_plan(document: Mapping[str, Json], report: Report) -> AuditPlan | None:
    """The plan of a document that its schema has accepted; None where something was reported."""
    found = 0

    def told(path: tuple[str | int, ...], message: str, hint: str) -> None:
        nonlocal found
        found += 1
        report(path, message, hint)

    data = cast("Mapping[str, Any]", document["data"])
    columns = _columns(data, told)
    labels = _labels(cast("Mapping[str, Any]", document["labels"]), told)
    reader = _reader(cast("Mapping[str, Any]", document["reading"]), told)
    universals = cast("Sequence[Universal]", document.get("all", ("modern",)))
    if "delimiter" in data and data["format"] != "csv":
        told(("data", "delimiter"), "a delimiter is of CSV alone", "leave it out")
    if reader is not None and reader.reads_words and "words" in data:
        told(
            ("data", "words"),
            "the premises and the conclusion are words themselves",
            "leave it out, or read formulas by a notation",
        )
    if found or reader is None:
        return None
    layout = TableLayout(
        TableFormat(data["format"]),
        _DELIMITERS[data.get("delimiter", "comma")],
        data.get("quotes") == "keep",
        _MAX_LINE,
    )
    return AuditPlan(layout, dict(data["splits"]), columns, reader, labels, tuple(universals))


def _columns(data: Mapping[str, Any], report: Report) -> Columns:
    premises, words = data["premises"], data.get("words", {})
    keep = tuple(data.get("keep", ()))
    for index, name in enumerate(keep):
        if name in _TAKEN:
            report(
                ("data", "keep", index),
                f"the release has a column {name} of its own",
                "leave it out",
            )
    denied = data.get("denied", {})
    return Columns(
        premises=_several(premises),
        conclusion=data["conclusion"],
        label=data["label"],
        id=data.get("id"),
        premises_in_one=isinstance(premises, str),
        separator=data.get("separator", "\n"),
        denied=denied.get("column"),
        denials=tuple(denied.get("values", ())),
        words_premises=_several(words["premises"]) if words else (),
        words_in_one=isinstance(words.get("premises"), str),
        words_conclusion=words.get("conclusion"),
        keep=keep,
    )


def _several(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _labels(section: Mapping[str, Any], report: Report) -> Mapping[str, tuple[Verdict, ...]]:
    found = {label: tuple(map(Verdict, _several(says))) for label, says in section.items()}
    first: dict[Verdict, str] = {}
    for label, verdicts in found.items():
        for verdict in verdicts:
            other = first.setdefault(verdict, label)
            if other != label:
                report(
                    ("labels", label),
                    f"{verdict.value} is what the label {other} says",
                    "give every verdict one label: what is proved must have one name",
                )
    return found


def _reader(section: Mapping[str, Any], report: Report) -> RowReader | None:
    if "notation" in section:
        return NotationReader(NOTATIONS[section["notation"]])
    if "grammar" in section:
        try:
            return GrammarReader(read_grammar(section["grammar"]))
        except GrammarError as error:
            report(("reading", "grammar"), str(error), "")
            return None
    return _templates(section, report)


def _templates(section: Mapping[str, Any], report: Report) -> TemplateReader | None:
    names = [_names(section, key, report) for key in ("classes", "individuals")]
    forms = tuple(tuple(dict.fromkeys(form for name in of for form in name)) for of in names)
    templates = []
    for index, entry in enumerate(section["templates"]):
        where = ("reading", "templates", index)
        try:
            formula = parse(entry["formula"])
            known = tuple(tuple(form for form in of if form) for of in forms)
            template = read_template(formula, entry["text"], forms=(known[0], known[1]))
        except FormulaError as error:
            report((*where, "formula"), str(error), "write it in the notation of NLTK")
            continue
        except TemplateError as error:
            report((*where, "text"), str(error), "name each symbol of the formula as {SYMBOL}")
            continue
        touching = any(
            index >= 0 and after[0] == "" and after[1] >= 0
            for (_, index, _), after in zip(template.parts, template.parts[1:], strict=False)
        )
        if touching and not all(names):
            report(
                (*where, "text"),
                "two names stand side by side, and nothing tells where the first ends",
                "write a word between them, or list the names",
            )
            continue
        templates.append((formula, template))
    return (
        TemplateReader(templates, names[0], names[1], section.get("full_stop", "."))
        if templates
        else None
    )


def _names(section: Mapping[str, Any], key: str, report: Report) -> Sequence[Forms]:
    found: list[Forms] = []
    for index, entry in enumerate(section.get(key, ())):
        name = {"": entry} if isinstance(entry, str) else dict(entry)
        if found and name.keys() != found[0].keys():
            report(
                ("reading", key, index),
                "it has other forms than the first name",
                "give every name the same forms",
            )
        found.append(name)
    return found
