"""From embedded pairs and verbs to the three parts of a transitive inference.

f(s1) → s1 holds if the verb f is veridical, s1 → s2 by the pair's own label, and the composite
f(s1) → s2 if and only if both do (Yanaka, Mineshima and Inui 2021, table 3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sorites.errors import SoritesError
from sorites.families.veridicality.chance import generator, ranked
from sorites.families.veridicality.embedded import NO, YES, EmbeddedPair
from sorites.families.veridicality.frames import TENSES, Frame, embed
from sorites.families.veridicality.rows import Part, Row
from sorites.families.veridicality.verbs import Sign, Verb
from sorites.logic.formulas import parse
from sorites.logic.grammar.fragment import capitalised
from sorites.logic.prover import Prover, Verdict

__all__ = [
    "VERDICT_OF",
    "Embedding",
    "assign_verbs",
    "commitment",
    "composed_verdict",
    "composite_label",
    "composite_rows",
    "embedded_rows",
    "veridical_rows",
    "with_frames",
]

VERDICT_OF = {
    Sign.TRUE: Verdict.ENTAILED,
    Sign.FALSE: Verdict.CONTRADICTED,
    Sign.OPEN: Verdict.UNDETERMINED,
}
"""What a verb's sign makes of its own complement."""


@dataclass(frozen=True, slots=True)
class Embedding:
    """A pair below a verb, in a frame and a tense."""

    pair: EmbeddedPair
    verb: Verb
    tense: str
    frame: Frame

    @property
    def sign(self) -> Sign:
        """What the verb, in this frame, says about its complement."""
        return self.verb.sign(negated=self.frame.negated)

    @property
    def premise(self) -> str:
        """f(s1)."""
        return embed(self.frame, self.verb, self.tense, self.pair.premise[self.tense])


def composite_label(veridical: str, embedded: str) -> str:
    """The label of f(s1) → s2 from those of its parts."""
    return YES if veridical == embedded == YES else NO


def commitment(sign: Sign, formula: str) -> str | None:
    """What f(s1) commits to about s1, as a formula; None for nothing."""
    match sign:
        case Sign.TRUE:
            return formula
        case Sign.FALSE:
            return f"-({formula})" if " " in formula else f"-{formula}"
    return None


def composed_verdict(sign: Sign, embedded: Verdict) -> Verdict:
    """What a verb's commitment to s1 makes of s1's verdict on s2, where nothing can be proved."""
    return embedded if sign is Sign.TRUE else Verdict.UNDETERMINED


def assign_verbs(
    pairs: Sequence[EmbeddedPair], verbs: Sequence[Verb], per_pair: int, frame: Frame, seed: int
) -> list[Embedding]:
    """Each pair below ``per_pair`` verbs, half of them veridical in the frame.

    Verbs and tenses are dealt evenly, over the pairs of each label separately.
    """
    kinds = _veridical_and_not(verbs, frame)
    share = per_pair // 2
    if per_pair % 2 or share > min(map(len, kinds)):
        raise SoritesError(
            f"{per_pair} verbs a pair cannot be half veridical and half not: there are "
            f"{len(kinds[0])} veridical verbs and {len(kinds[1])} others"
        )
    found: list[Embedding] = []
    for label in (YES, NO):
        alike = [(pair.id, pair) for pair in pairs if pair.label == label]
        for index, kind in enumerate(kinds):
            order = ranked(((verb.lemma, verb) for verb in kind), seed, f"verbs {label}")
            dealt = ranked(alike, seed, f"deal {label} {index}")
            for place in range(len(dealt) * share):
                number = place % len(order)
                tense = TENSES[(place // len(order) + number) % 2]
                found.append(Embedding(dealt[place // share], order[number], tense, frame))
    return sorted(found, key=lambda e: (e.pair.id, e.verb.lemma))


def with_frames(
    embeddings: Sequence[Embedding], frames: Sequence[Frame], seed: int
) -> list[Embedding]:
    """The same embeddings, each in a frame drawn among those that have its tense."""
    by_tense = {tense: [f for f in frames if tense in f.tenses] for tense in TENSES}
    return [
        Embedding(
            e.pair,
            e.verb,
            e.tense,
            generator(seed, "frame", e.pair.id, e.verb.lemma).choice(by_tense[e.tense]),
        )
        for e in embeddings
    ]


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
            tense=pair.tense,
            frame=None,
            label_veridical=None,
            label_embedded=pair.label,
            premise_formula=pair.logic.premise if pair.logic else None,
            hypothesis_formula=pair.logic.hypothesis if pair.logic else None,
            connectives=pair.logic.connectives if pair.logic else None,
            depth=pair.logic.depth if pair.logic else None,
            shape=pair.logic.shape if pair.logic else None,
            source_id=pair.source_id,
        )
        for pair in pairs
    ]


def veridical_rows(
    embeddings: Sequence[Embedding], prover: Prover, rejected: Counter[str]
) -> list[Row]:
    """f(s1) → s1, one row an embedding."""
    return [*_rows(embeddings, Part.VERIDICAL, prover, rejected)]


def composite_rows(
    embeddings: Sequence[Embedding], prover: Prover, rejected: Counter[str]
) -> list[Row]:
    """f(s1) → s2, one row an embedding; fewer where rule and proof disagree, which is counted."""
    return [*_rows(embeddings, Part.COMPOSITE, prover, rejected)]


def _rows(
    embeddings: Sequence[Embedding], part: str, prover: Prover, rejected: Counter[str]
) -> Iterator[Row]:
    composite = part == Part.COMPOSITE
    for e in embeddings:
        pair, sign = e.pair, e.sign
        veridical = YES if VERDICT_OF[sign] is Verdict.ENTAILED else NO
        label = composite_label(veridical, pair.label) if composite else veridical
        verdict = composed_verdict(sign, pair.verdict) if composite else VERDICT_OF[sign]
        committed = conclusion = None
        if pair.logic is not None:
            committed = commitment(sign, pair.logic.premise)
            conclusion = pair.logic.hypothesis if composite else pair.logic.premise
            premises = [parse(committed)] if committed else []
            proved = prover.verdict(premises, parse(conclusion))
            if proved in (Verdict.UNKNOWN, Verdict.INCONSISTENT):
                rejected[f"{part}: the verdict is {proved.value}"] += 1
                continue
            if (proved is Verdict.ENTAILED) != (label == YES):
                rejected[f"{part}: the rule and the proof disagree"] += 1
                continue
            verdict = proved
        hypothesis = (pair.hypothesis if composite else pair.premise)[e.tense]
        yield Row(
            id=f"{pair.id}-{e.verb.lemma}-{e.tense}-{e.frame.id}-{part}",
            premise=e.premise,
            hypothesis=capitalised(hypothesis),
            label=label,
            verdict=verdict.value,
            part=part,
            pair=pair.id,
            verb=e.verb.lemma,
            signature=e.verb.signature,
            tense=e.tense,
            frame=e.frame.id,
            label_veridical=veridical,
            label_embedded=pair.label if composite else None,
            premise_formula=committed,
            hypothesis_formula=conclusion,
            connectives=pair.logic.connectives if pair.logic else None,
            depth=pair.logic.depth if pair.logic else None,
            shape=pair.logic.shape if pair.logic else None,
            source_id=pair.source_id,
        )


def _veridical_and_not(verbs: Sequence[Verb], frame: Frame) -> tuple[list[Verb], list[Verb]]:
    veridical = [v for v in verbs if v.sign(negated=frame.negated) is Sign.TRUE]
    return veridical, [v for v in verbs if v not in veridical]
