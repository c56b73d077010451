"""Tokenizers trained by the SentencePiece library itself, in the classes of models that use them.

Their pieces carry the space before a word, and there is one before the first: the other family
beside byte-level BPE.
"""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
sentencepiece = pytest.importorskip("sentencepiece")

from transformers import PreTrainedTokenizerBase  # noqa: E402

from sorites_eval.backends.local.loading import Loaded, load  # noqa: E402
from sorites_eval.backends.local.model import Local  # noqa: E402
from sorites_eval.backends.local.tokens import Encoder, common_prefix  # noqa: E402
from sorites_eval.contract.tasks import Task  # noqa: E402
from sorites_eval.prompts.requests import Request  # noqa: E402

Requests = dict[tuple[str, str], list[Request]]

KINDS = ["bpe", "unigram", "library"]
"""Llama's class on BPE, T5's on a unigram model, and a class that runs the library itself."""


def trained(kind: str, corpus: list[str], folder: Path) -> Path:
    """The file of a SentencePiece model, which keeps line ends and spaces as they are."""
    text = folder / "corpus.txt"
    text.write_text("\n".join(line for entry in corpus for line in entry.splitlines()))
    sentencepiece.SentencePieceTrainer.train(
        input=str(text),
        model_prefix=str(folder / "tokenizer"),
        model_type=kind,
        vocab_size=500,
        hard_vocab_limit=False,
        character_coverage=1.0,
        byte_fallback=True,
        normalization_rule_name="identity",
        remove_extra_whitespaces=False,
        minloglevel=2,
    )
    return folder / "tokenizer.model"


def merges(scores: dict[str, float]) -> list[tuple[str, str]]:
    """The merges of a BPE vocabulary: every pair that makes a piece, best piece first."""
    numbers = {piece: number for number, piece in enumerate(scores)}
    found: list[tuple[float, int, int, str, str]] = []
    for piece, score in scores.items():
        for place in range(1, len(piece)):
            left, right = piece[:place], piece[place:]
            if left in scores and right in scores:
                found.append((-score, numbers[left], numbers[right], left, right))
    return [(left, right) for *_, left, right in sorted(found)]


def tokenizer(kind: str, corpus: list[str], folder: Path) -> PreTrainedTokenizerBase:
    path = trained("unigram" if kind == "unigram" else "bpe", corpus, folder)
    if kind == "library":
        return transformers.GPTSw3Tokenizer(
            str(path), bos_token="<s>", eos_token="</s>", unk_token="<unk>", pad_token="<unk>"
        )
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(path))
    scores = {pieces.id_to_piece(n): pieces.get_score(n) for n in range(len(pieces))}
    if kind == "unigram":
        return transformers.T5Tokenizer(vocab=list(scores.items()), extra_ids=0, pad_token="<unk>")
    vocabulary = {piece: number for number, piece in enumerate(scores)}
    return transformers.LlamaTokenizer(vocab=vocabulary, merges=merges(scores), add_bos_token=True)


@pytest.fixture(scope="module")
def made(
    corpus: list[str], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, tuple[Loaded, Path]]:
    """For each kind a tiny model with its tokenizer, and the file that the library wrote."""
    found: dict[str, tuple[Loaded, Path]] = {}
    for kind in KINDS:
        folder = tmp_path_factory.mktemp(kind)
        words = tokenizer(kind, corpus, folder)
        torch.manual_seed(0)
        config = transformers.LlamaConfig(
            vocab_size=len(words),
            hidden_size=48,
            intermediate_size=96,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=2048,
            initializer_range=0.2,
            bos_token_id=words.bos_token_id,
            eos_token_id=words.eos_token_id,
        )
        transformers.AutoModelForCausalLM.from_config(config).save_pretrained(folder / "model")
        words.save_pretrained(folder / "model")
        loaded = load(str(folder / "model"), dtype="float32", device_map="cpu")
        found[kind] = loaded, folder / "tokenizer.model"
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_ids_are_the_librarys_own(
    made: dict[str, tuple[Loaded, Path]], corpus: list[str], kind: str
) -> None:
    loaded, path = made[kind]
    library = sentencepiece.SentencePieceProcessor(model_file=str(path))
    encoder = Encoder(loaded.tokenizer)
    bos = [loaded.tokenizer.bos_token_id] if kind == "bpe" else []
    texts = sorted({line for entry in corpus for line in entry.splitlines() if line})
    assert encoder.ids(texts) == [bos + library.encode(text) for text in texts]


