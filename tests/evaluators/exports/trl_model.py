"""Save a tiny random model that knows a few words: ``trl_model.py FOLDER LABEL…``.

Runs with the Python of TRL's environment, which has nothing of this project.
"""

from __future__ import annotations

import sys

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

SPECIAL = ["<unk>", "<pad>", "<end>"]
TEMPLATE = "{% for m in messages %}{{ m.role }} : {{ m.content }} {% endfor %}assistant :"


def main(folder: str, *labels: str) -> None:
    """A model whose replies are short and often name a label."""
    words = [*SPECIAL, *labels, "not", ".", ",", "P1", "P2", "assistant", "user", "system", ":"]
    tokenizer = Tokenizer(models.WordLevel({w: n for n, w in enumerate(words)}, "<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="<unk>", pad_token="<pad>", eos_token="<end>"
    )
    fast.chat_template = TEMPLATE
    torch.manual_seed(5)
    config = LlamaConfig(
        vocab_size=len(words),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        pad_token_id=words.index("<pad>"),
        eos_token_id=words.index("<end>"),
        bos_token_id=None,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    fast.save_pretrained(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
