"""The registry's models and releases on the terminal, and as JSON."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from models.figures import figure
from models.protocol import RelatednessModel
from models.registry.records import ModelVersion, Release

_WIDTH = 120
"""How wide a table is where the terminal does not say how wide it is."""


def print_json(facts: object) -> None:
    """Print ``facts`` as JSON, readable by people."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(facts), indent=2).decode() + "\n")


def version_facts(model: ModelVersion, current: Release | None) -> dict[str, Any]:
    """What is known of a version, with its ref and whether it is in force."""
    in_force = current is not None and current.model_id == model.id
    return {"ref": model.ref, **msgspec.structs.asdict(model), "in_force": in_force}


def release_facts(release: Release) -> dict[str, Any]:
    """What is known of a release."""
    return msgspec.structs.asdict(release)


def show_versions(versions: Sequence[ModelVersion], current: Release | None) -> None:
    """Print a table of versions, the newest last."""
    if not versions:
        line(
            "No model yet: `wort models add` registers a file, and `wort retrain` makes one and registers it."
        )
        return
    run = ["run"] if any(model.run is not None for model in versions) else []
    table = plain_table("model", "Pearson", "Spearman", "pairs", "snapshot", "registered", "by", *run, "note")
    for model in versions:
        in_force = current is not None and current.model_id == model.id
        table.add_row(
            *cells(
                model.ref,
                number(model.metrics.get("pearson")),
                number(model.metrics.get("spearman")),
                f"{model.dataset.pairs:,}",
                model.snapshot,
                minute(model.created),
                model.who,
                *("" if model.run is None else str(model.run) for _ in run),
                model.note,
            ),
            style="bold" if in_force else "",
        )
    show_table(table)
    line(in_force_line(current))


def show_releases(log: Sequence[Release]) -> None:
    """Print a table of releases, the one in force last, and where their snapshots are."""
    if not log:
        line(in_force_line(None))
        return
    table = plain_table("release", "model", "at", "by", "reason")
    for release in log:
        restores = "" if release.restores is None else f" (as in release {release.restores})"
        restores = " (what ships with wort)" if release.shipped else restores
        table.add_row(
            *cells(
                str(release.number),
                release.model,
                minute(release.at),
                release.who,
                release.reason + restores,
            )
        )
    show_table(table)
    # Paths are copied: a line each, which nothing breaks.
    places: dict[tuple[str, str], list[int]] = {}
    for release in log:
        places.setdefault((release.snapshot_id, release.location), []).append(release.number)
    for (snapshot, folder), numbers in places.items():
        of = "Release" if len(numbers) == 1 else "Releases"
        line(f"{of} {_ranges(numbers)}: {snapshot} in {folder}")


def _ranges(numbers: Sequence[int]) -> str:
    """Rising numbers in words, those that follow one another as one.

    >>> _ranges([1, 2, 3, 7, 9, 10])
    '1 to 3, 7, 9 to 10'
    """
    runs: list[list[int]] = []
    for each in numbers:
        if runs and each == runs[-1][-1] + 1:
            runs[-1].append(each)
        else:
            runs.append([each])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def show_version(
    version: ModelVersion, model: RelatednessModel, releases: Sequence[Release], current: Release | None
) -> None:
    """Print all about a version: where it comes from, its figures, weights and releases."""
    data = version.dataset
    counts = [f"{data.pairs:,} pairs"]
    counts += [] if data.fitted is None else [f"{data.fitted:,} of them fitted"]
    counts += [] if data.topics is None else [f"{data.topics:,} topics"]
    reports = [("JSON", version.report_checksum), ("page", version.report_html_checksum)]
    facts = {
        "model": version.ref,
        "registered": f"{version.created} by {version.who}",
        "note": version.note,
        "trained on": f"{data.name}, {', '.join(counts)}",
        "checksum of the data": data.checksum,
        "snapshot": version.snapshot,
        "checksum of the file": version.checksum,
        "written": f"{model.created} by wort {model.code_version}",
        "retraining": "" if version.run is None else str(version.run),
        "reports": ", ".join(kind for kind, checksum in reports if checksum is not None),
    }
    facts |= {name.replace("_", " "): number(value) for name, value in version.metrics.items()}
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts.items():
        if value:
            table.add_row(*cells(name, value))
    show_table(table)
    weights = plain_table("feature", "transform", "weight")
    for each in model.coefficients:
        weights.add_row(*cells(each.feature, each.transform, figure(each.weight, "+.4f")))
    weights.add_row(*cells("", "intercept", figure(model.intercept, "+.4f")))
    show_table(weights)
    if releases:
        show_releases(releases)
    if current is not None and current.model_id == version.id:
        line(in_force_line(current))


def in_force_line(current: Release | None) -> str:
    """What is in force, in a sentence."""
    if current is None:
        return "No release yet: `wort models promote` puts a model in force."
    ships = ", what ships with wort" if current.shipped else ""
    release = f"release {current.number} of {minute(current.at)} by {current.who}"
    return f"In force: {current.model}{ships}, {release}."


def kept_in(address: str) -> str:
    """Where a registry is, in a sentence; ``address``: as ``Registry.address``, without a password."""
    return f"The registry is {address}."


def plain_table(*headings: str) -> Table:
    """An empty table; what is longer than its column goes on in the next line."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in headings:
        right = heading in {"Pearson", "Spearman", "pairs", "weight", "release", "difference", "run"}
        whole = heading in {"model", "registered", "at", "began", "state"}
        table.add_column(heading, justify="right" if right else "left", overflow="fold", no_wrap=whole)
    return table


def cells(*texts: str) -> list[Text]:
    """Texts as they are: square brackets in a name are no markup."""
    return [Text(text) for text in texts]


def number(value: float | None) -> str:
    """A figure to three places, a dash where it is undefined."""
    return "–" if value is None else f"{value:.3f}"


def minute(time: str) -> str:
    """A time of the registry, to the minute."""
    return time[:16].replace("T", " ")


def show_table(table: Table) -> None:
    """Print a table as wide as the terminal."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=_WIDTH)
    console.print(table)


def line(text: str) -> None:
    """Print a sentence."""
    Console().print(text, markup=False, highlight=False, soft_wrap=True)
