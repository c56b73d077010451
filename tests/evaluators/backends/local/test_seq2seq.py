"""Models with an encoder and a decoder: T5 and BART, scored and left to write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from tokenizers import processors  # noqa: E402

from sorites_eval.backends.local.asking import Asking  # noqa: E402
from sorites_eval.backends.local.loading import Loaded, load  # noqa: E402
from sorites_eval.backends.local.seq2seq import Seq2Seq  # noqa: E402
from sorites_eval.backends.opening import Options, open_backend  # noqa: E402
from sorites_eval.backends.protocol import Reply  # noqa: E402
from sorites_eval.contract.tasks import Task  # noqa: E402
from sorites_eval.prompts.requests import Request, plain_text  # noqa: E402
from tests.evaluators.backends.conftest import byte_level_bpe, unigram  # noqa: E402

Requests = dict[tuple[str, str], list[Request]]


@pytest.fixture(scope="module")
def models(corpus: list[str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Loaded]:
    """A tiny T5 and a tiny BART with tokenizers that end, and open, their texts as theirs do."""
    made: dict[str, Loaded] = {}
    fast = transformers.PreTrainedTokenizerFast
    for kind in ("t5", "bart"):
        torch.manual_seed(0)
        words = unigram(corpus) if kind == "t5" else byte_level_bpe(corpus)
        words.add_special_tokens(["<s>", "</s>", "<pad>"])
        begins, ends = ("<s> $A </s>", "</s>") if kind == "bart" else ("$A </s>", "</s>")
        pairs = [(t, words.token_to_id(t)) for t in ("<s>", "</s>")]
        words.post_processor = processors.TemplateProcessing(single=begins, special_tokens=pairs)
        tokenizer = fast(tokenizer_object=words, eos_token=ends, pad_token="<pad>", bos_token="<s>")
        ids = {
            "vocab_size": len(tokenizer),
            "pad_token_id": tokenizer.pad_token_id,
            "eos_token_id": tokenizer.eos_token_id,
            "d_model": 32,
        }
        if kind == "t5":
            config = transformers.T5Config(
                **ids,
                d_kv=8,
                d_ff=64,
                num_layers=2,
                num_heads=4,
                tie_word_embeddings=False,
                decoder_start_token_id=tokenizer.pad_token_id,
                initializer_factor=2.0,
            )
            model = transformers.T5ForConditionalGeneration(config)
        else:
            config = transformers.BartConfig(
                **ids,
                encoder_layers=2,
                decoder_layers=2,
                encoder_attention_heads=4,
                decoder_attention_heads=4,
                encoder_ffn_dim=64,
                decoder_ffn_dim=64,
                bos_token_id=tokenizer.bos_token_id,
                init_std=0.4,
                decoder_start_token_id=tokenizer.eos_token_id,
                forced_bos_token_id=tokenizer.bos_token_id,
            )
            model = transformers.BartForConditionalGeneration(config)
        folder = tmp_path_factory.mktemp(kind)
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        made[kind] = load(str(folder), dtype="float32", device_map="cpu")
    return made


def answers(backend: Seq2Seq, requests: Sequence[Request]) -> list[Reply]:
    found = dict(backend.answer(requests))
    return [found[position] for position in range(len(requests))]


def begin(kind: str, tokenizer: object) -> list[int]:
    """What the decoder has before the first token of an answer."""
    if kind == "t5":
        return [tokenizer.pad_token_id]
    return [tokenizer.eos_token_id, tokenizer.bos_token_id]


def after(loaded: Loaded, text: str, so_far: Sequence[int]) -> torch.Tensor:
    """Log-probabilities of the decoder for one prompt alone, read whole."""
    read = loaded.tokenizer(text, return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        output = loaded.model(
            input_ids=read, decoder_input_ids=torch.tensor([list(so_far)]), use_cache=False
        )
    return output.logits[0].log_softmax(-1)


@pytest.mark.parametrize("kind", ["t5", "bart"])
@pytest.mark.parametrize("labels", [("True", "False"), ("a broad sense", "opposite", "1")])
def test_labels_are_scored_as_one_by_one(
    models: dict[str, Loaded],
    tasks: dict[str, Task],
    requests: Requests,
    kind: str,
    labels: tuple[str, ...],
) -> None:
    loaded, some = models[kind], requests["entailment", "few-shot"][:9]
    task = tasks["entailment"]
    task = replace(task, answer=replace(task.answer, labels={label: label for label in labels}))
    assert loaded.seq2seq
    start = begin(kind, loaded.tokenizer)
    for size in (1, 7, 16):
        replies = answers(Seq2Seq(loaded, task, batch_size=size), some)
        for request, reply in zip(some, replies, strict=True):
            totals = []
            for label in labels:
                own = loaded.tokenizer(label, add_special_tokens=False)["input_ids"]
                scores = after(loaded, plain_text(request.messages), [*start, *own[:-1]])
                totals.append(sum(float(scores[len(start) - 1 + n, t]) for n, t in enumerate(own)))
            best = sorted(totals)[::-1]
            assert reply.choice is not None
            assert reply.choice.constrained == labels[totals.index(best[0])]
            assert reply.choice.margin == pytest.approx(best[0] - best[1], abs=1e-3)


@pytest.mark.parametrize("kind", ["t5", "bart"])
def test_writing_is_greedy_search_row_by_row(
    models: dict[str, Loaded], tasks: dict[str, Task], requests: Requests, kind: str
) -> None:
    loaded, some = models[kind], requests["premise-selection", "zero-shot"][:8]
    task = tasks["premise-selection"]
    texts = []
    for request in some:
        so_far, new = begin(kind, loaded.tokenizer), []
        # The last space is left to the model that writes.
        prompt = plain_text(request.messages).rstrip(" ")
        while len(new) < task.answer.max_new_tokens:
            new.append(int(after(loaded, prompt, [*so_far, *new])[-1].argmax()))
            if new[-1] == loaded.tokenizer.eos_token_id:
                new.pop()
                break
        text = loaded.tokenizer.decode(new, skip_special_tokens=True)
        texts.append(text.lstrip().partition("\n\n")[0])
    for size in (1, 7):
        replies = answers(Seq2Seq(loaded, task, batch_size=size), some)
        assert [reply.text for reply in replies] == texts


def test_a_run_opens_it_by_itself(
    models: dict[str, Loaded], tasks: dict[str, Task], requests: Requests, tmp_path: Path
) -> None:
    task = tasks["entailment"]
    backend = open_backend(
        models["t5"].source, task, (), Options(dtype="float32", device_map="cpu"), tmp_path
    )
    assert isinstance(backend, Seq2Seq)
    assert backend.identity()["answers"] == "choice"
    assert len(list(backend.answer(requests["entailment", "zero-shot"]))) == 12


def test_what_is_drawn_depends_on_the_seed_alone(
    models: dict[str, Loaded], tasks: dict[str, Task], requests: Requests
) -> None:
    some = requests["premise-selection", "zero-shot"][:4]

    def drawn(seed: int, size: int) -> list[str]:
        asking = Asking(temperature=1.0, seed=seed)
        backend = Seq2Seq(
            models["bart"], tasks["premise-selection"], batch_size=size, asking=asking
        )
        return [reply.text for reply in answers(backend, some)]

    assert drawn(1, 1) == drawn(1, 4)
    assert drawn(1, 4) != drawn(2, 4)
