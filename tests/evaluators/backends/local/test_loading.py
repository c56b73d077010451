"""Which model it was, down to its files; and what is said of one that cannot be had."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from sorites_eval.backends.local.loading import Loaded, load  # noqa: E402
from sorites_eval.errors import ModelError  # noqa: E402


def test_a_folder_is_known_by_its_files_and_not_by_its_place(
    make_model: Callable[..., Loaded], tmp_path: Path
) -> None:
    loaded = make_model()
    moved = tmp_path / "elsewhere" / Path(loaded.source).name
    shutil.copytree(loaded.source, moved)
    assert load(str(moved), device_map="cpu").identity == loaded.identity
    config = json.loads((moved / "config.json").read_text())
    (moved / "config.json").write_text(json.dumps({**config, "rms_norm_eps": 1e-3}))
    changed = load(str(moved), device_map="cpu").identity
    assert changed["files_sha256"] != loaded.identity["files_sha256"]
    assert {**changed, "files_sha256": 0} == {**loaded.identity, "files_sha256": 0}


def test_precision_is_part_of_what_a_model_is(make_model: Callable[..., Loaded]) -> None:
    loaded = make_model()
    assert loaded.identity["dtype"] == "float32"
    halved = load(loaded.source, dtype="bfloat16", device_map="cpu")
    assert halved.model.dtype == torch.bfloat16
    assert halved.identity["dtype"] == "bfloat16"


@pytest.mark.parametrize("name", ["./none", "/no/such/model", "a/b/c", "none.gguf/x/y"])
def test_a_path_that_is_nothing_is_not_asked_of_the_hub(name: str) -> None:
    with pytest.raises(ModelError) as caught:
        load(name)
    assert str(caught.value) == f"{name}: no such model folder or GGUF file."


def test_an_unknown_precision() -> None:
    with pytest.raises(ModelError) as caught:
        load("x", dtype="float8")
    assert str(caught.value) == ('unknown dtype "float8": one of auto, float32, bfloat16, float16.')


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="could not be loaded as a language model"):
        load(str(tmp_path))


def test_code_that_a_model_brings_is_not_run(
    make_model: Callable[..., Loaded], tmp_path: Path
) -> None:
    folder = tmp_path / "brings-code"
    shutil.copytree(make_model().source, folder)
    config = json.loads((folder / "config.json").read_text())
    config |= {
        "model_type": "mine",
        "auto_map": {"AutoConfig": "mine.Config", "AutoModelForCausalLM": "mine.Model"},
    }
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "mine.py").write_text("raise SystemExit('ran')")
    with pytest.raises(ModelError) as caught:
        load(str(folder))
    assert str(caught.value) == (
        f"{folder}: this model brings its own Python code, which is not run unless you say so. "
        "If you have read and trust it, add --trust-remote-code."
    )
