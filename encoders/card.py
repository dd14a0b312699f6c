"""The card of an encoder, ``card.json``: what it is, what it was tuned on, and what is in its folder.

Beside the card stand the files that it lists with their checksums. Which there may be:

- ``tokenizer.json``: how texts become tokens, as the library ``tokenizers`` writes it
  (``encoders.wordpiece``);
- ``model.onnx``: the encoder itself, read by ``encoders.onnx``;
- ``tokens.npy`` and ``token_scales.npy``: a vector a token, read by ``encoders.static``, and perhaps
  ``token_basis.npy``: the directions that the vectors' coordinates are along;
- ``left_out.csv``: cosines by encoders that had not seen the pairs' topics, read by ``encoders.left_out``.

A tokenizer and one of the model and the table of tokens make an encoder. Nothing of it is executed.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec

from encoders.errors import DamagedEncoder, NotAnEncoder, damaged

FORMAT = 1
"""The version of what is said here. A reader refuses any other."""

CARD = "card.json"
TOKENIZER, MODEL, TOKENS, SCALES = "tokenizer.json", "model.onnx", "tokens.npy", "token_scales.npy"
BASIS = "token_basis.npy"
LEFT_OUT = "left_out.csv"

_DECIDING = (TOKENIZER, MODEL, TOKENS, SCALES, BASIS)
"""The files that vectors rest on."""

LONGEST = 8_192
"""The most tokens that a card may let a text have."""

_LARGEST = 1 << 22
"""Bytes of a card that are read; one has some thousand."""


class CardFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file beside the card: its size in bytes, and the SHA-256 of its bytes, in hex."""

    size: int
    sha256: str


class Base(msgspec.Struct, frozen=True):
    """The model that was tuned: its name, and the SHA-256 of its weights' file, in hex."""

    name: str
    sha256: str


class TunedOn(msgspec.Struct, frozen=True):
    """Judgements that the encoder has seen: name, how many, and the BLAKE2b-256 of their file, in hex."""

    name: str
    rows: int
    checksum: str
    licence: str = ""


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of an encoder.

    ``dimensions``: of its vectors. ``longest_text``: how many tokens of a text count, those that mark its
    beginning and its end included. ``pooling``: how the vectors of tokens become one, which the model does
    itself. ``data``: what it was tuned on; nothing, for an encoder as it comes. ``settings``: how.
    ``teacher``: the model that it learnt from besides, if any.
    ``figures``: what it was measured to reach, by what on. ``licence``: of the weights, an SPDX expression.
    """

    format: int = FORMAT
    name: str
    base: Base
    teacher: Base | None = None
    data: list[TunedOn]
    settings: dict[str, Any]
    figures: dict[str, dict[str, float]]
    dimensions: int
    longest_text: int
    pooling: str
    licence: str
    created: str = ""
    code_version: str = ""
    files: dict[str, CardFile]

    @property
    def digest(self) -> str:
        """What decides the vectors, in 16 hex digits: the same for the same files and lengths."""
        deciding = {name: entry.sha256 for name, entry in self.files.items() if name in _DECIDING}
        content = msgspec.json.encode([deciding, self.dimensions, self.longest_text], order="deterministic")
        return hashlib.sha256(content).hexdigest()[:16]


def read_card(folder: Path) -> Card:
    """The card of the encoder in ``folder``; its files are not looked at.

    Raises:
        NotAnEncoder: there is no card, or not one that this version reads.
    """
    path = folder / CARD
    if not path.is_file():
        raise NotAnEncoder(
            f"{folder} is not an encoder: it has no {CARD}. `wort tune` makes such a folder of a "
            "sentence-transformers model."
        )
    with path.open("rb") as file:
        content = file.read(_LARGEST)
    try:
        version = msgspec.json.decode(content)["format"]
        if version != FORMAT:
            raise NotAnEncoder(
                f"{folder} has encoder format {version!r}, and this version of wort reads format {FORMAT}. "
                "Make it again with this version, or use the version of wort that wrote it."
            )
        card = msgspec.json.decode(content, type=Card)
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError, RecursionError) as error:
        raise NotAnEncoder(f"{path} is not an encoder's card: {error}.") from None
    _check(path, card)
    return card


def write_card(folder: Path, card: Card) -> Card:
    """Write a card into ``folder``, with the sizes and checksums of the files that it lists by name, or more.

    Every file that is read (the names at the top of this module) and stands in the folder is listed.
    """
    names = [name for name in (*_DECIDING, LEFT_OUT) if (folder / name).is_file()]
    files = {name: _entry(folder / name) for name in names}
    written = msgspec.structs.replace(card, files=files)
    _check(folder / CARD, written)
    (folder / CARD).write_bytes(msgspec.json.format(msgspec.json.encode(written), indent=2) + b"\n")
    return written


def content_of(folder: Path, card: Card, name: str) -> bytes:
    """The bytes of a file beside the card, checked: what is used is what was checked.

    Raises:
        DamagedEncoder: it is missing, or is not what the card says.
    """
    entry = card.files.get(name)
    if entry is None:
        raise damaged(folder / CARD, f"it lists no file {name}")
    path = folder / name
    try:
        with path.open("rb") as file:
            content = file.read(entry.size + 1)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise damaged(path, "the card lists it, and it is not there") from None
    if len(content) != entry.size:
        raise damaged(path, f"it has not the {entry.size:,} bytes that the card says")
    if hashlib.sha256(content).hexdigest() != entry.sha256:
        raise damaged(path, "its checksum is not the card's")
    return content


def check_files(folder: Path, card: Card) -> list[str]:
    """What is wrong with the files of an encoder: a line a file, none where all is well."""
    problems = []
    for name in card.files:
        try:
            content_of(folder, card, name)
        except DamagedEncoder as error:
            problems.append(str(error))
    return problems


def _entry(path: Path) -> CardFile:
    content = path.read_bytes()
    return CardFile(len(content), hashlib.sha256(content).hexdigest())


def _check(path: Path, card: Card) -> None:
    """Do nothing where a card can be that of an encoder.

    Raises:
        NotAnEncoder: it cannot.
    """
    if not 1 <= card.dimensions <= 1 << 16 or not 1 <= card.longest_text <= LONGEST:
        raise NotAnEncoder(
            f"{path} is not an encoder's card: vectors of {card.dimensions:,} dimensions, texts of "
            f"{card.longest_text:,} tokens."
        )
    if TOKENIZER not in card.files or not ({MODEL, TOKENS} & set(card.files)):
        raise NotAnEncoder(f"{path} lists no {TOKENIZER}, or neither {MODEL} nor {TOKENS}.")
    if (TOKENS in card.files) != (SCALES in card.files):
        raise NotAnEncoder(f"{path} lists one of {TOKENS} and {SCALES}, and each needs the other.")
    for name in card.files:
        if name in (".", "..", CARD) or not name or "/" in name or "\\" in name:
            raise NotAnEncoder(f"{path} lists {name!r}, which is no file beside it.")
