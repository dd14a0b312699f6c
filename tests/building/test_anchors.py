"""The mention dictionary: what is a mention, which senses it has, how often it is linked."""

from __future__ import annotations

import re
from collections import Counter

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from building.stage import Build
from snapshots.annotator.spotting import Spotter
from snapshots.arrays import map_array, map_csr
from snapshots.naming.mentions import MAXIMUM_CHARACTERS, fold, mention_of, names_of
from snapshots.settings import BuildSettings
from tests.wikis.mention_wiki import CONCEPT, LINKS, REDIRECTS, TEXTS, TITLES, build_mentions, rows


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return build_mentions(tmp_path_factory.mktemp("anchors"), BuildSettings())


def uses() -> set[tuple[str, int, int]]:
    """(mention, article, concept), from the wiki's links and names."""
    linked = {(link["anchor"].lower(), source, target) for source, target, link in LINKS}
    names = {title: CONCEPT[title] for title in TITLES} | {r: CONCEPT[t] for r, t in REDIRECTS.items()}
    named = {(name.lower(), concept, concept) for name, concept in names.items()}
    return linked | named | {(re.sub(r" \(.*\)", "", name), a, c) for name, a, c in named}


def articles_with(mention: str) -> set[int]:
    whole_word = re.compile(rf"(?<!\w){re.escape(mention)}(?!\w)", re.IGNORECASE)
    return {CONCEPT[title] for title, texts in TEXTS.items() if any(map(whole_word.search, texts))}


def test_the_dictionary_holds_every_anchor_and_name(build: Build) -> None:
    trie = Spotter.open(build.folder("anchors") / "mentions.marisa").trie
    assert sorted(trie) == sorted({mention for mention, _, _ in uses()})
    counts = msgspec.json.decode((build.folder("anchors") / "counts.json").read_bytes())
    assert counts == {"mentions": len(trie)}


def test_commonness_is_the_share_of_uses(build: Build) -> None:
    trie = Spotter.open(build.folder("anchors") / "mentions.marisa").trie
    senses = map_csr(build.folder("anchors"), "senses")
    assert (senses.rows, senses.columns) == (len(trie), len(TITLES))
    totals = Counter(mention for mention, _, _ in uses())
    expected = Counter((mention, concept) for mention, _, concept in uses())
    found = {
        (mention, int(concept)): share
        for mention, number in trie.items()
        for concept, share in zip(senses.row(number), senses.row_values(number), strict=True)
    }
    assert found == pytest.approx({key: n / totals[key[0]] for key, n in expected.items()})
    # Mercury: three articles link the planet by that name and two the element; each is named by it too.
    assert found["mercury", CONCEPT["Mercury (planet)"]] == pytest.approx(4 / 7)


def test_link_probability_is_the_share_of_articles(build: Build) -> None:
    trie = Spotter.open(build.folder("anchors") / "mentions.marisa").trie
    probability = map_array(build.folder("anchors") / "link_probability.npy")
    assert probability.dtype == np.float32
    for mention, number in trie.items():
        using = {article for name, article, _ in uses() if name == mention}
        assert probability[number] == pytest.approx(len(using) / len(using | articles_with(mention))), mention


def test_spots_are_listed_by_article(build: Build) -> None:
    trie = Spotter.open(build.folder("anchors") / "mentions.marisa").trie
    listed = {row["article"]: row for row in rows(build, "anchors", "spots")}
    assert {article: row["paragraphs"] for article, row in listed.items()} == {
        CONCEPT[title]: len(texts) for title, texts in TEXTS.items()
    }
    row = listed[CONCEPT["Amalgam"]]
    assert [
        (paragraph, TEXTS["Amalgam"][paragraph][start:end], trie.restore_key(mention))
        for paragraph, start, end, mention in zip(
            row["paragraph"], row["start"], row["end"], row["mention"], strict=True
        )
    ] == [(0, "Metal", "metal"), (0, "quicksilver", "quicksilver")]


@pytest.mark.parametrize(
    ("text", "mention"),
    [
        ("New York", "new york"),
        ("  New\u00a0 York\n", "new york"),
        ("“Weird Al” Yankovic", 'weird al" yankovic'),
        ("rock ’n’ roll", "rock 'n' roll"),
        ("jack–in–the–box", "jack-in-the-box"),
        (".NET", "net"),
        ("C++", "c++"),
        ("İstanbul", "İstanbul"),  # its lower case is longer: it stays as it is, so that places stay too
        ("ΟΔΟΣ", "οδος"),
        ("東京", "東京"),
        ("3D", "3d"),
        ("a b c d e f", "a b c d e f"),
        ("a b c d e f g", None),
        ("x" * MAXIMUM_CHARACTERS, "x" * MAXIMUM_CHARACTERS),
        ("x" * (MAXIMUM_CHARACTERS + 1), None),
        ("1984", None),
        ("12 / 3", None),
        ("x", None),
        ("!?", None),
        ("", None),
    ],
)
def test_what_is_a_mention(text: str, mention: str | None) -> None:
    assert mention_of(text, 6) == mention


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("Mercury (planet)", {"mercury (planet)", "mercury"}),
        ("Mercury", {"mercury"}),
        ("1984 (novel)", {"1984 (novel)"}),
        ("(I Can't Get No) Satisfaction", {"i can't get no) satisfaction"}),
        ("(film)", {"film)"}),
    ],
)
def test_a_title_is_a_mention_with_and_without_its_qualifier(title: str, names: set[str]) -> None:
    assert set(names_of(title, 6)) == names


@given(st.text())
def test_folding_keeps_places_and_is_idempotent(text: str) -> None:
    assert len(fold(text)) == len(text)
    assert fold(fold(text)) == fold(text)


@given(st.text(st.characters(), max_size=40))
def test_a_mention_is_its_own_mention(text: str) -> None:
    mention = mention_of(text, 6)
    assert mention is None or mention_of(mention, 6) == mention
