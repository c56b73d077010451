"""Tiny models with real tokenizers of two kinds, trained here in seconds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from tokenizers import (  # noqa: E402
    Tokenizer,
    decoders,
    models,
    pre_tokenizers,
    processors,
    trainers,
)

from sorites_eval.backends.local.loading import Loaded, load  # noqa: E402
from sorites_eval.contract.release import open_release  # noqa: E402
from sorites_eval.contract.tasks import Task  # noqa: E402
from sorites_eval.prompts.requests import Request, ask, plain_text, prepare  # noqa: E402

TEMPLATES = {
    None: None,
    "chatml": (
        "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}"
        "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
    ),
    "bos and no system turn": (
        "{{ bos_token }}{% for message in messages %}{% if message.role == 'system' %}"
        "{{ raise_exception('no system turn here') }}{% endif %}[{{ message.role }}] "
        "{{ message.content }}\n{% endfor %}{% if add_generation_prompt %}[assistant] {% endif %}"
    ),
}


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """Small models are slower on many threads, and much slower beside other work."""
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def tasks(small_release: Path) -> dict[str, Task]:
    """The tasks of the small release."""
    return dict(open_release(small_release).benchmark.tasks)


@pytest.fixture(scope="session")
def requests(small_release: Path) -> dict[tuple[str, str], list[Request]]:
    """Every request of the small release by task and setting."""
    release = open_release(small_release)
    return {
        (name, setting): list(ask(release, task, setting, prepare(release, task)))
        for name, task in release.benchmark.tasks.items()
        for setting in task.prompts
    }


@pytest.fixture(scope="session")
def corpus(requests: dict[tuple[str, str], list[Request]]) -> list[str]:
    """Every prompt as plain text with its right answer."""
    return [
        plain_text(request.messages) + request.gold
        for several in requests.values()
        for request in several
    ]


def byte_level_bpe(corpus: list[str]) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=500,
        special_tokens=["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(corpus, trainer)
    return tokenizer


def unigram(corpus: list[str]) -> Tokenizer:
    """As SentencePiece makes them: spaces are part of the pieces, and text opens with BOS."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="first")
    alphabet = sorted({c for text in corpus for c in text})
    trainer = trainers.UnigramTrainer(
        vocab_size=400,
        special_tokens=["<unk>", "<s>", "</s>"],
        unk_token="<unk>",
        initial_alphabet=alphabet,
        show_progress=False,
    )
    tokenizer.train_from_iterator(corpus, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", tokenizer.token_to_id("<s>"))]
    )
    return tokenizer


@pytest.fixture(scope="session")
def tokenizers(corpus: list[str]) -> dict[str, object]:
    """One byte-level BPE without BOS, one Unigram with BOS."""
    fast = transformers.PreTrainedTokenizerFast
    bpe = fast(
        tokenizer_object=byte_level_bpe(corpus), eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )
    uni = fast(
        tokenizer_object=unigram(corpus), bos_token="<s>", eos_token="</s>", unk_token="<unk>"
    )
    return {"bpe": bpe, "unigram": uni}


def _spread(model: object, tokenizer: object) -> None:
    """Make the answers depend on the prompt, and labels be among the likely ones."""
    words = [" True", "True", " False", "False", "1", "2", "3", " 1", " 2", " 3"]
    favoured = {token for word in words for token in tokenizer(word)["input_ids"]}
    with torch.no_grad():
        model.get_output_embeddings().weight[sorted(favoured)] *= 3


@pytest.fixture(scope="session")
def make_model(
    tokenizers: dict[str, object], tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Loaded]:
    """Load a tiny model: ``make_model(tokenizer="bpe", template=None, window=None)``."""
    made: dict[tuple[object, ...], Loaded] = {}

    def make(
        tokenizer: str = "bpe",
        template: str | None = None,
        window: int | None = None,
        longest: int = 2048,
    ) -> Loaded:
        key = (tokenizer, template, window, longest)
        if key not in made:
            torch.manual_seed(0)
            words = tokenizers[tokenizer]
            kind = transformers.MistralConfig if window else transformers.LlamaConfig
            config = kind(
                vocab_size=len(words),
                hidden_size=48,
                intermediate_size=96,
                num_hidden_layers=2,
                num_attention_heads=4,
                num_key_value_heads=2,
                max_position_embeddings=longest,
                initializer_range=0.2,
                bos_token_id=words.bos_token_id,
                eos_token_id=words.eos_token_id,
                **({"sliding_window": window} if window else {}),
            )
            model = transformers.AutoModelForCausalLM.from_config(config)
            _spread(model, words)
            folder = tmp_path_factory.mktemp("model")
            model.save_pretrained(folder)
            words.chat_template = TEMPLATES[template]
            words.save_pretrained(folder)
            words.chat_template = None
            made[key] = load(str(folder), dtype="float32", device_map="cpu")
        return made[key]

    return make
