"""Pairs of concepts: what is asked, and what is answered.

An answer has thousands of the same few structs, none of which can stand in a cycle: with ``gc=False`` the
collector need not look at them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from wort.schemas.described import (
    AskedModel,
    IntervalOfScore,
    ModelInfo,
    PageId,
    Share,
    SnapshotInfo,
    Used,
)
from wort.schemas.evidence import PairEvidence, Percentiles
from wort.schemas.naming import may_be, why_not_one
from wort.schemas.shown import explained, html_table, in_short, scored

Status = Literal["ok", "unknown", "ambiguous", "invalid"]
Matched = Literal["title", "redirect", "variant", "alias", "page_id", "mention", "sense", "text"]
AliasKind = Literal["bold", "stated", "unqualified", "inflected", "surname"]
PairStatus = Literal["ok", "identical", "unknown", "ambiguous", "invalid"]
Ambiguous = Literal["report", "resolve"]


class Reference(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A concept named explicitly: by its page id, by its title, or by a mention of it in a text."""

    id: Annotated[int, Meta(description="The page id of the concept's article.")] | UnsetType = UNSET
    title: Annotated[str, Meta(description="The title of the concept's article.")] | UnsetType = UNSET
    mention: (
        Annotated[
            str,
            Meta(
                description="What a text calls the concept, as the text of a link would: it may mean several."
            ),
        ]
        | UnsetType
    ) = UNSET
    context: Annotated[
        str | None,
        Meta(description="With a mention, what is said around it: it helps to tell the senses apart."),
    ] = None

    def __post_init__(self) -> None:
        if [self.id, self.title, self.mention].count(UNSET) != 2:
            raise ValueError("Name a concept by `id`, by `title` or by `mention`, one of the three")
        if self.context is not None and self.mention is UNSET:
            raise ValueError("A `context` is for a `mention`; leave it out, or name a mention")


Concept = Annotated[
    str | int | Reference,
    Meta(
        description="A concept: its article's title, page id, or address on Wikipedia; or a mention of it.",
        examples=[
            "Atheism",
            1234,
            "https://en.wikipedia.org/wiki/Atheism",
            {"id": 1234},
            {"mention": "jaguar", "context": "It hunts by the river."},
        ],
    ),
]
"""What names a concept: a title or an address on Wikipedia, a page id, or a ``Reference``, which may be a
mention of it with the text around: ``Reference(mention="bass", context="It swims in the river.")``."""


class SideReference(Reference, frozen=True, forbid_unknown_fields=True):
    """A side of a pair named explicitly: a concept as in a ``Reference``, or any text and what it means."""

    text: (
        Annotated[
            str,
            Meta(description="A term or a short text, whether or not there is an article on it."),
        ]
        | UnsetType
    ) = UNSET
    description: Annotated[
        str | None,
        Meta(description="With a text, what it means: it helps to tell its senses apart, and is compared."),
    ] = None

    def __post_init__(self) -> None:
        if [self.id, self.title, self.mention, self.text].count(UNSET) != 3:
            raise ValueError("Name a side by `id`, `title`, `mention` or `text`, one of the four")
        if self.context is not None and self.mention is UNSET:
            raise ValueError("A `context` is for a `mention`; leave it out, or name a mention")
        if self.description is not None and self.text is UNSET:
            raise ValueError("A `description` is for a `text`; leave it out, or give a text")


AnySide = Annotated[
    str | int | SideReference,
    Meta(
        description="A concept: its article's title, page id, or address on Wikipedia; or a mention of it; "
        "or any text.",
        examples=[
            "Atheism",
            1234,
            "https://en.wikipedia.org/wiki/Atheism",
            {"id": 1234},
            {"mention": "jaguar", "context": "It hunts by the river."},
            {"text": "screen time", "description": "hours that children spend with a telephone"},
        ],
    ),
]
"""What a side of a pair may be: what names a concept, or a text: ``SideReference(text="screen time")``."""


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


class Alternative(msgspec.Struct, frozen=True, gc=False):
    """A sense that a side has as well, and that was not chosen."""

    title: Annotated[str, Meta(description="The article's title.")]
    page_id: PageId
    prior: Annotated[float, Meta(description="How likely it was before the other side was looked at.")]


