"""Text that is drawn, and text that transformers' own generate writes."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from sorites_eval.backends.local.asking import Asking  # noqa: E402
from sorites_eval.backends.local.drawing import Draw, seed_of  # noqa: E402
from sorites_eval.backends.local.loading import Loaded  # noqa: E402
from sorites_eval.backends.local.model import Local  # noqa: E402
from sorites_eval.backends.protocol import Ended  # noqa: E402
from sorites_eval.contract.tasks import Task  # noqa: E402
from sorites_eval.errors import ModelError  # noqa: E402
from sorites_eval.prompts.requests import Request  # noqa: E402

MakeModel = Callable[..., Loaded]
SELECTION = ("premise-selection", "zero-shot")


def texts(
    loaded: Loaded, task: Task, some: Sequence[Request], asking: Asking, size: int = 4
) -> list[str]:
    found = dict(Local(loaded, task, batch_size=size, asking=asking).answer(some))
    return [found[position].text for position in range(len(some))]


def test_tokens_are_drawn_by_their_probabilities() -> None:
    logits = torch.tensor([[0.0, 1.0, -1.0, float("-inf")]])
    wanted = (logits / 0.7).softmax(-1)[0]
    draw = Draw(0.7, ["a seed"])
    counts = torch.zeros(4)
    for _ in range(4000):
        counts[draw(logits, [0])[0]] += 1
    assert counts[3] == 0
    assert torch.allclose(counts / 4000, wanted, atol=0.03)


def test_each_row_is_drawn_from_its_own_seed() -> None:
    logits = torch.randn(3, 50, generator=torch.Generator().manual_seed(0))
    together, alone = Draw(1.0, ["a", "b", "c"]), Draw(1.0, ["b"])
    first = [together(logits, [0, 1, 2]) for _ in range(5)]
    assert [row[1] for row in first] == [alone(logits[1:2], [0])[0] for _ in range(5)]


def test_neither_batch_nor_order_changes_what_is_drawn(
    make_model: MakeModel, tasks: dict[str, Task], requests: dict[tuple[str, str], list[Request]]
) -> None:
    task, some = tasks["premise-selection"], requests[SELECTION]
    asking = Asking(temperature=0.8, seed=5)
    one = texts(make_model(), task, some, asking, 1)
    assert texts(make_model(), task, some, asking, 7) == one
    shuffled = random.Random(1).sample(range(len(some)), len(some))
    mixed = texts(make_model(), task, [some[n] for n in shuffled], asking, 7)
    assert [mixed[shuffled.index(n)] for n in range(len(some))] == one
    again = [replace(request, repeat=1) for request in some]
    assert texts(make_model(), task, again, asking, 7) != one
    assert texts(make_model(), task, some, replace(asking, seed=6), 7) != one
    assert seed_of(5, again[0]) != seed_of(5, some[0])


def test_generate_without_arguments_that_matter_is_greedy(
    make_model: MakeModel, tasks: dict[str, Task], requests: dict[tuple[str, str], list[Request]]
) -> None:
    task, some = tasks["premise-selection"], requests[SELECTION]
    greedy = texts(make_model(), task, some, Asking())
    suggested = make_model().model.generation_config
    suggested.repetition_penalty = 5.0  # What a model's files suggest is not what is measured.
    try:
        assert texts(make_model(), task, some, Asking(generation_args={"num_beams": 1})) == greedy
        assert make_model().model.generation_config is suggested
    finally:
        suggested.repetition_penalty = None
    apart = Asking(generation_args={"no_repeat_ngram_size": 1})
    assert texts(make_model(), task, some, apart, 1) == texts(make_model(), task, some, apart, 7)
    sampled = Asking(generation_args={"do_sample": True, "temperature": 1.5}, seed=1)
    assert texts(make_model(), task, some, sampled, 1) == texts(
        make_model(), task, some, sampled, 7
    )
    assert texts(make_model(), task, some, sampled, 1) != greedy


def test_what_reached_the_limit_says_so(
    make_model: MakeModel, tasks: dict[str, Task], requests: dict[tuple[str, str], list[Request]]
) -> None:
    task, some = tasks["premise-selection"], requests[SELECTION]
    for asking in (Asking(), Asking(generation_args={"num_beams": 1})):
        for limit in (1, 12):
            short = replace(task, answer=replace(task.answer, max_new_tokens=limit))
            replies = dict(Local(make_model(), short, asking=asking).answer(some))
            assert len(replies) == len(some)
            if limit == 1:
                assert Ended.LENGTH in {reply.ended for reply in replies.values()}


def test_how_it_is_asked_is_in_the_identity(make_model: MakeModel, tasks: dict[str, Task]) -> None:
    asking = Asking(
        chat_template_args={"enable_thinking": True},
        generation_args={"do_sample": True, "top_k": 5},
        seed=3,
    )
    told = Local(make_model(), tasks["premise-selection"], asking=asking).identity()
    assert told["chat_template_args"] == '{"enable_thinking":true}'
    assert told["generation_args"] == '{"do_sample":true,"top_k":5}'
    assert told["seed"] == 3
    scored = Local(make_model(), tasks["relation"], asking=asking).identity()
    assert "generation_args" not in scored
    plain = Local(make_model(), tasks["premise-selection"]).identity()
    assert not {"seed", "temperature", "generation_args", "chat_template_args"} & plain.keys()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"chat_template_args": {"tokenize": True}}, '--chat-template-args: "tokenize" is not a'),
        (
            {"generation_args": {"max_new_tokens": 3}},
            '--generation-args: "max_new_tokens" is said with --max-tokens.',
        ),
        (
            {"generation_args": {"custom_generate": "someone/code"}},
            '--generation-args: "custom_generate" is no field of transformers\' GenerationConfig.',
        ),
        (
            {"generation_args": {"top_k": 3}, "temperature": 1.0},
            "--temperature and --generation-args exclude each other",
        ),
    ],
)
def test_what_may_not_be_asked(asked: dict[str, object], said: str) -> None:
    with pytest.raises(ModelError) as caught:
        Asking(**asked)
    assert str(caught.value).startswith(said)
