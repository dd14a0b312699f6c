"""From a challenger to the registry, and through the gate into force, if it is let through."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from features.catalogue import SIGNATURES
from models.errors import ModelError
from models.files import load, loads
from models.registry.errors import DamagedModel, StalePromotion
from models.registry.records import ModelVersion, Outcome, Release
from models.registry.registry import Registry
from snapshots.errors import SnapshotError
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.design import DESIGNS, Design, design_of
from training.left_out import weighs_cosines
from training.progress import Steps
from training.reports.page import render
from training.retraining.challenger import Challenger
from training.retraining.champion import Champion
from training.retraining.judging import compare_with, not_compared
from training.retraining.report import RetrainReport

ATTEMPTS = 3
"""Releases that may come in between before a challenger is given up."""


@dataclass(frozen=True, slots=True)
class Starter:
    """What counts as in force where no release is registered: a name, a model file and its snapshot."""

    name: str
    model: Path
    snapshot: Path


@dataclass(frozen=True, slots=True)
class PromotionPolicy:
    """What shall become of a challenger, as ``who`` asks, with a ``note``: the gate decides, unless they do.

    ``forced``: the reason to promote whatever the gate says; ``only_register``: promote nothing.
    """

    who: str
    note: str = ""
    forced: str | None = None
    only_register: bool = False


@dataclass(frozen=True, slots=True)
class RetrainingResult:
    """How it ended, and why, in words: the registered version, the release if it is in force, the report.

    ``report`` is of the last comparison; ``run``: the number of the retraining, None where none was recorded.
    """

    outcome: Outcome
    message: str
    challenger: Challenger
    version: ModelVersion
    release: Release | None
    report: RetrainReport
    run: int | None = None

    def page(self) -> str:
        """The report as a page."""
        return render(self.report, self.challenger.predictions)


class ChampionUnusable(Exception):
    """The champion or its snapshot cannot be opened."""


def settle(
    registry: Registry,
    challenger: Challenger,
    starter: Starter,
    policy: PromotionPolicy,
    steps: Steps,
    run: int | None = None,
) -> RetrainingResult:
    """Compare the challenger with the champion, register it, and promote it if it is let through.

    Promotion is by compare-and-swap: if another release came in between, the challenger is compared with that
    one before it may take its place.

    Raises:
        RegistryError: the registry cannot be read or written.
    """
    job = challenger.job

    def compared(release: Release | None) -> RetrainReport:
        """The report on the challenger beside the champion, also where that cannot be used."""
        try:
            champion = open_champion(registry, release, starter, job.snapshot)
        except ChampionUnusable as error:
            name, snapshot = (starter.name, "") if release is None else (release.model, release.snapshot_id)
            number = 0 if release is None else release.number
            return not_compared(challenger, name, number, snapshot, str(error))
        return compare_with(challenger, champion, steps)

    release = registry.in_force()
    report = registered = msgspec.structs.replace(compared(release), asked=_asked(policy))
    steps.begin("registering")
    version = registry.register(
        challenger.model.encoded(),
        name=job.name,
        snapshot=job.snapshot.id,
        # Without the line ends and spaces that people like to read: they would be half of it.
        report=msgspec.json.encode(report),
        report_html=render(report, challenger.predictions),
        dataset=challenger.model.trained_on,
        who=policy.who,
        note=policy.note,
        run=run,
    )

    def ended(outcome: Outcome, message: str, made: Release | None = None) -> RetrainingResult:
        return RetrainingResult(outcome, message, challenger, version, made, report, run)

    if policy.only_register:
        return ended("registered", f"Registered only, as asked. {report.verdict.reason}")
    for _ in range(ATTEMPTS):
        message = report.verdict.reason
        if report is not registered:
            message += (
                f" The report kept with {version.ref} is of the comparison with {registered.against.model}, "
                "before another release came in between."
            )
        if not report.verdict.passed and policy.forced is None:
            return ended("refused", message)
        if policy.forced is not None:
            message = f"{policy.forced} (Promoted as asked. The gate said: {message})"
        try:
            made = registry.promote(
                version.ref,
                snapshot_id=job.snapshot.id,
                location=str(job.snapshot.folder.resolve()),
                reason=message,
                who=policy.who,
                expected=release.number if release is not None else 0,
                run=run,
            )
        except StalePromotion:
            release = registry.in_force()
            report = compared(release)
        else:
            return ended("promoted", message, made)
    return ended(
        "refused",
        f"Releases were made by others {ATTEMPTS} times while this one was compared. Run it again.",
    )


def open_champion(
    registry: Registry, release: Release | None, starter: Starter, opened: Snapshot | None = None
) -> Champion:
    """The champion, ready to predict; ``opened``: a snapshot that is open already.

    Raises:
        ChampionUnusable: its model or its snapshot cannot be opened.
    """
    try:
        if release is None or release.shipped:
            snapshot = Snapshot.open(starter.snapshot)
            model, name, report = load(starter.model, SIGNATURES), starter.name, None
        else:
            snapshot = Snapshot.open(Path(release.location))
            model, name = loads(registry.artifact(release.model), SIGNATURES), release.model
            report = registry.report(release.model)
            if snapshot.id != release.snapshot_id:
                raise ChampionUnusable(
                    f"{release.location} holds the snapshot {snapshot.id}, and {release.snapshot_id} "
                    "was promoted."
                )
        if opened is not None and opened.id == snapshot.id:
            snapshot = opened
        resolver = Resolver.open(snapshot)
    except (SnapshotError, ModelError, DamagedModel) as error:
        raise ChampionUnusable(f"what is in force cannot be opened: {error}") from error
    return Champion(name, release.number if release is not None else 0, model, snapshot, resolver, report)


def design_in_force(
    registry: Registry, release: Release | None, starter: Starter, snapshot: Snapshot
) -> Design:
    """The design of the champion, so that a challenger is told apart by what it learnt from.

    It is the default one where the champion's cannot be opened or told, and where it weighs an encoder's
    cosines and the ``snapshot`` has none.
    """
    try:
        of_release = release is not None and not release.shipped
        model = (
            loads(registry.artifact(release.model), SIGNATURES)
            if release is not None and of_release
            else load(starter.model, SIGNATURES)
        )
    except (ModelError, DamagedModel):
        return DESIGNS["default"]
    design = design_of(model)
    if design is None or (weighs_cosines(design) and "encoder" not in snapshot.manifest.settings):
        return DESIGNS["default"]
    return design


def _asked(policy: PromotionPolicy) -> str:
    """What is done whatever the gate says; empty where the gate decides."""
    if policy.only_register:
        return f"It is registered and not promoted, as {policy.who} asked."
    if policy.forced is not None:
        return f"It is promoted whatever the gate says, as {policy.who} asked. The reason: {policy.forced}"
    return ""
