"""What whoever runs a server asks, and what any request may be answered: a problem."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta


class Health(msgspec.Struct, frozen=True):
    """What a probe asks for."""

    status: Literal["ok", "starting", "damaged"]


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """An error as RFC 9457 has it."""

    type: Annotated[str, Meta(description="Names the kind of problem; see the list in docs/api.md.")]
    title: Annotated[str, Meta(description="The kind of problem in words.")]
    status: Annotated[int, Meta(description="The HTTP status.")]
    detail: Annotated[str, Meta(description="What is wrong in this request, and what to do.")]
    limit: Annotated[int | None, Meta(description="The limit that the request went over.")] = None
    request_id: Annotated[str | None, Meta(description="What the server's log calls this request.")] = None
    candidates: Annotated[
        tuple[str, ...],
        Meta(
            description="Where a title may mean several concepts: the titles of these, the best known first."
        ),
    ] = ()
    suggestions: Annotated[
        tuple[str, ...],
        Meta(description="Where a title names no concept, or several: other titles that may be meant."),
    ] = ()
