from __future__ import annotations

import inspect
from importlib import import_module

import pytest

from sorites.pipeline import FAMILIES

ROLES = {"plan", "check", "build", "reprove", "audit", "card"}
WITHOUT = {"audit": ("certify", "recheck"), "sense-relations": ("recheck",)}


@pytest.mark.parametrize("kind", FAMILIES)
def test_every_family_has_a_file_for_each_role_and_gives_out_its_functions(kind: str) -> None:
    family = import_module(f"sorites.families.{kind.replace('-', '_')}")
    for role in ROLES:
        import_module(f"{family.__name__}.{role}")
    given = ["build", "certify", "check", "describe", "recheck", "reprove", "split_names"]
    without = WITHOUT.get(kind, ())
    assert family.__all__ == [name for name in given if name not in without]
    for name in family.__all__:
        function = getattr(family, name)
        assert function is getattr(FAMILIES[kind](), {"split_names": "splits"}.get(name, name))
        # What certificates leave is a part of what is proved again.
        role = {"recheck": "reprove", "split_names": "build"}.get(name, name)
        assert inspect.getmodule(function).__name__ == f"{family.__name__}.{role}"
