"""Texts to tokens, as BERT cuts them (Devlin et al. 2019; Wu et al. 2016): words, and pieces of words.

It reads what the library ``tokenizers`` writes as ``tokenizer.json`` for models of that family, which the
small sentence encoders are (MiniLM, mpnet, bge, gte, e5), and gives the tokens that the library gives. The
library itself would bring a client of a model hub and a dozen packages into every server.
Marks such as [CLS] in a text are text here, and not the tokens that they name.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from encoders.errors import NotAnEncoder

CHARACTERS = 10_000
"""The most characters of a text that are looked at: what comes behind them would not fit any encoder."""

_LONGEST_TEXT = 1 << 24
"""Bytes of a tokenizer that are read."""


class _Normalizer(msgspec.Struct, frozen=True):
    type: str
    clean_text: bool = True
    handle_chinese_chars: bool = True
    strip_accents: bool | None = None
    lowercase: bool = True


class _Model(msgspec.Struct, frozen=True):
    vocab: dict[str, int]
    type: str = "WordPiece"
    unk_token: str = "[UNK]"  # noqa: S105 a token of text
    continuing_subword_prefix: str = "##"
    max_input_chars_per_word: int = 100


class _Named(msgspec.Struct, frozen=True):
    type: str


class _Special(msgspec.Struct, frozen=True):
    ids: list[int]


class _Processor(msgspec.Struct, frozen=True):
    type: str
    single: list[dict[str, dict[str, str | int]]] = []
    special_tokens: dict[str, _Special] = {}
    cls: tuple[str, int] | None = None
    sep: tuple[str, int] | None = None


class _File(msgspec.Struct, frozen=True):
    normalizer: _Normalizer
    pre_tokenizer: _Named
    post_processor: _Processor
    model: _Model


@dataclass(frozen=True, slots=True)
class WordPiece:
    """What cuts texts. ``before`` and ``after``: the tokens that mark the ends of one."""

    vocabulary: dict[str, int]
    unknown: int
    prefix: str
    longest_word: int
    normalizer: _Normalizer
    before: tuple[int, ...]
    after: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many tokens there may be."""
        return max((*self.vocabulary.values(), *self.before, *self.after)) + 1

    def tokens(self, text: str, most: int) -> list[int]:
        """The first tokens of a text, ``most`` of them at most, without marks; of white space there is none.

        >>> vocabulary = {"[UNK]": 0, "play": 1, "##ing": 2}
        >>> play = WordPiece(vocabulary, 0, "##", 100, _Normalizer("BertNormalizer"), (), ())
        >>> play.tokens("Playing!", 8)
        [1, 2, 0]
        """
        tokens: list[int] = []
        for word in _words(_normal(text[:CHARACTERS], self.normalizer)):
            if len(tokens) >= most:
                break
            tokens += self._pieces(word)
        return tokens[:most]

    def marked(self, tokens: list[int]) -> list[int]:
        """The tokens of a text with those before and after it that mark its ends."""
        return [*self.before, *tokens, *self.after]

    def _pieces(self, word: str) -> list[int]:
        """The longest known beginning of a word, then of what is left of it; or the unknown token."""
        if len(word) > self.longest_word:
            return [self.unknown]
        pieces, start = [], 0
        while start < len(word):
            ahead = self.prefix if start else ""
            for end in range(len(word), start, -1):
                piece = self.vocabulary.get(ahead + word[start:end])
                if piece is not None:
                    break
            else:
                return [self.unknown]
            pieces.append(piece)
            start = end
        return pieces


