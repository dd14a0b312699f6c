"""The evidence behind a pair: what its two concepts share, and how their score compares with others."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from wort.schemas.described import PageId


class Percentiles(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Where a score stands among the scores of other pairs of the snapshot, from 0 to 100."""

    random: Annotated[
        float | None,
        Meta(
            description="The percentage of pairs of two concepts drawn at random that score less; pairs of "
            "the same score count half. 100 where none of those drawn scores as much, though others may. "
            "Absent where the snapshot has one concept alone."
        ),
    ] = None
    linked: Annotated[
        float | None,
        Meta(
            description="The same among pairs of which one article links to the other. Absent where the "
            "snapshot has no links."
        ),
    ] = None


class DirectLinks(msgspec.Struct, frozen=True):
    """Whether each of the two articles links to the other."""

    left_to_right: bool
    right_to_left: bool


class SharedNeighbour(msgspec.Struct, frozen=True):
    """A concept that is linked with both."""

    title: str
    page_id: PageId
    specificity: Annotated[
        float,
        Meta(
            description="How telling it is that the two share it: 1 / ln(d), where d counts the concepts "
            "that it links to for an in-link, and those that link to it for an out-link."
        ),
    ]


class SharedLinks(msgspec.Struct, frozen=True):
    """The in-links that two concepts share, or the out-links."""

    both: Annotated[int, Meta(description="How many concepts are linked with both.")]
    left: Annotated[int, Meta(description="How many are linked with the left concept.")]
    right: Annotated[int, Meta(description="How many are linked with the right one.")]
    unnamed: Annotated[
        int,
        Meta(
            description="How many of `both` the snapshot counts without knowing their titles, which an "
            "excerpt does with concepts that it leaves out. They are not among the strongest."
        ),
    ]
    strongest: Annotated[
        list[SharedNeighbour], Meta(description="The most specific of those that have titles.")
    ]


class SharedCategories(msgspec.Struct, frozen=True):
    """The categories that two concepts share."""

    both: Annotated[int, Meta(description="How many categories both are in.")]
    left: Annotated[int, Meta(description="How many the left concept is in.")]
    right: Annotated[int, Meta(description="How many the right one is in.")]
    titles: Annotated[list[str], Meta(description="The titles of those they share, in alphabetical order.")]


class SharedConcept(msgspec.Struct, frozen=True):
    """A concept that the texts of both articles speak of."""

    title: str
    page_id: PageId
    share: Annotated[float, Meta(description="The part of the cosine that it makes up, from 0 to 1.")]


class SharedWord(msgspec.Struct, frozen=True):
    """A word that both articles use."""

    word: str
    share: Annotated[float, Meta(description="The part of the cosine that it makes up, from 0 to 1.")]


class SharedConcepts(msgspec.Struct, frozen=True, omit_defaults=True):
    """The concepts behind the cosine of the two articles' ESA vectors. Their shares add up to 1."""

    cosine: Annotated[float, Meta(description="The cosine, which is the feature ESA.")]
    both: Annotated[int, Meta(description="How many concepts both vectors have.")]
    unnamed: Annotated[
        int, Meta(description="How many of them have no title here, as an excerpt leaves concepts out.")
    ]
    unnamed_share: Annotated[float, Meta(description="The part of the cosine that those make up.")]
    strongest: Annotated[
        list[SharedConcept],
        Meta(description="Those with titles that make up most of the cosine, the heaviest first."),
    ]
    kept: Annotated[
        int, Meta(description="Of excerpts: the concepts of each vector that are kept, the heaviest; else 0.")
    ] = 0


class SharedWords(msgspec.Struct, frozen=True, omit_defaults=True):
    """The words behind the cosine of the two articles' tf-idf vectors. Their shares add up to 1."""

    cosine: Annotated[float, Meta(description="The cosine, which is the feature TFIDF-CS.")]
    both: Annotated[int, Meta(description="How many words both vectors have.")]
    strongest: Annotated[
        list[SharedWord], Meta(description="Those that make up most of the cosine, the heaviest first.")
    ]
    kept: Annotated[
        int, Meta(description="Of excerpts: the words of each vector that are kept, the heaviest; else 0.")
    ] = 0


class Comentions(msgspec.Struct, frozen=True, omit_defaults=True):
    """The paragraphs of Wikipedia that mention the two concepts."""

    both: Annotated[int, Meta(description="Paragraphs that mention both.")]
    left: Annotated[int, Meta(description="Paragraphs that mention the left concept.")]
    right: Annotated[int, Meta(description="Paragraphs that mention the right one.")]
    fewest: Annotated[
        int,
        Meta(
            description="Of excerpts that keep no rarer pairs: the least that `both` is where it is not 0, "
            "which then says fewer than these."
        ),
    ] = 1

    @property
    def said(self) -> str:
        """How many paragraphs mention both, as far as the snapshot knows."""
        return f"fewer than {self.fewest:,}" if not self.both and self.fewest > 1 else f"{self.both:,}"


class WordPair(msgspec.Struct, frozen=True, omit_defaults=True):
    """A word of the left title beside a word of the right one."""

    left: str
    right: str
    pmi: Annotated[
        float,
        Meta(
            description="How much more often than by chance the two stand in one sentence, as a natural "
            "logarithm; 0 where they do so no more often."
        ),
    ]
    cosine: Annotated[
        float, Meta(description="How like the words around them are: the cosine of their word2vec vectors.")
    ]
    fewest: Annotated[
        int,
        Meta(
            description="Where an excerpt keeps no pair of words that fewer sentences have, nor this one: "
            "these sentences. A `pmi` of 0 is then that of a pair that is not kept."
        ),
    ] = 1


class PairEvidence(msgspec.Struct, frozen=True):
    """What the snapshot knows that speaks for a pair: the numbers that its features are computed from."""

    links: DirectLinks
    in_links: Annotated[SharedLinks, Meta(description="The concepts whose articles link to both.")]
    out_links: Annotated[SharedLinks, Meta(description="The concepts that both articles link to.")]
    categories: SharedCategories
    esa: SharedConcepts
    tfidf: SharedWords
    comentions: Comentions
    words: Annotated[
        list[WordPair],
        Meta(
            description="The words of the two titles that occur together, or among the same words, the most "
            "tightly bound first."
        ),
    ]
