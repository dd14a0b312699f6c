"""An encoder's cosines of pairs that it was tuned on, by encoders that had not seen the pair's topic.

A tuned encoder knows the pairs that it was tuned on, and its cosines of them are too good to learn from. For
these, tuning was repeated without a fold of topics at a time, and what those encoders say of the topics that
they had not seen stands in place of the features. Everything else that is fitted to these columns leaves out
the same folds, whole: no model is asked of a pair whose fold it saw.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from encoders.card import LEFT_OUT, read_card
from encoders.left_out import pair_digest, read_left_out
from encoders.shipped import shipped_encoder
from measures.arrays import Floats, Ints
from snapshots.snapshot import Snapshot
from training.benchmarks.judgements import Benchmark, Judgement
from training.design import Design
from training.errors import MissingEncoder, TooFewPairs

OF_CONCEPTS = ("ENC-TITLE", "ENC-CROSS", "ENC-LEAD")
"""The features of concepts that are such cosines: of titles, of titles with leads, of leads."""

OF_TERMS = TEXT, TEXT_CROSS = "TEXT", "TEXT-CROSS"
"""The features of terms: a term is a text as a title is, and may name an article that has a lead."""

Pair = tuple[str, str, str]
"""Left, right and topic, as the file of judgements has them."""


class LeftOutCosines(Protocol):
    """Cosines by encoders that had not seen a pair's topic: ``encoders.left_out.KnownCosines``."""

    def cosines(self, pairs: Sequence[Pair]) -> Floats:
        """Of titles, titles with leads, and leads: float64[n, 3].

        NaN in the second where no lead was known, in the third where one was not.

        Raises:
            Exception: some pairs are not known; the message names them.
        """

    def folds(self, pairs: Sequence[Pair]) -> Ints:
        """Which encoder gave them, the one without the pair's fold: int64[n]."""


def left_out_of(encoder: Path, benchmark: Benchmark) -> LeftOutCosines | None:
    """The left-out cosines of an encoder, where it was tuned on this benchmark; None where it was not.

    ``encoder``: its folder. A benchmark is known by the checksum of its file, or by its pairs: there may be
    several files of the same ones.

    Raises:
        EncoderError: the folder is no encoder; or it was tuned on the benchmark, and nothing was left out.
    """
    card = read_card(encoder)
    if benchmark.checksum in {tuned_on.checksum for tuned_on in card.data}:
        return read_left_out(encoder)
    if LEFT_OUT not in card.files:
        return None
    known = read_left_out(encoder)
    judged = ((row.left, row.right, row.topic) for row in benchmark.judgements if row.topic is not None)
    return known if any(pair_digest(pair) in known.rows for pair in judged) else None


def encoder_behind(snapshot: Snapshot) -> Path | None:
    """The folder of the encoder that comes with wort, where a snapshot's vectors are its; else None."""
    of, shipped = snapshot.manifest.settings.get("encoder"), shipped_encoder()
    if of is None or shipped is None or read_card(shipped).digest != of["digest"]:
        return None
    return shipped


def weighs_cosines(design: Design) -> bool:
    """Whether a design weighs the cosines of an encoder's vectors of concepts."""
    return bool({name for name, _ in design.addends}.intersection(OF_CONCEPTS))


def check_encoder(snapshot: Snapshot, design: Design, encoder: Path | None) -> None:
    """Refuse to learn from cosines of which nothing says whether their encoder was tuned on these judgements.

    Raises:
        MissingEncoder: the design weighs an encoder's cosines, and the snapshot's are of an encoder that was
            not named; or another one was.
        EncoderError: the folder that was named is no encoder.
    """
    of = snapshot.manifest.settings.get("encoder")
    if of is None or not weighs_cosines(design):
        return
    if encoder is None:
        raise MissingEncoder(
            f"the snapshot's vectors are of the encoder {of['name']}, and its cosines of pairs that it was "
            "tuned on are too good to learn from. Name its folder with --encoder: it says on which."
        )
    card = read_card(encoder)
    if card.digest != of["digest"]:
        raise MissingEncoder(
            f"the snapshot's vectors are of the encoder {of['name']} ({of['digest']}), and {encoder} is "
            f"{card.name} ({card.digest}). Name the folder that the snapshot was built with."
        )


def check_text_encoder(design: Design, there: bool) -> None:
    """Refuse to fit a design that compares texts where no encoder is ``there`` to do so.

    Raises:
        MissingEncoder: the design weighs an encoder's cosine of two terms, and there is none.
    """
    if not there and {name for name, _ in design.addends}.intersection(OF_TERMS):
        raise MissingEncoder(
            f"the design weighs {TEXT}, an encoder's cosine of the terms, and there is no encoder. "
            "Name its folder with --encoder, or another design: `log-logistic` is without an encoder."
        )


def keys_of(judgements: Sequence[Judgement]) -> list[Pair]:
    """What left-out cosines know the pairs by.

    Raises:
        TooFewPairs: a pair has no topic.
    """
    keys: list[Pair] = []
    for judgement in judgements:
        if judgement.topic is None:
            raise TooFewPairs(
                f"line {judgement.line} has no topic, and the encoder's cosines are left out by topics. Name "
                "the column that holds them."
            )
        keys.append((judgement.left, judgement.right, judgement.topic))
    return keys


def replaced(values: Floats, names: Sequence[str], pairs: Sequence[Pair], cosines: LeftOutCosines) -> Floats:
    """The features, float64[n, k], with left-out cosines in those columns that are an encoder's.

    ``names``: what the columns are. Where a lead was not known, there is no evidence of concepts, which is 0;
    of terms, TEXT stands for TEXT-CROSS where no lead was known, or the snapshot has none that they name.
    """
    title, cross, lead = cosines.cosines(pairs).T
    changed = values.copy()
    columns = {name: column for column, name in enumerate(names)}
    both = np.isfinite(lead)
    of_concepts = title, np.where(both, cross, 0.0), np.where(both, lead, 0.0)
    known = dict(zip(OF_CONCEPTS, of_concepts, strict=True)) | {TEXT: title}
    if TEXT_CROSS in columns:
        named = values[:, columns[TEXT_CROSS]] != values[:, columns[TEXT]]
        known[TEXT_CROSS] = np.where(named & np.isfinite(cross), cross, title)
    for name in columns.keys() & known.keys():
        changed[:, columns[name]] = known[name]
    return changed
