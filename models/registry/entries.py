"""What the registry takes: names, texts and references, checked before they are written."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable

from models.registry.errors import BadEntry, UnknownModel

LONGEST_NAME = 100
"""Characters of a model's name."""

LONGEST_TEXT = 10_000
"""Characters of a note, a reason or a message."""


def checksum(content: bytes) -> str:
    """BLAKE2b-256, in hex."""
    return hashlib.blake2b(content, digest_size=32).hexdigest()


def checked_name(
    name: str,
    of: str = "a model",
    refused: Callable[[str], bool] = lambda name: "@" in name,
    rule: str = "has no @, no control or invisible characters, and no space at its ends",
) -> str:
    """The name ``of`` a model or a key, composed (NFC), so that names that look the same are the same.

    Raises:
        BadEntry: it is empty, too long or ``refused``, starts or ends with a space, or holds a character
            that cannot be printed; ``rule`` says so.
    """
    composed = unicodedata.normalize("NFC", name)
    if not 0 < len(composed) <= LONGEST_NAME:
        raise BadEntry(f"{of}'s name has 1 to {LONGEST_NAME} characters, not {len(composed)}.")
    if refused(composed) or not composed.isprintable() or composed != composed.strip():
        raise BadEntry(f"{name!r} cannot be {of}'s name: a name {rule}. Choose another with --name.")
    return composed


def checked_text(text: str, what: str, *, needed: bool = False) -> str:
    """A text for people: a note, a reason, who did something.

    Raises:
        BadEntry: it holds characters that no database or terminal takes, is too long, or is empty though
            ``needed``.
    """
    if needed and not text.strip():
        raise BadEntry(f"{what} is empty. Say it in a few words.")
    if len(text) > LONGEST_TEXT:
        raise BadEntry(f"{what} has {len(text):,} characters; at most {LONGEST_TEXT:,} are kept.")
    if any(map(_refused, text)):
        raise BadEntry(f"{what} holds control characters. Leave them out.")
    return text


def shown_text(text: str) -> str:
    """A text as ``checked_text`` takes it: what that refuses is escaped, and what is too long is cut.

    For what a program says, whose end must be kept whatever it quotes.
    """
    escaped = "".join(
        character.encode("unicode_escape").decode() if _refused(character) else character
        for character in text[:LONGEST_TEXT]
    )
    return escaped if len(text) <= LONGEST_TEXT >= len(escaped) else f"{escaped[: LONGEST_TEXT - 1]}…"


def _refused(character: str) -> bool:
    """Whether no database or terminal takes the character."""
    return unicodedata.category(character) in {"Cc", "Cs"} and character not in "\t\n"


def parse_ref(ref: str) -> tuple[str, int | None]:
    """The name and version that a reference means; version None, the newest, where it has none.

    Raises:
        UnknownModel: what stands after the @ is no version.
    """
    name, at, version = ref.partition("@")
    name = unicodedata.normalize("NFC", name)
    if not at:
        return name, None
    if not (version.isascii() and version.isdigit() and len(version) < 10 and int(version) >= 1):
        raise UnknownModel(f"{ref!r} names no version: write NAME@3 for the third, or NAME for the newest.")
    return name, int(version)
