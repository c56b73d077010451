"""Pairs of few bindings, pairs that two schemes would make, and which of them are left over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from sorites.families.argument_schemes.making.arguments import (
    REWIRED,
    Argument,
    Pair,
    SchemeArguments,
    content,
    meant,
)
from sorites.families.argument_schemes.making.pairs import build_arguments, spares_last
from sorites.families.argument_schemes.making.said_once import said_once
from sorites.families.argument_schemes.plan import Scheme, read_plan
from sorites.families.argument_schemes.search.bindings import Binding
from sorites.families.argument_schemes.search.matching import symmetries
from sorites.families.argument_schemes.search.sampling import Identity
from sorites.families.argument_schemes.search.spaces import Spaces
from sorites.families.argument_schemes.search.world import build_world
from sorites.logic.prover import Verdict
from sorites.logic.types import TypeProver
from sorites.pipeline import check_spec, obtain_sources
from sorites.progress import Silent
from tests.compiler.families.argument_schemes.samples import Sample

BARBARA = ("hypothetical syllogism 1", "base")


def pair(scheme: Scheme, number: int, *classes: int) -> Pair:
    """A pair of that scheme whose arguments are bound to the same classes."""
    binding = Binding(dict(zip("FGH", classes, strict=True)), {})
    said = scheme.conclusion
    return Pair(
        scheme,
        str(number),
        Argument(scheme.premises, said, False, binding, Verdict.ENTAILED),
        Argument(scheme.premises, said, False, binding, Verdict.UNDETERMINED, REWIRED),
    )


def test_what_is_left_over_holds_the_most_frequent_class(
    schemes: Mapping[tuple[str, str], Scheme],
) -> None:
    made = [pair(schemes[BARBARA], n, 0 if n % 2 else n, n + 10, n + 20) for n in range(1, 9)]
    kept = spares_last(made, 6)
    assert [each.key for each in kept[:6]] == ["1", "2", "3", "4", "6", "8"]
    assert [each.key for each in kept[6:]] == ["5", "7"]
    assert spares_last(made, 8) == made


def test_what_two_schemes_say_the_first_keeps_and_the_other_gets_more(
    schemes: Mapping[tuple[str, str], Scheme],
) -> None:
    scheme = schemes[BARBARA]
    first = SchemeArguments(scheme, tuple(pair(scheme, n, n, 5, 6) for n in range(3)), (), ())
    second = SchemeArguments(
        replace(scheme, name="another"),
        tuple(pair(scheme, 9 - n, n, 5, 6) for n in range(1, 4)),
        (),
        (),
    )
    asked = []

    def more(made: SchemeArguments, said: object) -> SchemeArguments:
        asked.append((len(made.pairs), said))
        # One of the two new pairs says what the first scheme says.
        new = (pair(scheme, 20, 0, 5, 6), pair(scheme, 21, 7, 5, 6))
        return replace(made, pairs=(*made.pairs, *new))

    done = said_once([first, second], 3, more)
    assert [[each.key for each in scheme.pairs] for scheme in done] == [
        ["0", "1", "2"],
        ["6", "21"],
    ]
    ((left, said),) = asked
    assert left == 1
    assert (
        content((*scheme.premises, scheme.conclusion), pair(scheme, 0, 1, 5, 6).other.binding)
        in said
    )
    # Where enough are left nothing is asked for.
    assert [len(each.pairs) for each in said_once([first, second], 1, more)] == [3, 1]
    assert len(asked) == 1


def test_arguments_mean_the_same_where_they_speak_of_the_same_sets(sample: Sample) -> None:
    spaces = Spaces(sample.world, trivial=False)
    within = map(spaces.space, spaces.domains(local=True))
    space = next(each for each in within if len(each) > 1 and max(map(len, each.names)) > 1)
    twins = max(space.names, key=len)[:2]
    apart = next(names[0] for names in space.names if twins[0] not in names)
    scheme = next(each for each in sample.plan.schemes if each.key == BARBARA)
    (first, _) = scheme.premises

    def said_of(one: int, other: int) -> Hashable:
        return meant([first], Binding({"F": one, "G": other}, {}, space.domain), spaces)

    said = [said_of(each, apart) for each in twins]
    turned = said_of(apart, twins[0])
    assert said[0] == said[1] != turned


def test_few_bindings_are_evened_out_over_reactome(
    root: Path, shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SORITES_SOURCES", str(shared_data))
    spec = check_spec(root / "specs" / "syllobio-nli.yaml")
    plan, _ = read_plan(spec)
    world = build_world(plan.ontology.read(obtain_sources(spec, Silent())))
    spaces = Spaces(world, trivial=False)
    scheme = next(each for each in plan.schemes if each.key == ("generalized dilemma", "de morgan"))
    prover = TypeProver(existential_import=False, resource_limit=plan.resource_limit)
    made = build_arguments(plan, scheme, spaces, prover)
    few = made.scarcity
    assert few is not None
    assert (few.bindings, few.in_domain, few.least) == (36, 29, 9)
    assert len(made.pairs) == 36
    for arguments in ([each.entailed for each in made.pairs], [each.other for each in made.pairs]):
        uses = Counter(
            index
            for argument in arguments
            for index in {
                argument.binding.classes[name]
                for premise in argument.premises
                for name in premise.symbols.predicates
            }
        )
        assert max(uses.values()) <= 9
    exchanges = symmetries(scheme.premises, scheme.conclusion)
    identity = Identity(world, exchanges, frozenset("FGHJ"))
    assert len({identity.key(each.entailed.binding) for each in made.pairs}) == 25
    # No two of the others mean the same, and no two sentences of those that hold are alike.
    said = [
        meant((*each.other.premises, each.other.core), each.other.binding, spaces)
        for each in made.pairs
    ]
    assert len({*said}) == 36
    assert (
        len({content(each.entailed.premises, each.entailed.binding) for each in made.pairs}) == 36
    )
