"""The linear model: its score is the sum of its addends, cut to its range."""

from __future__ import annotations

from typing import Literal

from models.additive import AdditiveModel


class LinearModel(AdditiveModel, frozen=True, kw_only=True):
    """A linear model over the features, as ``model.json`` holds it."""

    type: Literal["linear"] = "linear"
