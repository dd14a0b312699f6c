"""Concepts by themselves: found, described, and with the concepts related to them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from wort.schemas.described import IntervalOfScore, ModelInfo, PageId, Share, SnapshotInfo
from wort.schemas.evidence import Percentiles
from wort.schemas.shown import html_table, in_short, scored, share


class FoundConcept(msgspec.Struct, frozen=True, omit_defaults=True):
    """A concept that was found by what was typed."""

    title: Annotated[str, Meta(description="The article's title.")]
    page_id: PageId
    match: Annotated[
        Literal["prefix", "alias", "words", "near"],
        Meta(
            description="`prefix`: a title is what was typed, or begins so. `alias`: it is another name of "
            "the concept. `words`: a title has every word. `near`: one nearly begins so, has most words, or "
            "says nearly the same."
        ),
    ]
    redirect: Annotated[
        str | None, Meta(description="The redirect that matched, where the article's title did not.")
    ] = None
    alias: Annotated[str | None, Meta(description="The other name that matched, in small letters.")] = None

    def __repr__(self) -> str:
        """Its title and the name that matched; ``msgspec.to_builtins`` shows every field."""
        return f"<FoundConcept {self}>"

    def __str__(self) -> str:
        """Its title, and the name that matched where that is another."""
        other = self.redirect or self.alias
        return self.title if other is None else f"{self.title} (also {other})"


class SearchResponse(msgspec.Struct, frozen=True):
    """Concepts by what was typed of their names."""

    concepts: Annotated[
        list[FoundConcept],
        Meta(
            description="Those that are called so; those that a word means, where none or several are; "
            "then those of which a title begins so, the most linked first; those that have its words; and "
            "those near it."
        ),
    ]

    def __repr__(self) -> str:
        """The first concepts; ``msgspec.to_builtins`` shows every field."""
        return f"<SearchResponse {in_short(list(map(str, self.concepts)))}>"


class Redirects(msgspec.Struct, frozen=True):
    """The titles that redirect to a concept."""

    count: int
    titles: Annotated[list[str], Meta(description="The first 100, in the order of their letters.")]


class Degrees(msgspec.Struct, frozen=True):
    """How many concepts a concept is linked with."""

    in_links: Annotated[int, Meta(description="Concepts whose articles link to it.")]
    out_links: Annotated[int, Meta(description="Concepts that its article links to.")]
    links: Annotated[int, Meta(description="Concepts that are linked with it in either direction.")]


class ConceptDetails(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the snapshot knows of one concept."""

    title: Annotated[str, Meta(description="The article's title.")]
    page_id: PageId
    redirects: Redirects
    categories: Annotated[
        list[str], Meta(description="The categories of its article, but for hidden and maintenance ones.")
    ]
    degrees: Degrees
    paragraphs: Annotated[int, Meta(description="Paragraphs of the wiki that mention it.")]
    evidence: Annotated[
        dict[str, bool],
        Meta(
            description="For each feature, whether the tables that it reads know anything of the concept. "
            "Where they do not, the feature has its absent value in every pair."
        ),
    ]
    snapshot: SnapshotInfo
    url: Annotated[
        str | None, Meta(description="The article on Wikipedia, where the wiki is one of Wikipedia's.")
    ] = None


class NamedConcept(msgspec.Struct, frozen=True):
    """A concept by its title and page id."""

    title: str
    page_id: PageId


class RelatedConcept(NamedConcept, frozen=True, omit_defaults=True):
    """A concept, and how related it is to the one that was asked about."""

    score: Annotated[float, Meta(description="From 0 to 1: that of the pair, to the last bit."), Share]
    percentiles: Percentiles
    interval: IntervalOfScore = None

    def __repr__(self) -> str:
        """Its title, and the score with its interval; ``msgspec.to_builtins`` shows every field."""
        return f"<RelatedConcept {self.title}: {scored(self.score, self.interval, '')}>"


class RelatedConcepts(msgspec.Struct, frozen=True):
    """The concepts most related to one, and what their scores rest on."""

    concept: Annotated[NamedConcept, Meta(description="The concept that was asked about.")]
    related: Annotated[
        list[RelatedConcept],
        Meta(
            description="By raw score, the highest first, also where scores were cut to the same; of equal "
            "raw scores, by page id. Never itself."
        ),
    ]
    candidates: Annotated[int, Meta(description="How many concepts were scored to find them.")]
    model: ModelInfo
    snapshot: SnapshotInfo

    def __repr__(self) -> str:
        """The concept and the most related; ``msgspec.to_builtins`` shows every field."""
        near = in_short([f"{one.title} {share(one.score)}" for one in self.related])
        return f"<RelatedConcepts of {self.concept.title}: {near}>"

    def __str__(self) -> str:
        """A line a concept: its score and its title."""
        return "\n".join(f"{share(one.score)}  {one.title}" for one in self.related)

    def _repr_html_(self) -> str:
        rows = [
            (one.title, share(one.score), "" if one.interval is None else str(one.interval))
            for one in self.related
        ]
        return html_table(("title", "score", "interval"), rows, f"Related to {self.concept.title}")
