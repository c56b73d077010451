"""Checks the certificates of the release in whose folder it lies: python check.py [--row ID].

It needs nothing but Python and pyarrow, reads every sentence back to a formula by the templates in
release.json, and checks what the config `certificates` has for it: refutations, models, signatures.
"""

from __future__ import annotations

import argparse
import csv
import json
import multiprocessing
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import chain, product
from pathlib import Path
from string import Formatter
from time import monotonic
from typing import Any
from xml.etree import ElementTree

import pyarrow.parquet as pq

VERSION = "1"
TRUSTED = """What must be trusted: Python, pyarrow and this file; that names mean what readers take
them to mean; signatures (what a verb says of its clause where it is affirmed / denied: + true,
- false, o nothing) and the clauses around them; that each text says what stands before it:"""
PROVED, SIGNED, FOUND, OPEN = "proved", "by signature", "found in the source", "source not given"
TOKEN = re.compile(r"\w+\(\w+(?:,\w+)*\)|\w+|<->|->|[-&|().]", re.ASCII)

def need(fact: object, fault: str) -> None:
    """Raise the fault of a row or its certificate unless the fact is true."""
    if not fact:
        raise ValueError(fault)

@lru_cache(100_000)
def parsed(formula: str) -> Any:
    """NLTK's text as ("", atom), ("-", f), ("all" or "exists", x, f) or ("&" or "|", [f, ...])."""
    left = iter(TOKEN.findall(formula))
    def part() -> Any:
        sign = next(left, "")
        if sign == "-":
            return ("-", part())
        if sign in ("all", "exists"):
            return (sign, next(left), (next(left), part())[1])
        if sign != "(":
            return ("", sign)
        parts, signs = [part()], [next(left, "")]
        while signs[-1] in ("&", "|", "->", "<->"):
            parts, signs = [*parts, part()], [*signs, next(left, "")]
        (kind,) = {*signs[:-1]}  # one sign for all, or this is no formula
        if kind in ("&", "|"):
            return (kind, parts)
        there, back = (("|", [("-", a), b]) for a, b in (parts, parts[::-1]))
        return there if kind == "->" else ("&", [there, back])
    found = part()
    need(not [*left], f"more than a formula: {formula}")
    return found

def renamed(formula: str, names: dict[str, str]) -> str:
    """The formula with other names for its predicates and individuals, all at once."""
    return re.sub(r"\w+", lambda name: names.get(name[0], name[0]), formula)

def imported(formulas: Sequence[str]) -> list[str]:
    """That each predicate is true of somebody: existential import."""
    return [f"exists x.{n}(x)" for n in dict.fromkeys(re.findall(r"(\w+)\(", " ".join(formulas)))]

def named(formulas: Sequence[str]) -> list[str]:
    """The individuals that formulas name, in the order of their texts."""
    bound = {"", *re.findall(r"(?:all|exists) (\w+)\.", text := " ".join(formulas))}
    return [n for n in dict.fromkeys(re.findall(r"\w+(?=[,)])", text)) if n not in bound]

def spelt(part: Any, sign: bool, known: dict[str, str], all_: Any, new: Any = None) -> Any:
    """A formula (or its denial) of all, and of somebody new: a literal, or joined by & or |."""
    kind = part[0]
    if kind == "":
        atom = re.sub(r"\w+(?=[,)])", lambda name: known.get(name[0], name[0]), part[1])
        return atom if sign else f"-{atom}"
    if kind == "-":
        return spelt(part[1], not sign, known, all_, new)
    if kind in ("&", "|"):
        joined = [spelt(each, sign, known, all_, new) for each in part[1]]
        return "&" if (kind == "&") == sign else "|", joined
    if (kind == "all") != sign and new:
        need(not known.get(""), "an existential stands below a universal")
        return spelt(part[2], sign, {**known, part[1]: new()}, all_, new)
    below = {**known, "": "all"}
    joined = [spelt(part[2], sign, {**below, part[1]: name}, all_, new) for name in all_]
    return "&" if (kind == "all") == sign else "|", joined

@lru_cache(100_000)
def true_in(model: str, formula: str) -> bool:
    """Whether a formula is true in a model such as "a 1: F(a) G(1)": all there is, what is true."""
    everybody, _, facts = model.partition(":")
    all_, atoms = everybody.split(), {*facts.split()}
    need(all_ and {*named([formula])} <= {*all_}, f"{formula} is not about the model {model}")
    def holds(part: Any) -> bool:
        if isinstance(part, str):
            return part[1:] not in atoms if part[0] == "-" else part in atoms
        return (all if part[0] == "&" else any)(map(holds, part[1]))
    return holds(spelt(parsed(formula), True, {}, all_))

