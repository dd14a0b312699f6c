"""What a registry holds, as the page of models shows it: read only, and only where there is one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec

from app.errors import AppError, UnknownModelName
from app.scoring.offered import NAMES
from app.serving.models import ModelOf
from app.serving.serving import Serving
from app.serving.source import Source
from app.settings import Settings
from app.web.problems import NO_TERM_MODEL, NOT_FOUND, ProblemError, registry_problems
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
    as a page too. ``answers``: whether it is what answers where no model is named.
    """

    fitted: RelatednessModel
    ref: str | None = None
    measures: tuple[ReportedMeasure, ...] = ()
    page: bool = False
    answers: bool = True


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


def described_model(serving: Serving, url: str | None, name: str, of: ModelOf = "concepts") -> DescribedModel:
    """The model of this name, as requests have it or of a version; the one in force where it is empty.

    ``url``: of the registry; None where there is none to ask. ``of``: what a model scores that comes with
    wort, where two have the same name.

    Raises:
        ProblemError: there is none of that name, or the registry cannot be asked.
    """
    in_force = serving.scorer.model_info.version
    ref = name or (in_force if of == "concepts" else None)
    # Requests take such a name for what comes with wort, whatever a registry has.
    if url is not None and ref and ref not in NAMES:
        with registry_problems():
            described = registered(url, ref)
        if described is not None:
            return replace(described, answers=described.ref == in_force)
    try:
        fitted = serving.models.described(name or None, of)
    except UnknownModelName as error:
        beside = "" if url is None else " The registry of this server has no such model, either."
        raise ProblemError(NOT_FOUND, f"T{str(error)[1:]}{beside}") from None
    except (AppError, ModelError) as error:
        raise ProblemError(NO_TERM_MODEL, str(error)) from error
    return DescribedModel(fitted, answers=fitted == serving.models.described(None, of))


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
