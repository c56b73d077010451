"""Ask a model: ``tasks`` and ``run``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sorites_eval.commands.arguments import (
    ByOption,
    LimitOption,
    ReleaseArgument,
    SeedOption,
    WhereOption,
)

if TYPE_CHECKING:
    from rich.console import Console

    from sorites_eval.backends.options import Options
    from sorites_eval.backends.protocol import Backend
    from sorites_eval.running.run import Plan

__all__ = ["run", "tasks"]


def tasks(release: ReleaseArgument) -> None:
    """Show what a release asks: its tasks, settings, labels and scores."""
    from rich.console import Console

    from sorites_eval.contract.release import open_release
    from sorites_eval.reporting import tables

    Console().print(tables.tasks(open_release(release)))


def run(
    release: ReleaseArgument,
    model: Annotated[
        str,
        typer.Option(
            help="random, prior, majority, oracle; a folder; a .gguf file; ORG/NAME[@REVISION] "
            "on the Hub; vllm:MODEL to run a folder or a Hub model with vLLM; openai:MODEL behind "
            "an endpoint; any-llm:PROVIDER:MODEL of Anthropic, Google and others; classifier:MODEL "
            "for a classification head; python:package.module:name for a model of your own."
        ),
    ],
    out: Annotated[Path, typer.Option(help="Runs are written to OUT/MODEL/TASK/SETTING.")],
    task: Annotated[
        list[str] | None, typer.Option(help="A task; may be repeated. Default: every task.")
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            help="A setting; may be repeated. Default: zero-shot if there is one, else the first."
        ),
    ] = None,
    limit: LimitOption = None,
    seed: SeedOption = 0,
    batch_size: Annotated[int, typer.Option(min=1, help="Rows a pass; changes no answer.")] = 16,
    dtype: Annotated[
        str, typer.Option(help="auto, float32, bfloat16 or float16; auto is float32 on a CPU.")
    ] = "auto",
    device_map: Annotated[
        str | None, typer.Option(help="As in transformers, for instance auto to use every GPU.")
    ] = None,
    decode: Annotated[
        bool,
        typer.Option("--decode", help="Let the model write also where labels could be scored."),
    ] = False,
    chat: Annotated[
        bool | None,
        typer.Option("--chat/--no-chat", help="Use the chat template. Default: if there is one."),
    ] = None,
    trust_remote_code: Annotated[
        bool, typer.Option("--trust-remote-code", help="Run Python code that the model brings.")
    ] = False,
    model_args: Annotated[
        str, typer.Option(help="As JSON: arguments of from_pretrained, fields of its config.")
    ] = "{}",
    generation_args: Annotated[
        str, typer.Option(help="As JSON: fields of transformers' GenerationConfig, for writing.")
    ] = "{}",
    chat_template_args: Annotated[
        str, typer.Option(help="As JSON: variables of the chat template.")
    ] = "{}",
    base_url: Annotated[
        str | None, typer.Option(help="openai: an endpoint's address. Default: OPENAI_BASE_URL.")
    ] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="openai: requests at a time.")] = 8,
    logprobs: Annotated[
        bool, typer.Option("--logprobs", help="openai: ask for the labels' probabilities too.")
    ] = False,
    batch: Annotated[
        bool, typer.Option("--batch", help="openai: submit one batch, wait for it, collect.")
    ] = False,
    price: Annotated[
        tuple[float, float] | None,
        typer.Option(help="openai: dollars a million tokens read and written, for an estimate."),
    ] = None,
    where: WhereOption = None,
    by: ByOption = None,
    repeats: Annotated[int, typer.Option(min=1, help="Answers to each item.")] = 1,
    temperature: Annotated[
        float | None,
        typer.Option(min=0, help="Draw answers at a temperature. Default: the most probable one."),
    ] = None,
    prompts: Annotated[
        Path | None,
        typer.Option(help="Settings of your own: a YAML file as the section prompts of a task."),
    ] = None,
    log: Annotated[
        str | None, typer.Option(help="trackio:PROJECT: log the scores of each run there too.")
    ] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option(min=1, help="Tokens to write, thought included. Default: as the task says."),
    ] = None,
    reasoning_effort: Annotated[
        str | None, typer.Option(help="How much a thinking model thinks: low, medium, high, …")
    ] = None,
    system_prompt: Annotated[
        str | None,
        typer.Option(help="Text, or a file with it, before the task's own instructions."),
    ] = None,
    max_errors: Annotated[
        int | None,
        typer.Option(min=0, help="Stop when more items fail. Default: a quarter, at least 20."),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(min=0, help="openai: stop before more dollars are spent; needs --price."),
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=1, help="openai: seconds for one answer, or for a stall in it.")
    ] = 600.0,
    drop_field: Annotated[
        list[str] | None,
        typer.Option(help="openai: leave a field out of requests; may be repeated."),
    ] = None,
    add_field: Annotated[
        list[str] | None,
        typer.Option(help="openai: KEY=JSON, a field to send as well; may be repeated."),
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option(
            help="ray: the model on each worker of a Ray cluster. Default: in this process."
        ),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(help="ray: the cluster's address. Default: one of this machine is started."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="ray: how many. Default: one a GPU, without any one a machine."),
    ] = None,
) -> None:
    """Put the items of a release to a model, and score its answers.

    The same command goes on where an interrupted run stopped. Under accelerate launch the
    processes share the items, with --engine ray the workers of a cluster.
    """
    from rich.console import Console

    from sorites_eval.backends.opening import Options, kind_of
    from sorites_eval.backends.replicas.engine import opener
    from sorites_eval.commands.asking import added_fields, system_text
    from sorites_eval.commands.json_option import json_object
    from sorites_eval.commands.terminal import progress, watch
    from sorites_eval.contract.release import open_release
    from sorites_eval.errors import RunError
    from sorites_eval.evaluation import open_model, plans
    from sorites_eval.reporting import tables
    from sorites_eval.reporting.tracking import open_tracker
    from sorites_eval.running.finished import read_run
    from sorites_eval.running.processes import Share
    from sorites_eval.running.run import perform

    tracker = open_tracker(log) if log is not None else None
    share = Share.from_environment()
    if engine is not None and share.world > 1:
        raise RunError(
            "--engine ray shares the items itself: start the command without a launcher."
        )
    console = Console(quiet=not share.is_first)
    opened = open_release(release)
    options = Options(
        seed=seed,
        batch_size=batch_size,
        dtype=dtype,
        device_map=device_map,
        decode=decode,
        chat=chat,
        trust_remote_code=trust_remote_code,
        model_args=json_object(model_args, "--model-args"),
        generation_args=json_object(generation_args, "--generation-args"),
        chat_template_args=json_object(chat_template_args, "--chat-template-args"),
        base_url=base_url,
        concurrency=concurrency,
        logprobs=logprobs,
        batch=batch,
        temperature=temperature,
        reasoning_effort=reasoning_effort,
        drop_fields=tuple(drop_field or ()),
        add_fields=added_fields(add_field or ()),
        timeout=timeout,
        budget=budget,
        price=price,
        engine=engine,
        address=address,
        workers=workers,
    )
    planned_runs = plans(
        opened,
        task or (),
        setting or (),
        limit=limit,
        seed=seed,
        where=where or (),
        by=by or (),
        repeats=repeats,
        prompts=prompts,
        max_tokens=max_tokens,
        system_prompt=system_text(system_prompt),
    )
    tell = _teller(console)
    with opener(options) as opening:
        for planned in planned_runs:
            with console.status(f"Opening {model} …"):
                backend, place = open_model(model, planned, options, out, tell, opening)
            if kind_of(model).paid:
                console.print(_estimate(planned, price), highlight=False)
            with progress(console) as bar:
                job = bar.add_task(f"{planned.task.name} · {planned.setting}", total=None)
                result = perform(planned, backend, place, watch(bar, job), share, max_errors)
            options = _after(options, backend)
            if share.is_first:
                console.print(tables.scores(planned, backend, result))
                if tracker is not None:
                    tracker.log(read_run(place))


def _teller(console: Console) -> Callable[[str], None]:
    """What shows a line of the backend's as it is."""
    return lambda text: console.print(text, style="yellow", markup=False, highlight=False)


def _after(options: Options, backend: Backend) -> Options:
    """The options for the next task: of a budget, what is left."""
    spent = backend.notes().get("dollars")
    if options.budget is None or not isinstance(spent, int | float):
        return options
    return replace(options, budget=max(0.0, options.budget - spent))


def _estimate(planned: Plan, price: tuple[float, float] | None) -> str:
    from sorites_eval.backends.api.estimate import estimate

    return estimate(
        planned.requests(), planned.task.answer.max_new_tokens, *(price or (None, None))
    )
