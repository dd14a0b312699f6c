"""The schemas of free terms."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from wort.schemas.described import (
    AskedModel,
    IntervalOfScore,
    ModelInfo,
    PageId,
    Share,
    SnapshotInfo,
    Used,
)
from wort.schemas.evidence import Percentiles
from wort.schemas.relatedness import AddFeatures, Explain, ExplanationOfScore, FeatureValues
from wort.schemas.shown import explained, in_short, scored

TermStatus = Literal["ok", "identical", "unknown", "invalid"]


class AskedTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two terms of one word or several. Their order makes no difference to the score."""

    left: Annotated[str, Meta(description="A term.", examples=["violent video games"])]
    right: Annotated[str, Meta(description="Another term.", examples=["aggression"])]
    context: Annotated[
        str | None,
        Meta(description="What the two are about, a topic or a sentence: it helps to choose their senses."),
    ] = None


class TermsRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pairs of terms to score, and how much to say about each."""

    pairs: Annotated[list[AskedTerms], Meta(description="The pairs, scored in this order.")]
    explain: Explain = False
    features: AddFeatures = False
    model: AskedModel = None


class Sense(msgspec.Struct, frozen=True):
    """The concept that a term was taken to name, or to contain."""

    title: Annotated[str, Meta(description="The article's title.")]
    page_id: PageId
    prior: Annotated[
        float,
        Meta(description="How likely the sense was before the other term was looked at, from 0 to 1."),
    ]
    alternatives: Annotated[
        tuple[str, ...], Meta(description="The other concepts it may name, the likeliest first.")
    ]
    whole: Annotated[
        bool,
        Meta(description="Whether all of the term names the concept. If not, a part of the term does."),
    ]


class TermSide(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of one term of a pair."""

    asked: Annotated[str, Meta(description="What the request named.")]
    status: Annotated[
        Literal["ok", "unknown", "invalid"],
        Meta(
            description="`ok` where anything is known of it; `invalid` where it is empty or longer than "
            "a term may be."
        ),
    ]
    words: Annotated[
        tuple[str, ...], Meta(description="Its words that the snapshot knows, without stop words.")
    ] = ()
    unknown_words: Annotated[tuple[str, ...], Meta(description="Its words that the snapshot lacks.")] = ()
    sense: Annotated[
        Sense | None,
        Meta(
            description="Present in a scored pair of which both terms have senses, and where one alone "
            "names a concept, whose article is read."
        ),
    ] = None


class ResolvedTerms(msgspec.Struct, frozen=True):
    """What is known of the two terms of a pair."""

    left: TermSide
    right: TermSide


class TermResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer for one pair of terms."""

    score: Annotated[
        float | None, Meta(description="From 0 to 1. `null` where nothing is known of a term."), Share
    ]
    status: Annotated[
        TermStatus,
        Meta(
            description="`ok`: scored. `identical`: the same words in the same order, or names of one "
            "concept; the score is 1. `unknown`, `invalid`: nothing is known of a term, or it can be none; "
            "the score is `null`."
        ),
    ]
    resolved: ResolvedTerms
    interval: IntervalOfScore = None
    used: Annotated[
        tuple[Used, ...] | None,
        Meta(
            description="Where scored: the evidence that the score rests on. Of terms that name concepts, "
            "`concepts` alone: the score is that of these. Else the model of terms answers, and these add "
            "something to the score: `words`, `concepts` that the terms may name or contain, an `encoder` "
            "of texts."
        ),
    ] = None
    model: Annotated[str | None, Meta(description="Where scored: the name of the model that gave it.")] = None
    features: FeatureValues = None
    explanation: ExplanationOfScore = None
    percentiles: Annotated[
        Percentiles | None,
        Meta(
            description="Where scored: where the score stands among those of pairs of concepts, whose scale "
            "is that of terms too."
        ),
    ] = None

    def __repr__(self) -> str:
        """The line of ``str``; ``msgspec.to_builtins`` shows every field."""
        return f"<TermResult {self.in_a_line()}>"

    def __str__(self) -> str:
        """The two terms, and the score with its interval, or why there is none; then any explanation."""
        return explained(self.in_a_line(), self.explanation)

    def in_a_line(self) -> str:
        """As ``str``, without an explanation."""
        said = scored(self.score, self.interval, self.status)
        return f"{self.resolved.left.asked} | {self.resolved.right.asked}: {said}"


class TermsResponse(msgspec.Struct, frozen=True):
    """The answers, in the order of the pairs, and what they rest on."""

    results: list[TermResult]
    model: Annotated[ModelInfo, Meta(description="The model of terms.")]
    snapshot: SnapshotInfo
    concepts: Annotated[
        ModelInfo | None, Meta(description="The model of concepts, for pairs of which both terms name some.")
    ] = None

    def __repr__(self) -> str:
        """What was answered; ``msgspec.to_builtins`` shows every field."""
        return f"<TermsResponse {in_short([result.in_a_line() for result in self.results])}>"
