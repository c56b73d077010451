"""From a valid spec and its sources to the splits of the release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from sorites.engines.engine import Engine
from sorites.errors import SoritesError
from sorites.families.veridicality.audit import audit, counts
from sorites.families.veridicality.card import SPLITS, made, proofs, rejected, sections
from sorites.families.veridicality.clauses.language import TENSES
from sorites.families.veridicality.clauses.stacks import Construction, Stack
from sorites.families.veridicality.composites import (
    composite_rows,
    embedded_rows,
    veridical_rows,
)
from sorites.families.veridicality.dealing import Embedding, assign_verbs, with_frames
from sorites.families.veridicality.embedded import EmbeddedPair
from sorites.families.veridicality.judgements import (
    HUMAN_COLUMNS,
    Judgement,
    human_table,
    read_judgements,
    read_ratings,
)
from sorites.families.veridicality.naturalistic import SuitablePairs, choose, suitable
from sorites.families.veridicality.plan import (
    AugmentationPlan,
    GrammarPlan,
    HumanPlan,
    NaturalisticPlan,
    Plan,
    no_problem,
    read_plan,
)
from sorites.families.veridicality.rows import COLUMNS, FLIPPED, STEP, Part, Row, table_of
from sorites.families.veridicality.splits import flip_labels, hold_out, shuffled
from sorites.families.veridicality.synthetic import SyntheticPairs, draw_pairs
from sorites.families.veridicality.verbs import Complement, Verb
from sorites.logic.prover import Prover
from sorites.progress import Progress
from sorites.release.content import Content, Split, SplitName
from sorites.sources.sentence_pairs.pairs import read_pairs
from sorites.specfile.model import Spec

__all__ = ["build", "plan_of", "read_human", "split_names"]


def build(
    spec: Spec,
    files: Mapping[str, Path],
    *,
    engine: Engine,
    progress: Progress,
    scratch: Path | None = None,
) -> Content:
    """The content of a release.

    Raises SourceError for a source that cannot be understood, SoritesError where it has fewer
    fit pairs than the spec asks for.
    """
    del engine, scratch  # All of it takes seconds on one core.
    plan = plan_of(spec)
    parts = (plan.synthetic, plan.control, plan.naturalistic, plan.human)
    advance = progress.stage("veridical verbs", sum(part is not None for part in parts))
    builder = _Builder(plan, spec.seed)
    for name, part in (("synthetic", plan.synthetic), ("control", plan.control)):
        if part is not None:
            builder.add_from_grammar(name, part)
            advance(1)
    if plan.naturalistic is not None:
        builder.add_naturalistic(plan.naturalistic, files[plan.naturalistic.source])
        advance(1)
    if plan.human is not None:
        builder.add_human(plan.human, files[plan.human.source])
        advance(1)
    return builder.content()


def plan_of(spec: Spec) -> Plan:
    """The plan of a spec that has been checked."""
    plan = read_plan(cast("dict[str, Any]", spec.document.data), no_problem)
    if plan is None:
        raise SoritesError("the spec has problems: run check first")
    return plan


def split_names(spec: Spec) -> list[SplitName]:
    """The splits that a spec without problems asks for; judgements may be of one part alone."""
    plan = plan_of(spec)
    sections = {"synthetic": plan.synthetic, "control": plan.control}
    configs = [name for name, section in sections.items() if section is not None]
    augmented: list[str] = []
    noisy = False
    if plan.naturalistic is not None:
        configs.append("naturalistic")
        noisy = bool(plan.naturalistic.noise)
        added = plan.naturalistic.augmentation
        if added is not None:
            kinds = {"same": added.same, "further": added.further}
            augmented = [f"naturalistic-{kind}-pairs" for kind, asked in kinds.items() if asked]
    configs = [name for config in configs for name in (config, f"{config}-random")]
    if plan.naturalistic is not None and plan.further_frames:
        configs.append("naturalistic-frames")
    judged = (Part.COMPOSITE, Part.VERIDICAL) if plan.human is not None else ()
    return [
        *((config, name) for config in configs for name in ("train", "validation", "test")),
        *(("naturalistic-noise", name) for name in ("train", "validation") if noisy),
        *((config, "train") for config in augmented),
        *(("human", part.value) for part in judged),
    ]


def read_human(plan: HumanPlan, path: Path, verbs: Sequence[Verb]) -> tuple[Judgement, ...]:
    """The judgements of a source, as the plan says that they are written; raises SourceError."""
    if plan.table is None:
        return read_judgements(path, verbs)
    return read_ratings(path, plan.table, verbs)


class _Builder:
    """Collects splits, and what is said about them, part by part."""

    def __init__(self, plan: Plan, seed: int) -> None:
        self._plan = plan
        self._seed = seed
        self._prover = Prover()
        self._rejected: Counter[str] = Counter()
        self._splits: list[Split] = []
        self._drawn: dict[str, SyntheticPairs] = {}
        self._suitable: SuitablePairs | None = None
        self._judgements: tuple[Judgement, ...] = ()

    def add_from_grammar(self, config: str, plan: GrammarPlan) -> None:
        drawn = draw_pairs(
            plan.fragment,
            plan.pairs,
            plan.max_connectives,
            self._seed,
            self._prover,
            controlled=plan.complement is Complement.TO,
        )
        self._drawn[config] = drawn
        embeddings = self._embed(drawn.pairs, plan)
        self._add_parts(config, drawn.pairs, embeddings)

    def add_naturalistic(self, plan: NaturalisticPlan, path: Path) -> None:
        self._suitable = suitable(read_pairs(path, plan.table, split=plan.split))
        pairs = choose(self._suitable.pairs, plan.pairs, self._seed, "naturalistic pairs")
        embeddings = self._embed(pairs, plan)
        parts = self._add_parts("naturalistic", pairs, embeddings)
        if self._plan.further_frames:
            varied = with_frames(embeddings, self._plan.further_frames, self._seed)
            self._add_parts("naturalistic-frames", pairs, varied, random_split=False)
        if plan.noise:
            self._add_noise(parts, plan.noise)
        if plan.augmentation is not None:
            self._add_augmentation(plan.augmentation, pairs)

    def add_human(self, plan: HumanPlan, path: Path) -> None:
        self._judgements = read_human(plan, path, self._plan.verbs)
        for part in (Part.COMPOSITE, Part.VERIDICAL):
            judged = [judgement for judgement in self._judgements if judgement.part == part]
            if not judged:
                continue
            text, table = SPLITS[f"human {part}"], human_table(judged)
            self._splits.append(Split("human", part.value, text, HUMAN_COLUMNS, table))

    def content(self) -> Content:
        tables = {(split.config, split.name): split.table for split in self._splits}
        audited = audit(
            tables,
            drawn=self._drawn,
            suitable=self._suitable,
            judgements=self._judgements,
            verbs=self._plan.verbs,
            prover=self._prover,
            rejected=self._rejected,
        )
        return Content(
            splits=tuple(self._splits),
            audit=audited,
            counts=counts(tables),
            sections=sections(audited),
            made=made(self._plan),
            proofs=proofs(self._plan, self._prover),
            rejected=rejected(audited),
        )

    def _embed(
        self, pairs: Sequence[EmbeddedPair], plan: GrammarPlan | NaturalisticPlan
    ) -> list[Embedding]:
        """The pairs in each construction of a section."""
        complement = plan.complement if isinstance(plan, GrammarPlan) else Complement.THAT
        return [
            embedding
            for construction in plan.constructions
            for embedding in assign_verbs(
                pairs,
                self._plan.verbs,
                plan.verbs_per_pair,
                self._plan.frame,
                self._seed,
                construction=construction,
                complement=complement,
            )
        ]

    def _add_parts(
        self,
        config: str,
        pairs: Sequence[EmbeddedPair],
        embeddings: Sequence[Embedding],
        *,
        random_split: bool = True,
    ) -> dict[str, list[Row]]:
        """The parts as training and validation, the composites as the test; and a random split."""
        veridical = self._veridical(embeddings)
        composites = self._composites(embeddings)
        basic = [*embedded_rows(pairs), *veridical]
        train, validation = hold_out(basic, self._plan.validation, self._seed, "validation")
        rows = {"train": train, "validation": validation, "test": shuffled(composites, self._seed)}

        self._splits += [
            Split(config, name, SPLITS[name], COLUMNS, table_of(of)) for name, of in rows.items()
        ]
        if random_split:
            rest, test = hold_out(composites, self._plan.random_test, self._seed, "random test")
            rest, held = hold_out(rest, self._plan.validation, self._seed, "random validation")
            self._splits += [
                Split(f"{config}-random", name, SPLITS[f"random {name}"], COLUMNS, table_of(of))
                for name, of in (("train", rest), ("validation", held), ("test", test))
            ]
        return rows

    def _veridical(self, embeddings: Sequence[Embedding]) -> list[Row]:
        return veridical_rows(embeddings, self._plan.language, self._prover, self._rejected)

    def _composites(self, embeddings: Sequence[Embedding]) -> list[Row]:
        return composite_rows(embeddings, self._plan.language, self._prover, self._rejected)

    def _add_noise(self, parts: Mapping[str, Sequence[Row]], share: float) -> None:
        for name in ("train", "validation"):
            rows, flipped = flip_labels(parts[name], share, self._seed)
            table = table_of(rows, FLIPPED, flipped)
            self._splits.append(
                Split(
                    "naturalistic-noise",
                    name,
                    SPLITS[f"noise {name}"],
                    (*COLUMNS, FLIPPED),
                    table,
                )
            )

    def _add_augmentation(self, plan: AugmentationPlan, taken: Sequence[EmbeddedPair]) -> None:
        assert self._suitable is not None
        if plan.same:
            self._add_composites("same pairs", plan.verbs, taken)
        if plan.further:
            further = choose(
                self._suitable.pairs,
                plan.further,
                self._seed,
                "augmentation pairs",
                taken=[pair.premise["present"] for pair in taken],
            )
            self._add_composites("further pairs", plan.verbs, further)

    def _add_composites(
        self, named: str, verbs: Sequence[str], pairs: Sequence[EmbeddedPair]
    ) -> None:
        """Composites of every pair below every verb, with the verb's place in the order."""
        steps = {lemma: step for step, lemma in enumerate(verbs, 1)}
        rows = shuffled(self._composites([*self._all_verbs(pairs, verbs)]), self._seed)
        step_of = [steps[row.verb] for row in rows if row.verb is not None]
        table = table_of(rows, STEP, step_of)
        config = f"naturalistic-{named.replace(' ', '-')}"
        self._splits.append(Split(config, "train", SPLITS[named], (*COLUMNS, STEP), table))

    def _all_verbs(
        self, pairs: Sequence[EmbeddedPair], lemmas: Sequence[str]
    ) -> Iterator[Embedding]:
        by_name = {verb.name: verb for verb in self._plan.verbs}
        for place, pair in enumerate(pairs):
            for step, lemma in enumerate(lemmas):
                tense = TENSES[(place + step) % 2]
                stack = Stack((by_name[lemma],), Construction())
                yield Embedding(pair, stack, tense, self._plan.frame)
