"""The figures of four languages on a real database, and of every other reading of the recipe."""

from __future__ import annotations

import json
import lzma
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sorites.engines.serial import Serial
from sorites.families.sense_relations import build, reprove
from sorites.families.sense_relations.filters import apply_filters
from sorites.families.sense_relations.pairs import SensePair, sense_pairs
from sorites.families.sense_relations.plan import (
    Filter,
    Identical,
    Lexicalisation,
    PartnerLemma,
    Relation,
    read_plan,
)
from sorites.progress import Silent
from sorites.release.content import Content
from sorites.sources.lexicons.cygnet import read_cygnet
from sorites.sources.lexicons.lexicon import Lexicon, count_by_pos
from sorites.specfile.load import load
from sorites.specfile.model import Spec

LANGUAGES = ("en", "el", "ro", "tr")
HYPERNYMY = Relation("hypernymy", "HYP", "HPO", ("hypernym",), (), "forward")
PART, MEMBER, SUBSTANCE = "holo_part", "holo_member", "holo_substance"
HOLONYMY = Relation("holonymy", "HOL", "MER", (PART, MEMBER, SUBSTANCE), (), "forward")
ANTONYMY = Relation("antonymy", "ANT", "ANT", (), ("antonym",), "forward")
USUAL = (HYPERNYMY, HOLONYMY, ANTONYMY)
# Antonyms between synsets as well as between senses.
LOOSE = (HYPERNYMY, HOLONYMY, replace(ANTONYMY, synset_types=("antonym",)))


