"""Which queries are too much work, by rules that count, and what the last resort ends."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rdflib import Graph
from rdflib.plugins.sparql import prepareQuery

from sorites.canonical import Json
from sorites.errors import SourceError
from sorites.sources.apart import LimitReached, Limits, apart
from sorites.sources.ontologies import query_products, rdf
from sorites.sources.ontologies.query_products import count_in, product_fault
from sorites.sources.ontologies.query_texts import pattern_of_query_fault
from sorites.sources.ontologies.rdf import read_rdf
from sorites.sources.ontologies.rdf_graph import Store
from sorites.sources.ontologies.sparql import query_fault

P = "PREFIX : <https://x.example/> "
LIMITS = Limits(seconds=60, memory=1 << 30)


@pytest.mark.parametrize(
    "where",
    [
        "?child :a ?x . ?x :b ?parent",
        "?child ?p ?parent . ?parent ?q ?x . ?x ?r ?y",
        # Joined by a later pattern, or by what is bound to a variable of another.
        "?child ?p ?x . ?parent ?q ?y . ?x :a ?y",
        "?child ?p ?x BIND(?x AS ?parent) ?parent ?q ?z",
        # A single row does not multiply.
        "?child ?p ?parent . :onto :version ?v",
        "?child ?p ?parent VALUES ?kind { 1 2 }",
        "?child ?p ?parent { SELECT (COUNT(?a) AS ?n) { ?a ?b ?c } }",
        "?child ?p ?parent FILTER EXISTS { ?parent ?q ?x . ?x ?r ?y }",
        "?child ?p ?parent FILTER NOT EXISTS { ?x ?q ?y }",
        # What a row outside gives is looked up.
        "?child ?p ?parent FILTER EXISTS { ?parent ?q ?x . ?x ?r ?y . ?child ?s ?u . ?u ?t ?v }",
        "?child ?p ?parent OPTIONAL { ?child ?q ?x . ?parent ?r ?y }",
        "?child ?p ?parent { ?child ?q ?x . ?parent ?r ?y }",
        "?child ?p ?parent MINUS { ?x ?q ?y }",
        "{ ?child ?p ?parent } UNION { ?parent ?q ?child }",
        "?child (:a|^:b)+/:c ?parent",
        "?child :a ?parent FILTER(REGEX(STR(?child), '^http.*/[A-Z]+_(x|y)?[0-9]{2,7}$', 'i'))",
        "?child :a ?p BIND(CONCAT(STR(?p), '-', REPLACE(STR(?child), '[^a-z]+', '_')) AS ?parent)",
    ],
)
def test_usual_queries_are_allowed(where: str) -> None:
    assert query_fault("hierarchy", f"{P}SELECT ?child ?parent WHERE {{ {where} }}") is None


def test_what_nothing_joins_is_counted_in_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = Graph()
    triples = "".join(f":s{i} :a :o{i} . :s{i} :b :o .\n" for i in range(30))
    graph.parse(data=f"@prefix : <https://x.example/> .\n{triples}:x :rare :y .", format="turtle")

    def fault(where: str, most: int) -> str | None:
        monkeypatch.setattr(query_products, "MOST_COMBINATIONS", most)
        return product_fault(prepareQuery(f"{P}SELECT * {{ {where} }}").algebra, count_in(graph))

    assert fault("?s :a ?o . ?t :b ?u", 900) is None
    assert fault("?s :a ?o . ?t :b ?u", 899) == (
        "no variable joins these patterns, which makes 900 combinations or more; at most 899 are "
        "tried: ?s <https://x.example/a> ?o; ?t <https://x.example/b> ?u"
    )
    # All triples of three patterns; the smallest of those that a variable joins.
    assert fault("?s ?p ?o . ?t ?q ?u . ?v ?r ?w", 61**3) is None
    assert fault("?s ?p ?o . ?t ?q ?u . ?v ?r ?w", 61**3 - 1) is not None
    assert fault("?s ?p ?o . ?s :rare ?x . ?t ?q ?u", 61) is None
    assert fault("{ ?s :a ?o } UNION { ?s :b ?o } { ?t ?q ?u }", 60 * 61 - 1) is not None
    assert fault("{ ?s :a ?o } UNION { ?s :b ?o } { ?t ?q ?u }", 60 * 61) is None
    assert fault("{ SELECT ?s { ?s :a ?o } ORDER BY ?s LIMIT 2 } { ?t ?q ?u }", 122) is None
    assert fault("?s :a ?o FILTER EXISTS { ?t :b ?u . ?s ?p ?v . ?w :a ?z }", 899) is not None
    assert fault("?s :a ?o FILTER EXISTS { ?t :b ?u . ?s ?p ?v . ?w :a ?z }", 900) is None
    # However deep in an expression EXISTS stands.
    exists = "EXISTS { ?t :b ?u . ?s ?p ?v . ?w :a ?z }"
    for where in (
        f"?s :a ?o FILTER(?o != :x && {exists})",
        f"?s :a ?o FILTER(?o = :x || (?o != :y && !({exists})))",
        f"?s :a ?o FILTER(IF({exists}, ?o = :x, true))",
        f"?s :a ?o FILTER(COALESCE(?o = :x, NOT {exists}))",
        f"?s :a ?o OPTIONAL {{ ?s :b ?q FILTER(?q = :x && {exists}) }}",
    ):
        assert fault(where, 899) is not None, where
        assert fault(where, 900) is None, where


@pytest.mark.parametrize(
    "pattern",
    [
        "^R-HSA-[0-9]+$",
        "a*",
        "(ab)+",
        "(?:a|b)c+",
        "(a+)?b",
        "[(*)+|]+",
        r"\(a\)+",
        r"[^\]\[\w-]+\.",
        "^a$",
    ],
)
def test_patterns_that_are_allowed(pattern: str) -> None:
    assert pattern_of_query_fault(pattern) is None


@pytest.mark.parametrize(
    "pattern", ["(a+)+", "((a)+b)*", "(a|b)*", "(?:a?){2,}", "([a-z]+,)*", "(a|)+", r"(\)a*)+"]
)
def test_patterns_that_repeat_what_repeats(pattern: str) -> None:
    assert "repeats a group" in str(pattern_of_query_fault(pattern))


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a)\1",
        "(?i)a",
        "(?=a)",
        "a*+",
        "a{2}{3}",
        "a{,3}",
        "a{",
        r"a\Z",
        r"\u0041",
        r"[\x41]",
        "[a-z--b]",
        "[a&&b]",
        "[a[b]]",
        "[]a]",
    ],
)
def test_patterns_that_engines_read_differently(pattern: str) -> None:
    fault = str(pattern_of_query_fault(pattern))
    assert "not every engine reads alike" in fault or "not a regular expression" in fault


def test_work_apart_gives_what_it_yields() -> None:
    def work() -> Iterator[Json]:
        yield ["a", None, "\ud800 \n"]
        yield None
        yield os.getpid()

    first, process = apart(work, LIMITS)
    assert first == ["a", None, "\ud800 \n"]
    assert process != os.getpid()
    with pytest.raises(ChildProcessError):
        os.waitpid(int(str(process)), 0)


def test_errors_of_work_apart_are_ours() -> None:
    def refused() -> Iterator[Json]:
        yield 1
        raise SourceError("file.ttl: not right")

    def broken() -> Iterator[Json]:
        yield from ()
        raise LookupError("x")

    with pytest.raises(SourceError, match=r"^file\.ttl: not right$"):
        list(apart(refused, LIMITS))
    with pytest.raises(SourceError, match=r"^LookupError: x$"):
        list(apart(broken, LIMITS))


def test_work_that_takes_too_much_is_ended() -> None:
    def computing() -> Iterator[Json]:
        while True:
            pass
        yield None

    def waiting() -> Iterator[Json]:
        yield from ()
        time.sleep(3600)

    def filling() -> Iterator[Json]:
        kept = [bytes(1 << 26) for _ in range(100)]
        yield len(kept)

    def dying() -> Iterator[Json]:
        yield from ()
        os.abort()

    with pytest.raises(LimitReached, match=r"^it takes more than 1 seconds of computing"):
        list(apart(computing, Limits(1, 1 << 30)))
    with pytest.raises(LimitReached, match=r"^it takes more than 1 seconds$"):
        list(apart(waiting, Limits(60, 1 << 30, waiting=1)))
    with pytest.raises(LimitReached, match=r"^it takes more than 1,024 MB of memory"):
        list(apart(filling, Limits(60, 1 << 30)))
    with pytest.raises(LimitReached, match="or cannot go on"):
        list(apart(dying, LIMITS))


def test_a_reader_that_stops_ends_the_work() -> None:
    def endless() -> Iterator[Json]:
        while True:
            yield os.getpid()

    work = apart(endless, LIMITS)
    process = int(str(next(work)))
    work.close()  # type: ignore[attr-defined]
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


@pytest.mark.parametrize("store", ["memory", "oxigraph"])
def test_a_query_that_no_rule_foresees_is_ended_in_either_store(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if store == "oxigraph":
        pytest.importorskip("oxrdflib")
    path = tmp_path / "it.nt"
    names = [f"<https://x.example/{i}>" for i in range(2000)]
    path.write_text("".join(f"{each} <https://x.example/p> {each} .\n" for each in names))
    query = (
        "SELECT ?class ?member { ?class ?p ?member . ?a ?p ?b . ?c ?p ?d . ?e ?p ?f "
        "FILTER(?a = ?d && ?d != ?b) }"
    )
    monkeypatch.setattr(rdf, "SECONDS", 1)
    with pytest.raises(SourceError) as caught:
        read_rdf(
            [path],
            classes=query.replace("?member", "?name"),
            hierarchy="SELECT ?child ?parent { ?child ?p ?parent FILTER(false) }",
            members=query,
            store=store,
        )
    assert str(caught.value) == (
        "the query classes: it takes more than 1 seconds of computing, or was ended"
    )
