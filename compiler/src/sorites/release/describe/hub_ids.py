"""The ids that the Hub knows in a dataset card: licences and, for text, task categories.

No library carries these lists. They are those of the Hub's documentation, pages "Licenses" and
"Tasks", as of 2026.
"""

from __future__ import annotations

from collections.abc import Iterator

from sorites.errors import Problem
from sorites.names import closest
from sorites.specfile.model import Spec

__all__ = ["LICENCES", "TASK_CATEGORIES", "card_problems"]

_LICENCES = """
    afl-3.0 agpl-3.0 apache-2.0 artistic-2.0 bsd bsd-2-clause bsd-3-clause bsd-3-clause-clear
    bsl-1.0 c-uda cc cc-by-2.0 cc-by-2.5 cc-by-3.0 cc-by-4.0 cc-by-nc-2.0 cc-by-nc-3.0 cc-by-nc-4.0
    cc-by-nc-nd-3.0 cc-by-nc-nd-4.0 cc-by-nc-sa-2.0 cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cc-by-nd-4.0
    cc-by-sa-3.0 cc-by-sa-4.0 cc0-1.0 cdla-permissive-1.0 cdla-permissive-2.0 cdla-sharing-1.0
    ecl-2.0 epl-1.0 epl-2.0 etalab-2.0 eupl-1.1 eupl-1.2 gfdl gpl gpl-2.0 gpl-3.0 isc lgpl lgpl-2.1
    lgpl-3.0 lgpl-lr lppl-1.3c mit mpl-2.0 ms-pl ncsa odbl odc-by ofl-1.1 openrail osl-3.0 other
    pddl postgresql unknown unlicense wtfpl zlib
"""
_TASK_CATEGORIES = """
    feature-extraction fill-mask graph-ml multiple-choice other question-answering
    sentence-similarity summarization table-question-answering table-to-text text-classification
    text-generation text-ranking text-retrieval text2text-generation token-classification
    translation zero-shot-classification
"""

LICENCES = frozenset(_LICENCES.split())
TASK_CATEGORIES = frozenset(_TASK_CATEGORIES.split())


def card_problems(spec: Spec) -> Iterator[Problem]:
    """What a spec says for the card and the Hub would not accept."""
    problem = spec.document.problem
    if spec.license not in LICENCES:
        yield problem(
            ("license",),
            f"{spec.license} is not one of the Hub's licences",
            _nearest(spec.license, LICENCES)
            or "for a licence that is not among them use other, with license_name and license_link",
        )
    if spec.license == "other" and not (spec.license_name and spec.license_link):
        yield problem(
            ("license",),
            "the licence other does not say which one it is",
            "add license_name and license_link",
        )
    for index, category in enumerate(spec.card.task_categories):
        if category not in TASK_CATEGORIES:
            yield problem(
                ("card", "task_categories", index),
                f"{category} is not one of the Hub's task categories for text",
                _nearest(category, TASK_CATEGORIES)
                or f"they are: {', '.join(sorted(TASK_CATEGORIES))}",
            )


def _nearest(name: str, known: frozenset[str]) -> str:
    meant = closest(name, known)
    return f"did you mean {meant}?" if meant else ""
