from __future__ import annotations

import importlib.util

import pytest

from sorites.errors import SoritesError
from sorites.families.sense_relations.nominal_heads import is_nominal, nominal_heads


@pytest.mark.parametrize(
    ("words", "nominal"),
    [
        ([(3, "DET"), (3, "ADJ"), (0, "NOUN"), (3, "VERB")], True),
        ([(0, "PROPN")], True),
        ([(2, "PART"), (0, "VERB"), (2, "NOUN")], False),
        ([], False),
    ],
)
def test_the_root_decides(words: list[tuple[int, str]], nominal: bool) -> None:
    assert is_nominal(words) is nominal


@pytest.mark.skipif(importlib.util.find_spec("stanza") is not None, reason="Stanza is installed")
def test_without_stanza_the_share_is_refused_and_not_left_out() -> None:
    with pytest.raises(SoritesError) as caught:
        nominal_heads({"en": ["a dog"]})
    assert str(caught.value) == (
        "`statistics.nominal_heads` needs Stanza: pip install 'sorites[stanza]', or set it to false"
    )


def test_stanzas_parser_is_asked_where_its_models_are() -> None:
    pytest.importorskip("stanza")
    try:
        shares = nominal_heads({"en": ["a domesticated animal", "to move fast"]})
    except SoritesError:
        pytest.skip("Stanza has no English models here")
    assert shares == {"en": 0.5}
