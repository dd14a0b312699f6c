"""Other names of concepts whose sense is chosen beside another concept: most often one, or the only known."""

from __future__ import annotations

import pytest

from app.scoring.concepts import Scorer
from app.scoring.matrix import resolved_together
from app.serving.starter import open_scorer


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return open_scorer(None, None)


@pytest.mark.parametrize(
    ("asked", "beside", "meant"),
    [
        ("Pascal", "Probability", "Blaise Pascal"),
        ("Pascal", "Pascal's triangle", "Blaise Pascal"),
        ("Pascal", "Computer programming", "Pascal (programming language)"),
        ("Pascal", "Compiler", "Pascal (programming language)"),
        ("Victoria", "Melbourne", "Victoria (Australia)"),
        ("Victoria", "British Empire", "Queen Victoria"),
        ("Victoria", "Monarchy", "Queen Victoria"),
        ("Victoria", "Australia", "Victoria (Australia)"),
        ("Darwin", "Unix", "Darwin (operating system)"),
        ("Darwin", "Evolution", "Charles Darwin"),
        ("Darwin", "Natural selection", "Charles Darwin"),
        ("Bush", "Iraq War", "George W. Bush"),
        ("Bush", "Gulf War", "George H. W. Bush"),
        ("Clinton", "Monica Lewinsky", "Bill Clinton"),
        ("Clinton", "Arkansas", "Bill Clinton"),
        ("PR", "Election", "Proportional representation"),
        ("PR", "Advertising", "Public relations"),
        ("AI", "Human rights", "Amnesty International"),
        ("AI", "Computer", "Artificial intelligence"),
        ("PC", "Microsoft Windows", "Personal computer"),
        ("PC", "Dungeons & Dragons", "Player character"),
        ("IP", "Internet", "Internet Protocol"),
        ("IP", "Patent", "Intellectual property"),
        ("IP", "Copyright", "Intellectual property"),
        ("WHO", "Malaria", "World Health Organization"),
        ("WHO", "Rock music", "The Who"),
        ("HR", "Baseball", "Home run"),
        ("HR", "Heart", "Heart rate"),
        ("MS", "Nervous system", "Multiple sclerosis"),
        ("MS", "Molecule", "Mass spectrometry"),
        ("Bacon", "Empiricism", "Francis Bacon"),
        ("Football", "NFL", "American football"),
        ("Football", "Super Bowl", "American football"),
        ("Football", "Quarterback", "American football"),
        ("Football", "FIFA World Cup", "Association football"),
        ("Football", "Goalkeeper", "Association football"),
        ("Football", "Sport", "Association football"),
        ("Hoover", "Federal Bureau of Investigation", "J. Edgar Hoover"),
        ("Hoover", "Great Depression", "Herbert Hoover"),
        ("Eliot", "Poetry", "T. S. Eliot"),
        ("Eliot", "Novel", "George Eliot"),
        ("Bismarck", "Battleship", "Bismarck (ship)"),
        ("Bismarck", "Prussia", "Otto von Bismarck"),
        ("Dylan", "Folk music", "Bob Dylan"),
        ("Dylan", "Programming language", "Dylan (programming language)"),
        ("Cromwell", "Henry VIII of England", "Thomas Cromwell"),
        ("Cromwell", "English Civil War", "Oliver Cromwell"),
        ("Tesla", "Electric vehicle", "Tesla Motors"),
        ("Tesla", "Electricity", "Nikola Tesla"),
        ("Tesla", "Alternating current", "Nikola Tesla"),
        ("Kepler", "Exoplanet", "Kepler (spacecraft)"),
        ("Kepler", "Planet", "Johannes Kepler"),
        ("Marx", "Communism", "Karl Marx"),
        ("Freud", "Psychoanalysis", "Sigmund Freud"),
        ("Wagner", "Opera", "Richard Wagner"),
        ("Curie", "Radium", "Marie Curie"),
        ("JFK", "Assassination", "John F. Kennedy"),
        ("USA", "Mexico", "United States"),
        ("USA", "Canada", "United States"),
        ("Obama", "White House", "Barack Obama"),
    ],
)
def test_a_name_of_several_means_what_suits_the_other_side(
    scorer: Scorer, asked: str, beside: str, meant: str
) -> None:
    (there, back) = scorer.score([(asked, beside), (beside, asked)], ambiguous="resolve", compare=False)
    assert there.resolved.left.title == back.resolved.right.title == meant
    assert there.score == back.score
    together = resolved_together(scorer, [asked, beside], "resolve")
    assert [one.title for one in together] == [meant, there.resolved.right.title]


def test_where_nothing_is_chosen_it_means_what_most_links_say(scorer: Scorer) -> None:
    (result,) = scorer.score([("Football", "NFL")], compare=False)
    assert result.resolved.left.title == "Association football"
    assert result.resolved.left.matched == "alias"
    (together, _) = resolved_together(scorer, ["Football", "NFL"], "report")
    assert together.title == "Association football"


def test_what_stays_is_told_as_before(scorer: Scorer) -> None:
    pair = ("Football", "FIFA World Cup")
    (reported,), (resolved,) = scorer.score([pair]), scorer.score([pair], ambiguous="resolve")
    assert resolved == reported
    (beside_itself,) = scorer.score([("Pascal", "Pascal")], ambiguous="resolve")
    assert beside_itself.resolved.left.title == "Pascal (programming language)"


@pytest.mark.parametrize(
    ("asked", "beside", "meant"),
    [
        ("Hegel", "Philosophy", "Georg Wilhelm Friedrich Hegel"),
        ("Hegel", "Dialectic", "Georg Wilhelm Friedrich Hegel"),
        ("Leibniz", "Calculus", "Gottfried Wilhelm Leibniz"),
        ("Joy", "Unix", "Bill Joy"),
        ("Ruth", "Baseball", "Babe Ruth"),
        ("Wells", "Science fiction", "H. G. Wells"),
    ],
)
def test_the_only_known_person_with_a_surname_is_meant_beside_what_is_near(
    scorer: Scorer, asked: str, beside: str, meant: str
) -> None:
    (result,) = scorer.score([(asked, beside)], ambiguous="resolve", compare=False)
    assert result.resolved.left.title == meant
    assert result.resolved.left.matched == "sense"
    (reported,) = scorer.score([(asked, beside)], compare=False)
    assert reported.status == "ambiguous"


@pytest.mark.parametrize(
    ("asked", "beside"),
    [
        *(("Joy", beside) for beside in ("Happiness", "Love", "Sadness", "Joy", "Emotion")),
        *(("Doctor", beside) for beside in ("Hospital", "Medicine", "Nurse", "Doctor", "Dalek")),
        # Near, but a sense of the name that is not known is meant.
        ("Phoenix", "Arizona"),
        *(("Ruth", beside) for beside in ("Bible", "Judaism")),
        *(("Wells", beside) for beside in ("Water", "Petroleum")),
        *(("Nobel", beside) for beside in ("Chemistry", "Physics", "Literature")),
        *(("Stanford", beside) for beside in ("University", "California", "Google")),
    ],
)
def test_beside_anything_else_it_is_asked_for(scorer: Scorer, asked: str, beside: str) -> None:
    (result,) = scorer.score([(asked, beside)], ambiguous="resolve", compare=False)
    assert result.resolved.left.status == "ambiguous"
