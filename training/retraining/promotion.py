"""From a candidate to the registry, and through the gate into force, if it is let through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from features.catalogue import SIGNATURES
from models.errors import ModelError
from models.files import load, loads
from models.registry.errors import DamagedModel, StalePromotion
from models.registry.records import Dataset, ModelVersion, Outcome, Release
from models.registry.registry import Registry
from snapshots.errors import SnapshotError
from snapshots.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.retraining.in_force import InForce
from training.retraining.report import RetrainReport
from training.retraining.retrain import Retrained, Steps, compare_with, joined, not_compared

ATTEMPTS = 3
"""Releases that may come in between before a candidate is given up."""


@dataclass(frozen=True, slots=True)
class Starter:
    """What counts as in force where no release is registered: a name, a model file and its snapshot."""

    name: str
    model: Path
    snapshot: Path


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked, by ``who``, with a ``note``.

    ``forced``: the reason to promote whatever the gate says; ``only_register``: promote nothing.
    """

    who: str
    note: str = ""
    forced: str | None = None
    only_register: bool = False


@dataclass(frozen=True, slots=True)
class Settled:
    """How it ended, and why, in words; the registered version, the release if it is in force, the report."""

    outcome: Outcome
    message: str
    version: ModelVersion
    release: Release | None
    report: RetrainReport


class InForceUnusable(Exception):
    """The model or the snapshot in force cannot be opened."""


def settle(
    registry: Registry,
    retrained: Retrained,
    starter: Starter,
    wish: Wish,
    steps: Steps,
    page: Callable[[RetrainReport, Retrained], str | None],
    run: int | None = None,
) -> Settled:
    """Compare the candidate with what is in force, register it, and promote it if it is let through.

    Promotion is by compare-and-swap: if another release came in between, the candidate is compared with that
    one before it may take its place.

    Raises:
        RegistryError: the registry cannot be read or written.
    """
    release = registry.in_force()
    report = msgspec.structs.replace(
        _compared(registry, release, retrained, starter, steps), asked=_asked(wish)
    )
    registered = report
    steps.begin("registering")
    version = _registered(registry, retrained, report, page(report, retrained), wish, run)
    verdict = report.verdict
    if wish.only_register:
        return Settled("registered", f"Registered only, as asked. {verdict.reason}", version, None, report)
    for _ in range(ATTEMPTS):
        verdict = report.verdict
        told = verdict.reason + _compared_again(version, registered, report)
        if not verdict.passed and wish.forced is None:
            return Settled("refused", told, version, None, report)
        reason = told if wish.forced is None else f"{wish.forced} (Promoted as asked. The gate said: {told})"
        try:
            made = registry.promote(
                version.ref,
                snapshot_id=retrained.job.snapshot.id,
                location=str(retrained.job.snapshot.folder.resolve()),
                reason=reason,
                who=wish.who,
                expected=release.number if release is not None else 0,
                run=run,
            )
        except StalePromotion:
            release = registry.in_force()
            report = _compared(registry, release, retrained, starter, steps)
        else:
            return Settled("promoted", reason, version, made, report)
    message = f"Releases were made by others {ATTEMPTS} times while this one was compared. Run it again."
    return Settled("refused", message, version, None, report)


def open_in_force(
    registry: Registry, release: Release | None, starter: Starter, opened: Snapshot | None = None
) -> InForce:
    """The model in force, ready to predict; ``opened``: a snapshot that is open already.

    Raises:
        InForceUnusable: its model or its snapshot cannot be opened.
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
                raise InForceUnusable(
                    f"{release.location} holds the snapshot {snapshot.id}, and {release.snapshot_id} "
                    "was promoted."
                )
        if opened is not None and opened.id == snapshot.id:
            snapshot = opened
        resolver = Resolver.open(snapshot)
    except (SnapshotError, ModelError, DamagedModel) as error:
        raise InForceUnusable(f"what is in force cannot be opened: {error}") from error
    return InForce(name, release.number if release is not None else 0, model, snapshot, resolver, report)


def _asked(wish: Wish) -> str:
    """What is done whatever the gate says; empty where the gate decides."""
    if wish.only_register:
        return f"It is registered and not promoted, as {wish.who} asked."
    if wish.forced is not None:
        return f"It is promoted whatever the gate says, as {wish.who} asked. The reason: {wish.forced}"
    return ""


def _compared(
    registry: Registry, release: Release | None, retrained: Retrained, starter: Starter, steps: Steps
) -> RetrainReport:
    """The report on the candidate beside what is in force, also where that cannot be used."""
    try:
        in_force = open_in_force(registry, release, starter, retrained.job.snapshot)
    except InForceUnusable as error:
        name, snapshot = (starter.name, "") if release is None else (release.model, release.snapshot_id)
        return not_compared(retrained, name, 0 if release is None else release.number, snapshot, str(error))
    return compare_with(retrained, in_force, steps)


def _compared_again(version: ModelVersion, registered: RetrainReport, report: RetrainReport) -> str:
    """What a reader of the registered report must know where a release has come in between since."""
    if report is registered:
        return ""
    return (
        f" The report kept with {version.ref} is of the comparison with {registered.against.model}, "
        "before another release came in between."
    )


def _registered(
    registry: Registry,
    retrained: Retrained,
    report: RetrainReport,
    page: str | None,
    wish: Wish,
    run: int | None,
) -> ModelVersion:
    benchmark, trained_on = joined(retrained.job.sets), retrained.model.trained_on
    return registry.register(
        msgspec.json.format(msgspec.json.encode(retrained.model), indent=2) + b"\n",
        name=retrained.job.name,
        snapshot=retrained.job.snapshot.id,
        # Without the line ends and spaces that people like to read: they would be half of it.
        report=msgspec.json.encode(report),
        report_html=page,
        dataset=Dataset(
            benchmark.name,
            benchmark.checksum,
            trained_on.pairs,
            trained_on.fitted,
            trained_on.topics,
            trained_on.parts,
        ),
        who=wish.who,
        note=wish.note,
        run=run,
    )
