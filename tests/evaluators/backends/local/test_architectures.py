"""Models of every make: in any batch they answer as they do row by row, or they are refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from sorites_eval.backends.local.loading import Loaded, load  # noqa: E402
from sorites_eval.backends.local.model import Local  # noqa: E402
from sorites_eval.backends.local.scaling import settle  # noqa: E402
from sorites_eval.backends.local.tokens import Encoder, common_prefix  # noqa: E402
from sorites_eval.backends.protocol import Reply  # noqa: E402
from sorites_eval.contract.tasks import Task  # noqa: E402
from sorites_eval.errors import ModelError  # noqa: E402
from sorites_eval.prompts.requests import Request  # noqa: E402
from tests.evaluators.backends.local.tiny import ARCHITECTURES, REFUSED, save  # noqa: E402

Requests = dict[tuple[str, str], list[Request]]
Tasks = dict[str, Task]

SIZES = (1, 7, 16)
USUAL = ("gpt2", "gpt_neo", "jamba", "llama", "mpt", "qwen3_next")
"""Those of `make test`: two usual ones, and kinds of which padding, positions or states differ."""
NEW = 6

every = [
    pytest.param(kind, marks=[] if kind in USUAL else pytest.mark.slow)
    for kind in sorted(ARCHITECTURES)
]


@pytest.fixture(scope="module")
def short(tasks: Tasks) -> Task:
    """The task that is written, with few tokens."""
    task = tasks["premise-selection"]
    return replace(task, answer=replace(task.answer, max_new_tokens=NEW))


def answers(backend: Local, requests: Sequence[Request]) -> list[Reply]:
    found = dict(backend.answer(requests))
    return [found[position] for position in range(len(requests))]


def scores(loaded: Loaded, ids: Sequence[int]) -> torch.Tensor:
    """Log-probabilities after each token of one row that is read whole and alone."""
    settle(loaded.model)
    with torch.inference_mode():
        return loaded.model(torch.tensor([list(ids)]), use_cache=False).logits[0].log_softmax(-1)


def chosen(loaded: Loaded, request: Request, labels: Sequence[str]) -> tuple[str, float]:
    """The most probable label, and how far the second is behind."""
    encoder = Encoder(loaded.tokenizer)
    rows = [tuple(encoder.ids([encoder.text(request) + label])[0]) for label in labels]
    start = common_prefix(rows)
    totals = []
    for row in rows:
        after = scores(loaded, row[:-1])
        totals.append(sum(float(after[n - 1, row[n]]) for n in range(start, len(row))))
    best = sorted(totals)[::-1]
    return labels[totals.index(best[0])], best[0] - best[1]


def written(loaded: Loaded, request: Request, limit: int) -> str:
    """Greedy search that reads the whole row for every token."""
    encoder = Encoder(loaded.tokenizer)
    ids = encoder.ids([encoder.opening(request)])[0]
    new: list[int] = []
    while len(new) < limit:
        new.append(int(scores(loaded, ids + new)[-1].argmax()))
        if new[-1] == loaded.tokenizer.eos_token_id:
            new.pop()
            break
    return encoder.decode(new).lstrip().partition("\n\n")[0]


def agrees(loaded: Loaded, task: Task, some: Sequence[Request], *, sizes: Sequence[int]) -> None:
    """Assert that labels and margins, or texts, are those of rows one by one."""
    labels = list(task.answer.labels)
    choice = task.answer.format == "choice"
    right = [
        chosen(loaded, r, labels) if choice else written(loaded, r, task.answer.max_new_tokens)
        for r in some
    ]
    for size in sizes:
        replies = answers(Local(loaded, task, batch_size=size), some)
        for reply, expected in zip(replies, right, strict=True):
            if choice:
                assert reply.choice is not None
                label, margin = expected
                assert reply.choice.margin == pytest.approx(margin, abs=2e-4)
                assert reply.choice.constrained == label or margin < 2e-4
            else:
                assert reply.text == expected


@pytest.mark.parametrize("kind", every)
def test_in_any_batch_a_model_answers_as_it_does_row_by_row(
    tokenizers: dict[str, object],
    tmp_path: Path,
    requests: Requests,
    tasks: Tasks,
    short: Task,
    kind: str,
) -> None:
    save(kind, tokenizers["bpe"], tmp_path, **ARCHITECTURES[kind])
    loaded = load(str(tmp_path), dtype="float32", device_map="cpu")
    usual = kind in USUAL
    agrees(loaded, tasks["relation"], requests["relation", "two-shot"][:17], sizes=SIZES)
    some = requests["premise-selection", "zero-shot"][: 8 if usual else 12]
    agrees(loaded, short, some, sizes=SIZES)


@pytest.mark.parametrize("kind", sorted(REFUSED))
def test_what_cannot_answer_is_refused_with_the_reason(
    tokenizers: dict[str, object], tmp_path: Path, tasks: Tasks, kind: str
) -> None:
    own, said = REFUSED[kind]
    save(kind, tokenizers["bpe"], tmp_path, **own)
    with pytest.raises(ModelError) as caught:
        Local(load(str(tmp_path), dtype="float32", device_map="cpu"), tasks["relation"])
    assert said in str(caught.value)


def lengths(loaded: Loaded, some: Sequence[Request]) -> list[int]:
    encoder = Encoder(loaded.tokenizer)
    return sorted(len(ids) for ids in encoder.ids([encoder.text(request) for request in some]))


@pytest.mark.parametrize("scaling", ["longrope", "dynamic"])
@pytest.mark.parametrize(
    "place", ["below all", "amid the prompts", "amid the answers", "above all"]
)
def test_scaling_that_depends_on_length(
    tokenizers: dict[str, object],
    tmp_path: Path,
    requests: Requests,
    tasks: Tasks,
    short: Task,
    scaling: str,
    place: str,
) -> None:
    """A switch before, amid and after the prompts: none is read at the rate of another."""
    asked = requests["relation", "two-shot"][:9]
    text = requests["premise-selection", "zero-shot"][:5]
    save("llama", tokenizers["bpe"], tmp_path / "plain")
    plain = load(str(tmp_path / "plain"), dtype="float32", device_map="cpu")
    there = lengths(plain, asked) if place != "amid the answers" else lengths(plain, text)
    switch = {
        "below all": 16,
        "amid the prompts": there[len(there) // 2],
        "amid the answers": there[-1] + NEW // 2,
        "above all": 1000,
    }[place]
    rope: dict[str, object] = {"rope_theta": 10_000.0, "rope_type": scaling}
    if scaling == "longrope":
        rope |= {"short_factor": [1.0] * 4, "long_factor": [4.0, 2.0, 4.0, 8.0]}
        own = {"original_max_position_embeddings": switch}
        save("phi3", tokenizers["bpe"], tmp_path / "scaled", rope_parameters=rope, **own)
    else:
        rope |= {"factor": 64.0}
        own = {"max_position_embeddings": switch}
        save("llama", tokenizers["bpe"], tmp_path / "scaled", rope_parameters=rope, **own)
    loaded = load(str(tmp_path / "scaled"), dtype="float32", device_map="cpu")
    agrees(loaded, tasks["relation"], asked, sizes=(7,))
    agrees(loaded, short, text, sizes=(7,))
