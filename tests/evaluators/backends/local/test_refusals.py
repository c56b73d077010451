"""What is no language model, lacks weights, or gives no numbers is never scored."""

from __future__ import annotations

import copy
import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from safetensors.torch import load_file, save_file  # noqa: E402

from sorites_eval.backends.local.classifying import open_classifier  # noqa: E402
from sorites_eval.backends.local.loading import Loaded, load  # noqa: E402
from sorites_eval.backends.local.model import Local  # noqa: E402
from sorites_eval.contract.tasks import Task  # noqa: E402
from sorites_eval.errors import ModelError  # noqa: E402
from sorites_eval.prompts.requests import Request  # noqa: E402
from tests.evaluators.backends.local.tiny import configuration, save  # noqa: E402

MakeModel = Callable[..., Loaded]
Alter = Callable[[dict[str, torch.Tensor]], None]


def altered(loaded: Loaded, folder: Path, alter: Alter) -> str:
    """A copy of a model with other weights."""
    shutil.copytree(loaded.source, folder)
    weights = load_file(folder / "model.safetensors")
    alter(weights)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    return str(folder)


def saved(made: type, tokenizer: object, folder: Path, **own: object) -> str:
    """A tiny BERT with the head of a class."""
    torch.manual_seed(0)
    made(configuration("bert", tokenizer, **{"is_decoder": False, **own})).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


@pytest.mark.parametrize(
    ("head", "what"),
    [
        ("BertForSequenceClassification", "a classifier"),
        ("BertForMaskedLM", "a model that fills in masked words"),
        ("BertForTokenClassification", "a model that labels words"),
        ("BertForQuestionAnswering", "a model that finds answers in a text"),
    ],
)
def test_a_model_with_another_head(
    tokenizers: dict[str, object], tmp_path: Path, head: str, what: str
) -> None:
    folder = saved(getattr(transformers, head), tokenizers["bpe"], tmp_path / "model")
    with pytest.raises(ModelError) as caught:
        load(folder, device_map="cpu")
    advice = f" Use --model classifier:{folder}." if what == "a classifier" else ""
    assert str(caught.value) == (
        f"{folder}: its files hold {head}, {what}; it does not write text, so nothing can be "
        f"scored.{advice}"
    )


def test_a_model_without_any_head(tokenizers: dict[str, object], tmp_path: Path) -> None:
    folder = saved(transformers.BertModel, tokenizers["bpe"], tmp_path / "model")
    with pytest.raises(ModelError) as caught:
        load(folder, device_map="cpu")
    assert f"{folder}: its files lack " in str(caught.value)
    assert "of the weights of BertLMHeadModel (cls.predictions." in str(caught.value)
    assert "They were saved as BertModel" in str(caught.value)


def test_a_weight_that_is_not_there(make_model: MakeModel, tmp_path: Path) -> None:
    key = "model.layers.1.self_attn.q_proj.weight"
    folder = altered(make_model(), tmp_path / "model", lambda weights: weights.__delitem__(key))
    with pytest.raises(ModelError) as caught:
        load(folder, device_map="cpu")
    assert str(caught.value) == (
        f"{folder}: its files lack 1 of the weights of LlamaForCausalLM ({key}), which would be "
        "random numbers. They were saved as LlamaForCausalLM: the wrong kind of model, or an "
        "incomplete download."
    )


def test_a_weight_of_another_shape(make_model: MakeModel, tmp_path: Path) -> None:
    def cut(weights: dict[str, torch.Tensor]) -> None:
        key = "model.layers.0.mlp.up_proj.weight"
        weights[key] = weights[key][:-1].clone()

    folder = altered(make_model(), tmp_path / "model", cut)
    with pytest.raises(ModelError, match=r"could not be loaded|hold in another shape"):
        load(folder, device_map="cpu")


def test_weights_that_are_no_numbers(
    make_model: MakeModel, tasks: dict[str, Task], tmp_path: Path
) -> None:
    def break_(weights: dict[str, torch.Tensor]) -> None:
        weights["model.layers.0.mlp.up_proj.weight"][3, 4] = float("nan")

    folder = altered(make_model(), tmp_path / "model", break_)
    with pytest.raises(ModelError) as caught:
        Local(load(folder, dtype="float32", device_map="cpu"), tasks["relation"])
    assert str(caught.value) == (
        "the model's scores are no numbers (NaN): its weight model.layers.0.mlp.up_proj.weight "
        "holds values that are no numbers in float32. The files may be damaged: fetch them again."
    )


def test_scores_that_overflow_in_half_precision(
    make_model: MakeModel, tasks: dict[str, Task], tmp_path: Path
) -> None:
    def enlarge(weights: dict[str, torch.Tensor]) -> None:
        for key in weights:
            if "mlp" in key:
                weights[key] *= 3000

    folder = altered(make_model(), tmp_path / "model", enlarge)
    Local(load(folder, dtype="float32", device_map="cpu"), tasks["relation"])
    with pytest.raises(ModelError) as caught:
        Local(load(folder, dtype="float16", device_map="cpu"), tasks["relation"])
    assert str(caught.value) == (
        "the model's scores are no numbers (NaN): they overflow in float16. Try --dtype bfloat16 "
        "or --dtype float32."
    )


