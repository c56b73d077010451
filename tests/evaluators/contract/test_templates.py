"""Templates from strangers: what they may do, and everything that they may not."""

from __future__ import annotations

import pytest

from sorites_eval.contract import templates
from sorites_eval.contract.faults import InvalidTemplate


def test_a_prompt_needs_no_more_than_this() -> None:
    source = (
        "{% for p in premises %}P{{ loop.index }}: {{ p }}{% if not loop.last %}; {% endif %}"
        "{% endfor %} C: {{ conclusion|upper }} {{ premises|join(', ') }} {{ premises[0] }}"
    )
    row = {"premises": ["a", "b"], "conclusion": "c"}
    assert templates.render(source, row) == "P1: a; P2: b C: C a, b a"
    assert templates.variables(source) == {"premises", "conclusion"}


def test_markup_is_left_as_it_is() -> None:
    assert templates.render("{{ x }}", {"x": "<b> & 'c'"}) == "<b> & 'c'"


@pytest.mark.parametrize(
    "source",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ x.__class__ }}",
        "{{ x.upper() }}",
        "{{ range(1000000000) }}",
        "{{ cycler('a') }}",
        "{% for i in x %}{% for j in x %}{% endfor %}{% endfor %}",
        "{% for i in x recursive %}{% endfor %}",
        "{% set y = x ~ x %}",
        "{% macro m() %}{% endmacro %}",
        "{{ 'a' * 1000000000 }}",
        "{{ 9 ** 999999 }}",
        "{{ '%999999999d' % 1 }}",
        "{% include 'x' %}",
        "{% import 'x' as y %}",
        "{% extends 'x' %}",
        "{{ x|center(1000000) }}",
        "{{ x|format(1) }}",
        "{{ x|replace('a', 'b') }}",
        "{{ x|attr('y') }}",
        "{{ x|map('upper') }}",
        "{{ (x|join('aaaa'))|join('aaaa') }}",
        "{{ x|list|string|list|string|list|string }}",
        "{% if %}",
        "{{ " + "(" * 5000 + "x" + ")" * 5000 + " }}",
        "{{ x }}" * 4000,
        "{{ missing }}",
    ],
)
def test_what_could_run_wild_is_refused(source: str) -> None:
    with pytest.raises(InvalidTemplate):
        templates.render(source, {"x": ["a", "b"]})


def test_the_message_names_the_line_and_what_is_wrong() -> None:
    with pytest.raises(InvalidTemplate) as caught:
        templates.check("{{ x }}\n{{ x.upper() }}")
    assert str(caught.value) == (
        "has a call (line 2); only variables, conditions, one loop at a time and simple filters "
        "are allowed"
    )


@pytest.mark.parametrize("filters", ["join|join", "list|string", "string|list|string", "list|join"])
def test_filters_that_make_their_input_longer_stand_alone(filters: str) -> None:
    with pytest.raises(InvalidTemplate, match="each makes its input longer"):
        templates.check("{{ x|" + filters + " }}")


def test_a_text_has_a_longest_length() -> None:
    row = {"x": ["a" * 1000] * 999}
    with pytest.raises(InvalidTemplate) as caught:
        templates.render("{% for y in x %}{{ y }}{% endfor %}", row)
    assert str(caught.value) == "renders to more than 200,000 characters"
