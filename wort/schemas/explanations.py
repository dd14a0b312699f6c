"""Where a score comes from, feature by feature."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from wort.schemas.shown import html_table, in_short


class Contribution(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What one feature says about a pair, and what that adds to the raw score."""

    feature: str
    value: float
    contribution: Annotated[float, Meta(description="In the explanation's `unit`.")]
    share: Annotated[
        float | None,
        Meta(
            description="Where the unit is not the score's: what the feature adds to the score. These and "
            "`start` sum to the score, but for rounding."
        ),
    ] = None


class Explanation(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Where a score comes from.

    The intercept and the contributions, added in the order given, are the raw score exactly. In the unit
    `score`, the score is the raw score clipped to the model's range, [0, 0.99]; in `evidence`, it is 0.99
    times raw³ / (1 + raw³): the odds of the answer "related" are the cube of the evidence.
    """

    intercept: float
    contributions: list[Contribution]
    raw: float
    unit: Annotated[
        Literal["score", "evidence"],
        Meta(
            description="What the intercept, the contributions and the raw score are in; `score` if absent."
        ),
    ] = "score"
    start: Annotated[
        float | None,
        Meta(description="Where the unit is not the score's: the score of a pair without any evidence."),
    ] = None

    def __repr__(self) -> str:
        """The features that add the most to the score; ``msgspec.to_builtins`` shows every field."""
        return f"<Explanation {in_short([f'{feature} {adds}' for feature, _, adds in self._adding()])}>"

    def __str__(self) -> str:
        """Where every pair begins, then each feature that adds something, a line each."""
        added = [f"  {adds}  {feature} {value}" for feature, value, adds in self._adding()]
        begun = f"  {self.begin:+.2f}  where every pair begins"
        return "\n".join(["How it adds up, rounded:", begun, *added])

    @property
    def begin(self) -> float:
        """Where every pair begins, in units of the score."""
        return self.intercept if self.start is None else self.start

    def _repr_html_(self) -> str:
        return html_table(("feature", "value", "adds"), self._adding(), "What adds up to the score")

    def _adding(self) -> list[tuple[str, str, str]]:
        """The features that add something, those that add most first: each, its value, what it adds."""
        added = [
            (one, one.contribution if one.share is None else one.share)
            for one in self.contributions
            if one.contribution
        ]
        added.sort(key=lambda one: -abs(one[1]))
        return [(one.feature, f"{one.value:.3g}", f"{adds:+.2f}") for one, adds in added]
