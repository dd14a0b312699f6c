"""The sixteen features of WORT, in the order of its Table 1: each a measure joined to its evidence.

``FEATURES`` is the one list. The columns of ``extract``, the checks of a model file, the reference page
``docs/features.md`` and the contract tests derive from it.
"""

from __future__ import annotations

from math import inf

import measures
from features.evidence import Evidence
from features.feature import Feature

FEATURES: tuple[Feature[Evidence], ...] = (
    Feature(
        name="PMI1",
        group="words",
        compute=lambda e: measures.lifted(*e.matches(measures.positive_pmi(*e.sentence_counts, e.sentences))),
        formula="½ (CC(a,b) + CC(b,a)), CC(a,b) = mean over x in a of max over y in b of "
        "r(x,y), r(x,y) = max(0, log(p(x,y) / (p(x) p(y))))",
        description="Do the words of the titles occur in the same sentences?",
        tables=("title_words", "title_lengths", "word_pairs", "word_counts"),
        range=(0.0, inf),
        source="Church & Hanks 1990; lifted to titles as in WORT 4.1",
    ),
    Feature(
        name="W2V",
        group="words",
        compute=lambda e: measures.lifted(*e.matches(measures.cosine(e.word_dots))),
        formula="½ (CC(a,b) + CC(b,a)), CC as for PMI1, r(x,y) = cos(v(x), v(y)), v centred on the mean",
        description="Do the words of the titles occur among the same words?",
        tables=("title_words", "title_lengths", "word_vectors"),
        range=(-1.0, 1.0),
        source="Mikolov et al. 2013; lifted to titles as in WORT 4.1",
    ),
    Feature(
        name="NPMI1_C",
        group="concepts",
        compute=lambda e: measures.normalised_pmi(*e.paragraph_counts, e.paragraphs),
        formula="max(0, log(p(a,b) / (p(a) p(b)))) / −log p(a,b)",
        description="Are the concepts mentioned in the same paragraphs, as a share of the most possible?",
        tables=("comentions", "concept_counts"),
        range=(0.0, 1.0),
        source="Bouma 2009; WORT 4.1",
    ),
    Feature(
        name="PMI1_C",
        group="concepts",
        compute=lambda e: measures.positive_pmi(*e.paragraph_counts, e.paragraphs),
        formula="max(0, log(p(a,b) / (p(a) p(b))))",
        description="Are the concepts mentioned in the same paragraphs more often than by chance?",
        tables=("comentions", "concept_counts"),
        range=(0.0, inf),
        source="Church & Hanks 1990; WORT 4.1 (Table 1 calls it normalised, as it does NPMI1_C)",
    ),
    Feature(
        name="PMI2_C",
        group="concepts",
        compute=lambda e: measures.cosine(e.context_dots),
        formula="cos(c(a), c(b)), c(a) = the heaviest 200 PMI1_C of a with the 10,000 most frequent concepts",
        description="Are the concepts mentioned beside the same concepts?",
        tables=("contexts",),
        range=(0.0, 1.0),
        source="Bullinaria & Levy 2007; WORT 4.1",
    ),
    Feature(
        name="INLINK-PMI",
        group="links and categories",
        compute=lambda e: measures.normalised_pmi(*e.in_links, e.universe),
        formula="max(0, log(p(a,b) / (p(a) p(b)))) / −log p(a,b), p(a) = #in(a) / N, "
        "p(a,b) = #(in(a)∩in(b)) / N",
        description="Do the same articles link to both more often than by chance?",
        tables=("in_links",),
        range=(0.0, 1.0),
        source="Ceccarelli et al. 2013; normalised as in Bouma 2009",
    ),
    Feature(
        name="MW",
        group="links and categories",
        compute=lambda e: measures.milne_witten(*e.in_links, e.universe),
        formula="1 − (log max(#in(a), #in(b)) − log #(in(a)∩in(b))) / (log N − log min(#in(a), #in(b))), "
        "clipped to [0, 1]",
        description="How near are the in-links of the two, by the distance of Milne and Witten?",
        tables=("in_links",),
        range=(0.0, 1.0),
        source="Milne & Witten 2008",
    ),
    Feature(
        name="COND-PROB",
        group="links and categories",
        compute=lambda e: measures.conditional_probability(*e.in_links),
        formula="½ (#(in(a)∩in(b)) / #in(b) + #(in(a)∩in(b)) / #in(a))",
        description="How likely does an article that links to one link to the other?",
        tables=("in_links",),
        range=(0.0, 1.0),
        source="WORT Table 1",
    ),
    Feature(
        name="J-IN",
        group="links and categories",
        compute=lambda e: measures.jaccard(*e.in_links),
        formula="#(in(a)∩in(b)) / #(in(a)∪in(b))",
        description="What share of the articles that link to either link to both?",
        tables=("in_links",),
        range=(0.0, 1.0),
        source="WORT Table 1",
    ),
    Feature(
        name="J-OUT",
        group="links and categories",
        compute=lambda e: measures.jaccard(*e.out_links),
        formula="#(out(a)∩out(b)) / #(out(a)∪out(b))",
        description="What share of the concepts that either links to do both link to?",
        tables=("out_links",),
        range=(0.0, 1.0),
        source="WORT Table 1",
    ),
    Feature(
        name="J-IN-OUT",
        group="links and categories",
        compute=lambda e: measures.jaccard(*e.links),
        formula="#(l(a)∩l(b)) / #(l(a)∪l(b)), l(a) = in(a) ∪ out(a)",
        description="What share of the concepts linked with either, in any direction, are linked with both?",
        tables=("links",),
        range=(0.0, 1.0),
        source="WORT Table 1",
    ),
    Feature(
        name="FRIEND",
        group="links and categories",
        compute=lambda e: measures.mean_of_both(
            measures.one_way_friend(*e.friends_there), measures.one_way_friend(*e.friends_back)
        ),
        formula="½ (f(a,b) + f(b,a)), f(a,b) = 1 if b ∈ out(a), else #(out(a)∩in(b)) / #out(a)",
        description="Does each link to the other, or to concepts that do?",
        tables=("out_links", "in_links"),
        range=(0.0, 1.0),
        source="Ceccarelli et al. 2013, as we read it: the row breaks off in WORT Table 1",
    ),
    Feature(
        name="DIRECT-LINK",
        group="links and categories",
        compute=lambda e: measures.mutual_link(e.friends_there.links, e.friends_back.links),
        formula="1 if b ∈ in(a) and a ∈ in(b), else 0",
        description="Does each link to the other?",
        tables=("out_links",),
        range=(0.0, 1.0),
        source="WORT Table 1",
    ),
    Feature(
        name="CATEGORY",
        group="links and categories",
        compute=lambda e: measures.shares_any(e.categories.both),
        formula="1 if cat(a)∩cat(b) ≠ ∅, else 0",
        description="Do they share a category? Hidden and maintenance categories do not count.",
        tables=("categories",),
        range=(0.0, 1.0),
        source="WORT Table 1",
    ),
    Feature(
        name="TFIDF-CS",
        group="article text",
        compute=lambda e: measures.cosine(e.tfidf_dots),
        formula="cos(t(a), t(b)), t(a) = the tf-idf weights of the words of article a",
        description="Do the articles use the same words?",
        tables=("tfidf",),
        range=(0.0, 1.0),
        source="WORT Table 1",
    ),
    Feature(
        name="ESA",
        group="article text",
        compute=lambda e: measures.cosine(e.esa_dots),
        formula="cos(s(a), s(b)), s(a) = the text of article a projected on the concepts",
        description="Do the articles' texts speak of the same concepts?",
        tables=("esa",),
        range=(0.0, 1.0),
        source="Gabrilovich & Markovitch 2007",
    ),
)
"""The sixteen, in the paper's order; the groups are the paper's four, by what a feature relies on."""

FEATURE_NAMES: tuple[str, ...] = tuple(feature.name for feature in FEATURES)
"""The columns of ``extract``."""

SIGNATURES: tuple[str, ...] = tuple(feature.signature for feature in FEATURES)
"""What a model file stores, and is checked against."""
