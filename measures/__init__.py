"""The measures: every formula that a feature, a build or an answer rests on, on plain numbers.

A module is a family of them. Each function broadcasts: the same call takes a worked example as integers and a
million pairs as arrays. Counts are zero or at least one. Logarithms are natural. Absent evidence gives 0,
decided here, so that no call divides by zero or takes the logarithm of it.

Sources: "WORT" is Ein-Dor et al. 2018 (Semantic Relatedness of Wikipedia Concepts, LREC), section 4.1 and
Table 1; "TR9856" is Levy et al. 2015 (TR9856: A Multi-word Term Relatedness Benchmark), section 5; the papers
that these name for a measure stand beside it.
"""

from measures.association import normalised_pmi, positive_pmi
from measures.divergence import divergence_to_similarity, jensen_shannon
from measures.links import conditional_probability, friend, milne_witten, mutual_link, one_way_friend
from measures.matching import (
    best_match_average,
    mean_of_both,
    mean_of_pairs,
    text_relatedness,
    weighted_best_matches,
)
from measures.ranks import percentile_rank
from measures.sets import adamic_adar, dice, jaccard, share, shares, shares_any
from measures.vectors import cosine, cosine_of, mean_cosine
from measures.weights import idf, sense_priors, weight_in_text

__all__ = [
    "adamic_adar",
    "best_match_average",
    "conditional_probability",
    "cosine",
    "cosine_of",
    "dice",
    "divergence_to_similarity",
    "friend",
    "idf",
    "jaccard",
    "jensen_shannon",
    "mean_cosine",
    "mean_of_both",
    "mean_of_pairs",
    "milne_witten",
    "mutual_link",
    "normalised_pmi",
    "one_way_friend",
    "percentile_rank",
    "positive_pmi",
    "sense_priors",
    "share",
    "shares",
    "shares_any",
    "text_relatedness",
    "weight_in_text",
    "weighted_best_matches",
]
