"""What may be handed to the library when a model is loaded, and how weights are quantised."""

from __future__ import annotations

from collections.abc import Mapping

from transformers import PreTrainedConfig

from sorites_eval.backends.local.asking import canonical
from sorites_eval.errors import ModelError
from sorites_eval.names import did_you_mean

__all__ = ["checked", "quantization"]

_LOADING = frozenset(
    {
        "attn_implementation",
        "experts_implementation",
        "max_memory",
        "offload_buffers",
        "offload_folder",
        "quantization_config",
        "subfolder",
        "variant",
    }
)
"""Arguments of loading that run no code of others; all else is a field of the configuration."""

_ELSEWHERE = {
    "trust_remote_code": "--trust-remote-code",
    "dtype": "--dtype",
    "torch_dtype": "--dtype",
    "device_map": "--device-map",
    "revision": "ORG/NAME@REVISION",
}
_TRUSTED = ("attn_implementation", "experts_implementation")


def checked(
    args: Mapping[str, object], config: PreTrainedConfig, *, trusted: bool
) -> dict[str, object]:
    """The arguments, if each is known; ModelError names one that is not, or has its own option.

    An implementation with a slash in its name is code from the Hub, which only those who trust
    remote code may run.
    """
    for key, value in args.items():
        if key in _ELSEWHERE:
            raise ModelError(f'--model-args: "{key}" is said with {_ELSEWHERE[key]}.')
        fields = {name for name in config.to_dict() if not name.startswith("_")} - {"auto_map"}
        if key not in _LOADING | fields:
            raise ModelError(
                f'--model-args: "{key}" is neither an argument of loading nor a field of the '
                f"model's configuration. {did_you_mean(key, _LOADING | fields)}"
            )
        if key in _TRUSTED and "/" in str(value) and not trusted:
            raise ModelError(
                f'--model-args: "{key}": "{value}" is code from the Hub, which is not run unless '
                "you say so. If you have read and trust it, add --trust-remote-code."
            )
    return dict(args)


def quantization(config: PreTrainedConfig) -> str:
    """How a model's weights are quantised, as canonical JSON; empty if they are not."""
    told = getattr(config, "quantization_config", None)
    if told is None:
        return ""
    settings = told if isinstance(told, dict) else told.to_dict()
    return canonical({str(key): _plain(value) for key, value in settings.items()})


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return sorted((_plain(one) for one in value), key=str)
    return value if isinstance(value, str | int | float | bool | None) else str(value)
