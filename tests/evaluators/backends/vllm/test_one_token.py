"""Choices from single tokens: the same replies as from one pass over the whole label."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from dataclasses import replace  # noqa: E402

from sorites_eval.backends.local.choosing import near_tie_margin  # noqa: E402
from sorites_eval.backends.local.loading import Loaded  # noqa: E402
from sorites_eval.backends.local.model import Local  # noqa: E402
from sorites_eval.backends.local.tokens import ChoicePrompt, Encoder  # noqa: E402
from sorites_eval.backends.vllm.one_token import (  # noqa: E402
    ChoiceReader,
    Question,
    Told,
    questions,
    written,
)
from sorites_eval.contract.tasks import Task  # noqa: E402
from sorites_eval.prompts.requests import Request  # noqa: E402

LABELS = {
    "one token": ["1", "2", "3"],
    "several tokens": ["a broader sense", "opposite", "a narrower sense"],
}


def asked(loaded: Loaded, question: Question, top: int = 20) -> Told:
    """The answer of a real model: the best tokens, and those asked for by name."""
    with torch.inference_mode():
        logits = loaded.model(torch.tensor([list(question.ids)]), use_cache=False).logits[0, -1]
    scores = logits.log_softmax(-1)
    best = scores.topk(top)
    ranked = Told(
        int(best.indices[0]), dict(zip(best.indices.tolist(), best.values.tolist(), strict=True))
    )
    return ranked.with_more({token: float(scores[token]) for token in ranked.lacks(question)})


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS.keys())
@pytest.mark.parametrize(
    "options",
    [
        {"tokenizer": "bpe"},
        {"tokenizer": "bpe", "template": "chatml"},
        {"tokenizer": "unigram"},
        {"tokenizer": "unigram", "template": "bos and no system turn"},
    ],
    ids=["bpe", "bpe-chat", "unigram", "unigram-chat"],
)
def test_replies_are_those_of_the_local_backend(
    make_model: Callable[..., Loaded],
    requests: dict[tuple[str, str], list[Request]],
    tasks: dict[str, Task],
    options: dict[str, str],
    labels: list[str],
) -> None:
    loaded, task = make_model(**options), tasks["relation"]
    task = replace(task, answer=replace(task.answer, labels={label: label for label in labels}))
    some = requests["relation", "two-shot"][:8]
    encoder = Encoder(loaded.tokenizer)
    reader = ChoiceReader(encoder, labels, near_tie_margin(torch.float32))
    local = dict(Local(loaded, task).answer(some))
    prompts = encoder.choices([encoder.text(request) for request in some], labels)
    for number, prompt in enumerate(prompts):
        reply = reader.read(prompt, [asked(loaded, q) for q in questions(prompt)])
        theirs = local[number]
        assert reply.text == theirs.text
        assert reply.choice is not None
        assert theirs.choice is not None
        assert reply.choice.free == theirs.choice.free
        assert reply.choice.constrained == theirs.choice.constrained
        assert reply.choice.near_tie == theirs.choice.near_tie
        assert reply.choice.margin == pytest.approx(theirs.choice.margin, abs=1e-4)
        assert reply.choice.lead == pytest.approx(theirs.choice.lead, abs=1e-4)
        assert 0 <= theirs.choice.mass - reply.choice.mass + 1e-5 < 0.05


def test_a_label_of_one_token_is_one_question() -> None:
    (question,) = questions(ChoicePrompt((7, 8), ((1,), (2,))))
    assert question == Question((7, 8), (), (1, 2))


def test_labels_of_several_tokens_share_the_questions_about_their_beginnings() -> None:
    prompt = ChoicePrompt((9,), ((1, 2, 3), (1, 2, 4), (5,)))
    assert questions(prompt) == [
        Question((9,), (), (1, 5)),
        Question((9, 1), (1,), (2,)),
        Question((9, 1, 2), (1, 2), (3, 4)),
    ]


def test_what_was_told_first_stays() -> None:
    question = Question((9,), (), (1, 5, 6))
    first = Told(2, {2: -0.1, 1: -3.0})
    assert first.lacks(question) == (5, 6)
    assert first.with_more({1: -9.0, 5: -7.0}) == Told(2, {2: -0.1, 1: -3.0, 5: -7.0})


def test_a_token_that_was_not_told_of_is_no_guess(make_model: Callable[..., Loaded]) -> None:
    reader = ChoiceReader(Encoder(make_model().tokenizer), ["True", "False"], 1e-3)
    with pytest.raises(KeyError):
        reader.read(ChoicePrompt((9,), ((1,), (2,))), [Told(1, {1: -0.1})])


@pytest.mark.parametrize(
    ("text", "ended", "expected"),
    [
        ("True, P1", False, "True, P1"),
        ("\n\nTrue\n\nP1: Every", False, "True"),
        ("True<|im_end|>", True, "True"),
    ],
)
def test_a_written_answer_ends_where_it_does_here(
    make_model: Callable[..., Loaded], text: str, ended: bool, expected: str
) -> None:
    encoder = Encoder(make_model(tokenizer="bpe").tokenizer)
    ids: Sequence[int] = encoder.ids([text])[0]
    assert written(encoder, ids, ended=ended) == expected


def test_a_chat_model_may_leave_blank_lines(make_model: Callable[..., Loaded]) -> None:
    encoder = Encoder(make_model(tokenizer="bpe", template="chatml").tokenizer)
    assert written(encoder, encoder.ids(["True\n\nP1"])[0], ended=False) == "True\n\nP1"
