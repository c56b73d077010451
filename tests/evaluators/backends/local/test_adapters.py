"""PEFT adapters: run on their base model, and known by both."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from sorites_eval.backends.local.adapters import adapter_of  # noqa: E402
from sorites_eval.backends.local.loading import Loaded, load  # noqa: E402
from sorites_eval.backends.local.model import Local  # noqa: E402
from sorites_eval.contract.tasks import Task  # noqa: E402
from sorites_eval.errors import ModelError  # noqa: E402
from sorites_eval.prompts.requests import Request  # noqa: E402

MakeModel = Callable[..., Loaded]


@pytest.fixture
def adapter(make_model: MakeModel, tmp_path: Path) -> Path:
    """A LoRA adapter with weights that change every score."""
    peft = pytest.importorskip("peft")
    base = make_model().source
    model = load(base, dtype="float32", device_map="cpu").model
    torch.manual_seed(1)
    config = peft.LoraConfig(r=4, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
    made = peft.get_peft_model(model, config)
    made.peft_config["default"].base_model_name_or_path = base
    made.save_pretrained(tmp_path / "adapter")
    return tmp_path / "adapter"


def test_an_adapter_is_run_on_its_base(
    adapter: Path,
    make_model: MakeModel,
    tasks: dict[str, Task],
    requests: dict[tuple[str, str], list[Request]],
) -> None:
    import peft

    loaded = load(str(adapter), dtype="float32", device_map="cpu")
    base = load(make_model().source, dtype="float32", device_map="cpu")
    some = requests["relation", "zero-shot"][:9]
    merged = peft.PeftModel.from_pretrained(base.model, str(adapter)).merge_and_unload()
    expected = Local(
        Loaded(base.source, merged, base.tokenizer, base.identity), tasks["relation"]
    ).answer(some)
    plain = dict(Local(make_model(), tasks["relation"]).answer(some))
    found = dict(Local(loaded, tasks["relation"], batch_size=4).answer(some))
    for position, reply in expected:
        choice, mine = reply.choice, found[position].choice
        assert choice is not None
        assert mine is not None
        assert mine.constrained == choice.constrained
        assert mine.margin == pytest.approx(choice.margin, abs=1e-3)
        assert mine.margin != pytest.approx(plain[position].choice.margin, abs=1e-3)


def test_base_and_adapter_are_in_the_identity(adapter: Path, make_model: MakeModel) -> None:
    base = load(make_model().source, dtype="float32", device_map="cpu").identity
    identity = load(str(adapter), dtype="float32", device_map="cpu").identity
    own = {key: value for key, value in identity.items() if key.startswith("adapter")}
    assert {key: value for key, value in identity.items() if key not in own} == base
    assert own["adapter"] == "adapter"
    assert own["adapter_type"] == "LORA"
    assert len(str(own["adapter_sha256"])) == 64


def test_an_adapter_that_does_not_fit(adapter: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(adapter / "adapter_model.safetensors")
    (key, *_) = sorted(weights)
    del weights[key]
    save_file(weights, adapter / "adapter_model.safetensors")
    with pytest.raises(ModelError, match="the adapter does not fit its base model"):
        load(str(adapter), dtype="float32", device_map="cpu")


def test_an_adapter_that_names_no_base(tmp_path: Path) -> None:
    (tmp_path / "adapter_config.json").write_text(json.dumps({"base_model_name_or_path": ""}))
    with pytest.raises(ModelError) as caught:
        adapter_of(str(tmp_path), None)
    assert str(caught.value) == (
        f"{tmp_path}: adapter_config.json names no base model: fill in base_model_name_or_path."
    )


def test_a_whole_model_is_no_adapter(make_model: MakeModel) -> None:
    assert adapter_of(make_model().source, None) is None
