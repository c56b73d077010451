"""YAML into plain data: what it becomes, and each thing that is refused, with its place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sorites.errors import InvalidSpec, Problem
from sorites.specfile.yaml_nodes import MAX_ALIASES, MAX_DEPTH, MAX_PROBLEMS, parse


def refused(text: str) -> str:
    with pytest.raises(InvalidSpec) as caught:
        parse(text, "spec.yaml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 1", {"a": 1}),
        ("[0o17, 0x1F, -3, +4, 007]", [15, 31, -3, 4, 7]),
        ("[1.5, 1e3, .5, -1.]", [1.5, 1000.0, 0.5, -1.0]),
        ("[true, False, null, ~, ]", [True, False, None, None]),
        (
            "[yes, no, on, 2024-01-01, 1_000, 1:30, =]",
            ["yes", "no", "on", "2024-01-01", "1_000", "1:30", "="],
        ),
        ("[! 5, !!str 5, '5', \"5\", !!int 5, !!float 5]", ["5", "5", "5", "5", 5, 5]),
        ("a: |\n  x\n  y\nb: >-\n  x\n  y\n", {"a": "x\ny\n", "b": "x y"}),
        ("a: &x [1]\nb: *x\nc: [*x]", {"a": [1], "b": [1], "c": [[1]]}),
        ("%YAML 1.2\n---\na: b\n...\n", {"a": "b"}),
        ("a: b\r\nc: d\r\n", {"a": "b", "c": "d"}),
    ],
)
def test_the_core_schema(text: str, value: object) -> None:
    assert parse(text, "spec.yaml").value == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "name: a\nb: 1\nname: c\n",
            'spec.yaml:3:1: the key "name" stands twice in one mapping: first at line 1, column 1\n'
            "    Keep one of the two.",
        ),
        (
            "a: !!python/object/apply:os.system [ls]",
            "spec.yaml:1:4: the tag !!python/object/apply:os.system is not allowed here\n"
            "    A spec is plain data: remove it.",
        ),
        (
            "a: !<tag:x.org,1:y> z",
            "spec.yaml:1:4: the tag !<tag:x.org,1:y> is not allowed here\n"
            "    A spec is plain data: remove it.",
        ),
        ("a: !!int x", "spec.yaml:1:4: this is not a value of the tag !!int"),
        ("a: {b: &x {c: *x}}", "spec.yaml:1:15: the alias *x stands inside the value it refers to"),
        ("a: *x", "spec.yaml:1:4: the alias *x has no anchor before it"),
        (
            "a: &x {b: 1}\nc:\n  <<: *x\n",
            "spec.yaml:3:3: merge keys (<<) are not part of YAML 1.2\n"
            "    Write out the keys that it stands for.",
        ),
        ("True: 1", 'spec.yaml:1:1: the key True is not text\n    Write it in quotes: "True".'),
        ("? [a]\n: b", "spec.yaml:1:3: a key must be text, not a list or a mapping"),
        ("a: &x b\n*x : c", "spec.yaml:2:1: a key must be text, not an alias"),
        (
            "a: 1\n--- \nb: 2",
            "spec.yaml:2:1: a second document starts here\n    A file holds one: remove the `---`.",
        ),
        (
            "%YAML 1.1\n---\na: yes",
            "spec.yaml:2:1: only YAML 1.2 without a %TAG line is read\n"
            "    Remove the lines that start with %.",
        ),
        ("", "spec.yaml:1:1: the file is empty"),
        (
            "a: .nan",
            "spec.yaml:1:4: .nan is not a number that JSON has\n"
            "    Write it in quotes if it is text.",
        ),
        (
            "a: 99999999999999999999",
            "spec.yaml:1:4: a number out of range\n    Write it in quotes if it is text.",
        ),
        (
            "a: [1,\nb: 2",
            "spec.yaml:2:5: this is not YAML: while parsing a flow sequence: "
            "expected ',' or ']', but got '<stream end>'",
        ),
        (
            "a: b\nc: x\x07y",
            "spec.yaml:2:5: the character U+0007 is not allowed in a spec\n"
            "    Remove it: it is invisible.",
        ),
        (
            'a: "x\\0y"',
            "spec.yaml:1:4: the character U+0000 is not allowed in a spec\n"
            "    Remove it: it is invisible.",
        ),
        (
            "a: x\u202ey",
            "spec.yaml:1:5: the character U+202E is not allowed in a spec\n"
            "    Remove it: it is invisible.",
        ),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    assert refused(text) == message


def test_problems_are_gathered() -> None:
    assert refused("a: 1\na: 2\nb: !x 3\n").count("spec.yaml:") == 2


def test_messages_stay_readable_whatever_the_text() -> None:
    assert refused("a: !" + "x" * 100_000).splitlines()[0] == (
        f"spec.yaml:1:4: the tag !<!{'x' * 56}… is not allowed here"
    )
    with pytest.raises(InvalidSpec) as caught:
        parse("\n".join(["a: b"] * 1_000), "spec.yaml")
    assert len(caught.value.problems) == MAX_PROBLEMS


def test_a_bomb_of_aliases_is_not_expanded() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 40)]
    message = refused("\n".join(lines))
    assert message == "spec.yaml:5:55: more than 100,000 values once aliases are expanded"


def test_too_many_aliases() -> None:
    text = "a: &x 1\nb: [" + ", ".join(["*x"] * (MAX_ALIASES + 1)) + "]"
    assert refused(text) == "spec.yaml:2:4005: more than 1000 aliases"


def test_depth_through_aliases_counts() -> None:
    lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, MAX_DEPTH + 5)]
    assert refused("\n".join(lines)) == "spec.yaml:64:12: more than 64 levels of nesting"


@pytest.mark.parametrize("opening", ["[", "{a: ", "- "])
def test_deep_nesting_ends_early(opening: str) -> None:
    # The scanner alone needs an hour for this text: the limit must hold before it has read it.
    message = refused("a:\n  " + opening * 200_000)
    assert message.endswith("more than 64 levels of nesting")


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["C", "Zl", "Zp"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text("abcdef<>é ", min_size=1), inner, max_size=4)
    ),
    max_leaves=20,
)


@settings(max_examples=150, deadline=None)
@given(json_values)
def test_json_is_yaml(value: object) -> None:
    assert parse(json.dumps(value, ensure_ascii=False), "x").value == value


@settings(max_examples=300, deadline=None)
@given(st.text("ab:-[]{}&*!|>'\"%@`#,?\\ \n\tx0", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    problems: tuple[Problem, ...] = ()
    try:
        parse(text, "x")
    except InvalidSpec as error:
        problems = error.problems
    assert all(problem.line > 0 and problem.column > 0 for problem in problems)
