"""Local models: the one-pass scores are those of a plain full pass, whatever the batch."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from sorites_eval.backends.local.decoding import end_tokens  # noqa: E402
from sorites_eval.backends.local.loading import Loaded  # noqa: E402
from sorites_eval.backends.local.model import Local  # noqa: E402
from sorites_eval.backends.local.prefix import can_share, window  # noqa: E402
from sorites_eval.backends.local.tokens import Encoder, common_prefix  # noqa: E402
from sorites_eval.backends.protocol import Reply  # noqa: E402
from sorites_eval.contract.tasks import Task  # noqa: E402
from sorites_eval.errors import ModelError  # noqa: E402
from sorites_eval.prompts.requests import Request  # noqa: E402

MakeModel = Callable[..., Loaded]
Requests = dict[tuple[str, str], list[Request]]
Tasks = dict[str, Task]

MODELS = [
    {"tokenizer": "bpe"},
    {"tokenizer": "bpe", "template": "chatml"},
    {"tokenizer": "unigram"},
    {"tokenizer": "unigram", "template": "bos and no system turn"},
    {"tokenizer": "bpe", "window": 24},
]
NAMES = ["bpe", "bpe-chat", "unigram", "unigram-chat", "bpe-sliding"]


def answers(backend: Local, requests: Sequence[Request]) -> list[Reply]:
    found = dict(backend.answer(requests))
    return [found[position] for position in range(len(requests))]


def relabelled(task: Task, *labels: str) -> Task:
    return replace(task, answer=replace(task.answer, labels={label: label for label in labels}))


def full_pass(loaded: Loaded, ids: Sequence[int]) -> torch.Tensor:
    """Log-probabilities after each token of one row: no batch, no padding, no cache."""
    with torch.inference_mode():
        return loaded.model(torch.tensor([list(ids)]), use_cache=False).logits[0].log_softmax(-1)


def reference(loaded: Loaded, request: Request, labels: Sequence[str]) -> tuple[list[float], int]:
    """Each label's log-probability and the best first token, from one full pass a label."""
    encoder = Encoder(loaded.tokenizer)
    rows = [tuple(encoder.ids([encoder.text(request) + label])[0]) for label in labels]
    start = common_prefix(rows)
    totals = []
    for row in rows:
        scores = full_pass(loaded, row)
        totals.append(sum(float(scores[n - 1, row[n]]) for n in range(start, len(row))))
    return totals, int(full_pass(loaded, rows[0][:start])[-1].argmax())


@pytest.mark.parametrize("options", MODELS, ids=NAMES)
@pytest.mark.parametrize("asked", [("entailment", "few-shot"), ("relation", "two-shot")])
def test_one_pass_equals_the_full_pass(
    make_model: MakeModel,
    requests: Requests,
    tasks: Tasks,
    options: dict[str, str],
    asked: tuple[str, str],
) -> None:
    loaded, task, some = make_model(**options), tasks[asked[0]], requests[asked][:12]
    labels = list(task.answer.labels)
    encoder = Encoder(loaded.tokenizer)
    for request, reply in zip(some, answers(Local(loaded, task), some), strict=True):
        totals, token = reference(loaded, request, labels)
        choice = reply.choice
        assert choice is not None
        best = sorted(totals)[::-1]
        assert choice.constrained == labels[totals.index(best[0])]
        assert choice.margin == pytest.approx(best[0] - best[1], abs=1e-4)
        if choice.free is None:
            assert reply.text == encoder.decode([token])
        assert 0 <= choice.mass <= 1
        assert (
            choice.mass
            >= sum(map(torch.tensor(totals).exp().tolist().__getitem__, range(2))) * 0.999
        )


@pytest.mark.parametrize("options", MODELS, ids=NAMES)
@pytest.mark.parametrize("written", [False, True], ids=["scored", "written"])
def test_neither_batch_nor_order_changes_an_answer(
    make_model: MakeModel, requests: Requests, tasks: Tasks, options: dict[str, str], written: bool
) -> None:
    loaded, some = make_model(**options), requests["relation", "two-shot"][:18]
    shuffled = random.Random(3).sample(range(len(some)), len(some))
    results = []
    for size in (1, 8, 32):
        backend = Local(loaded, tasks["relation"], batch_size=size, written=written)
        results.append(answers(backend, some))
        mixed = answers(backend, [some[n] for n in shuffled])
        results.append([mixed[shuffled.index(n)] for n in range(len(some))])
    first = results[0]
    for other in results[1:]:
        assert [r.text for r in other] == [r.text for r in first]
        for mine, theirs in zip(first, other, strict=True):
            if mine.choice and theirs.choice:
                assert mine.choice.free == theirs.choice.free
                assert mine.choice.constrained == theirs.choice.constrained
                assert mine.choice.margin == pytest.approx(theirs.choice.margin, abs=1e-4)


