"""What BiRD's paper printed: Asaadi, Mohammad & Kiritchenko 2019, section 6."""

from __future__ import annotations

PAIRS, READ = 3159, 3345
"""The pairs all of whose words had vectors of every kind, and all pairs."""

SPACES = ("GloVe", "fastText", "Matrix Factor.")

TABLE_4 = {
    "head only": (0.342, 0.403, 0.339),
    "modifier only": (0.438, 0.495, 0.425),
    "addition": (0.564, 0.601, 0.582),
    "multiplication": (0.182, 0.328, 0.244),
    "tensor product": (0.374, 0.382, 0.451),
    "dilation": (0.523, 0.495, 0.496),
}
"""Pearson's r by method, for each of ``SPACES``."""

BEST_ALPHAS = (0.7, 0.8)
"""The weights of the modifier that Figure 2 has highest."""
