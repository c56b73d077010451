"""Own models: the examples of the page, and whatever else a person may bring."""

from __future__ import annotations

import importlib
import math
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

import sorites_eval
from sorites_eval.backends.custom import GROUP, Custom, as_backend, find
from sorites_eval.backends.opening import kind_of
from sorites_eval.contract.release import open_release
from sorites_eval.errors import ModelError
from sorites_eval.prompts.requests import Request, ask, prepare
from tests.evaluators.test_evaluate_cli import evaluate as command

PAGE = Path(__file__).resolve().parents[3] / "evaluators" / "own-models.md"


@pytest.fixture
def mymodels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module that the page's examples make together."""
    blocks = re.findall(r"```python\n# mymodels.py\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    assert len(blocks) == 3
    (tmp_path / "mymodels.py").write_text("\n\n".join(blocks), "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    yield importlib.import_module("mymodels")
    del sys.modules["mymodels"]


@pytest.fixture
def requests(small_release: Path) -> list[Request]:
    release = open_release(small_release)
    task = release.task("entailment")
    return list(ask(release, task, "zero-shot", prepare(release, task)))


def replies(model: object, requests: list[Request], size: int = 5) -> list[sorites_eval.Reply]:
    return [reply for _, reply in as_backend(model, size).answer(requests)]


def test_the_function_of_the_page(
    mymodels: ModuleType, small_release: Path, tmp_path: Path
) -> None:
    run = sorites_eval.evaluate(
        small_release, mymodels.last_premise, task="entailment", out=tmp_path / "a"
    )
    assert run.model == "mymodels:last_premise"
    assert run.scores.overall["following-instruction"] == 1.0
    for row in run.rows:
        premise, conclusion = str(row["question"]).splitlines()[-3:-1]
        expected = "True" if conclusion.split()[-1] in premise else "False"
        assert row["text"] == row["answer"] == expected
    assert {row["answer"] for row in run.rows} == {"True", "False"}


def test_the_function_of_the_page_from_the_command_line(
    mymodels: ModuleType, small_release: Path, tmp_path: Path
) -> None:
    options = ("--task", "entailment", "--out", tmp_path / "runs")
    done = command("run", small_release, "--model", "python:mymodels:last_premise", *options)
    assert done.returncode == 0, done.stderr
    (run,) = sorites_eval.find_runs([tmp_path / "runs" / "python"])
    other = sorites_eval.evaluate(
        small_release, mymodels.last_premise, task="entailment", out=tmp_path / "other"
    )
    assert run.scores.document["model"] == other.scores.document["model"]
    assert run.predictions == other.predictions


def test_the_batches_of_the_page(mymodels: ModuleType, requests: list[Request]) -> None:
    asked: list[int] = []

    class Watched(mymodels.Lengths):  # type: ignore[misc, name-defined]
        def answer_batch(self, requests: list[Request]) -> object:
            asked.append(len(requests))
            return super().answer_batch(requests)

    found = replies(Watched(), requests)
    assert asked == [5, 5, 2]
    assert {reply.text for reply in found} == {"True", "False"}
    identity = as_backend(mymodels.Lengths, 5).identity()
    assert identity == {"backend": "python", "model": "mymodels:Lengths", "version": 2}


def test_the_log_probabilities_of_the_page(
    mymodels: ModuleType, small_release: Path, tmp_path: Path
) -> None:
    run = sorites_eval.evaluate(small_release, mymodels.Coin, task="relation", out=tmp_path / "a")
    assert run.model == "coin-0.7"
    assert {row["answer"] for row in run.rows} == {"1"}
    for row in run.rows:
        assert row["margin"] == pytest.approx(math.log(0.7 / 0.15))
        assert row["mass"] == pytest.approx(1.0)
        assert not row["near_tie"]
    assert run.scores.constrained is not None


def test_no_model_sees_the_right_answer(requests: list[Request]) -> None:
    assert {request.gold for request in requests} == {"True", "False"}
    assert {reply.text for reply in replies(lambda request: request.gold + "!", requests)} == {"!"}


def test_a_label_that_is_left_out_has_probability_zero(requests: list[Request]) -> None:
    (reply, *_) = replies(lambda _: {"False": math.log(0.25)}, requests)
    assert reply.choice is not None
    assert (reply.choice.free, reply.choice.mass) == ("False", 0.25)
    assert reply.choice.margin == math.inf


def test_a_tie_is_the_first_label_and_said(requests: list[Request]) -> None:
    half = math.log(0.5)
    (reply, *_) = replies(lambda _: {"False": half, "True": half}, requests)
    assert reply.choice is not None
    assert (reply.choice.free, reply.choice.near_tie) == (requests[0].labels[0], True)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (lambda _: None, "a NoneType is no answer; return a text, log-probabilities by label, or"),
        (lambda _: {"Ture": -1.0}, 'log-probability of an unknown label "Ture". Did you mean'),
        (lambda _: {"True": math.nan}, 'label "True": nan is not the logarithm of a probability.'),
        (lambda _: {"True": 0.7}, 'label "True": 0.7 is not the logarithm of a probability.'),
        (lambda _: {"True": "high"}, "label \"True\": 'high' is not a number."),
        (lambda _: {}, "the labels' probabilities add up to 0; give natural logarithms"),
        (lambda _: {"True": 0.0, "False": -0.1}, "the labels' probabilities add up to 1.9; give"),
        (lambda _: [][1], "IndexError: list index out of range (test_custom.py:"),
    ],
)
def test_an_answer_that_is_none_names_model_and_item(
    model: Callable[[Request], object], message: str, requests: list[Request]
) -> None:
    with pytest.raises(ModelError) as caught:
        replies(model, requests)
    assert "<lambda>: item i-0-yes: " + message in str(caught.value)


