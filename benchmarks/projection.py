"""What a build of a whole Wikipedia takes, from builds of synthetic wikis that were measured.

    python -m benchmarks.projection --json benchmarks/results/projection.json

Each stage's time on the larger wiki is multiplied by the ratio of articles; the power that it was seen to
grow with from one size to the other is shown beside it. A run with one worker beside one with two gives the
share of a stage's work that workers divide between them (Amdahl 1967); the rest stays as it is on any number
of processors.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from benchmarks.pages import RESULTS
from benchmarks.report import Cell, Report, Table, new_report, publish, read_report

MEASURED_WORKERS = 2
PROCESSORS = (2, 16, 64)
ARTICLES = 7_000_000
COMPRESSED_GB = 25.0
"""English Wikipedia in 2026, by the size of its multistream dump of articles."""


LINEAR = "together, if all grew linearly"
"""A power that was seen between two small sizes may not hold up to a large one: this is the other end."""


class Stage(NamedTuple):
    """A stage as it was measured: seconds on the larger wiki, the power it grows with, its divided share."""

    name: str
    seconds: float
    power: float
    divided: float

    def hours(self, growth: float, processors: int) -> float:
        """How long it takes on ``growth`` times as many articles."""
        alone = 1 - self.divided
        share = (alone + self.divided / processors) / (alone + self.divided / MEASURED_WORKERS)
        return self.seconds * growth * share / 3600


def divided_share(one_worker: float, two_workers: float) -> float:
    """The share of the work that workers divide, from the times with one and with two.

    One worker takes s + w, two take s + w/2, where w is divided and s is not.

    >>> divided_share(10.0, 5.0), divided_share(10.0, 7.5), divided_share(10.0, 11.0)
    (1.0, 0.5, 0.0)
    """
    return min(1.0, max(0.0, 2 * (one_worker - two_workers) / one_worker))


def stages_of(scale: Report, alone: Report) -> tuple[list[Stage], int]:
    """The stages of the builds in ``scale``, and the articles of the larger one.

    ``alone``: a build of the smaller size with one worker.
    """
    seconds, one = scale.table("seconds"), alone.table("seconds")
    smaller, larger = seconds.columns[1], seconds.columns[-2]
    stages = []
    for row in seconds.rows:
        name = str(row[0])
        divided = divided_share(one.figure(name, smaller) or 1.0, seconds.figure(name, smaller) or 1.0)
        power = seconds.figure(name, "exponent")
        stages.append(Stage(name, seconds.figure(name, larger), power, divided))
    return stages, int(larger.replace(",", ""))


def hours_table(stages: list[Stage], growth: float) -> Table:
    """Hours by stage and processors."""
    rows: list[tuple[Cell, ...]] = [
        (stage.name, *(stage.hours(growth, processors) for processors in PROCESSORS)) for stage in stages
    ]
    together = (sum(stage.hours(growth, processors) for stage in stages) for processors in PROCESSORS)
    rows.append(("together", *together))
    columns = ("stage", *(f"{processors} processors, hours" for processors in PROCESSORS))
    return Table("hours", "A build of English Wikipedia", columns, rows)


def arithmetic_table(stages: list[Stage], articles: int) -> Table:
    """What the hours are computed from."""
    rows: list[tuple[Cell, ...]] = [
        (stage.name, stage.seconds, stage.power, stage.divided) for stage in stages
    ]
    columns = ("stage", f"seconds, {articles:,} articles, 2 workers", "grew with the power", "divided share")
    note = (
        f"hours = seconds × ({ARTICLES:,} / {articles:,}) × (1 − d + d / processors) / (1 − d + d / 2) "
        "/ 3,600, with d the divided share"
    )
    return Table("arithmetic", "From which it follows", columns, rows, note)


def space_table(scale: Report) -> Table:
    """The snapshot's tables at full size, each by the power that it was seen to grow with."""
    sizes = scale.table("tables")
    larger = sizes.columns[-2]
    growth = ARTICLES / int(larger.replace(",", ""))
    rows: list[tuple[Cell, ...]] = []
    whole = linear = 0.0
    for row in sizes.rows:
        name = str(row[0])
        measured, power = sizes.figure(name, larger), sizes.figure(name, "exponent")
        projected = measured * float(growth**power) / 1000
        whole, linear = whole + projected, linear + measured * growth / 1000
        rows.append((name, measured, power, projected))
    rows += [("together", None, None, whole), (LINEAR, None, 1.0, linear)]
    columns = ("table", f"{larger} articles, MB", "grows with the power", f"{ARTICLES:,} articles, GB")
    return Table("space", "The snapshot of English Wikipedia", columns, rows)


def main(
    scale: Annotated[
        Path, typer.Option(help="The report of benchmarks.scale_build at two sizes, with two workers.")
    ] = RESULTS / "scale_build.json",
    alone: Annotated[Path, typer.Option(help="That of the smaller size, with one worker.")] = RESULTS
    / "scale_build_one_worker.json",
    json: Annotated[Path | None, typer.Option(help="Write the report there.")] = None,
) -> None:
    """Project the build of English Wikipedia from what was measured."""
    measured = read_report(scale)
    stages, articles = stages_of(measured, read_report(alone))
    sizes = measured.table("sizes")
    dump = float(sizes.rows[-1][sizes.columns.index("dump, MB")] or 0)
    tables = [
        hours_table(stages, ARTICLES / articles),
        space_table(measured),
        arithmetic_table(stages, articles),
    ]
    note = (
        f"The synthetic dump has {dump * 1000 / articles:.1f} KB an article, compressed, with all its pages; "
        f"that of English Wikipedia {COMPRESSED_GB * 1e6 / ARTICLES:.1f} KB."
    )
    subject = f"projected from {measured.subject}, measured {measured.date}"
    publish(new_report("projection", subject, tables, [note]), json)


if __name__ == "__main__":
    typer.run(main)
