"""The schemas of releases."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from wort.schemas.described import ModelInfo, SnapshotInfo


class ReleaseInfo(msgspec.Struct, frozen=True):
    """A release: a model together with the snapshot that it was judged on, as the registry has it."""

    number: int
    model: Annotated[str, Meta(description="The model's name and version in the registry.")]
    snapshot: Annotated[str, Meta(description="The id of the snapshot.")]
    reason: Annotated[str, Meta(description="Why it was put in force.")]
    who: Annotated[str, Meta(description="Who put it in force.")]
    at: Annotated[str, Meta(description="When it was put in force.")]


Integrity = Literal["unverified", "checking", "verified", "damaged"]


class OfferedModel(msgspec.Struct, frozen=True, omit_defaults=True):
    """A model that a request may name."""

    name: Annotated[str, Meta(description="What a request names it by.")]
    of: Annotated[Literal["concepts", "terms"], Meta(description="What it scores pairs of.")]
    model: ModelInfo
    type: Annotated[str, Meta(description="Its kind: `linear`, or `log-logistic`.")]
    says: Annotated[str, Meta(description="What it is, in a sentence.")]
    metrics: Annotated[
        dict[str, float | None],
        Meta(description="Correlations and other figures of its predictions of pairs that it did not see."),
    ]
    default: Annotated[bool, Meta(description="Whether it answers who names none.")] = False
    interval: Annotated[
        float | None, Meta(description="The level of its intervals, 0.9 for nine of ten; absent without any.")
    ] = None
    trouble: Annotated[
        str | None, Meta(description="Why it cannot be asked here: what it reads that is missing.")
    ] = None


class Served(msgspec.Struct, frozen=True, omit_defaults=True):
    """What answers requests here."""

    model: ModelInfo
    snapshot: SnapshotInfo
    since: Annotated[str, Meta(description="Since when it answers: ISO 8601, UTC.")]
    release: Annotated[
        ReleaseInfo | None, Meta(description="The release that it is, where it is from a registry.")
    ] = None
    terms: Annotated[ModelInfo | None, Meta(description="The model that scores free terms.")] = None
    integrity: Annotated[
        Integrity | None,
        Meta(
            description="Whether the files of the snapshot have the checksums that they were written with: "
            "`unverified` before they are read, `checking` meanwhile, `verified`, or `damaged`. Of a damaged "
            "snapshot nothing is answered."
        ),
    ] = None
    damage: Annotated[str | None, Meta(description="What is damaged.")] = None
    models: Annotated[tuple[OfferedModel, ...], Meta(description="The models that a request may name.")] = ()


class Refused(msgspec.Struct, frozen=True):
    """A release that was put in force and cannot be served."""

    release: ReleaseInfo
    reason: Annotated[str, Meta(description="What is wrong with it.")]
    at: Annotated[str, Meta(description="When it was refused: ISO 8601, UTC.")]


class Following(msgspec.Struct, frozen=True, omit_defaults=True):
    """How new releases are found."""

    registry: Annotated[
        str, Meta(description="The registry: its URL without a password, or its file's name.")
    ]
    seconds: Annotated[
        float, Meta(description="How often it is asked; 0 where it was asked at the start alone.")
    ]
    opening: Annotated[
        int | None, Meta(description="The number of the release that is being opened and checked now.")
    ] = None
    problem: Annotated[
        str | None,
        Meta(
            description="Why the registry cannot be asked at present, or why its newest release could not be "
            "opened and is tried again."
        ),
    ] = None


class ModelsResponse(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one worker process serves, and what it follows."""

    served: Served
    worker: Annotated[int, Meta(description="The id of the process that answers.")]
    following: Annotated[
        Following | None, Meta(description="Absent where the server was told what to serve.")
    ] = None
    refused: Annotated[Refused | None, Meta(description="The last release that was refused.")] = None