def test_a_pass_that_fails_names_the_item(
    make_model: MakeModel,
    tasks: dict[str, Task],
    requests: dict[tuple[str, str], list[Request]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One item of a batch on which the model's code fails: the others are answered first."""
    loaded = make_model()
    backend = Local(loaded, tasks["relation"])
    some = requests["relation", "zero-shot"][:6]
    alone = dict(backend.answer(some))
    longest = max(len(backend._encoder.ids([backend._encoder.text(r)])[0]) for r in some)
    forward = type(loaded.model).forward

    def fails(self: object, **given: object) -> object:
        mask = given["attention_mask"]
        if int(mask.sum(-1).max()) >= longest:
            raise IndexError("index out of range in self")
        return forward(self, **given)

    backend = Local(loaded, tasks["relation"])
    monkeypatch.setattr(type(loaded.model), "forward", fails)
    backend._finder._longest = 10_000
    found = {}
    replies = backend.answer(some)
    with pytest.raises(ModelError) as caught:
        found.update(replies)
    assert "tokens; the model takes 2048): the model's forward pass fails: index out of" in str(
        caught.value
    )
    assert str(caught.value).startswith("item ")
    assert all(reply.text == alone[position].text for position, reply in found.items())


def test_what_a_model_may_be_loaded_with(make_model: MakeModel) -> None:
    source = make_model().source
    loaded = load(source, device_map="cpu", model_args={"attn_implementation": "eager"})
    assert loaded.model.config._attn_implementation == "eager"
    assert loaded.identity["model_args"] == '{"attn_implementation":"eager"}'
    changed = load(source, device_map="cpu", model_args={"rms_norm_eps": 0.5})
    assert changed.model.config.rms_norm_eps == 0.5


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ({"trust_remote_code": True}, '"trust_remote_code" is said with --trust-remote-code.'),
        ({"dtype": "float16"}, '"dtype" is said with --dtype.'),
        ({"weights_only": False}, '"weights_only" is neither an argument of loading nor a field'),
        ({"auto_map": {}}, '"auto_map" is neither an argument of loading nor a field'),
        (
            {"attn_implementation": "someone/kernels"},
            '"attn_implementation": "someone/kernels" is code from the Hub, which is not run',
        ),
    ],
)
def test_what_a_model_may_not_be_loaded_with(
    make_model: MakeModel, args: dict[str, object], said: str
) -> None:
    with pytest.raises(ModelError) as caught:
        load(make_model().source, device_map="cpu", model_args=args)
    assert f"--model-args: {said}" in str(caught.value)


def test_quantised_weights_are_part_of_what_a_model_is(
    make_model: MakeModel, tmp_path: Path
) -> None:
    """A 4-bit model: how it is quantised is in its identity, and it computes in the type named."""
    from sorites_eval.backends.local.model_args import quantization
    from sorites_eval.backends.local.precision import compute_dtype

    folder = tmp_path / "model"
    shutil.copytree(make_model().source, folder)
    config = json.loads((folder / "config.json").read_text())
    settings = {
        "quant_method": "bitsandbytes",
        "load_in_4bit": True,
        "bnb_4bit_quant_type": "nf4",
        "bnb_4bit_compute_dtype": "bfloat16",
    }
    (folder / "config.json").write_text(json.dumps({**config, "quantization_config": settings}))
    told = transformers.AutoConfig.from_pretrained(folder)
    assert json.loads(quantization(told)) == settings
    # The model of the session is for all tests: its settings stay as they are.
    own = copy.deepcopy(make_model().model.config)
    model = transformers.AutoModelForCausalLM.from_config(own)
    assert compute_dtype(model) == torch.float32
    model.config.quantization_config = transformers.BitsAndBytesConfig(**settings)
    assert compute_dtype(model) == torch.bfloat16
    assert json.loads(quantization(model.config))["bnb_4bit_quant_type"] == "nf4"


def test_four_bit_weights_are_run(
    tokenizers: dict[str, object],
    tasks: dict[str, Task],
    requests: dict[tuple[str, str], list[Request]],
    tmp_path: Path,
) -> None:
    pytest.importorskip("bitsandbytes")
    sizes = {"hidden_size": 64, "intermediate_size": 128, "head_dim": 16}
    save("llama", tokenizers["bpe"], tmp_path, num_key_value_heads=4, **sizes)
    settings = {"load_in_4bit": True, "bnb_4bit_compute_dtype": "bfloat16"}
    args = {"quantization_config": {"quant_method": "bitsandbytes", **settings}}
    loaded = load(str(tmp_path), dtype="float32", device_map="cpu", model_args=args)
    assert '"load_in_4bit":true' in str(loaded.identity["quantization"])
    some = requests["relation", "zero-shot"]
    for size in (1, 7):
        replies = dict(Local(loaded, tasks["relation"], batch_size=size).answer(some))
        assert len(replies) == len(some)
        near = [r.choice for r in replies.values() if r.choice and r.choice.margin < 0.2]
        assert all(choice.near_tie for choice in near)


class Calls:
    """An object whose pickle makes a file when it is read."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Path.touch, (self.place,)


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt"])
def test_weights_that_are_a_pickle_are_never_read(
    make_model: MakeModel, tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(make_model().source, folder)
    (folder / "model.safetensors").unlink()
    (folder / name).write_bytes(pickle.dumps(Calls(tmp_path / "was-run")))
    for opened in (load, open_classifier):
        with pytest.raises(ModelError) as caught:
            opened(str(folder), device_map="cpu")
        assert str(caught.value) == (
            f"{folder / name}: the weights are a pickle, which can run code when it is read. "
            "Convert them: model.save_pretrained(folder) writes safetensors."
        )
    assert not (tmp_path / "was-run").exists()
