"""The mutants that are listed by name are still changes of the code as it is."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.mutants.named import NAMED, Named, named_mutants


@pytest.mark.parametrize("mutant", NAMED, ids=lambda mutant: mutant.name)
def test_what_is_changed_stands_once_in_its_file(mutant: Named, root: Path) -> None:
    assert (root / mutant.file).read_text(encoding="utf-8").count(mutant.before) == 1


def test_what_comes_of_it_is_python_that_differs(root: Path) -> None:
    for mutant in named_mutants(root):
        original = (root / mutant.path).read_text(encoding="utf-8")
        assert ast.dump(ast.parse(mutant.code)) != ast.dump(ast.parse(original)), mutant.before
