"""The lines of a streamed answer that are no results: the first, which says what answers, and the last."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from wort.schemas.described import ModelInfo, SnapshotInfo


class StreamHead(msgspec.Struct, frozen=True):
    """The first line of a streamed answer."""

    model: ModelInfo
    snapshot: SnapshotInfo


class StreamEnd(msgspec.Struct, frozen=True):
    """The last line of a streamed answer that is whole."""

    done: Annotated[int, Meta(description="How many results there are before it.")]
