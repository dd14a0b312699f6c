"""What the titles of two sides make together is told of: Computer and Mouse, a Computer mouse."""

from __future__ import annotations

import pytest

from app.assistant.results import pair
from app.cli.compare import compare
from app.pages.compare import namesakes
from app.scoring.concepts import Scorer
from app.scoring.mixed_links import mixed_links
from app.serving.starter import open_scorer


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return open_scorer(None, None)


@pytest.mark.parametrize(
    ("left", "right", "made"),
    [
        ("Mouse", "Computer", ["Computer mouse"]),
        ("computers", "mice", ["Computer mouse"]),
        ("window", "Microsoft", ["Microsoft Windows"]),
        ("Elephant", "War", ["War elephant"]),
        ("Cat", "Dog", []),
        ("Star Wars", "Star", []),
        # Nobody knows what an unknown or an ambiguous name makes with another.
        ("Tennis", "Courtt", []),
        ("King", "England", []),
    ],
)
def test_titles_that_two_make(scorer: Scorer, left: str, right: str, made: list[str]) -> None:
    (result,) = scorer.score([(left, right)])
    assert scorer.pairs.together(result.resolved.left, result.resolved.right) == made
    assert scorer.pairs.together(result.resolved.right, result.resolved.left) == made


def test_assistants_and_pages_tell_of_them(scorer: Scorer) -> None:
    (result,) = scorer.score([("Mouse", "Computer")])
    assert "There is Computer mouse, too." in pair(result, scorer).notes
    assert namesakes(scorer, result, mixed_links(scorer, result)) == [
        ("Computer mouse", "Computer", "Computer mouse")
    ]
    (result,) = scorer.score([("Computer", "Mouse")])
    assert namesakes(scorer, result, mixed_links(scorer, result)) == [
        ("Computer", "Computer mouse", "Computer mouse")
    ]


def test_so_does_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    compare("Mouse", "Computer", json=False)
    assert "There is Computer mouse, too.\n" in capsys.readouterr().out
