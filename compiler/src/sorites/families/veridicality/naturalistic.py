"""Pairs of a source, such as SICK, made fit for embedding: in both tenses, each premise once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sorites.errors import SoritesError
from sorites.families.veridicality.embedded import NO, VERDICTS, YES, EmbeddedPair
from sorites.families.veridicality.english.backshift import backshift
from sorites.families.veridicality.english.capitals import Capitals, UncertainCapital
from sorites.families.veridicality.english.finite_verbs import UncertainVerb
from sorites.seeds import ranked
from sorites.sources.sentence_pairs.pairs import PairLabel, SentencePair

__all__ = ["SuitablePairs", "choose", "suitable"]


@dataclass(frozen=True, slots=True)
class SuitablePairs:
    """What can be embedded, what cannot, and by how many pairs each reason is borne.

    ``reasons`` says why, by the source's id of each refused pair: its sentences stay in the
    source, whose licence may not let an audit repeat them.
    """

    pairs: tuple[EmbeddedPair, ...]
    rejected: Mapping[str, int]
    reasons: Mapping[str, str]


def suitable(pairs: Sequence[SentencePair]) -> SuitablePairs:
    """The pairs whose two sentences have a certain past tense and a certain small letter.

    Both are needed even for a pair that will stand in the present only, so that the tense of a
    row says nothing about its sentences.
    """
    capitals = Capitals.of(
        sentence for pair in pairs for sentence in (pair.premise, pair.hypothesis)
    )
    fit: list[EmbeddedPair] = []
    labels: dict[tuple[str, str], set[PairLabel]] = {}
    for pair in pairs:
        labels.setdefault(pair.said, set()).add(pair.label)
    rejected: Counter[str] = Counter()
    reasons: dict[str, str] = {}
    for pair in pairs:
        if pair.premise.lower() == pair.hypothesis.lower():
            rejected["premise and hypothesis are one sentence"] += 1
            continue
        if len(labels[pair.said]) > 1:
            rejected["the source gives the pair several labels"] += 1
            continue
        try:
            premise = _by_tense(pair.premise, capitals)
            hypothesis = _by_tense(pair.hypothesis, capitals)
        except UncertainVerb as error:
            rejected["a finite verb is uncertain"] += 1
            reasons[pair.id] = str(error)
            continue
        except UncertainCapital as error:
            rejected["a capital is uncertain"] += 1
            reasons[pair.id] = str(error)
            continue
        verdict = VERDICTS[pair.label]
        fit.append(
            EmbeddedPair(f"n{pair.id}", premise, hypothesis, "present", verdict, pair.id, None)
        )
    return SuitablePairs(tuple(fit), dict(rejected), reasons)


def choose(
    pairs: Iterable[EmbeddedPair],
    count: int,
    seed: int,
    purpose: str,
    taken: Collection[str] = (),
) -> tuple[EmbeddedPair, ...]:
    """That many pairs with different premises, half of them entailments, in a random order.

    ``taken`` are premises (in the present) that must not occur again, as a premise. Raises
    SoritesError where there are too few.
    """
    used = set(taken)
    queues: dict[str, list[EmbeddedPair]] = {YES: [], NO: []}
    for pair in ranked(((pair.id, pair) for pair in pairs), seed, purpose):
        queues[pair.label].append(pair)
    wanted = {YES: count // 2, NO: count - count // 2}
    chosen: list[EmbeddedPair] = []
    # The labels take turns, so that neither has first choice of the premises they share.
    while any(wanted.values()):
        for label in (YES, NO):
            if not wanted[label]:
                continue
            found = _next(queues[label], used)
            if found is None:
                raise SoritesError(
                    f"{purpose}: {wanted[label]:,} pairs labelled {label} are missing: the source "
                    "has too few that can be embedded and have a premise of their own; ask for "
                    f"fewer than {count:,}"
                )
            chosen.append(found)
            wanted[label] -= 1
    return tuple(ranked(((pair.id, pair) for pair in chosen), seed, f"order of {purpose}"))


def _next(queue: list[EmbeddedPair], used: set[str]) -> EmbeddedPair | None:
    """The first pair whose premise is new; the queue loses it and all before it."""
    for index, pair in enumerate(queue):
        premise = pair.premise["present"]
        if premise not in used:
            used.add(premise)
            del queue[: index + 1]
            return pair
    return None


def _by_tense(sentence: str, capitals: Capitals) -> dict[str, str]:
    return {
        "past": capitals.lowered(backshift(sentence)),
        "present": capitals.lowered(sentence),
    }
