"""Carrying out what a page says, in an empty folder, with a Hub on loopback."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

import pytest
import typer

from tests.docs.blocks import Block, blocks

PATIENCE = 240.0
"""Seconds after which a block hangs: what decides is what it prints and how it ends."""


def follow(page: Path, folder: Path, environment: Mapping[str, str], python: Path) -> None:
    """Do everything that a page says, in order; fails where a block does, and names its line."""
    for block, shown in _with_output(page):
        if not block.runs:
            if "caption" in block.options:
                path = folder / block.options["caption"]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text, encoding="utf-8")
            continue
        command = ["bash", "-euo", "pipefail", "-c", block.text]
        if block.language == "python":
            command = [str(python), "-c", block.text]
        done = subprocess.run(
            command,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        printed = done.stdout + done.stderr
        if done.returncode:
            pytest.fail(f"{block.where}: exit code {done.returncode}\n{block.text}\n{printed}")
        for line in shown.splitlines():
            if not _among(line, printed):
                pytest.fail(f"{block.where}: the page shows {line!r}, but what came is\n{printed}")


def environment_of(python: Path, folder: Path, hub: str) -> dict[str, str]:
    """Variables under which commands are those beside ``python``, and the Hub is a loopback one."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("HF_", "SORITES_", "PYTHONPATH", "OPENAI_"))
    }
    return {
        **kept,
        "PATH": f"{python.parent}{os.pathsep}{kept.get('PATH', '')}",
        "HOME": str(folder / ".home"),
        "HF_ENDPOINT": hub,
        "HF_HOME": str(folder / ".home" / "huggingface"),
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "XDG_CACHE_HOME": str(folder / ".home" / "cache"),
        "COLUMNS": "100",
    }


def unknown_options(block: Block) -> Iterator[str]:
    """What our two programs do not know of the commands in a block, whether it is run or not."""
    for line in block.text.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        while words and re.fullmatch(r"\w+=.*", words[0]):
            del words[0]
        if words[:1] == ["sorites"]:
            yield from _unknown("sorites.cli.app", words)
        elif words[:1] == ["sorites-eval"]:
            yield from _unknown("sorites_eval.cli", words)


def _unknown(module: str, words: list[str]) -> Iterator[str]:
    group = typer.main.get_command(import_module(module).app)
    assert isinstance(group, typer.core.TyperGroup)
    if len(words) < 2 or words[1].startswith("-"):
        return
    command = group.commands.get(words[1])
    if command is None:
        yield f"{words[0]} has no command {words[1]}"
        return
    known = {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
    for each in command.params:
        if each.param_type_name == "option" and each.required and not {*each.opts} & {*words}:
            yield f"{words[0]} {words[1]} needs {each.opts[0]}"
    for word in words[2:]:
        if word.startswith("--") and word.partition("=")[0] not in {*known, "--help"}:
            yield f"{words[0]} {words[1]} has no option {word}"


def _with_output(page: Path) -> Iterator[tuple[Block, str]]:
    """Each block but those of what is printed, with the text that is shown right after it."""
    found = [*blocks(page)]
    for number, block in enumerate(found):
        if block.language == "text":
            continue
        after = found[number + 1] if number + 1 < len(found) else None
        shown = after.text if after is not None and after.language == "text" else ""
        yield block, shown


def _among(line: str, printed: str) -> bool:
    pattern = ".*".join(re.escape(part) for part in " ".join(line.split()).split("…"))
    lines = [" ".join(each.split()) for each in printed.splitlines()]
    return any(re.search(pattern, each) for each in lines)


THIS_PYTHON = Path(sys.executable)
