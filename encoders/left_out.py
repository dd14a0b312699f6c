"""Left-out cosines: of the pairs that an encoder was tuned on, by encoders that had not seen their topics.

A tuned encoder gives the pairs that it has seen cosines that are too good to learn from. So tuning is
repeated with some topics left out at a time, and ``left_out.csv`` keeps what those encoders give of the
topics that each did not see: the columns pair, topic, fold, and the three cosines: of both titles; the mean
of each title with the other's lead, the title in its place where one lead was not known; of both leads. The
second is empty where neither lead was known, the third where one was not.

Pairs and topics are written as digests: an encoder's folder has numbers of its own, and no text of the
judgements, which others may not hand on.
"""

from __future__ import annotations

import csv
import hashlib
import io
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from encoders.card import LEFT_OUT, content_of, read_card
from encoders.errors import BadLeftOut, UnknownPairs

COLUMNS = ("pair", "topic", "fold", "title", "cross", "lead")

COSINES = COLUMNS[3:]
"""The columns with cosines, in the order of what ``KnownCosines.cosines`` returns."""

Pair = tuple[str, str, str]
"""Left, right and topic, as the file of judgements has them."""

_DIGEST = 8
"""Bytes of a digest: that two of a million pairs have the same has a chance of one in 37 million."""

_ROUNDING = 1e-6
"""How far beyond 1 a cosine of rounded vectors may lie."""

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class KnownCosines:
    """The cosines of pairs by encoders that had not seen their topics.

    ``rows``: the place of each pair, by its digest. ``values`` float64[pairs, 3]: title, cross and lead; NaN
    where the file has none. ``fold`` int64[pairs]: which encoder gave them.
    """

    rows: dict[str, int]
    values: NDArray[np.float64]
    fold: NDArray[np.int64]
    source: str = LEFT_OUT

    def cosines(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        """Title, cross and lead of each of ``pairs``, in their order: float64[n, 3], NaN where not known.

        Raises:
            UnknownPairs: some are not in the file.
        """
        return self.values[self._places(pairs)]

    def folds(self, pairs: Sequence[Pair]) -> NDArray[np.int64]:
        """The fold of each of ``pairs``: int64[n].

        Raises:
            UnknownPairs: some are not in the file.
        """
        return self.fold[self._places(pairs)]

    def _places(self, pairs: Sequence[Pair]) -> NDArray[np.int64]:
        missing = [pair for pair in pairs if pair_digest(pair) not in self.rows]
        if missing:
            shown = "; ".join(
                f"{left!r} and {right!r} (topic {topic!r})" for left, right, topic in missing[:_SHOWN]
            )
            more = f", and {len(missing) - _SHOWN:,} more" if len(missing) > _SHOWN else ""
            raise UnknownPairs(
                f"{self.source} has no cosines of {len(missing):,} of {len(pairs):,} pairs: {shown}{more}. "
                "Tune the encoder again on the judgements that are to be learnt from."
            )
        return np.array([self.rows[pair_digest(pair)] for pair in pairs], np.int64)


def read_left_out(folder: Path) -> KnownCosines:
    """The left-out cosines of the encoder in ``folder``.

    Raises:
        EncoderError: the folder is no encoder, or has none; a file is damaged, or a row of it cannot be used.
    """
    card = read_card(folder)
    if LEFT_OUT not in card.files:
        raise BadLeftOut(
            f"{folder} has no {LEFT_OUT}: nothing says what encoders give that have not seen a pair's topic. "
            "Tune it with `wort tune`, which writes that file."
        )
    return parse_left_out(content_of(folder, card, LEFT_OUT), str(folder / LEFT_OUT))


def parse_left_out(content: bytes, source: str = LEFT_OUT) -> KnownCosines:
    """The cosines in the bytes of such a file; ``source`` is what errors name.

    Raises:
        BadLeftOut: it lacks a column or any pair; a row has not its columns, or a pair that stood before, or
            numbers that are none; or a topic lies in two folds.
    """
    rows: dict[str, int] = {}
    values: list[list[float]] = []
    folds: list[int] = []
    fold_of: dict[str, int] = {}
    for line, row in _rows(content, source):
        pair, topic = (_digest_in(row, column, line, source) for column in COLUMNS[:2])
        if pair in rows:
            raise BadLeftOut(f"{source}, line {line}: the pair {pair} stood before.")
        fold = _fold(row["fold"], line, source)
        if fold_of.setdefault(topic, fold) != fold:
            raise BadLeftOut(
                f"{source}, line {line}: the topic {topic} lies in the folds {fold_of[topic]} and {fold}, so "
                "that an encoder may have seen it."
            )
        rows[pair] = len(rows)
        values.append([_cosine(row[column], column, line, source) for column in COSINES])
        folds.append(fold)
    if not rows:
        raise BadLeftOut(f"{source} has no pairs.")
    return KnownCosines(rows, np.array(values, np.float64), np.array(folds, np.int64), source)


def pair_digest(pair: Pair) -> str:
    """What stands for a pair in the file, in hex.

    >>> pair_digest(("Cat", "Dog", "Pets"))
    '1f3f56645a5a76a5'
    """
    return _digest(*pair)


def topic_digest(topic: str) -> str:
    """What stands for a topic in the file, in hex."""
    return _digest(topic)


def _digest(*texts: str) -> str:
    return hashlib.blake2b(msgspec.json.encode(texts), digest_size=_DIGEST).hexdigest()


def _digest_in(row: dict[str, str], column: str, line: int, source: str) -> str:
    if not re.fullmatch(f"[0-9a-f]{{{2 * _DIGEST}}}", row[column]):
        raise BadLeftOut(f"{source}, line {line}: {column} is {row[column]!r}, which is no digest.")
    return row[column]


def _rows(content: bytes, source: str) -> Iterator[tuple[int, dict[str, str]]]:
    """(line, row by column) of each row."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadLeftOut(f"{source}, line {line}: it is not UTF-8.") from None
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(lines, [])
        if sorted(header) != sorted(COLUMNS):
            raise BadLeftOut(f"{source} has the columns {', '.join(header)}, not {', '.join(COLUMNS)}.")
        for fields in lines:
            if len(fields) != len(header):
                raise BadLeftOut(
                    f"{source}, line {lines.line_num}: it has {len(fields)} fields of {len(header)}."
                )
            yield lines.line_num, dict(zip(header, fields, strict=True))
    except csv.Error as error:
        raise BadLeftOut(f"{source}, line {lines.line_num}: {error}.") from None


def _fold(field: str, line: int, source: str) -> int:
    if not (field.isascii() and field.isdigit()) or len(field) > 9:
        raise BadLeftOut(f"{source}, line {line}: the fold {field!r} is not a number from 0.")
    return int(field)


def _cosine(field: str, column: str, line: int, source: str) -> float:
    """A cosine; NaN of an empty field where one may be."""
    if not field and column != COSINES[0]:
        return math.nan
    try:
        cosine = float(field)
    except ValueError:
        cosine = math.nan
    if not abs(cosine) <= 1 + _ROUNDING:
        raise BadLeftOut(f"{source}, line {line}: {column} is {field!r}, which is no cosine.")
    return cosine
