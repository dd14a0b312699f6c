"""The schemas of IBM's Term Relater and Term Wikifier: their names, not ours.

Fields that are not declared here, as the `config` of a request to the wikifier, are passed over: what their
clients may send is not known beyond the one that was published last.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta


class DebaterPair(msgspec.Struct, frozen=True):
    """Two concepts, by the titles of their articles."""

    first: str
    second: str


class TextToAnnotate(msgspec.Struct, frozen=True, rename="camel"):
    """A text, and titles of concepts that it is about."""

    text: str
    context_titles: tuple[str, ...] = ()


class WikifyRequest(msgspec.Struct, frozen=True, rename="camel"):
    """Texts whose concepts are asked for, and what all of them are about."""

    texts_to_annotate: list[TextToAnnotate]
    context_titles: Annotated[tuple[str, ...], Meta(description="Titles of concepts.")] = ()
    context_text: Annotated[str, Meta(description="A text that mentions concepts.")] = ""


class WikifiedMention(msgspec.Struct, frozen=True, rename="camel"):
    """A mention in a text, and the concept that it stands for."""

    span_start: Annotated[int, Meta(description="Where it starts: code points of the text before it.")]
    span_end: Annotated[int, Meta(description="Where it ends.")]
    clean_text: Annotated[str, Meta(description="The mention as it is written in the text.")]
    title: Annotated[str, Meta(description="The title of the concept's article.")]
    inlinks: Annotated[int, Meta(description="How many articles link to it.")]


class WikifyResponse(msgspec.Struct, frozen=True):
    """The mentions in each of the texts, in the order of the texts."""

    annotations: list[list[WikifiedMention]]
