"""Mutants that once survived the tests, by name: each must be killed for good.

``before`` occurs once in its file, so that no entry outlives the code that it changes; a test sees
to that. `python -m tests.mutants --named` runs them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.mutants.mutant import Mutant

__all__ = ["NAMED", "Named", "named_mutants"]

_EVAL = "evaluators/src/sorites_eval/"
_SORITES = "compiler/src/sorites/"


@dataclass(frozen=True)
class Named:
    """What is changed, in words; where; and from what to what."""

    name: str
    file: str
    before: str
    after: str


NAMED = (
    Named(
        "answers: how far back a denial reaches",
        _EVAL + "scoring/mentions.py",
        "_REACH = 12",
        "_REACH = 1",
    ),
    Named(
        "answers: labels that are denials",
        _EVAL + "scoring/polarity.py",
        "(DENYING | WRONG) - own",
        "(DENYING | WRONG)",
    ),
    Named(
        "answers: the longest label first",
        _EVAL + "scoring/naming.py",
        "key=lambda s: -len(s[1])",
        "key=lambda s: len(s[1])",
    ),
    Named(
        "answers: a label of one letter keeps its case",
        _EVAL + "scoring/naming.py",
        "if len(label) == 1 and not first.text.startswith(label):",
        "if False:",
    ),
    Named(
        "answers: numbers of three digits",
        _EVAL + "scoring/selections.py",
        r"(?P<number>[0-9]{{1,6}})",
        r"(?P<number>[0-9]{{1,2}})",
    ),
    Named(
        "scores: the worst outcome of an item's views",
        _EVAL + "scoring/metrics.py",
        "min(outcomes, key=[*Outcome][::-1].index)",
        "max(outcomes, key=[*Outcome][::-1].index)",
    ),
    Named(
        "scores: null comes last",
        _EVAL + "scoring/metrics.py",
        'else (2, 0.0, "")',
        'else (-1, 0.0, "")',
    ),
    Named(
        "scores: an item that is its own partner",
        _EVAL + "scoring/metrics.py",
        "faithful += len(labels) == 2 and None not in labels and labels[0] != labels[1]",
        "faithful += None not in labels and labels[0] != labels[-1] or len(labels) == 1",
    ),
    Named(
        "compare: runs of different content",
        _EVAL + "reporting/compare.py",
        "if (first.content, first.task.name) == (second.content, second.task.name):",
        "if first.task.name == second.task.name:",
    ),
    Named(
        "compare: pairing without the view",
        _EVAL + "reporting/between_runs.py",
        "if (p.id, p.view) in keys:",
        "if p.id in {key[0] for key in keys}:",
    ),
    Named(
        "compare: the number of groups",
        _EVAL + "reporting/between_runs.py",
        "if len(pairs) >= 3:",
        "if len(pairs) >= 1:",
    ),
    Named(
        "compare: Wilcoxon's second list reversed",
        _EVAL + "reporting/between_runs.py",
        "wilcoxon([a for a, _ in pairs], [b for _, b in pairs])",
        "wilcoxon([a for a, _ in pairs], [b for _, b in pairs][::-1])",
    ),
    Named(
        "compare: an interval that forgets the clusters",
        _EVAL + "reporting/between_runs.py",
        "difference_interval(differences, [groups[key] for key in keys])",
        "difference_interval(differences, [*keys])",
    ),
    Named(
        "compare: adjusted over all families",
        _EVAL + "reporting/compare.py",
        "adjusted = adjust([finding.test.p for finding in findings])",
        "adjusted = [finding.test.p for finding in findings]",
    ),
    Named(
        "journal: the key without the content",
        _EVAL + "running/journal.py",
        "        content,\n        task,",
        '        "",\n        task,',
    ),
    Named(
        "journal: the key without the task",
        _EVAL + "running/journal.py",
        "        content,\n        task,",
        '        content,\n        "",',
    ),
    Named(
        "journal: the key without the view",
        _EVAL + "running/journal.py",
        "        request.view,\n",
        "",
    ),
    Named(
        "journal: the key without the identity",
        _EVAL + "running/journal.py",
        "        dict(identity),\n",
        "",
    ),
    Named(
        "journal: the key without the prompt",
        _EVAL + "running/journal.py",
        "        request.digest(),\n",
        "",
    ),
    Named(
        "journal: a torn line stays",
        _EVAL + "running/journal.py",
        "        _drop_torn_line(path)\n",
        "",
    ),
    Named(
        "journal: no flush",
        _EVAL + "running/journal.py",
        "        self._stream.flush()\n",
        "",
    ),
    Named(
        "runs: the content's hash in the identity of a run",
        _EVAL + "running/run.py",
        'return value.get("content_sha256")',
        "return None",
    ),
    Named(
        "runs: names of folders",
        _EVAL + "running/run.py",
        'model.replace("/", "--")',
        'model.rpartition("/")[2]',
    ),
    Named(
        "runs: the share of near ties",
        _EVAL + "running/run.py",
        '"share": ties / len(choices)',
        '"share": ties / len(answered)',
    ),
    Named(
        "sampling: partners of one item stay together",
        _EVAL + "prompts/sampling.py",
        "a, b = find(position), find(other)",
        "a, b = position, other",
    ),
    Named(
        "choosing: the free reading of labels of several tokens",
        _EVAL + "backends/local/choosing.py",
        "free = greedy[0] if greedy else readings.get(token)",
        "free = readings.get(token)",
    ),
    Named(
        "prefix: layers with a sliding window",
        _EVAL + "backends/local/prefix.py",
        "type(layer) in (DynamicLayer, DynamicSlidingWindowLayer)",
        "type(layer) in (DynamicLayer,)",
    ),
    Named(
        "types: a negated equivalence",
        _SORITES + "logic/types.py",
        "yield from _both(tree.first, tree.second, False, not sign, known, joined=True)",
        "yield from _both(tree.first, tree.second, False, sign, known, joined=True)",
    ),
    Named(
        "formulas: the limit of nesting",
        _SORITES + "logic/formulas.py",
        "if max(depth, negations) > MAX_NESTING:",
        "if depth > MAX_NESTING:",
    ),
    Named(
        "conditions: tautologies",
        _SORITES + "families/argument_schemes/search/conditions.py",
        "if not any(_opposite(lit) in clause for lit in clause)]",
        "]",
    ),
    Named(
        "composites: an unknown verdict",
        _SORITES + "families/veridicality/composites.py",
        "if verdict in (Verdict.UNKNOWN, Verdict.INCONSISTENT):",
        "if verdict is Verdict.INCONSISTENT:",
    ),
    Named(
        "splits: rounding",
        _SORITES + "families/veridicality/splits.py",
        "held.update(order[: round(len(order) * share)])",
        "held.update(order[: int(len(order) * share)])",
    ),
    Named(
        "splits: the stratum",
        _SORITES + "families/veridicality/splits.py",
        "key = (row.part, row.label, row.label_veridical, row.label_embedded)",
        "key = (row.part, row.label)",
    ),
    Named(
        "diff: another label is a minor change",
        _SORITES + "release/compare/diff.py",
        '(Weight.MAJOR, "with another label", rows.relabelled)',
        '(Weight.MINOR, "with another label", rows.relabelled)',
    ),
    Named(
        "diff: a removed column is a minor change",
        _SORITES + "release/compare/diff.py",
        'yield Change(Weight.MAJOR, f"{code(where)}: column {code(column)} removed.")',
        'yield Change(Weight.MINOR, f"{code(where)}: column {code(column)} removed.")',
    ),
    Named(
        "diff: the weight of a change to a task",
        _SORITES + "release/compare/diff.py",
        'if path[0] in ("title", "description"):',
        'if path[0] in ("title", "description", "prompts"):',
    ),
    Named(
        "diff: two gold columns of one split",
        _SORITES + "release/compare/diff.py",
        'golds[name] = golds.get(name, frozenset()) | {str(answer.get("gold"))}',
        'golds[name] = frozenset({str(answer.get("gold"))})',
    ),
    Named(
        "distractors: a gold premise is no longer needed",
        _SORITES + "families/argument_schemes/making/distractors.py",
        "if judged.needed != frozenset(range(len(entailed.premises))):",
        "if judged.needed is None:",
    ),
    Named(
        "distractors: the provers disagree",
        _SORITES + "families/argument_schemes/making/distractors.py",
        "if any(faults):",
        "if all(faults):",
    ),
    Named(
        "arguments: a denial under the same phrase",
        _SORITES + "families/argument_schemes/making/arguments.py",
        "argument, denied=not argument.denied,",
        "argument, denied=argument.denied,",
    ),
    Named(
        "schemes: the prover does not know",
        _SORITES + "families/argument_schemes/scheme_problems.py",
        "case Verdict.UNKNOWN:",
        "case Verdict.CONTRADICTED if False:",
    ),
    Named(
        "prover: existential import",
        _SORITES + "logic/prover.py",
        "if self.existential_import:\n            predicates",
        "if False:\n            predicates",
    ),
    Named(
        "prover: the resource limit",
        _SORITES + "logic/prover.py",
        'solver.set("rlimit", self.resource_limit)',
        'solver.set("rlimit", 0)',
    ),
    Named(
        "audit: rejections are counted",
        _SORITES + "families/argument_schemes/audit.py",
        "rejected.update(scheme.rejected)",
        "pass",
    ),
    Named(
        "staging: flushed to the disk",
        _SORITES + "release/files/staging.py",
        "                _flush(work)\n",
        "",
    ),
    Named(
        "staging: symbolic links are files",
        _SORITES + "release/files/staging.py",
        "if path.is_symlink() or not path.is_dir()",
        "if not path.is_dir()",
    ),
    Named(
        "staging: a link is not an unfinished release",
        _SORITES + "release/files/staging.py",
        "and path.is_dir() and not path.is_symlink():",
        "and path.is_dir():",
    ),
)


def named_mutants(root: Path) -> list[Mutant]:
    """The named ones as mutants of the checkout."""
    found = []
    for each in NAMED:
        code = (root / each.file).read_text(encoding="utf-8")
        line = code[: code.index(each.before)].count("\n") + 1
        changed = code.replace(each.before, each.after, 1)
        found.append(Mutant(Path(each.file), line, each.name, each.after.strip(), changed))
    return found
