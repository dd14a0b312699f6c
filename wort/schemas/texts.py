"""Texts: what is asked about one or two of them, and what is answered."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from wort.schemas.concepts import NamedConcept
from wort.schemas.described import AskedModel, ModelInfo, PageId, Share, SnapshotInfo
from wort.schemas.references import Concept
from wort.schemas.shown import counted, html_table, in_short, scored, share
from wort.schemas.sides import Side

MOST_CONTEXT = 20
"""Concepts of a context: as many as the mentions that vote together."""


class AnnotateRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text whose concepts are asked for."""

    text: Annotated[str, Meta(description="The text. Paragraphs are parted by empty lines.")]
    context: Annotated[
        list[Concept],
        Meta(
            description="Concepts that the text is known to be about: they help to choose among the senses "
            "of its mentions.",
            max_length=MOST_CONTEXT,
        ),
    ] = []
    min_rho: (
        Annotated[
            float,
            Meta(
                description="The least `rho` of an annotation; if absent, what the snapshot was built with.",
                ge=0,
                le=1,
            ),
        ]
        | None
    ) = None


class TextAnnotation(msgspec.Struct, frozen=True):
    """A mention in a text, and the concept that it stands for."""

    start: Annotated[int, Meta(description="Where the mention starts: code points of the text before it.")]
    end: Annotated[int, Meta(description="Where it ends.")]
    mention: Annotated[str, Meta(description="The mention as it is written in the text.")]
    title: Annotated[str, Meta(description="The title of the concept's article.")]
    page_id: PageId
    link_probability: Annotated[
        float, Share, Meta(description="Of the articles that have the mention, the share that link it.")
    ]
    commonness: Annotated[
        float, Share, Meta(description="Of the links of the mention, the share that lead to this concept.")
    ]
    coherence: Annotated[
        float, Share, Meta(description="The mean relatedness (Milne & Witten) to the other concepts around.")
    ]
    rho: Annotated[
        float,
        Share,
        Meta(
            description="How sure the annotation is: the mean of `link_probability` and `coherence`; "
            "of the only mention of a paragraph, among words that fit it, the `link_probability`."
        ),
    ]


class AnnotateResponse(msgspec.Struct, frozen=True, omit_defaults=True):
    """The annotations of a text, from left to right, without overlaps, and what they rest on."""

    annotations: list[TextAnnotation]
    snapshot: SnapshotInfo
    context: Annotated[
        tuple[Side, ...],
        Meta(description="How the concepts of the context were understood, where one was given."),
    ] = ()

    def __repr__(self) -> str:
        """What is mentioned; ``msgspec.to_builtins`` shows every field."""
        return f"<AnnotateResponse {in_short([f'{one.mention}: {one.title}' for one in self.annotations])}>"

    def _repr_html_(self) -> str:
        rows = [(one.mention, one.title, share(one.rho)) for one in self.annotations]
        said = f"{counted(len(rows), 'concept', 'concepts')} mentioned"
        return html_table(("mention", "concept", "rho"), rows, said)


class DocumentsRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two texts. Their order makes no difference to the score."""

    left: Annotated[str, Meta(description="A text.")]
    right: Annotated[str, Meta(description="Another text.")]
    explain: Annotated[
        bool,
        Meta(description="Add each concept's best match in the other text, and what it adds to the score."),
    ] = False
    model: AskedModel = None


class Match(NamedConcept, frozen=True):
    """The concept of the other text that is the most related to a concept."""

    score: Annotated[float, Share, Meta(description="The score of the two concepts.")]


class DocumentConcept(NamedConcept, frozen=True, omit_defaults=True):
    """A concept that a text mentions."""

    mentions: Annotated[int, Meta(description="How often the text mentions it.")]
    weight: Annotated[float, Share, Meta(description="Its share of the text: those of a text sum to 1.")]
    match: Annotated[Match | None, Meta(description="Where asked for, and both texts have concepts.")] = None
    contribution: Annotated[
        float | None,
        Meta(
            description="½ `weight` times the match's score. Those of both texts sum to the score, but for "
            "rounding."
        ),
    ] = None


class DocumentSide(msgspec.Struct, frozen=True):
    """What one text is taken to be about."""

    status: Annotated[
        Literal["ok", "no-concepts"],
        Meta(description="`no-concepts` where it mentions none that is known here."),
    ]
    concepts: Annotated[
        list[DocumentConcept], Meta(description="The heaviest concepts of the text, the heaviest first.")
    ]


class DocumentsResponse(msgspec.Struct, frozen=True, omit_defaults=True):
    """How related two texts are, through their concepts."""

    score: Annotated[
        float | None,
        Meta(
            description="From 0 to 1, no share of people: the mean score of their concepts, each with its "
            "nearest one of the other text, weighted by what it matters in its own. `null` where a text has "
            "no concepts."
        ),
        Share,
    ]
    status: Annotated[
        Literal["ok", "identical", "no-concepts"],
        Meta(
            description="`ok`: scored. `identical`: the same concepts with the same weights; the score is 1. "
            "`no-concepts`: a text has none; the score is `null`."
        ),
    ]
    left: DocumentSide
    right: DocumentSide
    model: ModelInfo
    snapshot: SnapshotInfo
    note: Annotated[
        str | None,
        Meta(
            description="Where one concept alone was found in a text: that the score rests on it. Where a "
            "text has none, and both are short: what compares them."
        ),
    ] = None

    def __repr__(self) -> str:
        """The score, and what each text is about; ``msgspec.to_builtins`` shows every field."""
        about = (in_short([one.title for one in side.concepts]) for side in (self.left, self.right))
        return f"<DocumentsResponse {' | '.join(about)}: {scored(self.score, None, self.status)}>"
