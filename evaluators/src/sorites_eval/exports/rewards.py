"""What the exports for training share: the reward of a reply, and the gold that it needs.

The reward is the release's own score of the reply: 1 if its label is right and so is the
selection, where the task asks for one; else 0. It comes from the reader that scores runs, of which
a copy goes along. Each view of an item is a prompt of its own; what combines views stays here.
"""

from __future__ import annotations

from collections.abc import Iterator

from sorites_eval.exports.written import gold, reader
from sorites_eval.prompts import requests as prompts
from sorites_eval.prompts.requests import STOP, Request
from sorites_eval.running.run import Plan

__all__ = ["golds", "origin", "reward_source"]

_REWARD = '''

PLAIN = {plain!r}
"""Whether prompts are plain text: a reply then ends at the first blank line."""

LIMIT = {limit}
"""How many tokens a reply may have."""


def judge(text, label, selection, cut_off=False):
    """The measures of one reply as it came; ``cut_off`` if it met its limit of tokens."""
    if PLAIN:
        text, blank, _ = text.lstrip().partition({stop!r})
        cut_off = cut_off and not blank
    return measure(text, label, selection, cut_off)


def reward_of(measures):
    """1 if all that was asked for is right, else 0."""
    return min(measures.values())
'''


def reward_source(plan: Plan, *, chat: bool) -> str:
    """Our reader as source, with ``judge`` and ``reward_of``, which make a reply's reward."""
    limit = plan.task.answer.max_new_tokens
    return reader(plan) + _REWARD.format(plain=not chat, stop=STOP, limit=limit)


def golds(plan: Plan) -> Iterator[tuple[Request, dict[str, object]]]:
    """Every request once, with its ``id``, which is unique, and its gold values as JSON holds them.

    ``answer`` is a right reply as the task writes it.
    """
    items = {item.id: item for item in plan.items}
    several = len(plan.task.views) > 1
    for request in prompts.ask(plan.release, plan.task, plan.setting, plan.items):
        item = items[request.id]
        yield (
            request,
            {
                "id": f"{request.id} · {request.view}" if several else request.id,
                "label": gold(plan.task, request, item),
                "selection": None if item.selection is None else sorted(item.selection),
                "answer": request.gold,
            },
        )


def origin(plan: Plan) -> str:
    """What was exported, in one line: names and numbers that the contract keeps plain."""
    release = plan.release
    return (
        f"{release.name} {release.version} (content {release.content[:12]}), task "
        f"{' '.join(plan.task.name.split())}, setting {' '.join(plan.setting.split())}"
    )
