"""Options of how a model is asked, as values and over a whole command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sorites_eval.commands.asking import added_fields, system_text
from sorites_eval.errors import RunError
from tests.evaluators.backends.api.loopback import KEY, Provider, serving, told


def test_fields_are_json() -> None:
    pairs = ["top_k=1", 'a={"b": [true, null]}', 'word="yes"', "eq=1"]
    assert dict(added_fields(pairs)) == {
        "top_k": 1,
        "a": {"b": [True, None]},
        "word": "yes",
        "eq": 1,
    }


@pytest.mark.parametrize("pair", ["word=yes", "word", "=1", "a=" + "[" * 100_000])
def test_a_field_that_is_none(pair: str) -> None:
    with pytest.raises(RunError, match=r"not of the form KEY=JSON. Text needs quotes of its own"):
        added_fields([pair])


def test_a_system_prompt_is_text_or_a_file(tmp_path: Path) -> None:
    (tmp_path / "system.txt").write_text("  Think little.\n")
    assert system_text(str(tmp_path / "system.txt")) == "Think little."
    assert system_text("Think little.") == "Think little."
    assert system_text("a\0b") == "a\0b"
    assert system_text("x" * 50_000) == "x" * 50_000
    assert system_text(None) == ""
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RunError, match="the file is not UTF-8 text"):
        system_text(str(tmp_path / "bytes"))
    with pytest.raises(RunError, match="100,001 characters; at most 100,000 are taken"):
        system_text("x" * 100_001)


def test_a_whole_command_over_an_endpoint(small_release: Path, tmp_path: Path) -> None:
    """Every option arrives, refusals and odd answers are shown, and the budget goes round."""
    provider = Provider()
    provider.faults = [(200, {}, "<html>Gateway</html>")]
    usage = {"prompt_tokens": 100, "completion_tokens": 10}
    refusal = told(None, refusal="I would rather not.")
    provider.item = lambda body: {
        **(refusal if "otter" in str(body["messages"][-1]) else told("<think>so</think>True")),
        "usage": usage,
    }
    options = [
        *("--model", "openai:small", "--task", "entailment", "--task", "relation"),
        *("--system-prompt", "Be brief.", "--max-tokens", "300", "--reasoning-effort", "low"),
        *("--drop-field", "seed", "--add-field", "top_k=1", "--price", "1000", "2000"),
        *("--budget", "1000", "--max-errors", "0", "--timeout", "20"),
    ]
    with serving(provider):
        done = subprocess.run(
            [
                *(sys.executable, "-m", "sorites_eval", "run", small_release, "--out", tmp_path),
                *options,
            ],
            capture_output=True,
            text=True,
            env={
                **os.environ,
                "COLUMNS": "80",
                "NO_COLOR": "1",
                "OPENAI_BASE_URL": provider.url,
                "OPENAI_API_KEY": KEY,
            },
            check=False,
        )
    assert done.returncode == 0, done.stderr
    words = " ".join(done.stdout.split())
    assert "HTTP 200 with no JSON object: <html>Gateway</html> (shown once)" in words
    assert "Replies: 8 answered, 4 refused." in words
    assert "Warning: 33.3 % of the replies were no answers: 4 refused." in words
    body = provider.bodies[0]
    assert body["messages"][0]["content"].startswith("Be brief.\n\nDecide")
    assert (body["max_tokens"], body["reasoning_effort"], body["top_k"]) == (300, "low", 1)
    assert "seed" not in body
    about = json.loads((tmp_path / "small" / "entailment" / "zero-shot" / "run.json").read_text())
    assert about["model"]["system_prompt"] == "Be brief."
    assert about["notes"]["dollars"] == pytest.approx(12 * 0.12)
