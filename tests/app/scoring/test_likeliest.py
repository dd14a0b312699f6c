"""What an ambiguous title may mean comes with the likeliest first, however many things that are."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.scoring.concepts import Scorer
from app.serving.starter import open_scorer, snapshot_path
from snapshots.naming.resolver import CANDIDATES
from tests.support.served import toy_model
from tests.wikis.sense_wiki import ARTICLES, build_senses

MANY = CANDIDATES + 4


def test_the_likeliest_of_many_senses_is_the_first_though_others_have_more_links(tmp_path: Path) -> None:
    others = [f"Python ({number})" for number in range(MANY)]
    # Two articles link to each of these, by other names; one to the snake, by this.
    linked = " ".join(f"[[{title}|number {number}]]" for number, title in enumerate(others))
    listed = "\n".join(f"* [[{title}]]" for title in (*others, "Python (snake)"))
    articles = {
        **ARTICLES,
        **{title: f"A [[cat]] called number {number}." for number, title in enumerate(others)},
        "First list": f"Things: {linked}.",
        "Second list": f"The same things: {linked}.",
        "Python (snake)": "It is a snake of the [[forest]].",
        "River": "A [[river]] runs through the [[forest]]. A [[python (snake)|python]] swims in it.",
        "Python": "{{disambiguation}}\n'''Python''' may mean:\n" + listed,
    }
    snapshot = build_senses(tmp_path, articles=articles)
    scorer = Scorer.open(snapshot.folder, toy_model(tmp_path / "model.json", snapshot.id))
    assert "Python (snake)" not in scorer.resolver.resolve("Python").candidates
    found = scorer.pairs.one("Python").candidates
    assert found[0] == "Python (snake)"
    assert len(found) == CANDIDATES
    assert set(found[1:]) < set(others)


@pytest.fixture(scope="module")
def starter() -> Scorer:
    if not snapshot_path().is_dir():
        pytest.skip(f"there is no starter snapshot in {snapshot_path()}")
    return open_scorer(None, None)


def test_a_name_that_is_seldom_a_link_is_no_band_alone(starter: Scorer) -> None:
    senses = starter.pairs.senses.of_name("Gandhi", starter.resolver.resolve("Gandhi"))
    titles = [starter.snapshot.concept_titles[concept] for concept in senses.concepts.tolist()]
    assert titles[0] == "Mahatma Gandhi"
    assert "Gandhi (band)" in titles, "to which all links with the name lead"
    assert sum(senses.priors) == pytest.approx(1.0, abs=1e-6)


def test_what_is_called_so_behind_an_article_stands_behind_what_is_called_just_so(starter: Scorer) -> None:
    found = starter.pairs.one("rock").candidates
    assert found[:3] == ("Rock music", "Rock (geology)", "The Rock (film)")


@pytest.mark.parametrize(
    ("name", "plural", "first"),
    [
        ("Williams", "William (archbishop of Mainz)", "Ralph Vaughan Williams"),
        # Nobody is called so first: links may say that several are meant.
        ("Woods", None, "Wood"),
    ],
)
def test_a_surname_is_not_several_of_a_first_name(
    starter: Scorer, name: str, plural: str | None, first: str
) -> None:
    senses = starter.pairs.senses.of_name(name, starter.resolver.resolve(name))
    titles = [starter.snapshot.concept_titles[concept] for concept in senses.concepts.tolist()]
    assert titles[0] == first
    if plural is not None:
        assert senses.priors[titles.index(plural)] < 0.05, "though all links with the name lead to it"
