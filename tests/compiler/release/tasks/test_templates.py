"""The compiler refuses what an evaluator would, and renders what it renders.

The two packages share no code, so this is where they are held to agree.
"""

from __future__ import annotations

import pytest

from sorites.errors import SoritesError
from sorites.release.tasks import templates
from sorites_eval.contract import templates as evaluation
from sorites_eval.errors import InvalidBenchmark

ITEM = {
    "premises": ["All tea is hot.", "Oolong is tea."],
    "conclusion": "Oolong is hot. ",
    "bindings": [{"symbol": "T", "name": "tea"}],
    "label": True,
    "steps": 2,
    "partner": None,
    "big": "x" * 300_000,
}

GOOD = (
    "",
    "plain text {# and a comment #}",
    "{{ conclusion }}",
    "{{ premises | join(' ') }}",
    "{% for p in premises %}\nP{{ loop.index }}: {{ p }}\n{% endfor %}\nSo: {{ conclusion }}\n",
    "{% if label %}True{% else %}False{% endif %}, {{ steps + 1 }}",
    "{{ bindings[0].name | upper }} {{ premises[0][4:7] }} {{ premises | length }}",
    "{{ partner if partner is not none else 'alone' }} {{ 'hot' in conclusion }}",
    "{{ conclusion | trim | lower | title }} {{ premises | first }} {{ premises | sort | last }}",
    "x" * 20_000,
)

BAD = (
    "{{ nothing }}",
    "{{ conclusion",
    "{% for p in premises %}",
    "{{ bindings[0].age.of }}",
    "{{ ''.__class__.__mro__ }}",
    "{{ conclusion.upper() }}",
    "{{ range(3) }}",
    "{{ lipsum() }}",
    "{% set x = 1 %}{{ x }}",
    "{% macro m() %}{% endmacro %}",
    "{% for p in premises %}{% for q in premises %}{{ q }}{% endfor %}{% endfor %}",
    "{% for p in premises recursive %}{{ p }}{% endfor %}",
    "{{ 'x' * 5 }}",
    "{{ 2 ** 3 }}",
    "{{ '%d' % steps }}",
    "{% include 'other' %}",
    "{% extends 'other' %}",
    "{% block b %}{% endblock %}",
    "{% with a = 1 %}{{ a }}{% endwith %}",
    "{% filter upper %}x{% endfilter %}",
    "{{ premises | replace('a', 'b') }}",
    "{{ premises | join(premises | join(' ')) }}",
    "{{ conclusion | attr('upper') }}",
    "{{ big }}",
    "{{ conclusion + 1 }}",
    "{{ 1 / 0 }}",
    "x" * 20_001,
    "{{ " + "(" * 500 + "1" + ")" * 500 + " }}",
)


@pytest.mark.parametrize("template", GOOD)
def test_what_both_render_is_the_same(template: str) -> None:
    assert templates.render(template, ITEM) == evaluation.render(template, ITEM, "here")
    assert templates.variables(template) == evaluation.variables(template, "here")


@pytest.mark.parametrize("template", BAD, ids=lambda text: text[:40])
def test_what_one_refuses_both_refuse(template: str) -> None:
    with pytest.raises(InvalidBenchmark):
        evaluation.render(template, ITEM, "here")
    with pytest.raises(SoritesError):
        templates.render(template, ITEM)
