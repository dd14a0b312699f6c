"""What is said of a name that somebody asked for, by servers and by clients."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wort.schemas.shown import in_short

_QUOTED = 300
"""Characters that are quoted of what somebody asked for: any title fits."""

_LONGEST_TITLE = 255
"""Bytes that MediaWiki lets a title have."""


def quoted(asked: str | int) -> str:
    """What somebody asked for, in quotes; of what is longer than any title, its beginning."""
    if isinstance(asked, str) and len(asked) > _QUOTED:
        return f"{asked[:_QUOTED]!r}…"
    return repr(asked)


def not_a_title(asked: str | int, quote: Callable[[str | int], str] = quoted) -> str:
    """Why what was asked for can be no title, as a sentence; ``quote`` says how it is quoted.

    >>> not_a_title("")
    'A concept has a name, and here is none.'
    >>> not_a_title("[x]")
    "'[x]' cannot be the title of an article."
    >>> not_a_title("ж" * 300, quote=lambda _: "It").partition(": ")[2]
    'it is too long. A title has room for its first 127 characters.'
    """
    text = str(asked).strip()
    if not text:
        return "A concept has a name, and here is none."
    # The bound is one of bytes, of which nobody counts what is typed.
    fitting = len(text.encode(errors="replace")[:_LONGEST_TITLE].decode(errors="ignore"))
    too_long = fitting < len(text) and "://" not in text
    why = f": it is too long. A title has room for its first {fitting} characters" if too_long else ""
    return f"{quote(asked)} cannot be the title of an article{why}."


def which_of_several(
    asked: str | int,
    candidates: Sequence[str],
    suggestions: Sequence[str],
    search: str,
    most: int | None = None,
) -> str:
    """What to ask instead of a name of several concepts. ``search``: what finds titles.

    ``most``: how many candidates are named; all without it.

    >>> which_of_several("Jaguar", ["Jaguar (animal)", "Jaguar Cars"], [], "search")
    "'Jaguar' may mean several concepts. Ask again with one of: Jaguar (animal); Jaguar Cars."
    >>> which_of_several("Georgia", ["Georgia (country)"], ["Augusta, Georgia"], "search").partition(". ")[2]
    'If you mean Georgia (country), ask again with it. Or did you mean Augusta, Georgia?'
    >>> which_of_several("Ed", ["Ed (a)", "Ed (b)", "Ed (c)"], [], "search", most=2).partition(". ")[2]
    'Ask again with one of: Ed (a); Ed (b); or another of 3.'
    """
    or_else = f" Or did you mean {_one_of(suggestions)}?" if suggestions else ""
    if len(candidates) == 1:
        problem = f"There is no concept called just {quoted(asked)}."
        return f"{problem} If you mean {candidates[0]}, ask again with it.{or_else}"
    problem = f"{quoted(asked)} may mean several concepts."
    if not candidates:
        ask = f"Ask again with the title of the one that is meant; `{search}` finds titles."
        return f"{problem} {ask}{or_else}"
    named = "; ".join(candidates[:most])
    others = f"; or another of {len(candidates)}" if most is not None and len(candidates) > most else ""
    return f"{problem} Ask again with one of: {named}{others}.{or_else}"


def not_known(
    asked: str | int, title: str | None, suggestions: Sequence[str], place: str, search: str
) -> str:
    """What to ask instead of a name of no concept. ``search``: what finds titles.

    ``title``: what was looked for, where an address was taken for a title. ``place``: where there is none.

    >>> not_known("Athism", None, ["Atheism"], "this snapshot", "search")
    "There is no concept 'Athism' in this snapshot. Did you mean Atheism?"
    """
    if "://" in str(asked) and (title is None or "://" in title):
        return f"{quoted(asked)} is no address of an article of {place}. Ask again with a title."
    instead = (
        f"Did you mean {_one_of(suggestions)}?"
        if suggestions
        else f"Try `{search}` with the beginning of its title, or ask again with a broader concept."
    )
    return f"There is no concept {quoted(asked)} in {place}. {instead}"


def why_not_one(
    status: str, asked: str | int, title: str | None, candidates: Sequence[str], suggestions: Sequence[str]
) -> str | None:
    """Why a side of this status names no one concept, and what to ask instead; None of one that is ``ok``.

    >>> why_not_one("invalid", "[x]", None, (), ()), why_not_one("ok", "Cat", "Cat", (), ())
    ("'[x]' cannot be the title of an article.", None)
    """
    if status == "ok":
        return None
    if status == "invalid":
        return not_a_title(asked)
    if status == "ambiguous":
        return which_of_several(asked, candidates, suggestions, "search")
    return not_known(asked, title, suggestions, "this snapshot", "search")


def may_be(meant: Sequence[str]) -> list[str]:
    """What a name may be that is no concept, in short; nothing where nobody knows."""
    return [f"may be {in_short(meant)}"] if meant else []


def _one_of(titles: Sequence[str]) -> str:
    return f"{'one of these: ' if len(titles) > 1 else ''}{'; '.join(titles)}"
