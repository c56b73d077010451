"""Classifiers: their labels stand for the task's as declared, whatever the batch."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from sorites_eval.backends.classifier import Classifier  # noqa: E402
from sorites_eval.backends.local.classifying import Classified, open_classifier  # noqa: E402
from sorites_eval.backends.opening import Options, open_backend  # noqa: E402
from sorites_eval.contract.release import open_release  # noqa: E402
from sorites_eval.contract.tasks import Classification, Task  # noqa: E402
from sorites_eval.errors import ModelError  # noqa: E402
from sorites_eval.prompts.requests import Request, ask, prepare  # noqa: E402
from sorites_eval.running.run import perform, plan  # noqa: E402

LABELS = ("entailment", "neutral", "contradiction")
THREE = {"entailment": "True", "neutral": "False", "contradiction": "False"}
FORM: dict[str, object] = {
    "premise": "{% for premise in premises %}{{ premise }} {% endfor %}",
    "hypothesis": "{{ conclusion }}",
    "labels": THREE,
}


@pytest.fixture(scope="module")
def words(corpus: list[str]) -> dict[str, int]:
    """The vocabulary of a BERT for the small release."""
    found = sorted({w for text in corpus for w in text.lower().replace(".", " . ").split()})
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    return {word: number for number, word in enumerate([*specials, *found])}


@pytest.fixture
def save(words: dict[str, int], tmp_path: Path) -> Callable[..., str]:
    """Save a tiny random BERT with a head: ``save(labels, **fields of its configuration)``."""

    def made(labels: tuple[str, ...] = LABELS, **own: object) -> str:
        folder = tmp_path / f"model{len(list(tmp_path.glob('model*')))}"
        torch.manual_seed(1)
        config = transformers.BertConfig(
            vocab_size=len(words),
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=64,
            max_position_embeddings=128,
            initializer_range=0.5,
            id2label=dict(enumerate(labels)),
            label2id={label: number for number, label in enumerate(labels)},
            **own,
        )
        transformers.BertForSequenceClassification(config).save_pretrained(folder)
        transformers.BertTokenizerFast(vocab=words, model_max_length=128).save_pretrained(folder)
        return str(folder)

    return made


@pytest.fixture
def release(make_release: Callable[..., Path], document: dict[str, object]) -> Path:
    """The small release, which says what a classifier is given."""
    tasks = document["tasks"]
    assert isinstance(tasks, dict)
    tasks["entailment"]["classify"] = FORM
    return make_release(document=document)


def opened(folder: str, **options: object) -> Classified:
    return open_classifier(folder, dtype="float32", device_map="cpu", **options)


def asked(release: Path) -> tuple[Task, list[Request]]:
    found = open_release(release)
    task = found.task("entailment")
    return task, list(ask(found, task, "zero-shot", prepare(found, task)))


def test_three_labels_stand_for_two(save: Callable[..., str], release: Path) -> None:
    model = opened(save())
    task, requests = asked(release)
    assert requests[0].texts == (
        requests[0].texts[0],
        requests[0].question.partition("C: ")[2].partition("\n")[0],
    )
    answers = set()
    for size in (1, 5, 16):
        found = dict(Classifier(model, task, batch_size=size).answer(requests))
        for position, request in enumerate(requests):
            given = model.tokenizer(*request.texts, return_tensors="pt")
            with torch.inference_mode():
                chances = model.model(**given).logits[0].softmax(-1).tolist()
            best = LABELS[chances.index(max(chances))]
            choice = found[position].choice
            assert choice is not None
            assert found[position].text == choice.free == THREE[best]
            true, false = chances[0], chances[1] + chances[2]
            assert choice.constrained == ("True" if true > false else "False")
            expected = abs(torch.tensor([true, false]).log().diff().item())
            assert choice.margin == pytest.approx(expected, abs=1e-4)
            answers.add((choice.free, choice.constrained))
    assert len(answers) > 1


def test_a_run_with_a_classifier(save: Callable[..., str], release: Path, tmp_path: Path) -> None:
    folder = save()
    found = open_release(release)
    drawn = plan(found, found.task("entailment"), "zero-shot")
    options = Options(dtype="float32", device_map="cpu", batch_size=4)
    backend = open_backend(f"classifier:{folder}", drawn.task, (), options, tmp_path)
    perform(drawn, backend, tmp_path / "run")
    scores = json.loads((tmp_path / "run" / "scores.json").read_text())
    assert scores["overall"]["n"] == 12
    assert scores["overall"]["following-instruction"] == 1.0
    model = scores["model"]
    assert model["backend"] == "classifier"
    assert json.loads(model["labels"]) == THREE
    assert model["premise"] == FORM["premise"]
    assert len(model["files_sha256"]) == 64


def test_a_label_of_the_model_that_is_not_declared_is_never_guessed(
    save: Callable[..., str], release: Path
) -> None:
    task, _ = asked(release)
    folder = save(("LABEL_0", "LABEL_1", "LABEL_2"))
    with pytest.raises(ModelError) as caught:
        Classifier(opened(folder), task)
    assert str(caught.value) == (
        f"{folder}: its labels are LABEL_0, LABEL_1, LABEL_2, and the task entailment says what "
        "contradiction, entailment, neutral stand for; nothing is guessed. If you know which is "
        'which, name the model\'s labels: --model-args \'{"id2label": {"0": "…", "1": "…", '
        '"2": "…"}}\'.'
    )
    names = {"0": "Contradiction", "1": "NEUTRAL", "2": "entailment"}
    named = opened(folder, model_args={"id2label": names})
    assert Classifier(named, task).identity()["labels"] == (
        '{"Contradiction":"False","NEUTRAL":"False","entailment":"True"}'
    )
    assert named.identity["model_args"] == json.dumps(
        {"id2label": names}, sort_keys=True, separators=(",", ":")
    )
    with pytest.raises(ModelError, match='"id2label" must name each label'):
        opened(folder, model_args={"id2label": {"0": "entailment"}})


def test_every_label_of_the_task_can_be_said(save: Callable[..., str], release: Path) -> None:
    task, _ = asked(release)
    with pytest.raises(ModelError) as caught:
        Classifier(opened(save(("neutral", "contradiction"))), task)
    assert str(caught.value).endswith(
        "none of its labels (neutral, contradiction) stands for the label True of the task "
        "entailment."
    )


def test_a_task_that_declares_nothing(save: Callable[..., str], small_release: Path) -> None:
    folder = save()
    task = open_release(small_release).task("entailment")
    with pytest.raises(ModelError) as caught:
        Classifier(opened(folder), task)
    assert str(caught.value) == (
        f"{folder}: the task entailment does not say what a classifier is given: it needs a "
        'section "classify" with premise, hypothesis and labels.'
    )


def test_a_model_without_a_head(words: dict[str, int], tmp_path: Path) -> None:
    config = transformers.BertConfig(
        vocab_size=len(words), hidden_size=32, num_hidden_layers=1, num_attention_heads=4
    )
    transformers.BertModel(config).save_pretrained(tmp_path)
    transformers.BertTokenizerFast(vocab=words).save_pretrained(tmp_path)
    with pytest.raises(ModelError, match=r"its files lack 2 of the weights .*classifier\.bias"):
        opened(str(tmp_path))


@pytest.mark.parametrize(
    ("own", "labels", "what"),
    [
        ({}, ("score",), "a single number"),
        ({"problem_type": "multi_label_classification"}, LABELS, "any number of labels at once"),
    ],
)
def test_a_model_that_gives_something_else(
    save: Callable[..., str], own: Mapping[str, object], labels: tuple[str, ...], what: str
) -> None:
    folder = save(labels, **own)
    with pytest.raises(ModelError) as caught:
        opened(folder)
    assert str(caught.value) == (
        f"{folder}: gives {what}, and a task asks for one of several labels."
    )


def test_texts_over_the_context_are_refused_not_cut(
    save: Callable[..., str], release: Path
) -> None:
    task, requests = asked(release)
    long = replace(requests[0], texts=("heron " * 300, "newt"))
    with pytest.raises(ModelError, match=r"item i-0-yes: \d+ tokens; the model takes 128"):
        list(Classifier(opened(save()), task).answer([requests[1], long]))


def test_a_single_text_is_classified_alone(save: Callable[..., str], release: Path) -> None:
    task, requests = asked(release)
    alone = replace(task, classify=Classification("{{ conclusion }}", None, THREE))
    some = [replace(request, texts=request.texts[1:]) for request in requests]
    model = opened(save())
    found = dict(Classifier(model, alone).answer(some))
    with torch.inference_mode():
        scores = model.model(**model.tokenizer(some[0].texts[0], return_tensors="pt")).logits[0]
    assert found[0].text == THREE[LABELS[int(scores.argmax())]]


def test_scores_that_are_no_numbers(save: Callable[..., str], release: Path) -> None:
    model = opened(save())
    with torch.no_grad():
        model.model.classifier.weight[0, 0] = float("nan")
    with pytest.raises(ModelError, match=r"no numbers \(NaN\): its weight classifier\.weight"):
        Classifier(model, asked(release)[0])


def test_a_classifier_with_a_decoder_and_no_padding_token(
    tokenizers: dict[str, object], release: Path, tmp_path: Path
) -> None:
    """A Llama with a head reads the last token, which padding would hide."""
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizers["unigram"]),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        id2label=dict(enumerate(LABELS)),
        label2id={label: number for number, label in enumerate(LABELS)},
    )
    torch.manual_seed(0)
    transformers.LlamaForSequenceClassification(config).save_pretrained(tmp_path)
    tokenizers["unigram"].save_pretrained(tmp_path)
    model = opened(str(tmp_path))
    task, requests = asked(release)
    assert model.tokenizer.pad_token_id is None
    one = dict(Classifier(model, task, batch_size=1).answer(requests))
    assert dict(Classifier(model, task, batch_size=8).answer(requests)) == one
