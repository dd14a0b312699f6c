"""Pairs of concepts: what is asked, and what is answered."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from app.wire.described import ModelInfo, SnapshotInfo
from tables.resolver import Matched, Status

PairStatus = Literal["ok", "identical", "unknown", "ambiguous", "invalid"]


class Reference(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A concept named explicitly: by its page id or by its title, not both."""

    id: Annotated[int, Meta(description="The page id of the concept's article.")] | UnsetType = UNSET
    title: Annotated[str, Meta(description="The title of the concept's article.")] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.id is UNSET) == (self.title is UNSET):
            raise ValueError("Name a concept by `id` or by `title`, one of the two")


Concept = Annotated[
    str | int | Reference,
    Meta(
        description="A concept: its article's title, page id, or address on Wikipedia.",
        examples=["Atheism", 1234, "https://en.wikipedia.org/wiki/Atheism", {"id": 1234}],
    ),
]


class Pair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two concepts. Their order makes no difference to the score."""

    left: Concept
    right: Concept


class RelatednessRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pairs to score, and how much to say about each."""

    pairs: Annotated[list[Pair], Meta(description="The pairs, scored in this order.")]
    explain: Annotated[
        bool,
        Meta(description="Add each feature's value and its contribution. They sum to the raw score exactly."),
    ] = False
    features: Annotated[bool, Meta(description="Add the value of each feature.")] = False


class Side(msgspec.Struct, frozen=True, omit_defaults=True):
    """How one side of a pair was understood."""

    asked: Annotated[str | int, Meta(description="What the request named.")]
    status: Annotated[Status, Meta(description="`ok` where it names one concept, else why it does not.")]
    title: Annotated[
        str | None,
        Meta(description="The article's title; the title asked for, normalised, where there is none."),
    ]
    page_id: Annotated[int | None, Meta(description="The article's page id.")]
    matched: Annotated[
        Matched | None,
        Meta(
            description="How it was found: by its `title`, through a `redirect`, by a `variant` of the title "
            "in case or accents, or by its `page_id`."
        ),
    ]
    candidates: Annotated[
        tuple[str, ...],
        Meta(description="Where it is ambiguous: the articles it may mean, the most common first."),
    ] = ()
    suggestions: Annotated[
        tuple[str, ...], Meta(description="Where it is unknown: titles that are written alike.")
    ] = ()


class Contribution(msgspec.Struct, frozen=True):
    """What one feature says about a pair, and what that adds to the raw score."""

    feature: str
    value: float
    contribution: float


class Explanation(msgspec.Struct, frozen=True):
    """Where a score comes from.

    The intercept and the contributions, added in the order given, are the raw score exactly; the score is
    the raw score clipped to [0, 1].
    """

    intercept: float
    contributions: list[Contribution]
    raw: float


class PairResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer for one pair."""

    score: Annotated[
        float | None,
        Meta(
            description="From 0 to 1: the share of people who would call the two related. `null` where a "
            "concept could not be resolved.",
            extra_json_schema={"minimum": 0, "maximum": 1},
        ),
    ]
    status: Annotated[
        PairStatus,
        Meta(
            description="`ok`: scored. `identical`: both sides name one concept; the score is 1. `unknown`, "
            "`ambiguous`, `invalid`: a side names no concept, several, or can be no title; the score is "
            "`null` and that side says more."
        ),
    ]
    left: Side
    right: Side
    features: Annotated[
        dict[str, float] | None, Meta(description="The features' values, where asked for.")
    ] = None
    explanation: Annotated[Explanation | None, Meta(description="Where asked for and scored.")] = None


class RelatednessResponse(msgspec.Struct, frozen=True):
    """The answers, in the order of the pairs, and what they rest on."""

    results: list[PairResult]
    model: ModelInfo
    snapshot: SnapshotInfo
