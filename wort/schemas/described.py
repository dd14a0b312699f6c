"""What every answer says of the model and the snapshot that it rests on."""

from __future__ import annotations

from typing import Annotated

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
