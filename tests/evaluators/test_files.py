"""Folders are tried out before the work that fills them, and nothing is left of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorites_eval.backends.opening import Options
from sorites_eval.contract.release import open_release
from sorites_eval.errors import RunError
from sorites_eval.evaluation import open_model, plans
from sorites_eval.files import check_folder


def test_a_folder_that_can_be_written_is_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    check_folder(tmp_path / "there" / "not" / "yet")
    check_folder(tmp_path / "there")
    assert [*tmp_path.rglob("*")] == [tmp_path / "there"]


def test_a_model_is_opened_only_where_its_run_can_be_written(
    small_release: Path, tmp_path: Path
) -> None:
    """No model of this name is there, and nobody looks for it."""
    (tmp_path / "file").write_text("")
    (planned,) = plans(open_release(small_release), ["entailment"], ["zero-shot"])
    with pytest.raises(RunError) as caught:
        open_model("nobody/nothing", planned, Options(), tmp_path / "file")
    place = tmp_path / "file" / "nobody--nothing" / "entailment" / "zero-shot"
    assert str(caught.value) == f"{place}: cannot be written: Not a directory."
