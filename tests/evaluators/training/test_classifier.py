"""A pretrained model is loaded as data: nothing in its folder runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="training needs torch")
pytest.importorskip("transformers", reason="fine-tuning needs transformers")

from sorites_eval.errors import ModelError
from sorites_eval.training.classifier import (
    ClassifierSettings,
    classifier_trainer,
)
from sorites_eval.training.examples import Example, TrainingData
from sorites_eval.training.outcome import unwatched
from tests.evaluators.training.tiny_bert import save_tiny_bert

EXAMPLES = tuple(
    Example(f"{number}", ("ann sings", "bob waits"), number % 2) for number in range(4)
)
DATA = TrainingData(EXAMPLES, (), EXAMPLES[:2], 2)
SETTINGS = ClassifierSettings(batch=2, epochs=1)

CODE = """\
from pathlib import Path

from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

Path({mark!r}).touch()


class OwnConfig(BertConfig):
    model_type = {kind!r}


class OwnModel(BertForSequenceClassification):
    config_class = OwnConfig


class OwnTokenizer(BertTokenizerFast):
    pass
"""


def with_own_code(folder: Path, kind: str, *files: str) -> Path:
    """A model whose files name code beside them, and what that code leaves behind."""
    save_tiny_bert(folder, ["ann sings bob waits"])
    mark = folder.parent / "ran"
    (folder / "own.py").write_text(CODE.format(mark=str(mark), kind=kind), "utf-8")
    for file in files:
        path = folder / file
        data = json.loads(path.read_text("utf-8"))
        if file == "config.json":
            data["model_type"] = kind
            data["auto_map"] = {
                "AutoConfig": "own.OwnConfig",
                "AutoModelForSequenceClassification": "own.OwnModel",
            }
        else:
            data["auto_map"] = {"AutoTokenizer": [None, "own.OwnTokenizer"]}
        path.write_text(json.dumps(data), "utf-8")
    return mark


def test_a_model_of_a_known_kind_is_loaded_without_the_code_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    mark = with_own_code(folder, "bert", "config.json", "tokenizer_config.json")
    outcome = classifier_trainer(str(folder), SETTINGS)(DATA, 0, unwatched)
    assert len(outcome.predicted) == 2
    assert not mark.exists()


def test_a_model_that_only_its_own_code_can_load_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    save_tiny_bert(folder, ["ann sings bob waits"])
    trainer = classifier_trainer(str(folder), SETTINGS)
    mark = with_own_code(folder, "own", "config.json")
    with pytest.raises(ModelError) as caught:
        trainer(DATA, 0, unwatched)
    assert str(caught.value).startswith(f"{folder}: cannot be loaded as a classifier: ")
    assert "custom code" in str(caught.value)
    assert not mark.exists()


def test_of_weights_only_safetensors_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers import AutoModelForSequenceClassification

    asked: list[dict[str, object]] = []

    def refuse(name: str, **settings: object) -> None:
        asked.append({"name": name, **settings})
        raise ValueError("no")

    monkeypatch.setattr(AutoModelForSequenceClassification, "from_pretrained", refuse)
    folder = save_tiny_bert(tmp_path, ["ann sings bob waits"])
    trainer = classifier_trainer(folder, SETTINGS)
    with pytest.raises(ModelError, match=r"cannot be loaded as a classifier: no$"):
        trainer(DATA, 0, unwatched)
    assert asked == [
        {
            "name": folder,
            "num_labels": 2,
            "ignore_mismatched_sizes": True,
            "trust_remote_code": False,
            "use_safetensors": True,
        }
    ]
