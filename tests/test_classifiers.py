"""Classifiers trained here answer the sample releases of all three families as they were trained.

A three-label model, as those of natural language inference are, on arguments and on verbs, and one
of five labels on pairs of glosses.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from filelock import FileLock

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from tokenizers import normalizers, pre_tokenizers  # noqa: E402

from sorites.pipeline import check_spec, compile_spec  # noqa: E402
from sorites.progress import Silent  # noqa: E402
from sorites_eval.backends.opening import Options, open_backend  # noqa: E402
from sorites_eval.contract.release import Release, open_release  # noqa: E402
from sorites_eval.prompts.requests import ask, prepare  # noqa: E402
from sorites_eval.running.run import Plan, perform, plan  # noqa: E402

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).resolve().parent.parent / "specs" / "sample"
INFERENCE = {"entailed": "entailment", "undetermined": "neutral", "contradicted": "contradiction"}
RELATIONS = {"1": "hypernym", "2": "hyponym", "3": "holonym", "4": "meronym", "5": "antonym"}
ITEMS = 32

Example = tuple[tuple[str, ...], str]


def sample(name: str, tmp_path_factory: pytest.TempPathFactory) -> Release:
    """A sample release; processes of one run of the tests share it."""
    shared = tmp_path_factory.getbasetemp()
    if shared.name.startswith("popen-"):
        shared = shared.parent
    spec = check_spec(SAMPLES / f"{name}.yaml")
    with FileLock(shared / f"{spec.kind}.lock"):
        folder = shared / spec.kind / spec.name / str(spec.version)
        if not folder.is_dir():
            out = shared / spec.kind
            compile_spec(SAMPLES / f"{name}.yaml", out, workers=1, progress=Silent())
    return open_release(folder)


def train(examples: Sequence[Example], labels: Sequence[str], folder: Path) -> str:
    """A small BERT that has learnt some examples by heart."""
    words = sorted({w for texts, _ in examples for text in texts for w in _words(text)})
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = {word: number for number, word in enumerate([*specials, *words])}
    tokenizer = transformers.BertTokenizerFast(vocab=vocabulary)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=96,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
    )
    model = transformers.BertForSequenceClassification(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    columns = zip(*(texts for texts, _ in examples), strict=True)
    given = tokenizer(*map(list, columns), padding=True, return_tensors="pt")
    gold = torch.tensor([labels.index(label) for _, label in examples])
    chance = torch.Generator().manual_seed(0)
    torch.set_num_threads(1)
    for _ in range(60):
        losses = []
        for rows in torch.randperm(len(gold), generator=chance).split(32):
            batch = {key: values[rows] for key, values in given.items()}
            loss = model(**batch, labels=gold[rows]).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            losses.append(float(loss.detach()))
        if max(losses) < 0.02:
            break
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def _words(text: str) -> list[str]:
    """The words and marks into which BERT's tokenizers part a text."""
    parted = pre_tokenizers.BertPreTokenizer().pre_tokenize_str(
        normalizers.BertNormalizer().normalize_str(text)
    )
    return [word for word, _ in parted]


def examples(planned: Plan, names: Mapping[str, str], column: str) -> list[Example]:
    """What a classifier is given for the items of a plan, with its own label for each."""
    rows = planned.release.rows(planned.task.data, {planned.task.id, column})
    told = {str(row[planned.task.id]): str(row[column]) for row in rows}
    return [(r.texts, names[told[r.id]]) for r in requests(planned)]


def requests(planned: Plan) -> list[object]:
    return list(ask(planned.release, planned.task, planned.setting, planned.items))


def scored(planned: Plan, folder: str, out: Path) -> dict[str, object]:
    options = Options(dtype="float32", device_map="cpu")
    backend = open_backend(f"classifier:{folder}", planned.task, planned.items, options, out)
    perform(planned, backend, out)
    found: dict[str, object] = json.loads((out / "scores.json").read_text())
    return found["overall"]


def test_three_labels_on_arguments_and_verbs(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    arguments = sample("syllobio-nli", tmp_path_factory)
    verbs = sample("veridical-transitivity", tmp_path_factory)
    plans = [
        plan(arguments, arguments.task("entailment"), "zero-shot", limit=ITEMS),
        plan(verbs, verbs.task("synthetic"), "zero-shot", limit=ITEMS),
        plan(verbs, verbs.task("naturalistic"), "zero-shot", limit=ITEMS),
    ]
    every = [example for planned in plans for example in examples(planned, INFERENCE, "verdict")]
    assert {label for _, label in every} == set(INFERENCE.values())
    folder = train(every, list(INFERENCE.values()), tmp_path / "model")
    for planned in plans:
        overall = scored(planned, folder, tmp_path / planned.task.name)
        assert overall["n"] == len(planned.items)
        assert overall["accuracy"] > 0.9


def test_five_labels_on_glosses(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> None:
    release = sample("gloss-relations", tmp_path_factory)
    task = release.task("relation")
    assert prepare(release, task)
    planned = plan(release, task, "zero-shot", limit=4 * ITEMS)
    every = [(request.texts, RELATIONS[request.gold]) for request in requests(planned)]
    assert {label for _, label in every} == set(RELATIONS.values())
    folder = train(every, list(RELATIONS.values()), tmp_path / "model")
    overall = scored(planned, folder, tmp_path / "run")
    assert overall["accuracy"] > 0.9
