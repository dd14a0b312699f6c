"""Two models of the registry side by side."""

from __future__ import annotations

from typing import Any

import msgspec

from app.cli.registry.tables import cells, line, number, plain_table, show_table
from models.figures import figure
from models.protocol import RelatednessModel
from models.registry.records import ModelVersion


class ComparedNumber(msgspec.Struct, frozen=True):
    """A number of the first model and of the second; None where a model has none."""

    name: str
    first: float | None
    second: float | None

    @property
    def difference(self) -> float | None:
        """By how much the second is larger."""
        return None if self.first is None or self.second is None else self.second - self.first


class VersionComparison(msgspec.Struct, frozen=True):
    """``facts``: what was trained on what, by whom. ``notes``: what a reader of the figures must know."""

    facts: tuple[tuple[str, str, str], ...]
    metrics: tuple[ComparedNumber, ...]
    weights: tuple[ComparedNumber, ...]
    notes: tuple[str, ...]


def comparison(
    versions: tuple[ModelVersion, ModelVersion], models: tuple[RelatednessModel, RelatednessModel]
) -> VersionComparison:
    """Compare two registered versions, given their models."""
    first, second = (_facts(version) for version in versions)
    metrics = [version.metrics for version in versions]
    weights = [_weights(model) for model in models]
    notes = []
    if versions[0].dataset.checksum != versions[1].dataset.checksum:
        notes.append("They were judged on different data: their figures do not say which one is better.")
    if versions[0].snapshot != versions[1].snapshot:
        notes.append(
            "They were trained on different snapshots: their figures and weights depend on these too."
        )
    return VersionComparison(
        tuple((name, first[name], second[name]) for name in first),
        _rows(metrics[0], metrics[1]),
        _rows(weights[0], weights[1]),
        tuple(notes),
    )


def show_comparison(compared: VersionComparison) -> None:
    """Print a comparison."""
    facts = plain_table("", *compared.facts[0][1:])
    for fact in compared.facts[1:]:
        if any(fact[1:]):
            facts.add_row(*cells(*fact), style="" if fact[1] == fact[2] else "bold")
    show_table(facts)
    figures = plain_table("figure", *compared.facts[0][1:], "difference")
    for row in compared.metrics:
        difference = "" if row.difference is None else figure(row.difference, "+.3f")
        figures.add_row(*cells(row.name.replace("_", " "), number(row.first), number(row.second), difference))
    show_table(figures)
    weights = plain_table("weight of", *compared.facts[0][1:], "difference")
    for row in compared.weights:
        shown = (
            "" if value is None else figure(value, "+.4f")
            for value in (row.first, row.second, row.difference)
        )
        weights.add_row(*cells(row.name, *shown))
    show_table(weights)
    for note in compared.notes:
        line(note)


def _facts(version: ModelVersion) -> dict[str, str]:
    data = version.dataset
    known: dict[str, Any] = {
        "model": version.ref,
        "registered": version.created,
        "by": version.who,
        "note": version.note,
        "data": data.name,
        "checksum of the data": data.checksum[:16],
        "pairs": data.pairs,
        "fitted": data.fitted,
        "topics": data.topics,
        "snapshot": version.snapshot,
    }
    return {name: "" if value is None else str(value) for name, value in known.items()}


def _weights(model: RelatednessModel) -> dict[str, float]:
    weights = {
        each.feature if each.transform == "identity" else f"{each.transform}({each.feature})": each.weight
        for each in model.coefficients
    }
    return {**weights, "intercept": model.intercept}


def _rows(first: dict[str, Any], second: dict[str, Any]) -> tuple[ComparedNumber, ...]:
    """A row for each name of either side, in the order of the first."""
    return tuple(ComparedNumber(name, first.get(name), second.get(name)) for name in {**first, **second})
