"""What the synthetic wiki is shaped by, each figure with the dump that ``measure`` read it from.

*Relinked*: 28,250 English articles of May 2015 with links put back in their text, 51 million words; its links
are on first mentions. *First pages*: 206 pages of the English dump of May 2016 with their whole markup; its
articles are old and long. *Gaelic*: the Scottish Gaelic Wikipedia of 2009, 7,320 articles.
"""

from __future__ import annotations

import msgspec

from benchmarks.synthetic.laws import Frequencies, Popularity, Quantiles


class Figures(msgspec.Struct, frozen=True):
    """The shape of a wiki. Sizes are quantiles; shares lie in [0, 1]."""

    words: Quantiles = Quantiles((3, 25, 109, 271, 673, 2_297, 5_138, 11_534, 17_805, 31_489))
    """Words an article. Relinked."""

    sentence: Quantiles = Quantiles((1, 1, 3, 11, 18, 26, 35, 57, 85, 374))
    """Words a sentence. Relinked."""

    paragraph: Quantiles = Quantiles((1, 1, 1, 1, 2, 4, 6, 11, 17, 62))
    """Sentences a paragraph. Relinked."""

    frequencies: Frequencies = Frequencies(
        (0.073, 0.139, 0.245, 0.337, 0.426, 0.514, 0.639, 0.768, 0.888, 0.954), exponent=1.8
    )
    """Words by their rank. Relinked, where frequency falls with this exponent from word 30,000 to 100,000."""

    returning: float = 0.45
    """The share of words that come back: that repeat an earlier word of their article. So chosen that the
    different words of an article are as many as in Relinked."""

    fields: int = 200
    special: float = 0.95
    """Articles belong to so many fields of knowledge; each field prefers some of equally frequent words, and
    this share of its words are such. So chosen that of the pairs of words that stand together in sentences as
    many are different ones as in Relinked: 0.81 of those in 700,000 words, 0.79 there, 0.91 without."""

    links: Quantiles = Quantiles((0, 0.0128, 0.0257, 0.0344, 0.0465, 0.0633, 0.0842, 0.145, 0.278, 0.616))
    """Links a word of the article. Relinked."""

    popularity: Popularity = Popularity(
        (0.0048, 0.0263, 0.0646, 0.135, 0.273, 0.498, 0.784, 0.953, 0.996, 1.0), hubs=0.2
    )
    """The links that articles get. Relinked, whose most linked article is linked from 28 % of all. ``hubs``
    is chosen: with ``near``, 12 % of 28,250 articles link to the first, 8 % of 100,000, 3 % of 7 million."""

    links_to_nothing: float = 0.167
    """Links to pages that are not there. Relinked."""

    links_to_redirects: float = 0.08
    """Gaelic."""

    other_case: float = 0.16
    """Anchors that are the title but for the case. First pages."""

    other_words: float = 0.34
    """Anchors that are neither the title nor that. First pages."""

    mentions: float = 1.0
    """Mentions that are no link, for each link: what an article links once stands in it again. Chosen."""

    near: float = 0.5
    """Links that stay within the article's own topic. Chosen: without them no two articles would share links
    but to the most popular ones."""

    references: float = 0.018
    """References a word. First pages."""

    sections: float = 0.0046
    """Headings a word. First pages."""

    categories: Quantiles = Quantiles((1, 1, 2, 3, 5, 8, 21, 58, 71, 73))
    """Categories an article. First pages."""

    category_popularity: Popularity = Popularity(
        (0.0362, 0.0362, 0.0362, 0.0791, 0.165, 0.28, 0.499, 0.76, 0.955, 1.0)
    )
    """The articles that categories get. Gaelic."""

    redirects_to_redirects: float = 0.0003
    """Gaelic."""
