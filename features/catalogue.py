"""The features, each a measure joined to the evidence that it takes.

Those of WORT come first, in the order of its Table 1, and later ones after them.

``FEATURES`` is the one list. The columns of ``extract``, what is read of a snapshot, the checks of a model
file, the reference page ``docs/features.md`` and the contract tests derive from it.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import measures
from features.feature import ConceptFeature
from features.kinds import BestMatches, CoOccurrence, LinksBetween, Overlap, Total, Vectors, VectorsAcross

IN_LINKS, OUT_LINKS, LINKS = Overlap("in_links"), Overlap("out_links"), Overlap("links")
CATEGORIES = Overlap("categories")
DIRECT_LINKS = LinksBetween("out_links")
FRIENDS_THERE, FRIENDS_BACK = Overlap("out_links", "in_links"), Overlap("in_links", "out_links")
PARAGRAPHS = CoOccurrence("comentions", "concept_counts")
CONTEXTS, TFIDF, ESA = (Overlap(table).only("both") for table in ("contexts", "tfidf", "esa"))
SENTENCES = CoOccurrence("word_pairs", "word_counts")
WORD_VECTORS = Vectors("word_vectors")
TITLES, LEADS = Vectors("title_vectors"), Vectors("lead_vectors")
TITLES_AND_LEADS = VectorsAcross("title_vectors", "lead_vectors")


FEATURES: tuple[ConceptFeature, ...] = (
    ConceptFeature(
        name="PMI1",
        group="words",
        measure=measures.best_match_average,
        evidence=(BestMatches(measures.positive_pmi, (SENTENCES, Total("sentences"))),),
        formula="½ (CC(a,b) + CC(b,a)), CC(a,b) = mean over x in a of max over y in b of "
        "r(x,y), r(x,y) = max(0, log(p(x,y) / (p(x) p(y))))",
        description="Do the words of the titles occur in the same sentences?",
        range=(0.0, inf),
        source="Church & Hanks 1990; lifted to titles as in WORT 4.1",
    ),
    ConceptFeature(
        name="W2V",
        group="words",
        measure=measures.best_match_average,
        evidence=(BestMatches(measures.cosine, (WORD_VECTORS,)),),
        formula="½ (CC(a,b) + CC(b,a)), CC as for PMI1, r(x,y) = cos(v(x), v(y)), v centred on the mean",
        description="Do the words of the titles occur among the same words?",
        range=(-1.0, 1.0),
        source="Mikolov et al. 2013; lifted to titles as in WORT 4.1",
    ),
    ConceptFeature(
        name="NPMI1_C",
        group="concepts",
        measure=measures.normalised_pmi,
        evidence=(PARAGRAPHS, Total("paragraphs")),
        formula="max(0, log(p(a,b) / (p(a) p(b)))) / −log p(a,b)",
        description="Are the concepts mentioned in the same paragraphs, as a share of the most possible?",
        range=(0.0, 1.0),
        source="Bouma 2009; WORT 4.1",
    ),
    ConceptFeature(
        name="PMI1_C",
        group="concepts",
        measure=measures.positive_pmi,
        evidence=(PARAGRAPHS, Total("paragraphs")),
        formula="max(0, log(p(a,b) / (p(a) p(b))))",
        description="Are the concepts mentioned in the same paragraphs more often than by chance?",
        range=(0.0, inf),
        source="Church & Hanks 1990; WORT 4.1 (Table 1 calls it normalised, as it does NPMI1_C)",
    ),
    ConceptFeature(
        name="PMI2_C",
        group="concepts",
        measure=measures.cosine,
        evidence=(CONTEXTS,),
        formula="cos(c(a), c(b)), c(a) = the heaviest 200 PMI1_C of a with the 10,000 most frequent concepts",
        description="Are the concepts mentioned beside the same concepts?",
        range=(0.0, 1.0),
        source="Bullinaria & Levy 2007; WORT 4.1",
    ),
    ConceptFeature(
        name="INLINK-PMI",
        group="links and categories",
        measure=measures.normalised_pmi,
        evidence=(IN_LINKS, Total("universe")),
        formula="max(0, log(p(a,b) / (p(a) p(b)))) / −log p(a,b), p(a) = #in(a) / N, "
        "p(a,b) = #(in(a)∩in(b)) / N",
        description="Do the same articles link to both more often than by chance?",
        range=(0.0, 1.0),
        source="Ceccarelli et al. 2013; normalised as in Bouma 2009",
    ),
    ConceptFeature(
        name="MW",
        group="links and categories",
        measure=measures.milne_witten,
        evidence=(IN_LINKS, Total("universe")),
        formula="1 − (log max(#in(a), #in(b)) − log #(in(a)∩in(b))) / (log N − log min(#in(a), #in(b))), "
        "clipped to [0, 1]",
        description="How near are the in-links of the two, by the distance of Milne and Witten?",
        range=(0.0, 1.0),
        source="Milne & Witten 2008",
    ),
    ConceptFeature(
        name="COND-PROB",
        group="links and categories",
        measure=measures.conditional_probability,
        evidence=(IN_LINKS,),
        formula="½ (#(in(a)∩in(b)) / #in(b) + #(in(a)∩in(b)) / #in(a))",
        description="How likely does an article that links to one link to the other?",
        range=(0.0, 1.0),
        source="WORT Table 1",
    ),
    ConceptFeature(
        name="J-IN",
        group="links and categories",
        measure=measures.jaccard,
        evidence=(IN_LINKS,),
        formula="#(in(a)∩in(b)) / #(in(a)∪in(b))",
        description="What share of the articles that link to either link to both?",
        range=(0.0, 1.0),
        source="WORT Table 1",
    ),
    ConceptFeature(
        name="J-OUT",
        group="links and categories",
        measure=measures.jaccard,
        evidence=(OUT_LINKS,),
        formula="#(out(a)∩out(b)) / #(out(a)∪out(b))",
        description="What share of the concepts that either links to do both link to?",
        range=(0.0, 1.0),
        source="WORT Table 1",
    ),
    ConceptFeature(
        name="J-IN-OUT",
        group="links and categories",
        measure=measures.jaccard,
        evidence=(LINKS,),
        formula="#(l(a)∩l(b)) / #(l(a)∪l(b)), l(a) = in(a) ∪ out(a)",
        description="What share of the concepts linked with either, in any direction, are linked with both?",
        range=(0.0, 1.0),
        source="WORT Table 1",
    ),
    ConceptFeature(
        name="FRIEND",
        group="links and categories",
        measure=measures.friend,
        evidence=(DIRECT_LINKS, FRIENDS_THERE.only("both", "left"), FRIENDS_BACK.only("both", "right")),
        formula="½ (f(a,b) + f(b,a)), f(a,b) = 1 if b ∈ out(a), else #(out(a)∩in(b)) / #out(a)",
        description="Does each link to the other, or to concepts that do?",
        range=(0.0, 1.0),
        source="Ceccarelli et al. 2013, as we read it: the row breaks off in WORT Table 1",
    ),
    ConceptFeature(
        name="DIRECT-LINK",
        group="links and categories",
        measure=measures.mutual_link,
        evidence=(DIRECT_LINKS,),
        formula="1 if b ∈ in(a) and a ∈ in(b), else 0",
        description="Does each link to the other?",
        range=(0.0, 1.0),
        source="WORT Table 1",
    ),
    ConceptFeature(
        name="CATEGORY",
        group="links and categories",
        measure=measures.shares_any,
        evidence=(CATEGORIES.only("both"),),
        formula="1 if cat(a)∩cat(b) ≠ ∅, else 0",
        description="Do they share a category? Hidden and maintenance categories do not count.",
        range=(0.0, 1.0),
        source="WORT Table 1",
    ),
    ConceptFeature(
        name="TFIDF-CS",
        group="article text",
        measure=measures.cosine,
        evidence=(TFIDF,),
        formula="cos(t(a), t(b)), t(a) = the tf-idf weights of the words of article a",
        description="Do the articles use the same words?",
        range=(0.0, 1.0),
        source="WORT Table 1",
    ),
    ConceptFeature(
        name="ESA",
        group="article text",
        measure=measures.cosine,
        evidence=(ESA,),
        formula="cos(s(a), s(b)), s(a) = the text of article a projected on the concepts",
        description="Do the articles' texts speak of the same concepts?",
        range=(0.0, 1.0),
        source="Gabrilovich & Markovitch 2007",
    ),
    ConceptFeature(
        name="ENC-TITLE",
        group="encoder",
        measure=measures.cosine,
        evidence=(TITLES,),
        formula="cos(t(a), t(b)), t(a) = a sentence encoder's vector of the title",
        description="Do the titles mean nearly the same, as a sentence encoder reads them?",
        range=(-1.0, 1.0),
        source="Reimers & Gurevych 2019",
    ),
    ConceptFeature(
        name="ENC-CROSS",
        group="encoder",
        measure=measures.mean_cosine,
        evidence=(TITLES_AND_LEADS,),
        formula="½ (cos(t(a), l(b)) + cos(l(a), t(b))), t as for ENC-TITLE, l as for ENC-LEAD",
        description="Does each title mean nearly what the other's article begins with?",
        range=(-1.0, 1.0),
        source="Reimers & Gurevych 2019",
    ),
    ConceptFeature(
        name="ENC-LEAD",
        group="encoder",
        measure=measures.cosine,
        evidence=(LEADS,),
        formula="cos(l(a), l(b)), l(a) = a sentence encoder's vector of title and beginning of the article",
        description="Do the articles begin alike, as a sentence encoder reads them?",
        range=(-1.0, 1.0),
        source="Reimers & Gurevych 2019",
    ),
)
"""All of them: those of the paper in its order, in its four groups, by what a feature relies on, and
others."""

OF_WORT: tuple[str, ...] = tuple(feature.name for feature in FEATURES[:16])
"""The features of the paper, which its regression and the linear models are made of."""

FEATURE_NAMES: tuple[str, ...] = tuple(feature.name for feature in FEATURES)
"""The columns of ``extract``."""

SIGNATURES: tuple[str, ...] = tuple(feature.signature for feature in FEATURES)
"""What a model file stores, and is checked against."""


def named(names: Iterable[str]) -> tuple[ConceptFeature, ...]:
    """The features of some names, in their order.

    Raises:
        KeyError: there is no feature of a name; the message has those that there are.
    """
    by_name = {feature.name: feature for feature in FEATURES}
    asked = tuple(names)
    for name in asked:
        if name not in by_name:
            raise KeyError(f"there is no feature {name!r}; there are {', '.join(by_name)}")
    return tuple(by_name[name] for name in asked)
