"""Which verbs each pair is put below: dealt evenly, half of them vouching for their complement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from sorites.errors import SoritesError
from sorites.families.veridicality.clauses.frames import Frame
from sorites.families.veridicality.clauses.language import TENSES
from sorites.families.veridicality.clauses.stacks import Construction, Stack
from sorites.families.veridicality.embedded import NO, YES, EmbeddedPair
from sorites.families.veridicality.polarity import Environment, Level, Sign, commitment_of
from sorites.families.veridicality.verbs import Complement, Verb
from sorites.logic.prover import Verdict
from sorites.seeds import random_for, ranked

__all__ = ["Embedding", "Kinds", "assign_verbs", "is_undecided", "with_frames"]

_Signature = tuple[Sign, Sign]


@dataclass(frozen=True, slots=True)
class Embedding:
    """A pair below a stack of verbs, in a frame and a tense."""

    pair: EmbeddedPair
    stack: Stack
    tense: str
    frame: Frame

    @property
    def sign(self) -> Sign:
        """What the verbs, in this construction, say about the pair's premise."""
        return self.stack.sign


class Kinds:
    """Stacks of verbs by whether they vouch for their complement, without listing them all.

    What a stack commits to depends on signatures alone, of which there are nine. ``verbs`` may
    be innermost; whatever takes a clause may stand above.
    """

    def __init__(
        self, verbs: Sequence[Verb], complement: Complement, construction: Construction
    ) -> None:
        self._construction = construction
        self._innermost = [verb for verb in verbs if verb.complement is complement]
        self._known: dict[tuple[_Signature, bool], list[tuple[_Signature, ...]]] = {}
        self._single: dict[str, Stack] = {}
        self._above: dict[_Signature, list[Verb]] = {}
        for verb in verbs:
            if verb.complement is Complement.THAT:
                self._above.setdefault((verb.positive, verb.negative), []).append(verb)

    def innermost(self, *, veridical: bool) -> list[Verb]:
        """The verbs that can be innermost in a stack of one kind."""
        return [verb for verb in self._innermost if self._ways(verb, veridical)]

    def stack(self, verb: Verb, seed: int, purpose: str, *, veridical: bool) -> Stack:
        """A stack of that kind with that innermost verb, the others drawn evenly."""
        if not self._construction.inner:
            return self._single.setdefault(verb.name, Stack((verb,), self._construction))
        chance = random_for(seed, "verbs above", purpose, digest_bytes=16)
        ways = self._ways(verb, veridical)
        weights = [prod(len(self._above[signature]) for signature in way) for way in ways]
        (way,) = chance.choices(ways, weights)
        above = tuple(chance.choice(self._above[signature]) for signature in way)
        return Stack((*above, verb), self._construction)

    def _ways(self, verb: Verb, veridical: bool) -> list[tuple[_Signature, ...]]:
        """The signatures above a verb, from the outside in, that make a stack of that kind."""
        key = (verb.positive, verb.negative), veridical
        if key not in self._known:
            self._known[key] = [
                way
                for way in product(self._above, repeat=self._construction.depth - 1)
                if (self._sign((*way, key[0])) is Sign.TRUE) == veridical
            ]
        return self._known[key]

    def _sign(self, signatures: Sequence[_Signature]) -> Sign:
        around = [self._construction.environment]
        around += [clause.environment for clause in self._construction.inner]
        return commitment_of(
            [Level(*signature, of) for signature, of in zip(signatures, around, strict=True)]
        )


