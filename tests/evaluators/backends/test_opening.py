"""From what stands after ``--model`` to a backend, by one table."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import get_type_hints

import pytest

from sorites_eval.backends import kinds
from sorites_eval.backends.kinds import KINDS, LOCAL
from sorites_eval.backends.opening import Options, kind_of, open_backend
from sorites_eval.commands.run import run
from sorites_eval.contract.release import open_release
from sorites_eval.errors import ModelError
from sorites_eval.prompts.requests import prepare


@pytest.mark.parametrize(
    ("model", "prefix", "name"),
    [
        ("random", "random", "random"),
        ("random/model", "", "random/model"),
        ("openai:gpt", "openai:", "gpt"),
        ("openai:openai:gpt", "openai:", "openai:gpt"),
        ("vllm:org/name@main", "vllm:", "org/name@main"),
        ("org/name@main", "", "org/name@main"),
        (r"C:\models\mine", "", r"C:\models\mine"),
        ("hf://org/name", "", "hf://org/name"),
        ("./openai:gpt", "", "./openai:gpt"),
    ],
)
def test_a_name_is_of_one_kind(model: str, prefix: str, name: str) -> None:
    kind = kind_of(model)
    assert (kind.prefix, kind.name(model)) == (prefix, name)


def test_an_unknown_prefix_lists_the_known_ones() -> None:
    known = ", ".join(sorted(prefix for prefix in KINDS if prefix.endswith(":")))
    with pytest.raises(ModelError) as caught:
        kind_of("opnai:gpt")
    assert str(caught.value) == (
        f'opnai:gpt: unknown prefix "opnai:". Did you mean "openai:"? There are: {known}. '
        "A folder whose name holds a colon is written ./NAME."
    )


def test_a_folder_with_a_colon_is_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my:model").mkdir()
    assert kind_of("my:model") is LOCAL


def test_every_kind_is_in_the_help_of_the_command() -> None:
    """The help is written by hand, so that asking for it imports no backend."""
    (model,) = get_type_hints(run, include_extras=True)["model"].__metadata__
    for prefix in filter(None, KINDS):
        assert re.search(rf"\b{prefix}", model.help), prefix


def test_a_library_that_is_missing_is_named_with_its_extra(
    small_release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = open_release(small_release)
    task = release.task("entailment")
    items = prepare(release, task)
    monkeypatch.setitem(sys.modules, "torch", None)
    for module in [name for name in sys.modules if name.startswith("sorites_eval.backends.local")]:
        monkeypatch.delitem(sys.modules, module)
    with pytest.raises(ModelError) as caught:
        open_backend("./none", task, items, Options(), tmp_path)
    assert str(caught.value) == ("./none: torch is needed: pip install 'sorites-eval[models]'.")


def test_no_two_kinds_share_a_place_for_their_runs() -> None:
    """Names lose their prefixes in the folder, so that prefixes of one folder would collide."""
    named = [kind for kind in KINDS.values() if kind.prefix.endswith(":") or kind is LOCAL]
    shared = [kind.prefix for kind in named if not kind.folder]
    assert set(shared) <= {"", "openai:"}
    assert len(KINDS) == len(kinds._ALL)