class Side(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """How one side of a pair was understood."""

    asked: Annotated[
        str | int, Meta(description="What the request named: a title, an address, a page id or a mention.")
    ]
    status: Annotated[Status, Meta(description="`ok` where it names one concept, else why it does not.")]
    title: Annotated[
        str | None,
        Meta(description="The article's title; the title asked for, normalised, where there is none."),
    ]
    page_id: PageId
    matched: Annotated[
        Matched | None,
        Meta(
            description="How it was found: by its `title`, through a `redirect`, by a `variant` of the title "
            "in case or accents, by an `alias`, by its `page_id`, as the one sense of a `mention`, or as the "
            "`sense` that was chosen of several. `text`: it was given as a text; `title` and `page_id` are "
            "those of the concept that it was taken to name, if any."
        ),
    ]
    prior: Annotated[
        float | None,
        Meta(
            description="Of a mention and of a chosen sense: how likely it was before the other side was "
            "looked at, from 0 to 1. Of an alias: the concept's share of the name."
        ),
    ] = None
    alternatives: Annotated[
        tuple[Alternative, ...],
        Meta(
            description="Where a sense was chosen, or an alias matched: the others that there are, the "
            "likeliest first."
        ),
    ] = ()
    candidates: Annotated[
        tuple[str, ...],
        Meta(description="Where it is ambiguous: the articles it may mean, the best known first."),
    ] = ()
    suggestions: Annotated[
        tuple[str, ...],
        Meta(
            description="Where it is unknown: titles that are written alike, or say nearly the same. Where "
            "it is ambiguous: other titles that do."
        ),
    ] = ()
    alias: Annotated[
        tuple[AliasKind, ...],
        Meta(
            description="Where an alias matched, what makes it a name of the concept: it is `bold` in the "
            "first sentence of its article, or `stated` there; the title `unqualified`, without what tells "
            "it apart from others; a title `inflected`; a person's `surname`."
        ),
    ] = ()

    @property
    def reason(self) -> str | None:
        """Why it names no one concept, and what to ask instead, in sentences; None where it names one."""
        return why_not_one(self.status, self.asked, self.title, self.candidates, self.suggestions)

    def __repr__(self) -> str:
        """What was asked, and what it is or may be; ``msgspec.to_builtins`` shows every field."""
        said = (
            [called(self)]
            if self.status == "ok"
            else [self.status, *may_be(self.candidates or self.suggestions)]
        )
        is_called_so = said == [self.asked]
        return f"<Side {self.asked}>" if is_called_so else f"<Side {self.asked}: {'; '.join(map(str, said))}>"


def called(side: Side) -> str | int:
    """What people are shown a side as: its article's title, but a text as it was asked for.

    A text may only contain what its ``title`` names: "machine learning" is more than Learning.
    """
    return side.asked if side.title is None or side.matched == "text" else side.title


class Resolved(msgspec.Struct, frozen=True, gc=False):
    """How the two sides of a pair were understood."""

    left: Side
    right: Side


class Contribution(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What one feature says about a pair, and what that adds to the raw score."""

    feature: str
    value: float
    contribution: Annotated[float, Meta(description="In the explanation's `unit`.")]
    share: Annotated[
        float | None,
        Meta(
            description="Where the unit is not the score's: what the feature adds to the score. These and "
            "`start` sum to the score, but for rounding."
        ),
    ] = None


class Explanation(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Where a score comes from.

    The intercept and the contributions, added in the order given, are the raw score exactly. In the unit
    `score`, the score is the raw score clipped to the model's range, [0, 0.99]; in `evidence`, it is 0.99
    times raw³ / (1 + raw³): the odds of the answer "related" are the cube of the evidence.
    """

    intercept: float
    contributions: list[Contribution]
    raw: float
    unit: Annotated[
        Literal["score", "evidence"],
        Meta(
            description="What the intercept, the contributions and the raw score are in; `score` if absent."
        ),
    ] = "score"
    start: Annotated[
        float | None,
        Meta(description="Where the unit is not the score's: the score of a pair without any evidence."),
    ] = None

    def __repr__(self) -> str:
        """The features that add the most to the score; ``msgspec.to_builtins`` shows every field."""
        return f"<Explanation {in_short([f'{feature} {adds}' for feature, _, adds in self._adding()])}>"

    def __str__(self) -> str:
        """Where every pair begins, then each feature that adds something, a line each."""
        added = [f"  {adds}  {feature} {value}" for feature, value, adds in self._adding()]
        begun = f"  {self.begin:+.2f}  where every pair begins"
        return "\n".join(["How it adds up, rounded:", begun, *added])

    @property
    def begin(self) -> float:
        """Where every pair begins, in units of the score."""
        return self.intercept if self.start is None else self.start

    def _repr_html_(self) -> str:
        return html_table(("feature", "value", "adds"), self._adding(), "What adds up to the score")

    def _adding(self) -> list[tuple[str, str, str]]:
        """The features that add something, those that add most first: each, its value, what it adds."""
        added = [
            (one, one.contribution if one.share is None else one.share)
            for one in self.contributions
            if one.contribution
        ]
        added.sort(key=lambda one: -abs(one[1]))
        return [(one.feature, f"{one.value:.3g}", f"{adds:+.2f}") for one, adds in added]


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
        """The two sides, and the score with its interval, or why there is none; then any explanation."""
        return explained(self.in_a_line(), self.explanation)

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