def ground(formulas: Sequence[str]) -> list[list[str]]:
    """The clauses of formulas, over their names and a number for each existential, in order."""
    all_, found = named(formulas), list[str]()
    def new() -> str:
        found.append(str(len(found) + 1))
        return found[-1]
    def clauses(part: Any) -> list[list[str]]:
        if isinstance(part, str):
            return [[part]]
        parts = [clauses(each) for each in part[1]]
        return [*chain(*parts)] if part[0] == "&" else [[*chain(*each)] for each in product(*parts)]
    for formula in formulas:
        spelt(parsed(formula), True, {}, ["1"], new)  # a first time, to name all witnesses
    all_, found[:] = [*all_, *found] or ["1"], []
    return [each for f in formulas for each in clauses(spelt(parsed(f), True, {}, all_, new))]

def opposite(literal: str) -> str:
    """A literal's negation."""
    return literal[1:] if literal[0] == "-" else f"-{literal}"

def clash(clauses: Sequence[Sequence[str]], assumed: set[str]) -> bool:
    """Whether unit propagation from what is assumed meets a clause that is false."""
    size = -1
    while size < len(assumed):
        size = len(assumed)
        for clause in clauses:
            left = {literal for literal in clause if opposite(literal) not in assumed}
            if not left:
                return True
            assumed |= left if len(left) == 1 else set()
    return False

@lru_cache(None)
def refute(formulas: tuple[str, ...], steps: tuple[str, ...]) -> None:
    """Check that each step follows from the clauses before it, and that the last is empty."""
    clauses = ground(formulas)
    for step in steps:
        found = clash(clauses, {opposite(literal) for literal in step.split()})
        need(found, f'the step "{step}" does not follow')
        clauses.append(step.split())
    need(steps and not steps[-1], "the refutation does not end in the empty clause")

