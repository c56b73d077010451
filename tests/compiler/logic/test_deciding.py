from __future__ import annotations

from sorites.logic.deciding import SAMPLE, decide, in_sample
from sorites.logic.formulas import Formula, parse
from sorites.logic.prover import Prover, Verdict
from sorites.logic.types import MAX_PREDICATES, Judgement, judge


def chain(links: int) -> list[Formula]:
    """Every P1 is a P2, every P2 is a P3, and so on."""
    return [parse(f"all x.(P{at}(x) -> P{at + 1}(x))") for at in range(1, links + 1)]


def test_what_has_too_many_names_for_types_is_asked_of_the_prover() -> None:
    links = MAX_PREDICATES + 2
    premises = chain(links)
    conclusion = parse(f"all x.(P1(x) -> P{links + 1}(x))")
    prover = Prover()
    assert judge(premises, conclusion) is None
    assert decide(prover, premises, conclusion) == Judgement(
        Verdict.ENTAILED, frozenset(range(links))
    )
    spare = parse("all x.(P1(x) -> P3(x))")
    # Beside the short cut, neither the first two links nor the short cut itself is needed.
    assert decide(prover, [*premises, spare], conclusion).needed == frozenset(range(2, links))
    turned = parse(f"all x.(P{links + 1}(x) -> P1(x))")
    assert judge(premises, turned) is None
    assert decide(prover, premises, turned) == Judgement(Verdict.UNDETERMINED)
    assert prover.checks > 0


def test_what_types_can_tell_is_not_asked() -> None:
    prover = Prover()
    premises = chain(4)
    found = decide(prover, premises, parse("all x.(P1(x) -> P5(x))"))
    assert found == Judgement(Verdict.ENTAILED, frozenset(range(4)))
    assert prover.checks == 0


def test_a_prover_at_its_limit_decides_nothing() -> None:
    links = MAX_PREDICATES + 2
    prover = Prover(resource_limit=1)
    found = decide(prover, chain(links), parse(f"all x.(P1(x) -> P{links + 1}(x))"))
    assert found == Judgement(Verdict.UNKNOWN)


def test_the_sample_has_about_its_size_and_depends_on_the_key_alone() -> None:
    keys = [f"{number:016x}" for number in range(20_000)]
    taken = [key for key in keys if in_sample(key, len(keys))]
    assert abs(len(taken) - SAMPLE) < 0.1 * SAMPLE
    assert [key for key in reversed(keys) if in_sample(key, len(keys))] == taken[::-1]
    assert all(in_sample(key, SAMPLE) for key in keys)
