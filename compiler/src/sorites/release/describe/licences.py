"""Where a licence can be read, by the id that the Hugging Face Hub knows it by."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["licence_url"]

_CREATIVE_COMMONS = re.compile(r"cc-(by(?:-nc)?(?:-sa|-nd)?)-(\d\.\d)", re.ASCII)

_URLS: Mapping[str, str] = {
    "apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
    "bsd-2-clause": "https://opensource.org/license/bsd-2-clause",
    "bsd-3-clause": "https://opensource.org/license/bsd-3-clause",
    "cc0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "cdla-permissive-2.0": "https://cdla.dev/permissive-2-0/",
    "gpl-3.0": "https://www.gnu.org/licenses/gpl-3.0.html",
    "mit": "https://opensource.org/license/mit",
    "odbl": "https://opendatacommons.org/licenses/odbl/1-0/",
    "odc-by": "https://opendatacommons.org/licenses/by/1-0/",
    "pddl": "https://opendatacommons.org/licenses/pddl/1-0/",
}


def licence_url(licence: str) -> str | None:
    """The address of a licence's text, or None for one that is not known here.

    >>> licence_url("cc-by-sa-4.0")
    'https://creativecommons.org/licenses/by-sa/4.0/'
    """
    match = _CREATIVE_COMMONS.fullmatch(licence)
    if match:
        return f"https://creativecommons.org/licenses/{match[1]}/{match[2]}/"
    return _URLS.get(licence)
