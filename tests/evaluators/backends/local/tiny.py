"""Tiny random models of many architectures, saved with a real tokenizer."""

from __future__ import annotations

import inspect
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, PreTrainedConfig
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

LONGEST = 1024
SMALL: dict[str, object] = {
    **dict.fromkeys(("hidden_size", "d_model", "n_embd", "dim_model", "embed_dim"), 32),
    **dict.fromkeys(("intermediate_size", "ffn_dim", "n_inner", "decoder_ffn_dim"), 64),
    **dict.fromkeys(("encoder_ffn_dim", "dff"), 64),
    **dict.fromkeys(("num_hidden_layers", "n_layer", "n_layers", "num_layers"), 2),
    **dict.fromkeys(("encoder_layers", "decoder_layers"), 2),
    **dict.fromkeys(("num_attention_heads", "n_head", "n_heads", "num_heads"), 4),
    **dict.fromkeys(("encoder_attention_heads", "decoder_attention_heads"), 4),
    **dict.fromkeys(("num_experts", "num_local_experts", "n_routed_experts"), 4),
    **dict.fromkeys(("max_position_embeddings", "n_positions", "max_seq_len"), LONGEST),
    "num_key_value_heads": 2,
    "head_dim": 8,
    "moe_intermediate_size": 16,
    "num_experts_per_tok": 2,
    "is_decoder": True,
    "initializer_range": 0.2,
}
"""What makes a configuration small, under the names that configurations have for it."""

_MAMBA = {
    "mamba_n_heads": 4,
    "mamba_d_head": 16,
    "mamba_expand": 2,
    "mamba_d_state": 16,
    "mamba_chunk_size": 8,
}
_LINEAR = {
    "layer_types": ["linear_attention", "full_attention"],
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 2,
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 8,
}
ARCHITECTURES: dict[str, dict[str, object]] = {
    "apertus": {},
    "arcee": {},
    "bamba": {**_MAMBA, "mamba_n_groups": 1, "attn_layer_indices": [1]},
    "bart": {},
    "biogpt": {},
    "bloom": {},
    "cohere2": {},
    "ctrl": {},
    "diffllama": {},
    "ernie4_5": {},
    "exaone4": {},
    "falcon": {},
    "falcon_h1": {**_MAMBA, "mamba_d_ssm": 64},
    "falcon_mamba": {},
    "gemma": {},
    "gemma2": {"sliding_window": 24},
    "gemma3_text": {"sliding_window": 24},
    "glm4": {},
    "gpt2": {},
    "gpt_bigcode": {},
    "gpt_neo": {"attention_types": [[["global", "local"], 1]], "window_size": 24},
    "gpt_neox": {},
    "gpt_oss": {"sliding_window": 24},
    "granite": {},
    "granitemoehybrid": {**_MAMBA, "layer_types": ["mamba", "attention"]},
    "hunyuan_v1_dense": {},
    "jamba": {"attn_layer_period": 2, "attn_layer_offset": 1, "mamba_d_state": 8},
    "lfm2": {"layer_types": ["conv", "full_attention"]},
    "llama": {},
    "mamba": {},
    "mamba2": {"num_heads": 8, "expand": 2, "state_size": 16, "n_groups": 1, "chunk_size": 8},
    "minimax": {},
    "mistral": {"sliding_window": 24},
    "mixtral": {},
    "mpt": {},
    "nemotron": {},
    "nemotron_h": {
        "layers_block_type": ["mamba", "attention", "moe"],
        "mamba_num_heads": 4,
        "mamba_head_dim": 16,
        "ssm_state_size": 16,
        "n_groups": 1,
        "chunk_size": 8,
    },
    "olmo2": {},
    "openai-gpt": {},
    "opt": {},
    "persimmon": {},
    "phi": {},
    "phi3": {},
    "qwen2": {},
    "qwen2_moe": {"decoder_sparse_step": 1, "shared_expert_intermediate_size": 32},
    "qwen3": {},
    "qwen3_5_text": _LINEAR,
    "qwen3_next": _LINEAR,
    "recurrent_gemma": {"lru_width": 32, "attention_window_size": 24},
    "roberta": {},
    "rwkv": {},
    "smollm3": {},
    "stablelm": {},
    "starcoder2": {},
    "xglm": {},
    "xlstm": {},
}
"""Architectures that must answer right, with what else makes them small."""

REFUSED: dict[str, tuple[dict[str, object], str]] = {
    "bert": ({"is_decoder": False}, "BertLMHeadModel is not a causal language model"),
    "cpmant": ({}, "CpmAntForCausalLM is not a causal language model"),
    "xlnet": ({}, "XLNetLMHeadModel is not a causal language model"),
    "xmod": ({}, "XmodForCausalLM fails on a row of 26 tokens: Input language unknown"),
}
"""Architectures of the same table of the library that cannot answer, and what is said of them."""


def configuration(kind: str, tokenizer: object, **own: object) -> PreTrainedConfig:
    """The smallest configuration of an architecture for a tokenizer's vocabulary."""
    made = CONFIG_MAPPING[kind]
    known = {*inspect.signature(made.__init__).parameters}
    known |= set(getattr(made, "__dataclass_fields__", {}))
    tokens = {
        "vocab_size": len(tokenizer),
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }
    fields = {key: value for key, value in {**SMALL, **tokens}.items() if key in known}
    return made(**{**fields, **own})


def save(
    kind: str, tokenizer: object, folder: Path, seed: int = 0, **own: object
) -> PreTrainedConfig:
    """Save a random model of an architecture with a tokenizer."""
    torch.manual_seed(seed)
    config = configuration(kind, tokenizer, **own)
    model = AutoModelForCausalLM.from_config(config)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return config
