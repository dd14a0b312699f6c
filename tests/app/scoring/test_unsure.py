"""What is said of mentions that are not sure enough, and of the texts that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.batch.files.encodings import advice_of_text
from app.scoring.unsure import Unsure, unsure_of
from snapshots.annotator import Annotation
from snapshots.strings import StringTable


def found(concept: int, rho: float) -> Annotation:
    return Annotation(0, 1, 0, concept, rho, 1.0, rho, rho)


def test_the_surest_are_named_each_once() -> None:
    titles = StringTable.of(["Car", "Brake", "Problem", "Tesla"])
    assert unsure_of(titles, "Brakes", [], []) is None
    below = [found(1, 0.1), found(0, 0.16), found(1, 0.12)]
    assert unsure_of(titles, "Brakes", below, [found(2, 0.9)]) == Unsure(
        "Concepts were found, but none surely enough (ρ): Car (0.16), Brake (0.12).", at_zero=True
    )
    unsure = unsure_of(titles, "Brakes", [found(concept, 0.1) for concept in range(4)], [])
    assert unsure is not None
    assert unsure.said.endswith("Problem (0.10), the surest of 4.")


def test_what_is_doubted_is_named() -> None:
    titles = StringTable.of(["Car", "Brake"])
    assert unsure_of(titles, "Brakes", [], [found(1, 0.6), found(0, 0.7)]) == Unsure(
        "Left out, since something else is more likely meant: 'B' (Car), 'B' (Brake).", at_zero=False
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "Jäger und Hunde".encode("latin-1"),
            "It is probably Windows-1252, or Latin-1, which is a part of it. ",
        ),
        ("Собака".encode("cp1251"), ""),
        ("Jäger".encode("utf-16"), ""),
        ("Öl\n".encode() + "Jäger und Hunde".encode("latin-1"), ""),
    ],
)
def test_a_pipe_is_told_how_to_convert(content: bytes, said: str) -> None:
    with pytest.raises(UnicodeDecodeError) as error:
        content.decode()
    encoding = "WINDOWS-1252" if said else "UTF-16" if b"\0" in content else "ENCODING"
    assert advice_of_text(content, error.value.start, Path("-")) == (
        f"{said}Convert it before: … | iconv -f {encoding} -t UTF-8 | …"
    )