def read_wordpiece(content: bytes, source: str) -> WordPiece:
    """What cuts texts, of the bytes of a ``tokenizer.json``; ``source`` is what errors name.

    Raises:
        NotAnEncoder: it is no such file, or cuts texts in another way.
    """
    try:
        if len(content) > _LONGEST_TEXT:
            raise NotAnEncoder(f"{source} has {len(content):,} bytes, more than a tokenizer has.")
        file = msgspec.json.decode(content, type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotAnEncoder(
            f"{source} is not a tokenizer that is read here: {error}. Encoders whose texts are cut as BERT's "
            "are can be used."
        ) from None
    for part, kind, wanted in (
        ("model", file.model.type, "WordPiece"),
        ("normalizer", file.normalizer.type, "BertNormalizer"),
        ("pre-tokenizer", file.pre_tokenizer.type, "BertPreTokenizer"),
    ):
        if kind != wanted:
            raise NotAnEncoder(
                f"{source} has a {part} of the type {kind}, and {wanted} is read here. Encoders whose texts "
                "are cut as BERT's are can be used."
            )
    before, after = _marks(file.post_processor, source)
    vocabulary, unknown = file.model.vocab, file.model.unk_token
    tokens = [*vocabulary.values(), *before, *after]
    if unknown not in vocabulary or not all(0 <= token < 1 << 31 for token in tokens):
        raise NotAnEncoder(f"{source} has no token {unknown}, or one that is no number from 0.")
    return WordPiece(
        vocabulary,
        vocabulary[unknown],
        file.model.continuing_subword_prefix,
        file.model.max_input_chars_per_word,
        file.normalizer,
        before,
        after,
    )


def _marks(processor: _Processor, source: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The tokens before and after a text."""
    if processor.cls is not None and processor.sep is not None:  # BertProcessing, RobertaProcessing
        return (processor.cls[1],), (processor.sep[1],)
    before: list[int] = []
    after: list[int] = []
    seen = False
    for piece in processor.single:
        for kind, named in piece.items():
            if kind == "Sequence":
                seen = True
                continue
            special = processor.special_tokens.get(str(named.get("id")))
            if special is None:
                raise NotAnEncoder(
                    f"{source} marks a text with {named.get('id')!r}, which it does not define."
                )
            (after if seen else before).extend(special.ids)
    if not seen:
        raise NotAnEncoder(
            f"{source} has a post-processor of the type {processor.type}, which is not read here."
        )
    return tuple(before), tuple(after)


def _normal(text: str, how: _Normalizer) -> str:
    """The text as it is cut: without control characters and accents, in small letters."""
    if text.isascii() and text.isprintable():
        return text.lower() if how.lowercase else text
    if how.clean_text:
        text = "".join(c for c in text if not _dropped(c))
    if how.handle_chinese_chars:
        text = "".join(f" {c} " if _ideograph(c) else c for c in text)
    if how.lowercase if how.strip_accents is None else how.strip_accents:
        text = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
    # A letter by itself: the small form of one does not depend on where it stands in a word.
    return "".join(c.lower() for c in text) if how.lowercase else text


def _words(text: str) -> Iterator[str]:
    """Runs without white space, each mark of punctuation by itself."""
    for run in text.split():
        start = 0
        for place, c in enumerate(run):
            if _punctuation(c):
                if place > start:
                    yield run[start:place]
                yield c
                start = place + 1
        if start < len(run):
            yield run[start:]


@lru_cache(4_096)
def _dropped(c: str) -> bool:
    """Whether a character is read as if it were not there: controls, marks of format, and damage."""
    return c in "\x00\ufffd" or (c not in "\t\n\r" and unicodedata.category(c) in _UNREAD)


@lru_cache(4_096)
def _punctuation(c: str) -> bool:
    """Whether a character is punctuation, or a sign of ASCII that is neither letter nor digit."""
    return (
        "!" <= c <= "/"
        or ":" <= c <= "@"
        or "[" <= c <= "`"
        or "{" <= c <= "~"
        or (unicodedata.category(c)[0] == "P")
    )


def _ideograph(c: str) -> bool:
    """Whether a character stands in a block of CJK ideographs."""
    return c >= "\u3400" and any(low <= ord(c) <= high for low, high in _IDEOGRAPHS)


_UNREAD = frozenset({"Cc", "Cf", "Co", "Cs"})
"""The categories of control characters, marks of format, private ones and halves of pairs."""

_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
"""Their blocks, as the library ``tokenizers`` has them."""
