"""What an encoder is told of a concept: its title, or how its article begins.

Whatever encodes concepts, to tune an encoder or to build a snapshot, makes their texts here, so that all of
them are the same.
"""

from __future__ import annotations

from collections.abc import Sequence

LONGEST = 1_000
"""Characters of an opening: more than a sentence encoder reads."""


def opening(title: str, paragraphs: Sequence[str]) -> str:
    """The beginning of an article's text, of at most ``LONGEST`` characters; empty where it has none.

    A heading that repeats the title before the text does is left out.

    >>> opening("Cat", ["Cat", "", "The cat is a mammal."])
    'The cat is a mammal.'
    >>> opening("Cat", ["Cat Cat is a mammal."])
    'Cat is a mammal.'
    """
    text = ""
    for paragraph in paragraphs:
        words = paragraph.strip()
        if not text and words.casefold() == title.casefold():
            continue
        text = f"{text} {words}".strip()
        if len(text) >= LONGEST:
            break
    doubled = f"{title} {title}"
    if text[: len(doubled)].casefold() == doubled.casefold():
        text = text[len(title) + 1 :]
    return text[:LONGEST]


def described(title: str, beginning: str) -> str:
    """A title and how its article begins, as one text; the title alone where there is nothing else.

    >>> described("Felidae", "The cat is a mammal.")
    'Felidae. The cat is a mammal.'
    >>> described("Cat", "Cat is a mammal.")
    'Cat is a mammal.'
    """
    if not beginning or beginning.casefold().startswith(title.casefold()):
        return beginning or title
    return f"{title}. {beginning}"