@pytest.fixture(scope="session")
def core(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("core") / "cygnet-like-core.db"
    with lzma.open(shared_data / "wordnet" / "cygnet-like-core.db.xz") as packed:
        path.write_bytes(packed.read())
    return path


@pytest.fixture(scope="session")
def core_lexicon(core: Path) -> Lexicon:
    return read_cygnet(core, LANGUAGES)


@pytest.fixture(scope="session")
def core_spec(root: Path) -> Spec:
    return load(root / "tests" / "specs" / "gloss-relations-core.yaml")


@pytest.fixture(scope="session")
def core_content(core: Path, core_spec: Spec) -> Content:
    return build(core_spec, {"cygnet-like": core}, engine=Serial(), progress=Silent())


def kept(
    lexicon: Lexicon,
    relations: Sequence[Relation] = USUAL,
    *,
    same_pos: bool = False,
    **choices: Any,
) -> list[SensePair]:
    steps = [
        Filter("glosses"),
        Filter("identical-glosses", Identical()),
        Filter("lexicalisation", Lexicalisation(**choices)),
    ]
    if same_pos:
        steps.append(Filter("part-of-speech"))
    found = sense_pairs(lexicon, relations, where="core").pairs
    return apply_filters(found, lexicon, LANGUAGES, steps, relations, where="core")[0]


def test_synsets_with_all_four_glosses(core_lexicon: Lexicon) -> None:
    glossed = core_lexicon.fully_glossed(LANGUAGES)
    assert len(glossed) == 7042
    assert count_by_pos(core_lexicon, glossed) == {
        "NOUN": 5433, "VERB": 1413, "ADJ": 192, "ADV": 4,
    }  # fmt: skip


def test_the_defaults(core_content: Content) -> None:
    assert core_content.audit["kept"] == {
        "hypernymy": {"NOUN": 2468, "VERB": 162},
        "holonymy": {"NOUN": 791},
        "antonymy": {"ADJ": 32, "NOUN": 43, "VERB": 22},
    }
    filters = core_content.audit["filters"]
    assert isinstance(filters, list)
    assert [(each["filter"], each["before"] - each["dropped"]) for each in filters] == [
        ("glosses", 8528),
        ("identical-glosses", 8509),
        ("lexicalisation", 3520),
        ("part-of-speech", 3518),
    ]


def test_rows_are_all_pairs_sixteen_times_less_those_near_the_exemplars(
    core_content: Content,
) -> None:
    tables = {split.config: split.table for split in core_content.splits}
    taken = core_content.audit["taken out for the exemplars"]
    assert isinstance(taken, int)
    assert tables["pairs"].num_rows == 56_288 - 16 * taken
    assert tables["exemplars"].num_rows == 5 * 16
    assert taken >= 5


def test_the_defaults_of_the_fields_are_those_of_the_recipe(core_lexicon: Lexicon) -> None:
    assert len(kept(core_lexicon)) == 3520
    assert len(kept(core_lexicon, same_pos=True)) == 3518


@pytest.mark.parametrize(
    ("relations", "choices", "pairs"),
    [
        pytest.param(USUAL, {"match": "word"}, 4608, id="whole word"),
        pytest.param(USUAL, {"case": "keep"}, 4025, id="case-sensitive"),
        pytest.param(USUAL, {"case": "language"}, 3507, id="the language's own letters"),
        pytest.param(USUAL, {"unaccented": ("el",)}, 3471, id="Greek without accents"),
        pytest.param(USUAL, {"words": "forms"}, 3516, id="all forms"),
        pytest.param(LOOSE, {}, 3538, id="antonyms between synsets too"),
        pytest.param(LOOSE, {"words": "forms"}, 3534, id="all forms, antonyms between synsets too"),
        pytest.param(
            (replace(HYPERNYMY, synset_types=("hypernym", "instance_hypernym")), *USUAL[1:]),
            {},
            3594,
            id="instances",
        ),
        pytest.param(
            (replace(HYPERNYMY, synset_types=("hypernym", "instance_hypernym")), *LOOSE[1:]),
            {},
            3612,
            id="instances, antonyms between synsets too",
        ),
    ],
)
def test_other_readings(
    core_lexicon: Lexicon, relations: Sequence[Relation], choices: Mapping[str, Any], pairs: int
) -> None:
    assert len(kept(core_lexicon, relations, **choices)) == pairs


@pytest.mark.parametrize(("name", "pairs"), [(PART, 451), (MEMBER, 306), (SUBSTANCE, 34)])
def test_holonymy_by_type(core_lexicon: Lexicon, name: str, pairs: int) -> None:
    assert len(kept(core_lexicon, [replace(HOLONYMY, synset_types=(name,))])) == pairs


def test_direction_runs_from_the_part_to_the_whole(core_lexicon: Lexicon) -> None:
    lemmas = core_lexicon.lemmas["en"]
    ends = {
        (lemmas[pair.first][0], lemmas[pair.second][0])
        for pair in sense_pairs(core_lexicon, [HYPERNYMY, HOLONYMY], where="core").pairs
        if pair.first in lemmas and pair.second in lemmas
    }
    assert ("oak tree", "tree") in ends or ("oak", "tree") in ends
    assert ("cell nucleus", "cell") in ends
    assert ("cell", "cell nucleus") not in ends


def test_both_directions_double_the_asymmetric_pairs(core_lexicon: Lexicon) -> None:
    both = [replace(each, direction="both") for each in (HYPERNYMY, HOLONYMY)]
    labels = Counter(pair.label for pair in kept(core_lexicon, both, same_pos=True))
    assert labels == {"HYP": 2630, "HPO": 2630, "HOL": 791, "MER": 791}


def test_the_filters_that_the_paper_does_not_have(core_lexicon: Lexicon) -> None:
    pairs = kept(core_lexicon, same_pos=True)
    left = {}
    for name, choices in (
        ("identical-glosses", Identical(compare="folded")),
        ("partner-lemma", PartnerLemma(Lexicalisation(match="word"))),
        ("one-relation", None),
    ):
        step = Filter(name, choices)  # type: ignore[arg-type]
        left[name] = len(
            apply_filters(pairs, core_lexicon, LANGUAGES, [step], USUAL, where="core")[0]
        )
    assert left == {"identical-glosses": 3508, "partner-lemma": 1548, "one-relation": 3496}


def test_two_in_five_english_hypernym_glosses_hold_a_word_of_the_partner(
    core_content: Content,
) -> None:
    rows = [
        row
        for split in core_content.splits
        for row in split.table.to_pylist()
        if row["relation"] == "hypernymy" and row["language_1"] == row["language_2"] == "en"
    ]
    holding = sum(bool(row["partner_1"] or row["partner_2"]) for row in rows)
    assert round(holding / len(rows), 2) == 0.42


def test_the_rows_prove_themselves(core_content: Content, core_spec: Spec) -> None:
    tables = {(split.config, split.name): split.table for split in core_content.splits}
    document = core_spec.document.data
    assert isinstance(document, Mapping)
    assert reprove(tables, document) == []
    assert read_plan(document).inverses == {
        "HYP": "HPO", "HPO": "HYP", "HOL": "MER", "MER": "HOL", "ANT": "ANT",
    }  # fmt: skip


@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="the peak of a process is read from /proc"
)
def test_memory_stays_below_500_mb(core: Path, root: Path) -> None:
    script = (
        "import json, re, sys\n"
        "from pathlib import Path\n"
        "from sorites.engines.serial import Serial\n"
        "from sorites.families.sense_relations import build\n"
        "from sorites.progress import Silent\n"
        "from sorites.specfile.load import load\n"
        "spec = load(Path(sys.argv[1]))\n"
        "files = {'cygnet-like': Path(sys.argv[2])}\n"
        "content = build(spec, files, engine=Serial(), progress=Silent())\n"
        # Not ru_maxrss: a child begins with the peak of the process that started it.
        "status = Path('/proc/self/status').read_text()\n"
        "peak = int(re.search(r'VmHWM:\\s+(\\d+) kB', status).group(1))\n"
        "print(json.dumps([content.splits[0].table.num_rows, peak]))\n"
    )
    spec = root / "tests" / "specs" / "gloss-relations-core.yaml"
    done = subprocess.run(
        [sys.executable, "-c", script, str(spec), str(core)],
        cwd=root, capture_output=True, text=True, check=True,
    )  # fmt: skip
    rows, peak = json.loads(done.stdout)
    assert rows > 50_000
    assert peak * 1024 < 500e6
