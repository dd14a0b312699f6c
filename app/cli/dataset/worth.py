"""``wort dataset select worth``: of many pairs, those that are worth a person's time."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from app.cli.answering import asked
from app.cli.dataset.select import Output, Quiet, Seed, check_new_folder, written
from app.cli.progress import steps
from app.cli.settings import AskedModel, AskedSnapshot

if TYPE_CHECKING:
    from app.scoring.concepts import Scorer
    from datasets.worth.selecting import Predicted
    from training.progress import Steps
    from wort.schemas.relatedness import PairResult

CALL = 1_000
"""Pairs that are explained at once."""


def worth(
    pairs: Annotated[Path, typer.Argument(help="A CSV file of many pairs, with columns left and right.")],
    output: Output,
    number: Annotated[int, typer.Option(help="How many pairs to choose.", min=1)] = 300,
    strategy: Annotated[
        Literal["spread", "unsure", "disagreement", "evenly"],
        typer.Option(
            help="Equally many in each range of predicted scores; where the model's interval is widest; "
            "where texts and links say different things; or all alike."
        ),
    ] = "spread",
    evenly: Annotated[
        float, typer.Option(help="The share that is drawn evenly, whatever the strategy.", min=0.01, max=1.0)
    ] = 0.5,
    snapshot: AskedSnapshot = None,
    model: AskedModel = None,
    seed: Seed = 1,
    quiet: Quiet = False,
) -> None:
    """Of many pairs, those that are worth a person's time, by the model in force or another.

    Each chosen pair has a weight, which is how many of all it stands for: weighted means and correlations are
    those of all pairs.
    """
    from datasets.selection.errors import UnusableInput
    from datasets.worth.selecting import ADDED, WorthSettings, select_by_worth

    check_new_folder(output)
    with pairs.open(newline="", encoding="utf-8-sig") as file:
        header, *rows = list(csv.reader(file)) or [[]]
    lacking = {"left", "right"} - set(header)
    if lacking or set(header) & set(ADDED):
        raise UnusableInput(
            f"{pairs} has the columns {', '.join(header) or 'of an empty file'}. It needs left and right, "
            f"and none of {', '.join(ADDED)}, which are written."
        )
    uneven = [line for line, row in enumerate(rows, start=2) if len(row) != len(header)]
    if uneven:
        raise UnusableInput(f"{pairs}, row {uneven[0]}: it has not as many fields as the header.")
    scorer = asked(snapshot, model).scorer
    left, right = header.index("left"), header.index("right")
    with steps(quiet) as shown:
        predicted = _predicted(scorer, [(row[left], row[right]) for row in rows], shown)
    selection = select_by_worth(
        header,
        [tuple(row) for row in rows],
        predicted,
        WorthSettings(strategy, number, evenly),
        seed,
        {"snapshot": scorer.snapshot.id, "model": scorer.model_info.name, "candidates": pairs.name},
    )
    if (left_out := selection.counts["without_a_prediction"]) and not quiet:
        typer.echo(f"wort: {left_out:,} pairs have no score, since a side names no concept.", err=True)
    written(selection, output)


def _predicted(scorer: Scorer, pairs: Sequence[tuple[str, str]], shown: Steps) -> Predicted:
    import numpy as np

    from datasets.worth.selecting import Predicted

    shown.begin("scoring", "pairs")
    rows: list[tuple[float, ...]] = []
    for begin in range(0, len(pairs), CALL):
        results = scorer.score(pairs[begin : begin + CALL], explain=True)
        rows.extend(tuple(_of_result(result)) for result in results)
        shown.advance_to(len(rows), len(pairs))
    return Predicted(*np.array(rows, np.float64).reshape(-1, 5).T)


def _of_result(result: PairResult) -> Iterator[float]:
    """Score, the ends of its interval, and what texts and all else add; NaN for what is not known."""
    from training.left_out import OF_CONCEPTS

    explained = result.explanation
    if result.score is None or explained is None:
        # Nobody is asked whether a concept is related to itself.
        yield from [math.nan] * 5
        return
    yield result.score
    yield from (
        (math.nan, math.nan) if result.interval is None else (result.interval.low, result.interval.high)
    )
    for of_texts in (True, False):
        yield math.fsum(
            each.contribution for each in explained.contributions if (each.feature in OF_CONCEPTS) == of_texts
        )
