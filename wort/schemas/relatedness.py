"""Pairs of concepts: what is asked, and what is answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from wort.schemas.described import AskedModel, IntervalOfScore, ModelInfo, Share, SnapshotInfo, Used
from wort.schemas.evidence import PairEvidence, Percentiles
from wort.schemas.explanations import Explanation
from wort.schemas.naming import may_be
from wort.schemas.references import AnySide
from wort.schemas.shown import explained, scored
from wort.schemas.sides import Resolved, called

PairStatus = Literal["ok", "identical", "unknown", "ambiguous", "invalid"]
Ambiguous = Literal["report", "resolve"]


class Pair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two concepts or texts. Their order makes no difference to the score."""

    left: AnySide
    right: AnySide


Explain = Annotated[
    bool,
    Meta(description="Add each feature's value and its contribution. They sum to the raw score exactly."),
]
AddFeatures = Annotated[bool, Meta(description="Add the value of each feature.")]


class RelatednessRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pairs to score, and how much to say about each."""

    pairs: Annotated[list[Pair], Meta(description="The pairs, scored in this order.")]
    explain: Explain = False
    features: AddFeatures = False
    ambiguous: Annotated[
        Ambiguous,
        Meta(
            description="What becomes of a side that may mean several concepts: `report` gives the pair no "
            "score and lists what the side may mean; `resolve` chooses the likeliest pair of senses, and the "
            "answer says which."
        ),
    ] = "report"
    model: AskedModel = None


FeatureValues = Annotated[dict[str, float] | None, Meta(description="The features' values, where asked for.")]
ExplanationOfScore = Annotated[Explanation | None, Meta(description="Where asked for and scored.")]


class PairResult(
    msgspec.Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True, kw_only=True, gc=False
):
    """The answer for one pair."""

    score: Annotated[
        float | None,
        Meta(
            description="From 0 to 1: the share of people who would call the two related. Only a concept "
            "with itself has 1. `null` where a concept could not be resolved."
        ),
        Share,
    ]
    status: Annotated[
        PairStatus,
        Meta(
            description="`ok`: scored. `identical`: both sides name one concept; the score is 1. `unknown`, "
            "`ambiguous`, `invalid`: a side names no concept, several, or can be no title; the score is "
            "`null` and that side says more."
        ),
    ]
    interval: IntervalOfScore = None
    percentiles: Annotated[
        Percentiles | None,
        Meta(
            description="Where the score stands among those of other pairs of concepts. Present where there "
            "is one."
        ),
    ] = None
    used: Annotated[
        tuple[Used, ...] | None,
        Meta(description="Where a side is a text: the evidence that the score rests on."),
    ] = None
    model: Annotated[
        str | None,
        Meta(description="The name of the model that gave the score, where it is not that of all others."),
    ] = None
    resolved: Resolved
    features: FeatureValues = None
    explanation: ExplanationOfScore = None
    evidence: Annotated[
        PairEvidence | None,
        Meta(description="With an explanation: what the features of the pair rest on."),
    ] = None
    notes: Annotated[
        tuple[str, ...],
        Meta(
            description="With an explanation, in sentences: what the names may mean besides, and why the "
            "score may be too high."
        ),
    ] = ()

    @property
    def reason(self) -> str | None:
        """Why there is no score, and what to ask instead, in sentences; None where there is one."""
        if self.score is not None:
            return None
        reasons = dict.fromkeys((self.resolved.left.reason, self.resolved.right.reason))
        return " ".join(filter(None, reasons)) or None

    def __repr__(self) -> str:
        """The line of ``str``; ``msgspec.to_builtins`` shows every field."""
        return f"<PairResult {self.in_a_line()}>"

    def __str__(self) -> str:
        """The two sides, and the score with its interval, or why there is none; notes; any explanation."""
        return explained("\n".join((self.in_a_line(), *self.notes)), self.explanation)

    def in_a_line(self) -> str:
        """As ``str``, without an explanation."""
        left, right = map(called, (self.resolved.left, self.resolved.right))
        said = scored(self.score, self.interval, "; ".join([self.status, *self._to_ask()]))
        return f"{left} | {right}: {said}"

    def _to_ask(self) -> Iterator[str]:
        """What to ask instead of the sides that are no concept."""
        for side in (self.resolved.left, self.resolved.right):
            yield from (f"{side.asked} {meant}" for meant in may_be(side.candidates or side.suggestions))


class RelatednessResponse(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answers, in the order of the pairs, and what they rest on."""

    results: list[PairResult]
    model: ModelInfo
    snapshot: SnapshotInfo
    note: Annotated[
        str | None,
        Meta(
            description="Where a pair is unknown and the snapshot is an excerpt: how many concepts it has, "
            "and how to get all of them."
        ),
    ] = None
