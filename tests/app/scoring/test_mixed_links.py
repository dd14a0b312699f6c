"""A score that rests on links of a namesake is doubted, and that of what articles bear out is not."""

from __future__ import annotations

import pytest

from app.assistant.results import neighbours
from app.scoring.concepts import Scorer
from app.scoring.doubts import doubts
from app.scoring.mixed_links import mixed_links
from app.scoring.notes import noted
from app.scoring.related import related
from app.serving.starter import open_scorer
from tests.app.cli.test_cli import wort


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return open_scorer(None, None)


@pytest.mark.parametrize(
    ("left", "right", "title", "meant"),
    [
        ("Apple", "Microsoft", "Apple", "Apple Inc."),
        # Whichever side it is, and however it is asked for.
        ("intel", "apple", "Apple", "Apple Inc."),
        ("Python", "Perl", "Python", "Python (programming language)"),
        # What a word of the other side makes of it.
        ("Mouse", "Computer", "Mouse", "Computer mouse"),
        # What is called as several of it are.
        ("Window", "Operating system", "Window", "Microsoft Windows"),
        ("Door", "Jim Morrison", "Door", "The Doors"),
        ("Sentence", "Crime", "Sentence", "Sentence (law)"),
        ("Venus", "Goddess", "Venus", "Venus (mythology)"),
        # No alias says that somebody is called so.
        ("Jordan", "Basketball", "Jordan", "Michael Jordan"),
    ],
)
def test_links_of_a_namesake_are_told(scorer: Scorer, left: str, right: str, title: str, meant: str) -> None:
    (result,) = scorer.score([(left, right)])
    (found,) = mixed_links(scorer, result)
    other = {side.title for side in (result.resolved.left, result.resolved.right)} - {title}
    assert (found.title, found.meant, {found.beside}) == (title, meant, other)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        # The articles bear it out.
        ("Apple", "Fruit"),
        ("Mouse", "Cat"),
        ("Window", "Door"),
        ("Jordan", "Israel"),
        ("Jordan", "Syria"),
        ("Python", "Snake"),
        ("Venus", "Jupiter"),
        ("Apple Inc.", "Microsoft"),
        # Wine (bishop) is hardly nearer, and Child sexual abuse is what both say.
        ("Wine", "Eucharist"),
        ("Child", "Sexual abuse"),
        # A surname is no name of a thing: Busta Rhymes.
        ("Rhyme", "Hip hop"),
        # Few people call these related, and these are one, or none.
        ("Star", "Death"),
        ("Apple", "Apple"),
        ("Apple", "No such concept"),
        # The namesake itself.
        ("Apple", "Apple Inc."),
    ],
)
def test_others_are_not_doubted(scorer: Scorer, left: str, right: str) -> None:
    (result,) = scorer.score([(left, right)])
    assert mixed_links(scorer, result) == []


def test_it_is_said_beside_the_score(
    scorer: Scorer, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (result,) = scorer.score([("Apple", "Microsoft")])
    (said,) = doubts(scorer, result)
    assert said == (
        "Articles that mention Apple beside Microsoft may mean Apple Inc., whose own article begins much "
        "more like that of Microsoft. Then this score is too high."
    )
    (with_notes,) = noted(scorer, [result])
    assert with_notes.notes == ("There is Apple Inc., too.", said)
    assert noted(scorer, scorer.score([("Apple", "No such concept"), ("Cat", "Dog")]))[1].notes == ()
    for terms in ((), ("--terms",)):
        assert wort(monkeypatch, ("compare", "Apple", "Microsoft", "--text", *terms)) == 0
        assert said in capfd.readouterr().out.splitlines()
    assert wort(monkeypatch, ("compare", "Apple", "Fruit", "--text", "--terms")) == 0
    assert "too high" not in capfd.readouterr().out


def test_neighbours_of_a_namesake_have_a_sign_of_their_own(
    scorer: Scorer, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    note = "† Articles that mention Apple beside it may mean Apple Inc. instead. Then its score is too high."
    assert wort(monkeypatch, ("related", "apple", "--top", "50", "--text")) == 0
    lines = capfd.readouterr().out.splitlines()
    assert "  0.74† IPad" in lines and note in lines
    assert any(line.endswith("  Fruit") for line in lines)
    side = scorer.pairs.side("Apple", scorer.pairs.one("Apple"))
    said = neighbours(related(scorer, scorer.resolver.article("Apple"), 50), side, scorer)
    signs = {one.title: one.doubted for one in said.related}
    assert (signs["IPad"], signs["Fruit"], signs["Apple Records"]) == ("†", None, "*")
    assert said.notes[-1] == note and "0.74† IPad" in said.text.splitlines()
    pairs = scorer.score([("Apple", one.title) for one in said.related])
    assert all(mixed_links(scorer, pair) for pair in pairs if signs[pair.resolved.right.title or ""] == "†")