@pytest.mark.parametrize("options", MODELS, ids=NAMES)
def test_decoding_is_greedy_search_row_by_row(
    make_model: MakeModel, requests: Requests, tasks: Tasks, options: dict[str, str]
) -> None:
    loaded, task = make_model(**options), tasks["premise-selection"]
    some = requests["premise-selection", "few-shot"]
    encoder = Encoder(loaded.tokenizer)
    ends = end_tokens(loaded.model, encoder)
    for request, reply in zip(some, answers(Local(loaded, task, batch_size=8), some), strict=True):
        ids = encoder.ids([encoder.opening(request)])[0]
        new: list[int] = []
        while len(new) < task.answer.max_new_tokens:
            token = int(full_pass(loaded, ids + new)[-1].argmax())
            if token in ends:
                break
            new.append(token)
        text = encoder.decode(new)
        assert reply.text == (text if encoder.chat else text.lstrip().partition("\n\n")[0])


def test_answers_differ_so_that_the_comparisons_mean_something(
    make_model: MakeModel, requests: Requests, tasks: Tasks
) -> None:
    replies = answers(Local(make_model(), tasks["relation"]), requests["relation", "zero-shot"])
    assert len({reply.choice.constrained for reply in replies if reply.choice}) > 1
    assert any(reply.choice.free for reply in replies if reply.choice)


@pytest.mark.parametrize("options", MODELS, ids=NAMES)
def test_labels_of_several_tokens_are_scored_whole(
    make_model: MakeModel, requests: Requests, tasks: Tasks, options: dict[str, str]
) -> None:
    loaded, some = make_model(**options), requests["relation", "zero-shot"][:6]
    labels = ["a broader sense", "opposite", "a narrower sense"]
    task = relabelled(tasks["relation"], *labels)
    encoder = Encoder(loaded.tokenizer)
    whole = encoder.choices([encoder.text(some[0])], labels)[0]
    assert max(map(len, whole.labels)) > 1
    scored = answers(Local(loaded, task, batch_size=4), some)
    for request, reply in zip(some, scored, strict=True):
        totals, _ = reference(loaded, request, labels)
        assert reply.choice is not None
        best = sorted(totals)[::-1]
        assert reply.choice.constrained == labels[totals.index(best[0])]
        assert reply.choice.margin == pytest.approx(best[0] - best[1], abs=1e-3)


@pytest.mark.parametrize("tokenizer", ["bpe", "unigram"])
def test_a_label_that_merges_with_the_text_before_it(
    make_model: MakeModel, requests: Requests, tasks: Tasks, tokenizer: str
) -> None:
    """A prompt that ends in a space: the label's token takes the space with it."""
    loaded = make_model(tokenizer=tokenizer)
    encoder = Encoder(loaded.tokenizer)
    some = requests["entailment", "few-shot"]
    text = encoder.text(some[0])
    assert text.endswith("Answer: ")
    alone = encoder.ids([text])[0]
    (prompt,) = encoder.choices([text], ["True", "False"])
    assert len(prompt.context) < len(alone)
    for label, own in zip(["True", "False"], prompt.labels, strict=True):
        assert [*prompt.context, *own] == encoder.ids([text + label])[0]
        assert encoder.decode(own).strip() == label
    replies = answers(Local(loaded, tasks["entailment"]), some)
    totals, _ = reference(loaded, some[0], ["True", "False"])
    assert replies[0].choice is not None
    assert replies[0].choice.margin == pytest.approx(abs(totals[0] - totals[1]), abs=1e-4)


