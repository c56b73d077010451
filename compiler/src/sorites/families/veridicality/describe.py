"""What the sources hold: pairs by label, those that can be embedded, what people judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from sorites.errors import SoritesError
from sorites.families.description import Description, Table, examples
from sorites.families.veridicality.build import plan_of, read_human
from sorites.families.veridicality.embedded import NO, YES
from sorites.families.veridicality.naturalistic import SuitablePairs, choose, suitable
from sorites.families.veridicality.plan import HumanPlan, NaturalisticPlan, Plan
from sorites.families.veridicality.rows import Part
from sorites.sources.sentence_pairs.pairs import PairLabel, read_pairs
from sorites.sources.sentence_pairs.table_formats import TableLayout, column_names
from sorites.specfile.model import Spec

__all__ = ["describe"]


def describe(spec: Spec, files: Mapping[str, Path]) -> Description:
    """Columns, labels and fit pairs of the source of pairs; judgements by label and by verb."""
    plan = plan_of(spec)
    found = Description()
    if plan.naturalistic is not None and plan.naturalistic.source in files:
        found = _pairs(spec, plan.naturalistic, files[plan.naturalistic.source])
    if plan.human is not None and plan.human.source in files:
        found = found.with_more(_judgements(spec, plan, plan.human, files[plan.human.source]))
    return found


def _pairs(spec: Spec, plan: NaturalisticPlan, path: Path) -> Description:
    try:
        columns = _columns("Columns of the pairs", path, plan.table.layout)
        pairs = read_pairs(path, plan.table, split=plan.split)
    except SoritesError as error:
        return Description(problems=(spec.document.problem(("naturalistic",), str(error)),))
    fit = suitable(pairs)
    tables = [columns, _labels(Counter(pair.label for pair in pairs), plan), _fit(fit)]
    if fit.rejected:
        rows = tuple(fit.rejected.items())
        tables.append(Table("Pairs that cannot be embedded", ("Why", "Pairs"), rows))
    try:
        choose(fit.pairs, plan.pairs, spec.seed, "naturalistic pairs")
    except SoritesError as error:
        problem = spec.document.problem(("naturalistic", "pairs"), str(error))
        return Description(tuple(tables), (problem,))
    return Description(tuple(tables))


def _labels(counts: Counter[PairLabel], plan: NaturalisticPlan) -> Table:
    of_split = f" of the split {plan.split}" if plan.split is not None else ""
    rows = tuple((label.value, counts[label]) for label in PairLabel)
    return Table(f"Pairs{of_split}", ("Label", "Pairs"), rows)


def _fit(found: SuitablePairs) -> Table:
    """Of each label what can stand below a verb, and with how many different premises."""
    rows = []
    for label in (YES, NO):
        pairs = [pair for pair in found.pairs if pair.label == label]
        rows.append((label, len(pairs), len({pair.premise["present"] for pair in pairs})))
    return Table("Pairs that can be embedded", ("Label", "Pairs", "Premises"), tuple(rows))


def _judgements(spec: Spec, plan: Plan, human: HumanPlan, path: Path) -> Description:
    layout = TableLayout() if human.table is None else human.table.layout
    try:
        columns = _columns("Columns of the judgements", path, layout)
        judged = read_human(human, path, plan.verbs)
    except SoritesError as error:
        return Description(problems=(spec.document.problem(("human",), str(error)),))
    rows = []
    for part in (Part.COMPOSITE, Part.VERIDICAL):
        of_part = [each for each in judged if each.part == part]
        if of_part:
            said = Counter(each.human_label for each in of_part)
            verbs = len({each.verb for each in of_part})
            rows.append((part.value, len(of_part), verbs, said[YES], said[NO]))
    title, names = "Judgements", ("Part", "Rows", "Verbs", "People say yes", "People say unk")
    return Description((columns, Table(title, names, tuple(rows))))


def _columns(title: str, path: Path, layout: TableLayout) -> Table:
    names = column_names(path, layout)
    return Table(title, ("How many", "Such as"), ((len(names), examples(names, most=8)),))
