"""What is wrong with a spec of this kind, in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorites.errors import InvalidSpec
from sorites.pipeline import check_spec


@pytest.mark.parametrize(
    ("old", "new", "problems"),
    [
        (
            "splits: {train: train, test: test}",
            "splits: {train: trian, test: test}",
            ['39:19: data.splits.train: there is no source trian\n    did you mean "train"?'],
        ),
        (
            "  neutral: undetermined",
            "  neutral: [undetermined, entailed]",
            [
                "54:12: labels.neutral: entailed is what the label entailment says\n    give every "
                "verdict one label: what is proved must have one name"
            ],
        ),
        (
            "text: 'No {F} are {G}'",
            "text: 'No {F} are {H}'",
            [
                "47:46: reading.templates[1].text: the placeholder {H} is no symbol of "
                "all x.(F(x) -> -G(x)); its symbols are {F}, {G}\n    name each symbol of the "
                "formula as {SYMBOL}"
            ],
        ),
        (
            "text: 'No {F} are {G}'",
            "text: 'No {F}{G}'",
            [
                "47:46: reading.templates[1].text: two names stand side by side, and nothing "
                "tells where the first ends\n    write a word between them, or list the names"
            ],
        ),
        (
            "formula: all x.(F(x) -> -G(x))",
            "formula: all x.(F(x) -> -G(x)",
            None,
        ),
        (
            "  label: label\n",
            "  label: label\n  keep: [story]\n  delimiter: tab\n"
            "  words: {premises: premises, conclusion: conclusion}\n",
            [
                "44:10: data.keep[0]: the release has a column story of its own\n    leave it out",
                "45:14: data.delimiter: a delimiter is of CSV alone\n    leave it out",
                "46:10: data.words: the premises and the conclusion are words themselves\n    "
                "leave it out, or read formulas by a notation",
            ],
        ),
        (
            "reading:\n  templates:",
            "reading:\n  notation: folio\n  templates:",
            None,
        ),
    ],
)
def test_problems(
    root: Path, tmp_path: Path, old: str, new: str, problems: list[str] | None
) -> None:
    sample = root / "specs" / "sample"
    text = (sample / "village-arguments.yaml").read_text("utf-8")
    assert old in text
    for name in ("train", "test"):
        file = f"village-arguments-{name}.jsonl"
        (tmp_path / file).write_bytes((sample / file).read_bytes())
    spec = tmp_path / "spec.yaml"
    spec.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(InvalidSpec) as told:
        check_spec(spec)
    found = [str(each).removeprefix(f"{spec}:") for each in told.value.problems]
    if problems is None:
        assert len(found) == 1
        assert found[0].partition(": ")[2].startswith("reading")
    else:
        assert found == problems
