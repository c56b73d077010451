from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from sorites.characters import fold, tidy


@given(st.text(max_size=30))
def test_tidying_twice_is_tidying_once_and_changes_nothing_for_a_reader(text: str) -> None:
    once = tidy(text)
    assert tidy(once) == once
    assert fold(once) == fold(text).strip()
    assert unicodedata.is_normalized("NFC", once)


def test_names_that_look_alike_fold_alike() -> None:
    alike = ["Åland  cancer", "A\u030aland cancer", "ÅLAND\u00a0CANCER", "Å\u200bland\u00ad cancer"]
    assert len({fold(name) for name in alike}) == 1
    assert len({fold(name) for name in ["Cancer", "Cancers", "Can cer"]}) == 3
