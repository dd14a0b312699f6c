"""The file of left-out cosines: what can be wrong with it is named, and what it has is given in any order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from encoders.errors import BadLeftOut, DamagedEncoder, UnknownPairs
from encoders.left_out import COLUMNS, pair_digest, parse_left_out, read_left_out, topic_digest
from tests.support.encoders import write_encoder

HEADER = ",".join(COLUMNS)


def row(left: str, right: str, topic: str, rest: str) -> str:
    return f"{pair_digest((left, right, topic))},{topic_digest(topic)},{rest}"


ROWS = (
    row("Cat", "Dog", "Pets", "0,0.5,0.25,-0.125"),
    row("Mercury, the planet", "Mars", "Planets", "1,0.75,,"),
    row("Cat", "Dog", "Animals", "1,0.4,0.3,1.0"),
)
GOOD = "\n".join((HEADER, *ROWS)) + "\n"


def test_pairs_are_given_as_they_are_asked_for() -> None:
    left_out = parse_left_out(GOOD.encode())
    asked = [("Cat", "Dog", "Animals"), ("Mercury, the planet", "Mars", "Planets"), ("Cat", "Dog", "Pets")]
    expected = [[0.4, 0.3, 1.0], [0.75, np.nan, np.nan], [0.5, 0.25, -0.125]]
    np.testing.assert_array_equal(left_out.cosines(asked), expected)
    assert left_out.folds(asked).tolist() == [1, 1, 0]
    assert left_out.cosines([]).shape == (0, 3)


def test_columns_may_stand_in_any_order_and_after_a_mark() -> None:
    turned = "\n".join(",".join(reversed(line.split(","))) for line in (HEADER, ROWS[0]))
    found = parse_left_out(b"\xef\xbb\xbf" + turned.encode())
    assert found.cosines([("Cat", "Dog", "Pets")]).tolist() == [[0.5, 0.25, -0.125]]


def test_pairs_that_are_missing_are_named() -> None:
    left_out = parse_left_out(GOOD.encode(), "left_out.csv")
    with pytest.raises(UnknownPairs, match=r"no cosines of 2 of 3 pairs: 'Dog' and 'Cat' \(topic 'Pets'\)"):
        left_out.cosines([("Dog", "Cat", "Pets"), ("Cat", "Dog", "Pets"), ("x", "y", "z")])
    with pytest.raises(UnknownPairs, match="and 2 more"):
        left_out.folds([(str(number), "y", "z") for number in range(7)])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "has the columns"),
        (HEADER.encode(), "no pairs"),
        (GOOD.replace("cross", "crossing").encode(), "has the columns .*crossing"),
        (GOOD.encode().replace(b"0.5", b"\xff", 1), "line 2: it is not UTF-8"),
        (f"{GOOD}{ROWS[0]}\n".encode(), "line 5: the pair [0-9a-f]+ stood before"),
        (
            f"{GOOD}{row('A', 'B', 'Pets', '1,0,0,0')}\n".encode(),
            "line 5: the topic [0-9a-f]+ lies in the folds 0 and 1",
        ),
        (f"{GOOD}{row('A', 'B', 'New', '-1,0,0,0')}\n".encode(), "line 5: the fold '-1'"),
        (f"{GOOD}{row('A', 'B', 'New', '1.5,0,0,0')}\n".encode(), "line 5: the fold"),
        (f"{GOOD}{row('A', 'B', 'New', '1,,0,0')}\n".encode(), "line 5: title is ''"),
        (f"{GOOD}{row('A', 'B', 'New', '1,nan,0,0')}\n".encode(), "line 5: title is 'nan'"),
        (f"{GOOD}{row('A', 'B', 'New', '1,0,inf,0')}\n".encode(), "line 5: cross is 'inf'"),
        (f"{GOOD}{row('A', 'B', 'New', '1,0,0,1.01')}\n".encode(), "line 5: lead is '1.01'"),
        (f"{GOOD}{row('A', 'B', 'New', '1,0,0,x')}\n".encode(), "line 5: lead is 'x'"),
        (f"{GOOD}{row('A', 'B', 'New', '1,0,0')}\n".encode(), "line 5: it has 5 fields of 6"),
        (f"{GOOD}Cat,{topic_digest('New')},1,0,0,0\n".encode(), "line 5: pair is 'Cat', which is no digest"),
        (f'{GOOD}"{ROWS[0]}\n'.encode(), "line 5: unexpected end"),
    ],
)
def test_what_is_wrong_is_named(content: bytes, message: str) -> None:
    with pytest.raises(BadLeftOut, match=message):
        parse_left_out(content)


def test_it_is_read_beside_its_card(tmp_path: Path) -> None:
    write_encoder(tmp_path / "tuned", more={"left_out.csv": GOOD.encode()})
    assert len(read_left_out(tmp_path / "tuned").rows) == 3
    (tmp_path / "tuned" / "left_out.csv").write_text(GOOD.replace("0.25", "0.35"))
    with pytest.raises(DamagedEncoder, match="checksum"):
        read_left_out(tmp_path / "tuned")
    write_encoder(tmp_path / "plain")
    with pytest.raises(BadLeftOut, match="wort tune"):
        read_left_out(tmp_path / "plain")
