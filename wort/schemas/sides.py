"""How the sides of a pair were understood.

An answer has thousands of the same few structs, none of which can stand in a cycle: with ``gc=False`` the
collector need not look at them.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from wort.schemas.described import PageId
from wort.schemas.naming import may_be, why_not_one

Status = Literal["ok", "unknown", "ambiguous", "invalid"]
Matched = Literal["title", "redirect", "variant", "alias", "page_id", "mention", "sense", "text"]
AliasKind = Literal["bold", "stated", "unqualified", "inflected", "surname"]


class Alternative(msgspec.Struct, frozen=True, gc=False):
    """A sense that a side has as well, and that was not chosen."""

    title: Annotated[str, Meta(description="The article's title.")]
    page_id: PageId
    prior: Annotated[float, Meta(description="How likely it was before the other side was looked at.")]


class Side(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """How one side of a pair was understood."""

    asked: Annotated[
        str | int, Meta(description="What the request named: a title, an address, a page id or a mention.")
    ]
    status: Annotated[Status, Meta(description="`ok` where it names one concept, else why it does not.")]
    title: Annotated[
        str | None,
        Meta(description="The article's title; the title asked for, normalised, where there is none."),
    ]
    page_id: PageId
    matched: Annotated[
        Matched | None,
        Meta(
            description="How it was found: by its `title`, through a `redirect`, by a `variant` of the title "
            "in case or accents, by an `alias`, by its `page_id`, as the one sense of a `mention`, or as the "
            "`sense` that was chosen of several. `text`: it was given as a text; `title` and `page_id` are "
            "those of the concept that it was taken to name, if any."
        ),
    ]
    prior: Annotated[
        float | None,
        Meta(
            description="Of a mention and of a chosen sense: how likely it was before the other side was "
            "looked at, from 0 to 1. Of an alias: the concept's share of the name."
        ),
    ] = None
    alternatives: Annotated[
        tuple[Alternative, ...],
        Meta(
            description="Where a sense was chosen, or an alias matched: the others that there are, the "
            "likeliest first."
        ),
    ] = ()
    candidates: Annotated[
        tuple[str, ...],
        Meta(description="Where it is ambiguous: the articles it may mean, the best known first."),
    ] = ()
    suggestions: Annotated[
        tuple[str, ...],
        Meta(
            description="Where it is unknown: titles that are written alike, or say nearly the same. Where "
            "it is ambiguous: other titles that do."
        ),
    ] = ()
    alias: Annotated[
        tuple[AliasKind, ...],
        Meta(
            description="Where an alias matched, what makes it a name of the concept: it is `bold` in the "
            "first sentence of its article, or `stated` there; the title `unqualified`, without what tells "
            "it apart from others; a title `inflected`; a person's `surname`."
        ),
    ] = ()

    @property
    def reason(self) -> str | None:
        """Why it names no one concept, and what to ask instead, in sentences; None where it names one."""
        return why_not_one(self.status, self.asked, self.title, self.candidates, self.suggestions)

    def __repr__(self) -> str:
        """What was asked, and what it is or may be; ``msgspec.to_builtins`` shows every field."""
        said = (
            [called(self)]
            if self.status == "ok"
            else [self.status, *may_be(self.candidates or self.suggestions)]
        )
        is_called_so = said == [self.asked]
        return f"<Side {self.asked}>" if is_called_so else f"<Side {self.asked}: {'; '.join(map(str, said))}>"


def called(side: Side) -> str | int:
    """What people are shown a side as: its article's title, but a text as it was asked for.

    A text may only contain what its ``title`` names: "machine learning" is more than Learning.
    """
    return side.asked if side.title is None or side.matched == "text" else side.title


class Resolved(msgspec.Struct, frozen=True, gc=False):
    """How the two sides of a pair were understood."""

    left: Side
    right: Side
