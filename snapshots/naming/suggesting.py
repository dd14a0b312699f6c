"""What somebody may have meant who wrote a name, to its end, that nothing here has."""

from __future__ import annotations

import msgspec

from snapshots.naming.alias_use import AliasUse, lists_meanings
from snapshots.naming.hits import SearchHit
from snapshots.naming.resolution import Resolution
from snapshots.naming.search import LONGEST, TitleSearch
from snapshots.naming.spelling import EXCHANGED, TWO_EDITS, begins_alike, is_another, is_misspelt
from snapshots.text import words
from wiki.dates import date_in_words
from wiki.folding import fold
from wiki.punctuation import plainly_signed
from wiki.titles import MAXIMUM_BYTES

_LOOKED_AT = 3
"""How many hits of a search are looked at for each suggestion."""

_ABBREVIATED = 5
"""Letters of the longest name in capitals that is taken for an abbreviation."""

_BEGINS = 4
"""From how many letters on a name may be what another word begins with, as "goog" is of Google."""

_ANY_FIRST = 7
"""From how many letters on the first of a name may be another than that of the text."""


def unknown(
    search: TitleSearch, use: AliasUse | None, title: str, limit: int, language: str = ""
) -> Resolution:
    """What a title is that nothing has, with the titles of ``suggestions`` for it, up to ``limit``.

    No page is suggested that lists meanings. ``use``: says which names are words; without it, none is.
    ``language``: that of the wiki, in which dates are written.
    """
    if not limit:
        return Resolution("unknown", title=title)
    if (date := date_in_words(title, language)) is not None:
        dated = [hit for hit in search.with_words(date, limit) if not lists_meanings(hit.title)]
        return Resolution(
            "unknown", title=title, suggestions=tuple(hit.redirect or hit.title for hit in dated)
        )
    alike = suggestions(search, title, limit, use is not None and use.is_word(title))
    alike = [hit for hit in alike if not lists_meanings(hit.title) and not _tells_more(hit.title, title)]
    titles = tuple(hit.redirect or hit.title for hit in alike)
    # Who writes an abbreviation spells it right: USSR is no typing error of "User interface".
    misspelt = bool(alike) and alike[0].match == "near" and not title.isupper()
    return Resolution("unknown", title=title, suggestions=titles, misspelt=misspelt)


def _tells_more(title: str, name: str) -> bool:
    """Whether a title has so many words that it tells what happened to what a name is.

    >>> _tells_more("United States presidential election, 1984", "1984")
    False
    >>> _tells_more("1993 child sexual abuse accusations against Michael Jackson", "Michael Jackson")
    True
    """
    return len(words(title)) > 2 * len(words(name)) + 3


def as_typed(found: Resolution, reference: str) -> Resolution:
    """What was found, but an unknown title with the sign that begins a section, where none is called so.

    The sign is one of the name in "C#" and in "C# (programming language)".
    """
    _, sign, after = reference.partition("#")
    if found.status != "unknown" or not sign or after[:1].isalnum() or not after.isprintable():
        return found
    return msgspec.structs.replace(found, title=f"{found.title}#{after[:MAXIMUM_BYTES].rstrip()}")


def signed_letter(title: str, reference: str) -> str | None:
    """A letter and the sign behind it that begins a section, as "F#" is; None where the sign begins one.

    ``title``: what ``reference`` is without a section. Whoever writes "F#" does not ask for the letter.

    >>> signed_letter("F", "f #"), signed_letter("F", "F# (language)"), signed_letter("F", "F#History")
    ('F#', 'F# (language)', None)
    """
    _, sign, after = reference.partition("#")
    if not sign or len(title) != 1 or not title.isalpha() or after[:1].isalnum() or not after.isprintable():
        return None
    return f"{title}#{after[:MAXIMUM_BYTES].rstrip()}"


def with_letter(found: Resolution, letter: str, limit: int) -> Resolution:
    """What was found for a letter with a sign behind it; of an unknown one, the letter is suggested.

    ``letter``: the title of its article; ``limit``: the most titles that are suggested.
    """
    if found.status != "unknown":
        return found
    suggested = dict.fromkeys((letter, *found.suggestions))
    return msgspec.structs.replace(found, suggestions=tuple(suggested)[:limit])