def assign_verbs(
    pairs: Sequence[EmbeddedPair],
    verbs: Sequence[Verb],
    per_pair: int,
    frame: Frame,
    seed: int,
    *,
    construction: Construction | None = None,
    complement: Complement = Complement.THAT,
) -> list[Embedding]:
    """Each pair below ``per_pair`` verbs, half of them veridical in the construction.

    Verbs and tenses are dealt evenly, over the pairs of each label separately.
    """
    construction = construction or Construction()
    kinds = Kinds(verbs, complement, construction)
    both = {veridical: kinds.innermost(veridical=veridical) for veridical in (True, False)}
    share = per_pair // 2
    if per_pair % 2 or share > min(map(len, both.values())):
        raise SoritesError(
            f"{per_pair} verbs a pair cannot be half veridical and half not: there are "
            f"{len(both[True])} veridical verbs and {len(both[False])} others"
        )
    marks = f" {construction.marks}" if construction.marks else ""
    found: list[Embedding] = []
    for label in (YES, NO):
        alike = [(pair.id, pair) for pair in pairs if pair.label == label]
        for index, (veridical, kind) in enumerate(both.items()):
            order = ranked(((v.name, v) for v in kind), seed, f"verbs {label}{marks}")
            pairs_dealt = ranked(alike, seed, f"deal {label} {index}{marks}")
            dealt: list[Embedding] = []
            for place in range(len(pairs_dealt) * share):
                number = place % len(order)
                tense = TENSES[(place // len(order) + number) % 2]
                pair = pairs_dealt[place // share]
                purpose = f"{pair.id} {order[number].name}{marks}"
                stack = kinds.stack(order[number], seed, purpose, veridical=veridical)
                dealt.append(Embedding(pair, stack, tense, frame))
            found += _decided(
                dealt,
                [kinds.stack(v, seed, f"{v.name}{marks}", veridical=veridical) for v in order],
            )
    return sorted(found, key=lambda e: (e.pair.id, e.stack.name))


def with_frames(
    embeddings: Sequence[Embedding], frames: Sequence[Frame], seed: int
) -> list[Embedding]:
    """The same embeddings, each in a frame drawn among those that have its tense."""
    fit = {
        (tense, environment): [
            frame for frame in frames if tense in frame.tenses and environment in frame.environments
        ]
        for tense in TENSES
        for environment in Environment
    }
    return [
        replace(
            e,
            frame=random_for(seed, "frame", e.pair.id, _identity(e.stack), digest_bytes=16).choice(
                fit[e.tense, e.stack.construction.environment]
            ),
        )
        for e in embeddings
    ]


def _identity(stack: Stack) -> str:
    marks = stack.construction.marks
    return f"{stack.name} {marks}" if marks else stack.name


def is_undecided(embedding: Embedding) -> bool:
    """Whether nobody has said what f(s1) makes of s2.

    A source that says that s1 rules s2 out does not say what the denial of s1 makes of s2.
    """
    pair = embedding.pair
    denied = pair.logic is None and embedding.sign is Sign.FALSE
    return denied and pair.verdict is Verdict.CONTRADICTED


def _decided(dealt: list[Embedding], stacks: Sequence[Stack]) -> list[Embedding]:
    """The embeddings, changed so that as few as can be are undecided.

    Two pairs change places, which keeps every verb as frequent as it was; where that is not
    possible, a pair is put below the least frequent of the stacks that decides it.
    """
    taken = {_key(e) for e in dealt}
    for place, undecided in enumerate(dealt):
        if not is_undecided(undecided):
            continue
        for other_place, other in enumerate(dealt):
            changed = replace(undecided, pair=other.pair), replace(other, pair=undecided.pair)
            if not any(map(is_undecided, changed)) and not {*map(_key, changed)} & taken:
                taken = taken - {_key(undecided), _key(other)} | {*map(_key, changed)}
                dealt[place], dealt[other_place] = changed
                break
        else:
            used = Counter(e.stack.verb.name for e in dealt)
            for stack in sorted(stacks, key=lambda stack: used[stack.verb.name]):
                changed_stack = replace(undecided, stack=stack)
                if not is_undecided(changed_stack) and _key(changed_stack) not in taken:
                    taken = taken - {_key(undecided)} | {_key(changed_stack)}
                    dealt[place] = changed_stack
                    break
    return dealt


def _key(embedding: Embedding) -> tuple[str, str]:
    return embedding.pair.id, embedding.stack.name
