"""The features of pairs of terms: each a measure joined to its evidence, declared.

``TERM_FEATURES`` has those that any snapshot has evidence for, ``ENCODED_FEATURES`` those that need a text
encoder besides. The columns of ``TermExtractor.extract``, the checks of a model file, the reference in
``docs/terms.md`` and the contract tests derive from the two. The first four are those of TR9856, section 5.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import measures
from features.catalogue import named
from features.feature import ConceptFeature, Feature
from features.terms.evidence import TermEvidence
from measures.arrays import Floats

_WORD_PAIRS = ("words", "word_pairs", "word_counts")
_POSTINGS = ("words", "postings")
_VECTORS = ("words", "word_vectors")


def _pmi(e: TermEvidence) -> Floats:
    return measures.positive_pmi(*e.sentence_counts, e.sentences)


def _npmi(e: TermEvidence) -> Floats:
    return measures.normalised_pmi(*e.sentence_counts, e.sentences)


_OF_SENSES: dict[str, ConceptFeature] = {
    f"SENSE-{feature.name}": feature
    for feature in named(("NPMI1_C", "PMI2_C", "MW", "TFIDF-CS", "ESA", "W2V", "PMI1"))
}
"""The features of terms that are features of concepts, of the chosen senses."""


def _of_senses(name: str, feature: ConceptFeature) -> Feature[TermEvidence]:
    return Feature(
        name=name,
        group="senses",
        compute=lambda e: e.sense(feature.name),
        formula=f"{feature.name} of the chosen senses",
        description=feature.description,
        tables=("titles", "mentions", "senses", "link_probability", *feature.tables),
        range=feature.range,
        source=feature.source,
    )


TERM_FEATURES: tuple[Feature[TermEvidence], ...] = (
    Feature(
        name="ESA",
        group="TR9856",
        compute=lambda e: measures.cosine_of(*e.esa),
        formula="cos(Σ s(x), Σ s(y)), s(x) = the postings of word x: its tf-idf weights in articles",
        description="Do the words of the terms stand in the same articles?",
        tables=_POSTINGS,
        range=(0.0, 1.0),
        source="Gabrilovich & Markovitch 2007; summed as in TR9856 section 5",
    ),
    Feature(
        name="W2V",
        group="TR9856",
        compute=lambda e: measures.cosine_of(*e.word2vec),
        formula="cos(Σ v(x), Σ v(y)), v(x) = the word2vec vector of word x, centred, unit length",
        description="Do the words of the terms occur among the same words?",
        tables=_VECTORS,
        range=(-1.0, 1.0),
        source="Mikolov et al. 2013; summed as in TR9856 section 5",
    ),
    Feature(
        name="PMI",
        group="TR9856",
        compute=lambda e: measures.mean_of_pairs(*e.summed(_pmi(e))),
        formula="mean over x in a, y in b of max(0, log(p(x,y) / (p(x) p(y))))",
        description="Do the words of the terms occur in the same sentences?",
        tables=_WORD_PAIRS,
        range=(0.0, inf),
        source="Church & Hanks 1990; averaged as in TR9856 section 5",
    ),
    Feature(
        name="TOKENS",
        group="TR9856",
        compute=lambda e: e.tokens.astype("float64"),
        formula="#tokens(a) + #tokens(b)",
        description="How many words do the terms have together?",
        tables=(),
        range=(0.0, inf),
        source="TR9856 section 5.2",
    ),
    Feature(
        name="NPMI",
        group="words",
        compute=lambda e: measures.mean_of_pairs(*e.summed(_npmi(e))),
        formula="mean over x in a, y in b of NPMI(x,y) = max(0, log(p(x,y) / (p(x) p(y)))) / −log p(x,y)",
        description="Do the words of the terms occur in the same sentences, as a share of the most possible?",
        tables=_WORD_PAIRS,
        range=(0.0, 1.0),
        source="Bouma 2009; averaged as in TR9856 section 5",
    ),
    Feature(
        name="PMI-LIFT",
        group="words",
        compute=lambda e: measures.best_match_average(*e.matches(_pmi(e))),
        formula="½ (CC(a,b) + CC(b,a)), CC(a,b) = mean over x in a of max over y in b of PMI(x,y)",
        description="Has each word of a term a word in the other beside which it occurs?",
        tables=_WORD_PAIRS,
        range=(0.0, inf),
        source="Church & Hanks 1990; best-match average as in WORT 4.1",
    ),
    Feature(
        name="NPMI-LIFT",
        group="words",
        compute=lambda e: measures.best_match_average(*e.matches(_npmi(e))),
        formula="½ (CC(a,b) + CC(b,a)), CC as for PMI-LIFT, of NPMI(x,y)",
        description="Has each word of a term a word in the other beside which it occurs, as a share of the "
        "most possible?",
        tables=_WORD_PAIRS,
        range=(0.0, 1.0),
        source="Bouma 2009; best-match average as in WORT 4.1",
    ),
    Feature(
        name="W2V-LIFT",
        group="words",
        compute=lambda e: measures.best_match_average(*e.matches(measures.cosine(e.word_dots))),
        formula="½ (CC(a,b) + CC(b,a)), CC as for PMI-LIFT, of cos(v(x), v(y))",
        description="Has each word of a term one in the other that occurs among the same words?",
        tables=_VECTORS,
        range=(-1.0, 1.0),
        source="Mikolov et al. 2013; best-match average as in WORT 4.1",
    ),
    Feature(
        name="W2V-MEAN",
        group="words",
        compute=lambda e: measures.mean_of_pairs(*e.summed(measures.cosine(e.word_dots))),
        formula="mean over x in a, y in b of cos(v(x), v(y))",
        description="Does every word of a term occur among the same words as every word of the other?",
        tables=_VECTORS,
        range=(-1.0, 1.0),
        source="Mikolov et al. 2013; averaged as TR9856 section 5 does PMI",
    ),
    Feature(
        name="W2V-IDF",
        group="words",
        compute=lambda e: measures.cosine_of(*e.weighted_word2vec),
        formula="cos(Σ i(x) v(x), Σ i(y) v(y)), i(x) = log(S / n(x)), n(x) of S sentences have x",
        description="Do the words of the terms, the rare ones above all, occur among the same words?",
        tables=(*_VECTORS, "word_counts"),
        range=(-1.0, 1.0),
        source="Mikolov et al. 2013; weighted by Spärck Jones 1972",
    ),
    Feature(
        name="ESA-IDF",
        group="words",
        compute=lambda e: measures.cosine_of(*e.weighted_esa),
        formula="cos(Σ i(x) ŝ(x), Σ i(y) ŝ(y)), ŝ = s of unit length, i as for W2V-IDF",
        description="Do the words of the terms, the rare ones above all, stand in the same articles?",
        tables=(*_POSTINGS, "word_counts"),
        range=(0.0, 1.0),
        source="Gabrilovich & Markovitch 2007; weighted by Spärck Jones 1972",
    ),
    Feature(
        name="PMI2-LIFT",
        group="words",
        compute=lambda e: measures.best_match_average(*e.matches(measures.cosine(e.pmi_vector_dots))),
        formula="½ (CC(a,b) + CC(b,a)), CC as for PMI-LIFT, of cos(c(x), c(y)), c(x) = the PMI of x with the "
        "1,000 most frequent words",
        description="Has each word of a term one in the other that occurs beside the same words?",
        tables=_WORD_PAIRS,
        range=(0.0, 1.0),
        source="Bullinaria & Levy 2007; best-match average as in WORT 4.1",
    ),
    Feature(
        name="SHARED-WORDS",
        group="words",
        compute=lambda e: measures.dice(*e.shared_words),
        formula="2 #(a∩b) / (#a + #b), over the different words",
        description="Do the terms have words in common?",
        tables=(),
        range=(0.0, 1.0),
        source="Dice 1945",
    ),
    Feature(
        name="RAREST",
        group="words",
        compute=lambda e: e.largest_idf,
        formula="max over x in a or b of log(S / n(x))",
        description="How rare is the rarest word of the two?",
        tables=("words", "word_counts"),
        range=(0.0, inf),
        source="Spärck Jones 1972",
    ),
    Feature(
        name="SENSES",
        group="senses",
        compute=lambda e: e.named,
        formula="1 if both terms name, or contain, concepts, else 0",
        description="Do both terms have senses to compare?",
        tables=("titles", "mentions", "senses", "link_probability"),
        range=(0.0, 1.0),
        source="this project",
    ),
    Feature(
        name="SENSE-PRIOR",
        group="senses",
        compute=lambda e: e.prior,
        formula="prior(a) · prior(b) of the chosen senses",
        description="How likely are the chosen senses?",
        tables=("titles", "mentions", "senses", "link_probability"),
        range=(0.0, 1.0),
        source="Ferragina & Scaiella 2010, commonness",
    ),
    *(_of_senses(name, feature) for name, feature in _OF_SENSES.items()),
)
"""The features that need no encoder, in their order."""

ENCODED_FEATURES: tuple[Feature[TermEvidence], ...] = (
    Feature(
        name="TEXT",
        group="encoder",
        compute=lambda e: e.text_cosine,
        formula="cos(t(a), t(b)), t = the encoder's vector of the term, or of the term and its description; "
        "of one or two words, the mean with that of “the meaning of” these",
        description="Does an encoder of texts put the two near each other?",
        tables=(),
        range=(-1.0, 1.0),
        source="Reimers & Gurevych 2019",
    ),
    Feature(
        name="TEXT-CROSS",
        group="encoder",
        compute=lambda e: measures.mean_cosine(*e.text_and_lead_cosines),
        formula="½ (cos(t(a), l(b)) + cos(l(a), t(b))), t as for TEXT, l(a) = the vector of title and "
        "beginning of the article that a names, or t(a) where it names none",
        description="Does an encoder of texts put each near how the other's article begins, or near the "
        "other itself where it names none?",
        tables=("titles", "mentions", "senses", "link_probability", "lead_vectors"),
        range=(-1.0, 1.0),
        source="Reimers & Gurevych 2019",
    ),
)
"""The features that a text encoder has evidence for."""

EVERY_TERM_FEATURE: tuple[Feature[TermEvidence], ...] = (*TERM_FEATURES, *ENCODED_FEATURES)
"""Every feature of terms: those that need no encoder, then the others."""

TERM_FEATURE_NAMES: tuple[str, ...] = tuple(feature.name for feature in TERM_FEATURES)
"""The columns of ``TermExtractor.extract`` where there is no encoder."""

TERM_SIGNATURES: tuple[str, ...] = tuple(feature.signature for feature in EVERY_TERM_FEATURE)
"""What a model of terms may store, and is checked against."""


def term_features(names: Iterable[str]) -> tuple[Feature[TermEvidence], ...]:
    """The features of these names, in their order.

    Raises:
        KeyError: there is none of a name.
    """
    known = {feature.name: feature for feature in EVERY_TERM_FEATURE}
    return tuple(known[name] for name in names)


def compared_of_senses(features: Iterable[Feature[TermEvidence]]) -> tuple[ConceptFeature, ...]:
    """The features of concepts that some features of terms are, of the chosen senses, in their order."""
    return tuple(_OF_SENSES[feature.name] for feature in features if feature.name in _OF_SENSES)