def suggestions(search: TitleSearch, text: str, limit: int, is_word: bool = False) -> list[SearchHit]:
    """Concepts that may be meant by a text, up to ``limit``: those of a search, but for what is only begun.

    Who writes "kitten" has not begun to write "Wittenberg", and nobody means Chemistry by "Che" where there
    is Che Guevara. Capitals are the first letters of words sooner than the beginning of one. Where the text
    ``is_word`` of its own, nothing is offered for being spelt nearly so: "checkers" is no chicken. Where a
    title is spelt nearly so, nothing is that only has such words.
    """
    text = plainly_signed(text)
    folded = fold(text[:LONGEST])[:LONGEST]
    # A letter is a word of many titles that nobody means by it: "C" is no Washington, D.C., nor "ß" the SS.
    worded = search.with_words(text, limit) if len(text) > 1 or not folded.isascii() else []
    whole = [*search.qualified(text), *worded]
    if is_abbreviation(text):
        return _distinct([*search.spelling_out(text), *whole], limit)
    found = search.find(text, _LOOKED_AT * limit)
    # What only differs by its capitals from a word has not been taken for it, and is nearest to it.
    whole = [*(hit for hit in found if hit.match == "prefix" and _titled(hit) == folded), *whole]
    # Nor has it been taken for its plural, if more write the one than the other: "viking", of Vikings.
    if search.singular is not None:
        whole = [*(hit for hit in (*whole, *found) if search.singular(_titled(hit)) == folded), *whole]
    begun = [hit for hit in found if hit.match != "near" and len(folded) >= _BEGINS]
    near = [hit for hit in found if hit.match == "near" and not is_word and _is_near_word(folded, hit)]
    # Nor is an abbreviation what has another letter: "xmas" is no XMMS.
    near = [hit for hit in near if not (hit.title.isupper() and is_another(_titled(hit), folded))]
    named = [hit for hit in (*begun, *near) if _is_near_name(folded, hit)]
    # One error in a word is likelier than two in a title: "diabetis" is no Dianetics.
    slight = [hit for hit in near if any(is_misspelt(span, folded, 1) for span in _spans(folded, hit))]
    if slight and not any(hit in named for hit in slight):
        near, named = slight, []
    if named and not whole:
        return _distinct(named, limit)
    if whole or begun or near or is_word:
        return _distinct([*whole, *begun, *near], limit)
    # Beginnings may have been found in place of words.
    respelt = search.respelt(text, limit) if found else []
    near = [hit for hit in respelt if len(folded) >= _ANY_FIRST or _is_near_word(folded, hit)]
    return _distinct(near, limit)


def is_abbreviation(text: str) -> bool:
    """Whether a text is a few capitals, and so the first letters of words sooner than a word."""
    return 1 < len(text) <= _ABBREVIATED and text.isalpha() and text.isupper()


def _distinct(hits: list[SearchHit], limit: int) -> list[SearchHit]:
    """The first of each concept, in order."""
    first: dict[int, SearchHit] = {}
    for hit in hits:
        first.setdefault(hit.concept, hit)
    return list(first.values())[:limit]


def _names_of(hit: SearchHit) -> list[str]:
    """What a hit is called, folded: by the name that matched, and by its title."""
    return [fold(name) for name in (hit.redirect, hit.alias, hit.title) if name is not None]


def _titled(hit: SearchHit) -> str:
    """The title that a hit was found by, folded."""
    return fold(hit.redirect or hit.title)


def _is_near_name(folded: str, hit: SearchHit) -> bool:
    """Whether the title of a hit is the text, but for an edit or two; of aliases, some are parts of names."""
    return is_misspelt(_titled(hit), folded, _edits(folded))


def _edits(folded: str) -> int:
    """How many edits a text may be away from what is meant."""
    return (len(folded) >= EXCHANGED) + (len(folded) >= TWO_EDITS)


def _spans(folded: str, hit: SearchHit) -> list[str]:
    """As many words of a hit's names as a text has, from each word on."""
    asked, names = len(folded.split()), [name.split() for name in _names_of(hit)]
    return [" ".join(name[place : place + asked]) for name in names for place in range(len(name))]


def _is_near_word(folded: str, hit: SearchHit) -> bool:
    """Whether as many words of a hit's name as the text has are the text, but for an edit or two.

    Few get the first letter wrong, and short words are near to many that begin otherwise: "Nope" to Hope.
    So are longer ones, if another letter differs, too: "zucchini" to Puccini, and "courgette" to Tourette.
    """
    edits = _edits(folded)
    names = [name.split() for name in _names_of(hit)]
    spans = _spans(folded, hit)
    # Nor is a short part of a title the text with another letter in it: "Nope" is no Nome (Egypt).
    spans = [span for span in spans if not is_another(span, folded) or span.split() in names]
    if any(is_misspelt(span, folded, edits) for span in spans if begins_alike(span, folded)):
        return True
    return len(folded) >= _ANY_FIRST and any(is_misspelt(span, folded, 1) for span in spans)
