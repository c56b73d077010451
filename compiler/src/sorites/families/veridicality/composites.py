"""From embedded pairs and verbs to the three parts of a transitive inference.

f(s1) → s1 holds if the verbs f vouch for their complement, s1 → s2 by the pair's own label. What
f(s1) → s2 is, follows from what f(s1) commits to: s1, its denial, or nothing. Where the
sentences have formulas it is proved. With verbs that never deny their complement it is the rule
of Yanaka, Mineshima and Inui (2021, table 3): yes if and only if both parts are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from sorites.families.veridicality.clauses.language import Language
from sorites.families.veridicality.clauses.realise import embed
from sorites.families.veridicality.clauses.stacks import Stack
from sorites.families.veridicality.dealing import Embedding, is_undecided
from sorites.families.veridicality.embedded import NO, YES, EmbeddedPair, Logic
from sorites.families.veridicality.polarity import Sign
from sorites.families.veridicality.rows import Part, Row
from sorites.logic.formulas import Formula, parse, rename
from sorites.logic.grammar.fragment import capitalised
from sorites.logic.prover import Prover, Verdict

__all__ = [
    "VERDICT_OF",
    "commitment",
    "composed_verdict",
    "composite_label",
    "composite_rows",
    "embedded_rows",
    "stack_commitment",
    "veridical_rows",
]

VERDICT_OF = {
    Sign.TRUE: Verdict.ENTAILED,
    Sign.FALSE: Verdict.CONTRADICTED,
    Sign.OPEN: Verdict.UNDETERMINED,
}
"""What a verb's sign makes of its own complement."""


def composite_label(veridical: str, embedded: str) -> str:
    """The label of f(s1) → s2 from those of its parts, where f never denies its complement."""
    return YES if veridical == embedded == YES else NO


def commitment(sign: Sign, formula: str) -> str | None:
    """What f(s1) commits to about s1, as a formula; None for nothing."""
    match sign:
        case Sign.TRUE:
            return formula
        case Sign.FALSE:
            return f"-({formula})" if " " in formula else f"-{formula}"
    return None


def stack_commitment(stack: Stack, formula: str, subject: str | None) -> str | None:
    """What a stack of verbs over s1 commits to; None for nothing.

    ``subject`` is the symbol of the subject of an infinitive. Where nobody managed to swim, all
    failed to, and not only those that s1 speaks of.
    """
    committed = commitment(stack.sign, formula)
    if committed is None or subject is None or not stack.generalises:
        return committed
    return parse(f"all x.({rename(parse(committed), {subject: 'x'}).text})").text


def composed_verdict(sign: Sign, embedded: Verdict) -> Verdict:
    """What a commitment to s1, to its denial or to nothing makes of s1's verdict on s2.

    It is what holds in every world that the commitment and the verdict allow. Below a denial of
    s1 it is no more than that a source's label determines nothing.
    """
    return embedded if sign is Sign.TRUE else Verdict.UNDETERMINED


def embedded_rows(pairs: Sequence[EmbeddedPair]) -> list[Row]:
    """s1 → s2, one row a pair."""
    return [
        Row(
            id=f"{pair.id}-embedded",
            premise=capitalised(pair.premise[pair.tense]),
            hypothesis=capitalised(pair.hypothesis[pair.tense]),
            label=pair.label,
            verdict=pair.verdict.value,
            part=Part.EMBEDDED,
            pair=pair.id,
            verb=None,
            signature=None,
            complement=None,
            tense=pair.tense,
            frame=None,
            environment=None,
            polarity=None,
            depth=0,
            above=None,
            label_veridical=None,
            label_embedded=pair.label,
            premise_formula=pair.logic.premise.text if pair.logic else None,
            hypothesis_formula=pair.logic.hypothesis.text if pair.logic else None,
            connectives=pair.logic.connectives if pair.logic else None,
            nesting=pair.logic.nesting if pair.logic else None,
            shape=pair.logic.shape if pair.logic else None,
            source_id=pair.source_id,
        )
        for pair in pairs
    ]


def veridical_rows(
    embeddings: Sequence[Embedding], language: Language, prover: Prover, rejected: Counter[str]
) -> list[Row]:
    """f(s1) → s1, one row an embedding."""
    return [*_rows(embeddings, Part.VERIDICAL, language, prover, rejected)]


def composite_rows(
    embeddings: Sequence[Embedding], language: Language, prover: Prover, rejected: Counter[str]
) -> list[Row]:
    """f(s1) → s2, one row an embedding; fewer where a source leaves one undecided: counted."""
    return [*_rows(embeddings, Part.COMPOSITE, language, prover, rejected)]


def _rows(
    embeddings: Sequence[Embedding],
    part: Part,
    language: Language,
    prover: Prover,
    rejected: Counter[str],
) -> Iterator[Row]:
    composite = part is Part.COMPOSITE
    for e in embeddings:
        pair, stack = e.pair, e.stack
        if composite and is_undecided(e):
            rejected["composite: s1 is denied, and its source does not say what then follows"] += 1
            continue
        committed = conclusion = None
        if pair.logic is None:
            own = VERDICT_OF[stack.sign]
            verdict = composed_verdict(stack.sign, pair.verdict) if composite else own
        else:
            committed, conclusion, verdict = _proved(stack, pair, pair.logic, prover, composite)
            if verdict in (Verdict.UNKNOWN, Verdict.INCONSISTENT):
                rejected[f"{part}: the verdict is {verdict.value}"] += 1
                continue
        marks = stack.construction.marks
        name = f"{pair.id}-{stack.name}-{e.tense}-{e.frame.id}"
        yield Row(
            id=f"{name}-{marks}-{part}" if marks else f"{name}-{part}",
            premise=embed(language, e.frame, stack, e.tense, pair.bottom(e.tense)),
            hypothesis=capitalised((pair.hypothesis if composite else pair.premise)[e.tense]),
            label=YES if verdict is Verdict.ENTAILED else NO,
            verdict=verdict.value,
            part=part,
            pair=pair.id,
            verb=stack.verb.name,
            signature=stack.verb.signature,
            complement=stack.complement,
            tense=e.tense,
            frame=e.frame.id,
            environment=stack.construction.environment,
            polarity=stack.polarity,
            depth=stack.construction.depth,
            above=stack.above,
            label_veridical=YES if stack.sign is Sign.TRUE else NO,
            label_embedded=pair.label if composite else None,
            premise_formula=committed,
            hypothesis_formula=conclusion.text if conclusion else None,
            connectives=pair.logic.connectives if pair.logic else None,
            nesting=pair.logic.nesting if pair.logic else None,
            shape=pair.logic.shape if pair.logic else None,
            source_id=pair.source_id,
        )


def _proved(
    stack: Stack, pair: EmbeddedPair, logic: Logic, prover: Prover, composite: bool
) -> tuple[str | None, Formula, Verdict]:
    """What the stack commits to, the conclusion, and the verdict by proof."""
    symbol = pair.control.symbol if pair.control else None
    committed = stack_commitment(stack, logic.premise.text, symbol)
    conclusion = logic.hypothesis if composite else logic.premise
    if committed is None:
        return None, conclusion, prover.verdict([], conclusion)
    same = committed == logic.premise.text
    said = logic.premise if same else parse(committed)
    return committed, conclusion, prover.verdict([said], conclusion)
