"""Train on a release instead of asking: ``train`` and ``bilinear``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from sorites_eval.commands.arguments import ReleaseArgument

__all__ = ["bilinear", "train"]

TaskOption = Annotated[str, typer.Option(help="The task.")]


def train(
    release: ReleaseArgument,
    task: TaskOption,
    model: Annotated[
        str, typer.Option(help="lstm, or a pretrained model: a folder or ORG/NAME on the Hub.")
    ],
    out: Annotated[Path, typer.Option(help="Folder for tables and figures.")],
    training_set: Annotated[
        str | None, typer.Option("--set", help="A training set. Default: the first.")
    ] = None,
    curve: Annotated[
        list[str] | None,
        typer.Option(help="A curve: train again for each of its steps. May be repeated."),
    ] = None,
    steps: Annotated[
        str | None, typer.Option(help="Steps of the curve: 0,1,4. Default: all.")
    ] = None,
    runs: Annotated[int, typer.Option(min=1, help="Models to train, each from its own seed.")] = 5,
    seed: Annotated[int, typer.Option(help="Seed of the first run.")] = 0,
    epochs: Annotated[
        int | None,
        typer.Option(min=1, help="At most; training ends when validation no longer rises."),
    ] = None,
    batch: Annotated[int | None, typer.Option(min=1, help="Rows at once.")] = None,
    learning_rate: Annotated[float | None, typer.Option(help="Of Adam, at its highest.")] = None,
    dropout: Annotated[
        str | None,
        typer.Option(
            help="Share dropped from the output; of several, 0,0.1,0.2, the best is kept."
        ),
    ] = None,
    vectors: Annotated[
        Path | None, typer.Option(help="Word vectors for the LSTM, a file as GloVe's.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Most rows to train on.")] = None,
    others: Annotated[
        str | None, typer.Option(help="Another data set of inferences to mix in: a file, a name.")
    ] = None,
    others_limit: Annotated[int | None, typer.Option(min=1, help="Most rows of the other.")] = None,
    only_others: Annotated[
        bool, typer.Option("--only-others", help="Train on the other data set alone.")
    ] = False,
    main: Annotated[
        Path | None,
        typer.Option(help="Folder of the main training: show the differences from it."),
    ] = None,
) -> None:
    """Train classifiers on a release and score them on its test set."""
    from rich.console import Console
    from rich.markdown import Markdown

    from sorites_eval.commands.numbers import drop_outs, rate, whole_numbers
    from sorites_eval.commands.terminal import progress, written
    from sorites_eval.contract.release import open_release
    from sorites_eval.files import check_folder
    from sorites_eval.training import training_run
    from sorites_eval.training.results import growth_tables, summary_table

    check_folder(out)
    opened = open_release(release)
    request = training_run.Request(
        model=model,
        training_set=training_set,
        runs=runs,
        seed=seed,
        epochs=epochs,
        batch=batch,
        learning_rate=rate(learning_rate),
        dropout=drop_outs(dropout),
        vectors=vectors,
        limit=limit,
        others=others,
        others_limit=others_limit,
        only_others=only_others,
        curves=tuple(curve or ()),
        steps=whole_numbers("--steps", steps),
        main=main,
    )
    console = Console()
    with progress(console) as bar:

        def started(total: int) -> Callable[[int], None]:
            job = bar.add_task(f"{task} · epochs", total=total)
            return lambda done: bar.advance(job, done)

        trained = training_run.train(opened, opened.task(task), request, started)
    training_run.write(trained, out)
    if trained.growths:
        console.print(Markdown(growth_tables(trained.growths, trained.by)))
    else:
        console.print(Markdown(summary_table(trained.summaries, trained.by, trained.main)))
    written(out)


def bilinear(
    release: ReleaseArgument,
    task: TaskOption,
    embeddings: Annotated[
        str, typer.Option(help="A sentence-transformers model, or an .npz of texts and vectors.")
    ],
    texts: Annotated[tuple[str, str], typer.Option(help="The columns of the two texts.")],
    members: Annotated[
        tuple[str, str], typer.Option(help="The columns with the ids of what they describe.")
    ],
    out: Annotated[Path, typer.Option(help="Folder for bilinear.json and bilinear.md.")],
    prefix: Annotated[str, typer.Option(help='Before each text, such as "query: ".')] = "",
    seed: Annotated[int, typer.Option(help="Seed of folds and training.")] = 0,
) -> None:
    """Cross-validate a bilinear classifier over sentence embeddings."""
    from rich.console import Console
    from rich.markdown import Markdown

    from sorites_eval.commands.terminal import progress, written
    from sorites_eval.contract.release import open_release
    from sorites_eval.files import check_folder
    from sorites_eval.training.bilinear import Settings
    from sorites_eval.training.bilinear_report import bilinear_table, run_bilinear

    check_folder(out)
    opened = open_release(release)
    settings = Settings(seed=seed)
    console = Console()
    with progress(console) as bar:
        job = bar.add_task(f"{task} · folds", total=settings.repetitions * settings.folds)
        scores = run_bilinear(
            opened,
            opened.task(task),
            embeddings=embeddings,
            prefix=prefix,
            texts=texts,
            members=members,
            settings=settings,
            out=out,
            advance=lambda done: bar.advance(job, done),
        )
    console.print(Markdown(bilinear_table(scores)))
    written(out)