@pytest.mark.parametrize("kind", KINDS)
def test_there_is_one_bos_where_the_model_wants_one_and_no_eos(
    made: dict[str, tuple[Loaded, Path]], requests: Requests, kind: str
) -> None:
    words = made[kind][0].tokenizer
    encoder = Encoder(words)
    (ids,) = encoder.ids([encoder.text(requests["entailment", "few-shot"][0])])
    assert words.eos_token_id not in ids
    if kind == "bpe":
        assert ids[0] == words.bos_token_id
        assert ids.count(words.bos_token_id) == 1
        assert encoder.ids(["<s><s>P1"])[0].count(words.bos_token_id) == 1
    else:
        assert words.bos_token_id is None or words.bos_token_id not in ids


@pytest.mark.parametrize("kind", KINDS)
def test_a_label_takes_the_space_before_it(
    made: dict[str, tuple[Loaded, Path]], requests: Requests, tasks: dict[str, Task], kind: str
) -> None:
    """The prompt alone ends in a piece of its own for the space, unless the class drops it."""
    loaded, labels = made[kind][0], ["True", "False"]
    encoder = Encoder(loaded.tokenizer)
    some = requests["entailment", "few-shot"]
    text = encoder.text(some[0])
    assert text.endswith("Answer: ")
    (alone,) = encoder.ids([text])
    (prompt,) = encoder.choices([text], labels)
    assert len(alone) - len(prompt.context) == (0 if kind == "unigram" else 1)
    for label, own in zip(labels, prompt.labels, strict=True):
        assert loaded.tokenizer.convert_ids_to_tokens(own[0]).startswith("▁")
        assert [*prompt.context, *own] == encoder.ids([text + label])[0]
        assert encoder.decode(own).strip() == label
    totals = []
    for own in prompt.labels:
        with torch.inference_mode():
            row = torch.tensor([[*prompt.context, *own]])
            scores = loaded.model(row, use_cache=False).logits[0].log_softmax(-1)
        start = len(prompt.context) - 1
        totals.append(sum(float(scores[start + n, token]) for n, token in enumerate(own)))
    reply = dict(Local(loaded, tasks["entailment"]).answer(some))[0]
    assert reply.choice is not None
    assert reply.choice.constrained == labels[totals.index(max(totals))]
    assert reply.choice.margin == pytest.approx(abs(totals[0] - totals[1]), abs=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_context_and_label_are_the_whole_text_for_every_prompt(
    made: dict[str, tuple[Loaded, Path]], requests: Requests, kind: str
) -> None:
    encoder = Encoder(made[kind][0].tokenizer)
    for (task, _), some in requests.items():
        labels = ["1", "2", "3"] if task == "relation" else ["True", "False", "not true"]
        texts = [encoder.text(request) for request in some]
        for text, prompt in zip(texts, encoder.choices(texts, labels), strict=True):
            whole = [tuple(ids) for ids in encoder.ids([text + label for label in labels])]
            assert [prompt.context + own for own in prompt.labels] == whole
            assert len(prompt.context) == common_prefix(whole)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("written", [False, True], ids=["scored", "written"])
def test_padding_changes_no_answer(
    made: dict[str, tuple[Loaded, Path]],
    requests: Requests,
    tasks: dict[str, Task],
    kind: str,
    written: bool,
) -> None:
    loaded, some = made[kind][0], requests["relation", "two-shot"][:12]
    encoder = Encoder(loaded.tokenizer)
    assert len({len(encoder.ids([encoder.text(request)])[0]) for request in some}) > 1
    alone, *padded = (
        dict(Local(loaded, tasks["relation"], batch_size=size, written=written).answer(some))
        for size in (1, 8, 32)
    )
    for other in padded:
        for position, reply in alone.items():
            assert other[position].text == reply.text
            mine, theirs = reply.choice, other[position].choice
            if mine is not None and theirs is not None:
                assert (mine.free, mine.constrained) == (theirs.free, theirs.constrained)
                assert mine.margin == pytest.approx(theirs.margin, abs=1e-4)
