"""Queries that are no function of their data are refused, and nothing else is."""

from __future__ import annotations

import pytest

from sorites.sources.ontologies.sparql import query_fault

WHERE = "WHERE { ?child a ?parent %s }"
LIMITED = (
    "LIMIT and OFFSET are allowed only where ORDER BY names every variable that is selected: "
    "else which rows they take is not a function of the data"
)


@pytest.mark.parametrize("name", ["RAND", "NOW", "UUID", "STRUUID", "BNODE"])
@pytest.mark.parametrize("form", ["BIND(%s() AS ?x)", "FILTER(STR(%s()) > 'a')"])
def test_functions_that_vary(name: str, form: str) -> None:
    query = f"SELECT ?child ?parent {WHERE % (form % name.lower())}"
    expected = f"{name} is not allowed: its result is not a function of the data"
    assert query_fault("hierarchy", query) == expected


@pytest.mark.parametrize(
    ("aggregate", "name"), [("SAMPLE(?p)", "SAMPLE"), ("GROUP_CONCAT(?p)", "GROUP_CONCAT")]
)
def test_aggregates_that_vary(aggregate: str, name: str) -> None:
    query = f"SELECT ?child ({aggregate} AS ?parent) WHERE {{ ?child a ?p }} GROUP BY ?child"
    expected = f"{name} is not allowed: its result is not a function of the data"
    assert query_fault("hierarchy", query) == expected


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        (f"SELECT ?child ?parent {WHERE % ''} LIMIT 2", LIMITED),
        (f"SELECT ?child ?parent {WHERE % ''} OFFSET 2", LIMITED),
        (f"SELECT ?child ?parent {WHERE % ''} ORDER BY ?child LIMIT 2", LIMITED),
        (f"SELECT ?child ?parent {WHERE % ''} ORDER BY ?child STR(?parent) LIMIT 2", LIMITED),
        (f"SELECT * {WHERE % ''} ORDER BY ?child ?parent LIMIT 2", LIMITED),
        (f"SELECT ?child ?parent {WHERE % '{ SELECT ?child { ?child a ?x } LIMIT 1 }'}", LIMITED),
        (f"SELECT ?child ?parent {WHERE % ''} ORDER BY ?child DESC(?parent) LIMIT 2", None),
        ("SELECT ?child (MIN(?p) AS ?parent) { ?child a ?p } GROUP BY ?child", None),
        ('SELECT ?child ?parent { ?child a ?parent FILTER(STR(?child) != "NOW") }', None),
    ],
)
def test_limits(query: str, fault: str | None) -> None:
    assert query_fault("hierarchy", query) == fault
