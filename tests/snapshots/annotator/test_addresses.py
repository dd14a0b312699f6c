"""Addresses and tags, of which no text is made."""

from __future__ import annotations

import time

import numpy as np
import pytest

from app.serving.starter import snapshot_path
from snapshots.annotator import Annotator
from snapshots.annotator.addresses import outside
from snapshots.naming.mentions import WORD_START
from snapshots.snapshot import Snapshot
from tests.support.patience import PATIENCE


def read(text: str) -> list[str]:
    """The words of a text that are left."""
    spots = np.array([(*word.span(), 7) for word in WORD_START.finditer(text)], np.int32).reshape(-1, 3)
    return [text[start:end] for start, end, _ in outside(text, spots).tolist()]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("See https://en.wikipedia.org/wiki/Iron_Maiden for more.", "See for more"),
        ("(http://de.wikipedia.org/wiki/München, ftp://a.b/c) it", "it"),
        ("See en.wikipedia.org/wiki/Moon and www.nasa.gov now", "See and now"),
        ("Write to John.Smith@apple.com, or jane@mail.co.uk.", "Write to or"),
        ('<p class="Moon" id=sun>The <b>Moon</b><br/></p>', "The Moon"),
        ("<script>alert</script> <img src='Paris' />", "alert"),
        ("见https://a.org/b。月", "见 月"),
        ("", ""),
        # Signs, and no addresses.
        (
            "if a < b and c > d then either/or, e.g. U.S./U.K. @moon",
            "if a b and c d then either or e g U S U K moon",
        ),
        ("<Paris and Rome>, 3 < 4 / 5", "Paris and Rome 3 4 5"),
        ("Amazon.com and Yahoo", "Amazon com and Yahoo"),
    ],
)
def test_words_outside(text: str, left: str) -> None:
    assert " ".join(read(text)) == left


def test_odd_texts_take_no_longer() -> None:
    began = time.process_time()
    for odd in ("a-", "a.", "a@", "<a ", "<a b=", "a.a/", "a+", "//", 'x="', "www."):
        read(odd * 100_000)
        read(odd[0] + odd[-1] * 200_000)
    # Time that grows with the square of the text would be hours.
    assert time.process_time() - began < PATIENCE


@pytest.mark.parametrize("text", ["See https://en.wikipedia.org/wiki/Iron_Maiden", "<script>1</script>"])
def test_no_concept_stands_in_an_address(text: str) -> None:
    assert Annotator.of_snapshot(Snapshot.open(snapshot_path())).annotate(text) == []


def test_mentions_beside_addresses_keep_their_places() -> None:
    text = "From https://www.paris.fr/ to <b>Paris</b>: paris@paris.fr"
    (one,) = Annotator.of_snapshot(Snapshot.open(snapshot_path())).annotate(text)
    assert text[one.start - 3 : one.end + 4] == "<b>Paris</b>"
