"""What names a concept, or a side of a pair, in a request."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType


class Reference(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A concept named explicitly: by its page id, by its title, or by a mention of it in a text."""

    id: Annotated[int, Meta(description="The page id of the concept's article.")] | UnsetType = UNSET
    title: Annotated[str, Meta(description="The title of the concept's article.")] | UnsetType = UNSET
    mention: (
        Annotated[
            str,
            Meta(
                description="What a text calls the concept, as the text of a link would: it may mean several."
            ),
        ]
        | UnsetType
    ) = UNSET
    context: Annotated[
        str | None,
        Meta(description="With a mention, what is said around it: it helps to tell the senses apart."),
    ] = None

    def __post_init__(self) -> None:
        if [self.id, self.title, self.mention].count(UNSET) != 2:
            raise ValueError("Name a concept by `id`, by `title` or by `mention`, one of the three")
        if self.context is not None and self.mention is UNSET:
            raise ValueError("A `context` is for a `mention`; leave it out, or name a mention")


Concept = Annotated[
    str | int | Reference,
    Meta(
        description="A concept: its article's title, page id, or address on Wikipedia; or a mention of it.",
        examples=[
            "Atheism",
            1234,
            "https://en.wikipedia.org/wiki/Atheism",
            {"id": 1234},
            {"mention": "jaguar", "context": "It hunts by the river."},
        ],
    ),
]
"""What names a concept: a title or an address on Wikipedia, a page id, or a ``Reference``, which may be a
mention of it with the text around: ``Reference(mention="bass", context="It swims in the river.")``."""


class SideReference(Reference, frozen=True, forbid_unknown_fields=True):
    """A side of a pair named explicitly: a concept as in a ``Reference``, or any text and what it means."""

    text: (
        Annotated[
            str,
            Meta(description="A term or a short text, whether or not there is an article on it."),
        ]
        | UnsetType
    ) = UNSET
    description: Annotated[
        str | None,
        Meta(description="With a text, what it means: it helps to tell its senses apart, and is compared."),
    ] = None

    def __post_init__(self) -> None:
        if [self.id, self.title, self.mention, self.text].count(UNSET) != 3:
            raise ValueError("Name a side by `id`, `title`, `mention` or `text`, one of the four")
        if self.context is not None and self.mention is UNSET:
            raise ValueError("A `context` is for a `mention`; leave it out, or name a mention")
        if self.description is not None and self.text is UNSET:
            raise ValueError("A `description` is for a `text`; leave it out, or give a text")


AnySide = Annotated[
    str | int | SideReference,
    Meta(
        description="A concept: its article's title, page id, or address on Wikipedia; or a mention of it; "
        "or any text.",
        examples=[
            "Atheism",
            1234,
            "https://en.wikipedia.org/wiki/Atheism",
            {"id": 1234},
            {"mention": "jaguar", "context": "It hunts by the river."},
            {"text": "screen time", "description": "hours that children spend with a telephone"},
        ],
    ),
]
"""What a side of a pair may be: what names a concept, or a text: ``SideReference(text="screen time")``."""
