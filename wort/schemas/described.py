"""What every answer says of the model and the snapshot that it rests on."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

PageId = Annotated[
    int | None,
    Meta(description="The article's page id. `null` where it has none: an assembled dump makes some up."),
]

Share = Meta(extra_json_schema={"minimum": 0, "maximum": 1})
"""Of a number from 0 to 1."""


class ModelInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """The model that gave the scores."""

    name: str
    trained_on: Annotated[str, Meta(description="The id of the snapshot that it was trained on.")]
    warning: Annotated[
        str | None, Meta(description="Present where the model was trained on another snapshot.")
    ] = None
    version: Annotated[
        str | None, Meta(description="Its name and version in the registry, where a release is served.")
    ] = None
    release: Annotated[
        int | None, Meta(description="The number of the release that is served, where one is.")
    ] = None


class SnapshotInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """The snapshot of Wikipedia that the evidence comes from."""

    id: str
    wiki: str
    language: str
    dump_date: str
    concepts: Annotated[int, Meta(description="How many concepts can be asked for.")]
    licence: str
    attribution: Annotated[str, Meta(description="Whose work the evidence was computed from.")]
    works: Annotated[
        tuple[str, ...],
        Meta(description="The works that the dump was made of, where it is not that of one wiki alone."),
    ] = ()
    excerpt_of: Annotated[
        int | None,
        Meta(description="Of an excerpt: how many concepts the snapshot has that it was taken from."),
    ] = None

    def __repr__(self) -> str:
        """Its id and how much it knows; ``msgspec.to_builtins`` shows every field."""
        return f"<SnapshotInfo {self.id}: {self.concepts:,} concepts>"


class Interval(msgspec.Struct, frozen=True, gc=False):
    """Between which shares the answer of a panel of people lies, for as many panels as ``level`` says."""

    low: Annotated[float, Share]
    high: Annotated[float, Share]
    level: Annotated[
        float, Share, Meta(description="The share of panels, 0.9 if nine of ten answer within the interval.")
    ]

    def __str__(self) -> str:
        """Its ends and its level.

        >>> print(Interval(0.375, 1.0, 0.9))
        0.38 to 1.00 (90%)
        """
        return f"{self.low:.2f} to {self.high:.2f} ({self.level:.0%})"


IntervalOfScore = Annotated[
    Interval | None,
    Meta(
        description="Between which shares a panel's answer lies. Present where the model knows one, and the "
        "two sides are not the same."
    ),
]

AskedModel = Annotated[
    Annotated[str, Meta(max_length=200)] | None,
    Meta(
        description="The name of the model to score with, as `GET /v1/models` lists them; `null` for the one "
        "that the server answers by.",
        examples=["wort"],
    ),
]

Used = Literal["concepts", "words", "encoder"]
"""Evidence that a score rests on: that of two concepts, of the words of the sides, or of a text encoder."""