@pytest.mark.parametrize("options", MODELS, ids=NAMES)
def test_labels_are_the_ends_of_whole_texts(
    make_model: MakeModel, requests: Requests, options: dict[str, str]
) -> None:
    """The tokens of context and label are those of the whole text, for every prompt there is."""
    encoder = Encoder(make_model(**options).tokenizer)
    for (task, _), some in requests.items():
        labels = ["1", "2", "3"] if task == "relation" else ["True", "False", "not true"]
        texts = [encoder.text(request) for request in some]
        for text, prompt in zip(texts, encoder.choices(texts, labels), strict=True):
            whole = [tuple(ids) for ids in encoder.ids([text + label for label in labels])]
            assert [prompt.context + own for own in prompt.labels] == whole
            assert len(prompt.context) == common_prefix(whole)


@pytest.mark.parametrize("options", MODELS[2:4], ids=NAMES[2:4])
def test_there_is_exactly_one_bos(
    make_model: MakeModel, requests: Requests, options: dict[str, str]
) -> None:
    loaded = make_model(**options)
    encoder = Encoder(loaded.tokenizer)
    ids = encoder.ids([encoder.text(requests["entailment", "few-shot"][0])])[0]
    bos = loaded.tokenizer.bos_token_id
    assert ids[0] == bos
    assert ids.count(bos) == 1
    assert encoder.ids(["<s><s>P1"])[0].count(bos) == 1


def test_no_bos_where_the_model_wants_none(make_model: MakeModel, requests: Requests) -> None:
    loaded = make_model(tokenizer="bpe")
    encoder = Encoder(loaded.tokenizer)
    text = encoder.text(requests["entailment", "zero-shot"][0])
    assert encoder.decode(encoder.ids([text])[0]) == text


def test_labels_that_begin_one_another_are_refused(
    make_model: MakeModel, requests: Requests, tasks: Tasks
) -> None:
    task = relabelled(tasks["relation"], "1", "1 or 2")
    backend = Local(make_model(), task)
    with pytest.raises(ModelError) as caught:
        answers(backend, requests["relation", "zero-shot"])
    assert str(caught.value) == (
        'the tokens of the label "1" begin those of "1 or 2", so their probabilities cannot be '
        "compared. Use --decode to let the model write."
    )


def test_a_chat_model_gets_turns_and_a_base_model_text(
    make_model: MakeModel, requests: Requests, tasks: Tasks
) -> None:
    request = requests["entailment", "zero-shot"][0]
    base = Local(make_model(), tasks["entailment"])
    chat = Local(make_model(template="chatml"), tasks["entailment"])
    assert (base.identity()["chat_template"], chat.identity()["chat_template"]) == (False, True)
    assert chat.notes()["system_text"] == "system turn"
    assert "<|im_start|>" not in base._encoder.text(request)
    text = chat._encoder.text(request)
    assert text.startswith("<|im_start|>system\n")
    assert text.endswith("<|im_end|>\n<|im_start|>assistant\n")
    forced = Local(make_model(template="chatml"), tasks["entailment"], chat=False)
    assert forced._encoder.text(request) == base._encoder.text(request)
    with pytest.raises(ModelError, match="this model has no chat template"):
        Local(make_model(), tasks["entailment"], chat=True)


def test_a_template_without_system_turn_gets_it_in_the_first_user_turn(
    make_model: MakeModel, requests: Requests, tasks: Tasks
) -> None:
    loaded = make_model(tokenizer="unigram", template="bos and no system turn")
    backend = Local(loaded, tasks["entailment"])
    text = backend._encoder.text(requests["entailment", "few-shot"][0])
    assert text.startswith("<s>[user] Decide whether the conclusion follows")
    assert backend.notes()["system_text"] == "opens the first user turn"


def test_a_prompt_over_the_context_is_refused_not_cut(
    make_model: MakeModel, requests: Requests, tasks: Tasks
) -> None:
    backend = Local(make_model(longest=64), tasks["entailment"])
    with pytest.raises(
        ModelError, match=r"item i-0-yes: \d+ tokens and 1 to answer; the model takes 64"
    ):
        answers(backend, requests["entailment", "few-shot"])


def test_which_caches_can_be_shared(make_model: MakeModel) -> None:
    assert can_share(make_model().model)
    assert window(make_model().model) is None
    assert window(make_model(window=24).model) == 24


def test_a_spelling_with_a_space_or_in_another_case_is_the_label(make_model: MakeModel) -> None:
    encoder = Encoder(make_model(tokenizer="bpe").tokenizer)
    texts = {encoder.decode([token]) for token in encoder.spellings("True")}
    assert " True" in texts
    assert {text.strip().lower() for text in texts} == {"true"}