@pytest.mark.parametrize(("count", "words"), [(4, "4 answers"), (0, "0 answers"), (6, "more")])
def test_a_batch_of_another_length_is_refused(
    count: int, words: str, requests: list[Request]
) -> None:
    class Wrong:
        def answer_batch(self, requests: list[Request]) -> Iterator[str]:
            return iter(["True"] * count)

    with pytest.raises(ModelError, match=rf"items i-0-yes to i-2-yes: {words}"):
        replies(Wrong(), requests)


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(ModelError) as caught:
        as_backend(7, 1)
    assert str(caught.value) == (
        "int: neither a function nor an object with answer_batch(requests); see the page about "
        "own models."
    )

    class Needy:
        def __init__(self, weights: str) -> None:
            self.weights = weights

    with pytest.raises(ModelError, match=r"Needy: cannot be made without arguments: .*weights"):
        as_backend(Needy, 1)


def test_an_identity_is_plain_values() -> None:
    class Rich:
        def identity(self) -> dict[str, object]:
            return {"weights": [1.0]}

        def __call__(self, request: Request) -> str:
            return "True"

    with pytest.raises(ModelError, match=r"identity\(\) has a list under 'weights'"):
        Custom(Rich(), 1).identity()


def test_another_source_is_another_model() -> None:
    first = as_backend(lambda _: "True", 1).identity()
    second = as_backend(lambda _: "False", 1).identity()
    assert first["model"] == second["model"]
    assert first != second


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("mymodels", "python:mymodels: expected python:package.module:name."),
        ("mymodels:lst_premise", 'no lst_premise there. Did you mean "last_premise"?'),
        ("mymodls:f", "no module mymodls. It is looked for among the installed packages and in"),
    ],
)
def test_a_place_that_is_not_there(mymodels: ModuleType, place: str, message: str) -> None:
    with pytest.raises(ModelError) as caught:
        find(place)
    assert message in str(caught.value)


def test_a_module_that_cannot_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("needy_model.py").write_text("import not_installed_anywhere\n")
    Path("broken_model.py").write_text("1 / 0\n")
    before = list(sys.path)
    with pytest.raises(ModelError, match="needy_model needs not_installed_anywhere, not installed"):
        find("needy_model:f")
    with pytest.raises(ModelError, match="importing broken_model failed: ZeroDivisionError"):
        find("broken_model:f")
    assert sys.path == before


def test_an_installed_package_offers_models(
    small_release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As pip leaves it: a module and its metadata, on the path."""
    info = tmp_path / "site" / "mine-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\nmine = mine_models:open_model\n")
    (info.parent / "mine_models.py").write_text(
        "def open_model(name):\n"
        "    if name == 'none':\n"
        "        raise KeyError(name)\n"
        "    return lambda request: request.labels[int(name)]\n"
    )
    monkeypatch.syspath_prepend(info.parent)
    assert kind_of("mine:0").prefix == "mine:"
    run = sorites_eval.evaluate(small_release, "mine:0", task="entailment", out=tmp_path)
    assert run.folder == tmp_path / "mine" / "0" / "entailment" / "zero-shot"
    assert run.model == "mine:0"
    assert {row["answer"] for row in run.rows} == {"False"}
    with pytest.raises(ModelError) as caught:
        sorites_eval.evaluate(small_release, "mine:none", task="entailment", out=tmp_path)
    assert str(caught.value) == "mine:none: mine_models:open_model failed: KeyError: 'none'"
    with pytest.raises(ModelError, match=r'unknown prefix "mien:". Did you mean "mine:"\?'):
        kind_of("mien:1")