@lru_cache(100_000)
def fold(text: str) -> str:
    """A text as people tell it from others: without case and runs of spaces."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", text).casefold())

def matches(text: str, parts: Any, near: Any, names: dict[str, str]) -> Iterator[dict[str, str]]:
    """The ways to read a text as what is left of a template: its symbols by those called."""
    if not parts or not text.startswith(parts[0][0]):
        yield from () if parts or text else (names,)
        return
    (before, place, form), *rest = parts
    text = text[len(before) :]
    if place is None:
        yield from matches(text, rest, near, names)
        return
    for symbol, words in near:
        if names.get(place) == symbol or not (place in names or symbol in names.values()):
            for word in (word for kind, word in words if kind == form and text.startswith(word)):
                yield from matches(text[len(word) :], rest, near, {**names, place: symbol})

class Release:
    """A release, and what is needed to check its rows."""
    def __init__(self, folder: Path, sources: Sequence[Path]) -> None:
        self.manifest = json.loads((folder / "release.json").read_bytes())
        told = self.manifest["certificates"]
        need(told["version"] == VERSION, f"the certificates are for check.py {told['version']}")
        self.given: Any = told["readings"]
        self.templates: dict[str, list[tuple[str, Any]]] = {}
        for each in self.given["templates"]:
            for form, text in each["texts"].items():
                parts = [(fold(a), b, c) for a, b, c, _ in Formatter().parse(text)]
                self.templates.setdefault(form, []).append((each["formula"], parts))
        words = self.given["words"].items()
        self.words = tuple((s, tuple((f, fold(w)) for f, w in its.items())) for s, its in words)
        self.read, self.called = lru_cache(100_000)(self.readings), lru_cache(100_000)(self.calls)
        self.splits = self.manifest["splits"][::-1]
        self.files = {folder / f["path"]: s["config"] for s in self.splits for f in s["files"]}
        own = [path for path, config in self.files.items() if config == "certificates"]
        rows = [row for path in own for row in pq.read_table(path).to_pylist()]
        self.shared = {row["key"]: row for row in rows if row["clauses"] is not None}
        self.own = {(row["config"], row["key"]): row for row in rows if row["clauses"] is None}
        self.facts = dict(fact for path in sources for fact in facts_of(path, self.manifest))

    def readings(self, clause: str, form: str, called: Any) -> frozenset[str]:
        """All formulas that a folded clause can say, with these words for symbols."""
        near = [each for each in called if any(word in clause for _, word in each[1])]
        able = [each for each in self.templates[form] if clause.startswith(each[1][0][0])]
        ways = [(f, names) for f, parts in able for names in matches(clause, parts, near, {})]
        return frozenset(renamed(formula, names) for formula, names in ways)

    def makes(self, model: str, premises: Sequence[str], last: str, sign: bool) -> None:
        """Check that premises are true in a model, and that the conclusion is true or false."""
        for each in (*premises, *(imported([*premises, last]) if self.given["imports"] else ())):
            need(true_in(model, each), f"{each} is false in the model {model}")
        need(true_in(model, last) == sign, f"{last} is not {sign} in the model {model}")

    def infer(self, key: Any, premises: Sequence[str], last: str, verdict: str) -> set[str]:
        """Check what shows how a conclusion stands to premises; the premises that it needs."""
        need(verdict in ("entailed", "contradicted", "undetermined"), f"no verdict: {verdict}")
        own = self.used = self.own[key]
        if verdict != "contradicted":
            self.makes(own["model_true"], premises, last, True)
        if verdict != "entailed":
            self.makes(own["model_false"], premises, last, False)
        if verdict == "undetermined":
            return set()
        shared, names = self.shared[own["refutation"]], dict(n.split("=") for n in own["symbols"])
        denied = last if verdict == "contradicted" else f"-{last}"
        said = {renamed(each, names): each for each in (*premises, denied)}
        *formulas, refuted = shared["formulas"]
        need(refuted == renamed(denied, names), "the refutation is of another conclusion")
        need({*formulas} <= {*said}, "the refutation uses what is no premise")
        told = imported(shared["formulas"]) if self.given["imports"] else []
        refute((*shared["formulas"], *told), tuple(shared["clauses"]))
        return {said[formula] for formula in formulas}

    def calls(self, kind: str, name: str) -> tuple[tuple[str, str], ...]:
        """How a class or an individual of that name is called in a sentence, by form."""
        told = self.given["names"][kind].items()
        return tuple((form, fold(text.replace("{name}", name))) for form, text in told)

    def argument(self, config: str, row: Any) -> str:
        """Check an argument: read its sentences, infer, and leave out each gold premise in turn."""
        columns = [*row["premise_formulas"], row["conclusion_formula"]]
        kinds = dict.fromkeys(re.findall(r"(\w+)\(", " ".join(columns)), "class")
        names = [(each["symbol"], each["name"]) for each in row["bindings"]]
        called = [(symbol, self.called(kinds.get(symbol, "individual"), n)) for symbol, n in names]
        found: list[str] = []
        for number, text in enumerate(map(fold, [*row["premises"], row["conclusion"]])):
            near = tuple(each for each in called if any(word in text for _, word in each[1]))
            said = {(key, formula) for key, (before, form, after) in self.given["phrases"].items()
                    if bool(key) == (number == len(row["premises"]))
                    and text.startswith(before) and text.endswith(after)
                    for formula in self.read(text[len(before) : -len(after) or None], form, near)}
            need(len(said) == 1, f"{len(said)} readings: {text}")
            ((key, formula),) = said
            need(key in ("", row["polarity"]), f"the polarity is {key}")
            found.append(f"-{formula}" if key == "denied" else formula)
        need(found == columns, "the formulas are not what the sentences say")
        *premises, last = found
        verdict, gold = row["verdict"], [position - 1 for position in row["gold_premises"]]
        key = config, f"{row['argument']} {verdict} {row['polarity']}"
        used = self.infer(key, premises, last, verdict)
        need(row["label"] is (verdict == "entailed"), "the label does not go with the verdict")
        told, models = [premises[index] for index in gold], self.used["needed"] or ()
        need({*told} == (used if row["label"] else set()), "the gold premises are others")
        for index, model in zip(gold, models, strict=True):
            self.makes(model, premises[:index] + premises[index + 1 :], last, False)
        return PROVED

    def sign(self, row: Any, verbs: Any, around: Any) -> str:
        """What the verbs of a row say of their clause, found from the outside in."""
        at, held = {"+"}, {"+"}  # how a verb and its clause may stand: not at all below an open one
        for verb, its in zip(verbs, around, strict=False):
            turned = {"+-"[sign == "+"] for sign in held}
            known = {"positive": held, "negated": turned, "quantified": turned}
            at = known.get(its["environment"], {"+", "-"} if held else held)
            held = {verb["signature"][0 if sign == "+" else 2] for sign in at}
            held = set() if "o" in held else held
        polarity = {"+": "positive", "-": "negative", "": "none"}.get("".join(at), "unknown")
        told = verbs[-1]["signature"], polarity
        need((row["signature"], row["polarity"]) == told, f"signature and polarity are not {told}")
        return "".join(held) if len(held) == 1 else "o"

    def verb(self, config: str, row: Any) -> str:
        """Check an inference below verbs: the clause, what they say of it, and what follows."""
        given, part, tense = self.given, row["part"], row["tense"]
        names = [name for name in (*(row.get("above") or "").split(" > "), row["verb"]) if name]
        verbs, frame = [given["verbs"][n] for n in names], given["frames"].get(row.get("frame"), {})
        around = [{**frame, "environment": row["environment"]}, *given["inner"]]
        sign = self.sign(row, verbs, around) if verbs else "+"
        yes, no = (row["label"] == "yes") != bool(row.get("flipped")), "-" * (sign != "+")
        if config == "human" or row["hypothesis_formula"] is None:
            follows = sign == "+" and row["label_embedded"] != "unk"
            need(yes == follows, "the label does not follow from its parts")
        if config == "human":
            return SIGNED if part == "veridical" else OPEN
        need(yes == (row["verdict"] == "entailed"), "the label does not go with the verdict")
        text, kinds = "\ue000", {0: "passive" if row["complement"] == "passive" else "main"}
        for place, (verb, its) in reversed([*enumerate(zip(verbs, around, strict=False))]):
            key = f"{kinds.get(place, 'embedded')} {its['environment']} {tense} {its['agreement']}"
            text = verb["clauses"][key].format_map({**its, "clause": text})
        text = re.escape(fold(text.replace(" ,", ",").strip())).replace("\ue000", "(?P<clause>.+)")
        text, hypothesis = text.replace("\ue001", "(?P<subject>.+)"), fold(row["hypothesis"])
        found: Any = re.fullmatch(text, fold(row["premise"]))
        need(found, f"the premise is not: {text}")
        clause, who = found["clause"], found.groupdict().get("subject", "")
        if row["hypothesis_formula"] is None:
            need(part != "veridical" or clause == hypothesis, "the hypothesis is not its clause")
            if part == "veridical" or tense != "present" or not self.facts:
                return SIGNED if part == "veridical" else OPEN  # a source has no other tense
            wanted = row["verdict"] if sign == "+" else self.facts[row["source_id"]][0]
            known = self.facts[row["source_id"]] == (wanted, clause, hypothesis)
            need(known and (sign == "+" or row["verdict"] == "undetermined"), "not in the source")
            return FOUND
        whole, form = [("", clause)], f"{tense} embedded" if verbs else tense
        if verbs and verbs[-1]["to"]:  # its subject is the sentence's; below "no one", anybody
            able = [(s, w) for s, its in self.words for _, w in its if who in ("", w)]
            able = [("" if who else s, w) for s, w in able if who or w not in clause]
            whole, form = [(s, f"{w} {clause}") for s, w in able], "infinitive"
        read = [(s, each) for s, text in whole for each in self.read(text, form, self.words)]
        said = {f"all x.{no}{renamed(f, {s: 'x'})}" if s else no + f for s, f in read}
        need(len(said) == 1, f"{len(said)} readings: {clause}")
        column, (last,) = row["premise_formula"], self.read(hypothesis, tense, self.words)
        premises = [f for f in said if sign != "o" and column in (f, f"-({f[1:]})")]
        need(len(premises) == (sign != "o") == (column is not None), "the premise says otherwise")
        known = part != "veridical" or last in [formula for _, formula in read]
        need(known and last == row["hypothesis_formula"], "the hypothesis says otherwise")
        self.infer((None, f"{column or ''} => {last}"), premises, last, row["verdict"])
        return PROVED

    def pair(self, config: str, row: Any) -> str:
        """Check a pair of glosses: how what the source says of its concepts gives the label."""
        given, ends = self.given["relations"][row["relation"]], (row["ili_1"], row["ili_2"])
        self.used = self.own[None, row["pair_id"]]
        said = [tuple(each.rsplit(" ", 2)) for each in self.used["source"]]
        for kind, *found in said:
            label = {ends: given["label"], ends[::-1]: given["inverse"]}.get((*found,))
            need(kind in given["types"] and row["label"] == label, f"the source says {label}")
        facts = {*said, *((end, fold(row[f"gloss_{n}"].strip())) for n, end in enumerate(ends, 1))}
        need(said and (not self.facts or facts <= self.facts.keys()), "not in the source")
        return FOUND if self.facts else OPEN

def facts_of(path: Path, manifest: Any) -> Iterator[tuple[Any, Any]]:
    """What a source says: relations between concepts and their glosses, or labels of pairs."""
    content, given = path.read_bytes(), manifest["certificates"]["readings"]
    pin = sha256(content).hexdigest()
    need(pin in str(manifest["sources"]), f"{path} is no source of this release")
    if "columns" in given:
        lines, dialect = content.decode("utf-8-sig").splitlines(), given["dialect"]
        for line in csv.DictReader(lines, delimiter=dialect[0], quoting=dialect[1]):
            one, label, *texts = (line[name].strip() for name in given["columns"])
            yield one, (given["labels"].get(label.lower()), *(fold(t.strip(". ")) for t in texts))
    text = "<none/>" if "columns" in given else content  # pinned, as no other XML may be read
    elements = ElementTree.fromstring(text).iter()  # noqa: S314
    places = [each for each in elements if each.tag in ("Synset", "Sense")]
    ili = {e.get("id"): e.get("ili") or e.get("synset") or e.get("id") for e in places}
    ili = {name: ili.get(of, of) for name, of in ili.items()}
    for one, each in ((ili[place.get("id")], each) for place in places for each in place):
        two, kind = ili.get(each.get("target")), each.get("relType")
        known = (one, fold((each.text or "").strip())), (kind, one, two)
        yield from ((fact, None) for fact in (*known, (given["reverse"].get(kind), two, one)))

def check(job: tuple[Path, Any, int, int, str | None]) -> tuple[Counter[str], list[str]]:
    """The rows of each so-manieth block by what shows them, and faults; one row in words."""
    folder, sources, part, parts, wanted = job
    counts, lines, release = Counter[str](), list[str](), Release(folder, sources)
    ways = {"argument-schemes": release.argument, "veridicality": release.verb}
    way = ways.get(release.manifest["kind"], release.pair)
    meaning = {c["name"]: c["description"] for s in release.splits for c in s["columns"]}
    for path, config in release.files.items():
        blocks = pq.ParquetFile(path).iter_batches(500) if config != "certificates" else ()
        rows = (row for n, b in enumerate(blocks) if n % parts == part for row in b.to_pylist())
        for row in (row for row in rows if wanted in (None, row["id"])):
            release.used, found = {}, "faulty"
            try:
                found = way(config, row)
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as fault:
                lines.append(f"{config}, item {row['id']}: {fault or type(fault).__name__}")
            counts[found] += 1
            told = {**row, **release.used, **release.shared.get(release.used.get("refutation"), {})}
            lines += [f"{meaning[n]}\n    {n}: {told[n]}" for n in told if wanted and told[n]]
    return counts, lines

def check_all(folder: Path, sources: Any, workers: int, row: str | None) -> Any:
    """All rows of a release by what shows them, and the faults; or one row in words."""
    if workers == 1:
        return check((folder, sources, 0, 1, row))
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        found = pool.map(check, [(folder, sources, n, workers, row) for n in range(workers)])
        pool.close()  # and wait: what ends them otherwise is a signal that a shell may have ignored
        pool.join()
    return sum((each for each, _ in found), Counter()), [*chain(*(lines for _, lines in found))]

def main() -> int:
    """Check the release in the folder of this file, and say what was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent)
    parser.add_argument("--row", help="explain the row with this id")
    parser.add_argument("--source", type=Path, action="append", default=[], help="a source's file")
    asked, start = parser.parse_args(), monotonic()
    counts, lines = check_all(asked.folder, asked.source, multiprocessing.cpu_count(), asked.row)
    seconds, rows, given = monotonic() - start, counts.total(), Release(asked.folder, []).given
    told = [TRUSTED, *(f"  {each['formula']}: {each['texts']}" for each in given["templates"])]
    told += [f"  {name}: {verb['signature']}" for name, verb in given.get("verbs", {}).items()]
    print(*dict.fromkeys(lines), *(() if asked.row else told), sep="\n")
    print(f"{rows:,} rows in {seconds:.1f} s, {1000 * seconds / (rows or 1):.2f} ms each:", end=" ")
    print(*(f"{number:,} {name}" for name, number in sorted(counts.items())), sep=", ")
    return 1 if counts["faulty"] or not rows else 0
if __name__ == "__main__":
    sys.exit(main())
