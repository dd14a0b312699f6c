"""What a registry holds, as the page of models shows it: read only, and only where there is one."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from app.serving.serving import Serving
from app.serving.source import Source
from app.settings import Settings
from app.web.problems import NOT_FOUND, ProblemError, registry_problems
from models.errors import ModelError
from models.files import decode
from models.protocol import RelatednessModel
from models.registry.errors import RegistryError
from models.registry.records import ModelVersion, Release
from models.registry.registry import Registry


class ReportedFigure(msgspec.Struct, frozen=True):
    """A correlation and its interval, as a report has them."""

    value: float | None = None
    low: float | None = None
    high: float | None = None


class ReportedCorrelations(msgspec.Struct, frozen=True):
    """One kind of correlation, over all pairs."""

    pooled: ReportedFigure


class ReportedMeasure(msgspec.Struct, frozen=True):
    """A feature or the model, judged."""

    name: str
    pearson: ReportedCorrelations


class ReportExcerpt(msgspec.Struct, frozen=True):
    """What a page reads of a report; it has much more."""

    measures: tuple[ReportedMeasure, ...] = ()


@dataclass(frozen=True, slots=True)
class RegistryListing:
    """The versions and the releases of a registry, the newest first; ``trouble`` where it cannot be asked."""

    versions: list[ModelVersion]
    releases: list[Release]
    trouble: str | None = None


@dataclass(frozen=True, slots=True)
class DescribedModel:
    """A model that a page describes. ``ref``: its version in the registry, None where it is from a file.

    ``measures``: each feature and the model, judged, where there is a report; ``page``: whether that is kept
    as a page too.
    """

    fitted: RelatednessModel
    ref: str | None = None
    measures: tuple[ReportedMeasure, ...] = ()
    page: bool = False


def followed(source: Source, settings: Settings) -> str | None:
    """The URL of the registry that ``source`` follows; None where it was told what to serve."""
    return None if source.describe().following is None else settings.registry


def listing(url: str) -> RegistryListing:
    """What the registry at ``url`` has; nothing where there is none yet."""
    try:
        lists = Registry.ask(url, lambda registry: (registry.versions()[::-1], registry.releases()[::-1]))
    except RegistryError as error:
        return RegistryListing([], [], str(error))
    return RegistryListing(*lists or ([], []))


def registered(url: str, ref: str) -> DescribedModel | None:
    """The version ``ref`` of a model; None where there is none, or its file cannot be read.

    Raises:
        RegistryError: the registry cannot be asked.
    """

    def described(registry: Registry) -> DescribedModel:
        version = registry.version(ref)
        fitted, report = decode(registry.artifact(version.ref)), registry.report(version.ref)
        return DescribedModel(
            fitted, version.ref, _measures(report), version.report_html_checksum is not None
        )

    try:
        return Registry.ask(url, described)
    except ModelError:
        return None


def described_model(serving: Serving, url: str | None, ref: str) -> DescribedModel:
    """The model of the version ``ref``, or the one in force where it is empty.

    ``url``: of the registry; None where there is none to ask.

    Raises:
        ProblemError: there is none of that name, or the registry cannot be asked.
    """
    named = ref or serving.scorer.model_info.version
    if url is not None and named:
        with registry_problems():
            described = registered(url, named)
        if described is not None:
            return described
    if ref:
        raise ProblemError(NOT_FOUND, f"There is no model {ref} in the registry of this server.")
    return DescribedModel(serving.scorer.model)


def report_page(url: str, ref: str) -> str | None:
    """The report on a version, as the page that was kept with it; None where there is none.

    Raises:
        RegistryError: the registry cannot be asked.
    """
    return Registry.ask(url, lambda registry: registry.report_html(ref))


def _measures(report: bytes | None) -> tuple[ReportedMeasure, ...]:
    if report is None:
        return ()
    try:
        return msgspec.json.decode(report, type=ReportExcerpt).measures
    except msgspec.DecodeError:
        # Reports are kept for ever, those of other versions of wort too.
        return ()
