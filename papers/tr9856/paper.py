"""What TR9856 reports (Levy et al. 2015, Tables 2 to 5): with the whole Wikipedia of March 2015."""

from __future__ import annotations

METHODS: dict[str, tuple[float, float]] = {"ESA": (0.43, 0.59), "W2V": (0.57, 0.56), "PMI": (0.55, 0.58)}
"""Table 2: Pearson and Spearman of each method."""

REGRESSION = (0.62, 0.63)
"""Table 3: the mean over ten folds of the linear regression."""

LENGTHS: dict[str, tuple[float, float, float, float]] = {
    "ESA": (0.41, 0.43, 0.63, 0.58),
    "W2V": (0.62, 0.55, 0.58, 0.55),
    "PMI": (0.63, 0.55, 0.63, 0.59),
}
"""Table 4: Pearson of single-word pairs and of others, Spearman of the same two."""

ERRORS: dict[str, float] = {"ESA": 0.19, "W2V": 0.22, "PMI": 0.21, "Logistic regression": 0.18}
"""Table 5: the mean error of telling related pairs from unrelated ones."""

SINGLE_WORD_PAIRS = 1_489
MULTI_WORD_PAIRS = 8_367
RELATED = 3_090
UNRELATED = 3_245
"""How many pairs the tables are of."""
