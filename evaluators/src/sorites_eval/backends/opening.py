"""From what stands after ``--model`` to a backend."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from sorites_eval.backends.api.oddities import silent
from sorites_eval.backends.kinds import KINDS, LOCAL, BackendKind, Opening, installed
from sorites_eval.backends.options import Options
from sorites_eval.backends.protocol import Backend
from sorites_eval.contract.tasks import Task
from sorites_eval.errors import ModelError
from sorites_eval.names import did_you_mean
from sorites_eval.prompts.requests import Item

__all__ = ["Open", "Options", "kind_of", "open_backend"]

Open = Callable[[str, Task, Sequence[Item], Options, Path, Callable[[str], None]], Backend]
"""What opens a backend as ``open_backend`` does."""

_PREFIX = re.compile(r"([A-Za-z][A-Za-z0-9_.+-]+:)(?!//)")
"""What looks like a prefix; the drive of a path on Windows is one letter."""


def kind_of(model: str) -> BackendKind:
    """The kind of a model's name: of the table, or of an installed package.

    Raises ModelError with the known prefixes for an unknown one.
    """
    for kind in KINDS.values():
        if kind is not LOCAL and kind.matches(model):
            return kind
    prefix = _PREFIX.match(model)
    if prefix and not Path(model).exists():
        offered = installed()
        if prefix[1] in offered:
            return offered[prefix[1]]
        known = [known for known in (*KINDS, *offered) if known.endswith(":")]
        raise ModelError(
            f'{model}: unknown prefix "{prefix[1]}". {did_you_mean(prefix[1], known)} '
            "A folder whose name holds a colon is written ./NAME."
        )
    return LOCAL


def open_backend(
    model: str,
    task: Task,
    items: Sequence[Item],
    options: Options,
    where: Path,
    tell: Callable[[str], None] = silent,
) -> Backend:
    """The backend for a model's name; a local model that is open already is not loaded again.

    ``items`` are all items of the task; ``where`` is the run's folder, in which a backend may
    leave notes, and ``tell`` hears of what should be seen at once, such as odd answers of an
    endpoint. Raises ModelError for an unknown prefix, a model that cannot be loaded, and a
    library that is not installed.
    """
    kind = kind_of(model)
    try:
        return kind.open(Opening(kind.name(model), task, items, options, where, tell))
    except ModuleNotFoundError as error:
        if not kind.extra:
            raise
        raise ModelError(
            f"{model}: {error.name} is needed: pip install 'sorites-eval[{kind.extra}]'."
        ) from error
