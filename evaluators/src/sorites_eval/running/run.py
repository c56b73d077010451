"""One run: a task in a setting, put to a model, read, scored and written down.

A run's folder holds ``predictions.parquet`` (one row a request), ``scores.json`` and, written
last, ``run.json``: a folder with that file is complete. While the run goes on, its answers lie
in ``answers.jsonl``; the same command takes them up again.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import cast

from filelock import FileLock, Timeout

from sorites_eval.backends.protocol import Backend, Ended, Reply
from sorites_eval.contract.faults import InvalidBenchmark
from sorites_eval.contract.release import Release
from sorites_eval.contract.tasks import Scalar, Task
from sorites_eval.errors import InvalidRelease, RunError
from sorites_eval.files import write_json, write_whole
from sorites_eval.names import did_you_mean
from sorites_eval.prompts import requests as prompts
from sorites_eval.prompts.asked import PromptFile, as_asked, with_groups, with_prompts
from sorites_eval.prompts.conditions import Condition, matching
from sorites_eval.prompts.requests import Item, Message, Request
from sorites_eval.prompts.sampling import sample
from sorites_eval.running.failures import Failures
from sorites_eval.running.journal import Journal, answer_key, read_answers, write_answers
from sorites_eval.running.predictions import Answered, read_replies, write_table
from sorites_eval.running.processes import Share, journals, wait_for
from sorites_eval.scoring.answers import Reader
from sorites_eval.scoring.metrics import score
from sorites_eval.scoring.outcomes import count_outcomes, warn_of
from sorites_eval.scoring.reasoning import LastAnswer
from sorites_eval.scoring.repeats import repeated

__all__ = ["Plan", "Result", "folder", "perform", "plan", "sorites_version"]

WHOLE = Share()
Advance = Callable[[int, int], None]
"""Told how many requests are answered, of how many."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run will ask: some of a task's items, in a setting; ``everything`` is all of them.

    ``task`` is as it is asked in that setting, ``document`` the same as benchmark.json has it.
    Each item is asked ``repeats`` times. ``system_prompt`` stands before the task's own
    instructions.
    """

    release: Release
    task: Task
    setting: str
    items: Sequence[Item]
    everything: Sequence[Item]
    limit: int | None
    seed: int
    document: Mapping[str, object]
    where: tuple[Condition, ...] = ()
    by: tuple[tuple[str, ...], ...] = ()
    repeats: int = 1
    prompts: PromptFile | None = None
    system_prompt: str = ""

    def requests(self) -> list[Request]:
        """Every request of the run: all of them once, then all of them again for each repeat."""
        once = list(prompts.ask(self.release, self.task, self.setting, self.items))
        if self.system_prompt:
            once = [_with_system(request, self.system_prompt) for request in once]
        return [replace(r, repeat=repeat) for repeat in range(self.repeats) for r in once]


@dataclass(frozen=True, slots=True)
class Result:
    """A finished run: its folder, its scores, and how many answers it did not ask again."""

    folder: Path
    scores: Mapping[str, object]
    reused: int


def plan(
    release: Release,
    task: Task,
    setting: str,
    *,
    limit: int | None = None,
    seed: int = 0,
    where: Sequence[Condition] = (),
    by: Sequence[tuple[str, ...]] = (),
    repeats: int = 1,
    prompt_file: PromptFile | None = None,
    max_tokens: int | None = None,
    system_prompt: str = "",
) -> Plan:
    """Read and check what a run needs before any model is loaded.

    ``where`` says which items are asked, of which ``limit`` then takes a sample; ``by`` adds
    groups to break scores down by; a ``prompt_file`` brings settings of its own.
    ``max_tokens`` is how much a model may write, thought included, instead of the task's limit.
    Raises InvalidRelease for a setting or column that is not there, RunError for conditions that
    no item meets and prompts that break the contract.
    """
    document: Mapping[str, object] = cast(
        "Mapping[str, object]", release.benchmark.documents[task.name]
    )
    if prompt_file is not None:
        task, document = with_prompts(task, document, prompt_file)
    if setting not in task.prompts:
        raise InvalidRelease(
            f'the task {task.name} has no setting "{setting}". '
            f"{did_you_mean(setting, task.prompts)}"
        )
    task, document = with_groups(task, document, by)
    task = as_asked(task, setting)
    named = [condition.column for condition in where]
    try:
        everything = prompts.prepare(release, task, named)
    except InvalidBenchmark as error:
        if prompt_file is None and not named and not by:
            raise
        # Not the release but what was asked of it is at fault.
        faults = [f"{fault.message} {fault.hint}".strip() for fault in error.faults]
        begin = f"{prompt_file.path}: " if prompt_file else ""
        raise RunError("\n".join(f"{begin}{fault}" for fault in faults)) from error
    kept = matching(where, [item.row for item in everything])
    items = [item for item, keep in zip(everything, kept, strict=True) if keep]
    if max_tokens is not None:
        task = replace(task, answer=replace(task.answer, max_new_tokens=max_tokens))
    return Plan(
        release=release,
        task=task,
        setting=setting,
        items=sample(task, items, limit, seed),
        everything=everything,
        limit=limit,
        seed=seed,
        document=document,
        where=tuple(where),
        by=tuple(by),
        repeats=repeats,
        prompts=prompt_file,
        system_prompt=system_prompt,
    )


def _with_system(request: Request, text: str) -> Request:
    first, rest = request.messages[0], request.messages[1:]
    if first.role == "system":
        messages = (Message("system", f"{text}\n\n{first.content}"), *rest)
    else:
        messages = (Message("system", text), *request.messages)
    # Every request gets the same text, so that those which shared a beginning still do.
    return replace(request, messages=messages)


def folder(out: Path, model: str, task: str, setting: str) -> Path:
    """Where a run lies: ``OUT/MODEL/TASK/SETTING``, the model named by its last two parts.

    >>> folder(Path("runs"), "HuggingFaceTB/SmolLM2-135M", "entailment", "zero-shot").as_posix()
    'runs/HuggingFaceTB--SmolLM2-135M/entailment/zero-shot'
    """
    local = Path(model)
    name = local.name if local.is_absolute() or local.exists() else model.replace("/", "--")
    safe = re.sub(r"[^\w.@+=-]+", "-", name).strip(".-") or "model"
    return out / safe[:120] / task / setting


def perform(
    plan: Plan,
    backend: Backend,
    where: Path,
    advance: Advance | None = None,
    share: Share = WHOLE,
    max_errors: int | None = None,
) -> Result:
    """Ask what is not yet answered, score everything, and write the run's folder.

    Of several processes each asks its share, and the first waits for the others and writes;
    the result of the others has no scores. Requests that failed before are asked again. Raises
    RunError if the folder holds a run of something else, cannot be written, or another process
    writes it; ModelError if more than ``max_errors`` requests fail, or too many by ``Failures``.
    """
    try:
        where.mkdir(parents=True, exist_ok=True)
        with FileLock(where / share.lock, timeout=0):
            return _perform(plan, backend, where, advance, share, max_errors)
    except Timeout as error:
        raise RunError(f"{where}: another process is writing this run.") from error
    except OSError as error:
        raise RunError(f"{where}: cannot be written: {error.strerror or error}.") from error


def _perform(
    plan: Plan,
    backend: Backend,
    where: Path,
    advance: Advance | None,
    share: Share,
    max_errors: int | None,
) -> Result:
    identity = dict(backend.identity())
    if plan.system_prompt:
        identity["system_prompt"] = plan.system_prompt
    about = _about(plan, identity)
    _check_same(where, about)
    requests = plan.requests()
    content, name = plan.release.content, plan.task.name
    keys = [answer_key(content, name, identity, request) for request in requests]
    known = _known(where)
    replies = {n: known[key] for n, key in enumerate(keys) if _is_there(known.get(key))}
    reused = len(replies)
    started = time.monotonic()
    open_ = [n for n in range(len(requests)) if n not in replies]
    mine = share.of(open_)
    failures = Failures(len(mine), max_errors)
    _ask(requests, keys, mine, replies, backend, where / share.journal, advance, failures)
    if share.world > 1:
        if not share.is_first:
            return Result(where, {}, reused)
        total = len(requests)
        told = (lambda missing: advance(total - missing, total)) if advance else _silent
        wait_for(where, {keys[n] for n in open_}, told)
        known |= _known(where)
        replies = {n: known[key] for n, key in enumerate(keys)}
    seconds = time.monotonic() - started
    answered = _read(plan, requests, keys, replies)
    scores = _scores(plan, answered)
    write_whole(where / "predictions.parquet", lambda path: write_table(path, answered))
    write_json(where / "scores.json", {**about, **scores})
    asked = {"requests": len(requests), "asked": len(requests) - reused, "seconds": seconds}
    details = {"notes": dict(backend.notes()), **asked, "sorites": sorites_version()}
    write_json(where / "run.json", {**about, **details, "contract": plan.document})
    needed = set(keys)
    _keep(where, {key: reply for key, reply in known.items() if key not in needed})
    return Result(where, scores, reused)


def _is_there(reply: Reply | None) -> bool:
    """Whether a request needs not be asked: it was answered, or refused, and did not fail."""
    return reply is not None and reply.ended is not Ended.ERROR


def _silent(_: int) -> None:
    """Tell nobody."""


def _known(where: Path) -> dict[str, Reply]:
    """Every answer that the folder holds, in the table or in a journal."""
    known = read_replies(where / "predictions.parquet")
    for path in journals(where):
        known |= read_answers(path)
    return known


def _keep(where: Path, others: Mapping[str, Reply]) -> None:
    """Leave no journal but of answers that this run did not need, such as of a larger sample."""
    old = journals(where)
    if others:
        write_whole(where / "answers.jsonl", lambda path: write_answers(path, others))
    for path in old:
        if not (others and path.name == "answers.jsonl"):
            path.unlink(missing_ok=True)


def _about(plan: Plan, identity: Mapping[str, Scalar]) -> dict[str, object]:
    release = plan.release
    return {
        "run": 1,
        "release": {
            "name": release.name,
            "version": release.version,
            "content_sha256": release.content,
            "origin": release.origin,
            "repo": release.repo,
            "commit": release.commit,
        },
        "task": plan.task.name,
        "setting": plan.setting,
        "model": dict(identity),
        "items": len(plan.items),
        "items_in_release": len(plan.everything),
        "limit": plan.limit,
        "seed": plan.seed,
        "where": [str(condition) for condition in plan.where],
        "by": [list(columns) for columns in plan.by],
        "repeats": plan.repeats,
        "prompts_sha256": plan.prompts.digest(plan.setting) if plan.prompts else "",
    }


def _check_same(where: Path, about: Mapping[str, object]) -> None:
    path = where / "run.json"
    if not path.exists():
        return
    try:
        before = json.loads(path.read_bytes())
    except ValueError as error:
        raise RunError(f"{path}: not valid JSON: {error}. Choose another --out.") from error
    same = ("release", "task", "setting", "model", "prompts_sha256")
    changed = [part for part in same if _identity(before, part) != _identity(about, part)]
    if changed:
        raise RunError(
            f"{where}: holds a run with another {' and '.join(map(_in_words, changed))}. "
            "Choose another --out, or remove that folder."
        )


def _identity(about: Mapping[str, object], part: str) -> object:
    value = about.get(part)
    if part == "release" and isinstance(value, dict):
        return value.get("content_sha256")
    # Runs of an earlier version name no prompts of a file: there were none.
    return value or ""


def _in_words(part: str) -> str:
    return "prompt" if part == "prompts_sha256" else part


def _ask(
    requests: Sequence[Request],
    keys: Sequence[str],
    open_: Sequence[int],
    replies: dict[int, Reply],
    backend: Backend,
    journal: Path,
    advance: Advance | None,
    failures: Failures,
) -> None:
    if advance:
        advance(len(replies), len(requests))
    if not open_:
        return
    with Journal.open(journal) as stream:
        for place, reply in backend.answer([requests[n] for n in open_]):
            number = open_[place]
            stream.add(keys[number], reply)
            replies[number] = reply
            if advance:
                advance(len(replies), len(requests))
            failures.add(reply)


def _read(
    plan: Plan, requests: Sequence[Request], keys: Sequence[str], replies: Mapping[int, Reply]
) -> list[Answered]:
    task = plan.task
    selection = task.answer.selection
    plain = Reader(task.answer.labels, selection.marker if selection else None)
    reasoning = task.prompts[plan.setting].reasoning
    reader = LastAnswer(task.answer.labels, plain) if reasoning else plain
    items = {item.id: item for item in plan.items}
    return [
        Answered.read(task, reader, keys[n], items[request.id], request, replies[n])
        for n, request in enumerate(requests)
    ]


def _scores(plan: Plan, answered: Sequence[Answered]) -> dict[str, object]:
    predictions = [entry.prediction(plan.task) for entry in answered]
    scores = score(plan.task, predictions)
    counts = count_outcomes(entry.reading.outcome for entry in answered)
    scores |= {"outcomes": counts, "warnings": warn_of(counts)}
    if plan.repeats > 1:
        scores["repeats"] = repeated(plan.task, predictions)
    choices = [entry.reply.choice for entry in answered if entry.reply.choice is not None]
    constrained = [p for entry in answered if (p := entry.constrained(plan.task)) is not None]
    if constrained:
        scores["constrained"] = score(plan.task, constrained)
        ties = sum(choice.near_tie for choice in choices)
        scores["near_ties"] = {"count": ties, "share": ties / len(choices)}
        scores["mean_label_mass"] = sum(choice.mass for choice in choices) / len(choices)
    return scores


def sorites_version() -> str:
    """The installed version, or "unknown" in a checkout that is not installed."""
    try:
        return version("sorites-eval")
    except PackageNotFoundError:
        return "unknown"
