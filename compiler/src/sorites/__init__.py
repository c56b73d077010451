"""Sorites, the compiler: from short declarative specs to releases whose labels are proved.

    import sorites

    sorites.check("specs/sample/syllobio-nli.yaml")
    release = sorites.compile("specs/sample/syllobio-nli.yaml", "releases")
    sorites.verify(release)

What the command ``sorites`` does is the same code. Nothing is imported before it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sorites.api import (
        audit,
        check,
        check_sources,
        compile,
        diff,
        init,
        pin,
        publish,
        verify,
    )
    from sorites.auditing import AuditReport
    from sorites.errors import (
        FaultyRelease,
        InvalidRelease,
        InvalidSpec,
        Problem,
        SoritesError,
        SourceError,
        UnreadableSpec,
    )
    from sorites.progress import Progress
    from sorites.release.compare.diff import Change, Difference, Weight
    from sorites.release.hub.publish import Publication
    from sorites.release.manifest.recorded import Release
    from sorites.source_check import SourceCheck
    from sorites.specfile.model import SourcePin, Spec
    from sorites_eval.contract.identity import Version

    __version__: str

__all__ = [
    "AuditReport",
    "Change",
    "Difference",
    "FaultyRelease",
    "InvalidRelease",
    "InvalidSpec",
    "Problem",
    "Progress",
    "Publication",
    "Release",
    "SoritesError",
    "SourceCheck",
    "SourceError",
    "SourcePin",
    "Spec",
    "UnreadableSpec",
    "Version",
    "Weight",
    "__version__",
    "audit",
    "check",
    "check_sources",
    "compile",
    "diff",
    "init",
    "pin",
    "publish",
    "verify",
]

_HOMES = {
    "sorites.api": (
        *("audit", "check", "check_sources", "compile", "diff"),
        *("init", "pin", "publish", "verify"),
    ),
    "sorites.auditing": ("AuditReport",),
    "sorites.errors": (
        *("FaultyRelease", "InvalidRelease", "InvalidSpec", "Problem"),
        *("SoritesError", "SourceError", "UnreadableSpec"),
    ),
    "sorites.progress": ("Progress",),
    "sorites.release.compare.diff": ("Change", "Difference", "Weight"),
    "sorites.release.hub.publish": ("Publication",),
    "sorites.release.manifest.recorded": ("Release",),
    "sorites.source_check": ("SourceCheck",),
    "sorites.specfile.model": ("SourcePin", "Spec"),
    "sorites_eval.contract.identity": ("Version",),
}
"""Where each public name is defined; imported when it is asked for (PEP 562)."""


# Hidden from type checkers, to which it would say that every name there is exists.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name == "__version__":
            from importlib.metadata import version

            value: object = version("sorites")
        else:
            from importlib import import_module

            home = next((home for home, names in _HOMES.items() if name in names), None)
            if home is None:
                raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
            value = getattr(import_module(home), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
