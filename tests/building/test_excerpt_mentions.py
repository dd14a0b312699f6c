"""The mention dictionary of an excerpt: its concepts are found where the parent finds them, not elsewhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from building.excerpt import ExcerptSettings, write_excerpt
from snapshots.annotator import Annotator
from snapshots.annotator.annotator import TRIE
from snapshots.annotator.spotting import Spotter
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot, verify
from tests.wikis.sense_wiki import ARTICLES, build_senses

LEFT_OUT = {"Jaguar (car)", "Cat", "River", "Engine"}
WHOLE = ExcerptSettings(minimum_comentions=1, minimum_word_pairs=1)


@pytest.fixture(scope="module")
def parent(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return build_senses(tmp_path_factory.mktemp("parent"))


def taken(parent: Snapshot, folder: Path, settings: ExcerptSettings = WHOLE) -> Snapshot:
    titles = [parent.concept_titles[concept] for concept in range(parent.concepts)]
    chosen = [concept for concept, title in enumerate(titles) if title not in LEFT_OUT]
    return write_excerpt(parent, folder, np.array(chosen), settings)


@pytest.fixture(scope="module")
def excerpt(parent: Snapshot, tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return taken(parent, tmp_path_factory.mktemp("excerpt") / "small")


Entry = tuple[float, dict[str, float]]


def dictionary(snapshot: Snapshot, parent: Snapshot) -> dict[str, Entry]:
    """Each mention's link probability and senses, by titles; a sense beyond the rows by its number."""
    trie = Spotter.open(snapshot.folder / TRIE).trie
    senses, probability = snapshot.csr("senses"), snapshot.array("link_probability")
    assert len(trie) == senses.rows == len(probability) == snapshot.manifest.counts["mentions"]
    beyond = sorted(LEFT_OUT, key=lambda title: Resolver.open(parent).resolve(title).concept)

    def title(concept: int) -> str:
        known = concept < snapshot.concepts
        return snapshot.concept_titles[concept] if known else beyond[concept - snapshot.concepts]

    return {
        mention: (
            float(probability[number]),
            {
                title(concept): share
                for concept, share in zip(
                    senses.row(number).tolist(), senses.row_values(number).tolist(), strict=True
                )
            },
        )
        for mention, number in ((key, trie.key_id(key)) for key in trie)
    }


def test_mentions_keep_what_is_known_of_them(parent: Snapshot, excerpt: Snapshot) -> None:
    whole, small = dictionary(parent, parent), dictionary(excerpt, parent)
    assert verify(excerpt.folder) == []
    for mention, (probability, senses) in small.items():
        assert probability == whole[mention][0]
        assert senses in ({}, whole[mention][1])
    # One sense is beyond the rows, and keeps its share.
    assert set(small["jaguar"][1]) == {"Jaguar (animal)", "Jaguar (car)"}
    assert sum(small["jaguar"][1].values()) == pytest.approx(1)


def test_what_means_no_chosen_concept_is_left_out_or_means_nothing(
    parent: Snapshot, excerpt: Snapshot
) -> None:
    small = dictionary(excerpt, parent)
    for mention, (probability, senses) in dictionary(parent, parent).items():
        assert probability >= WHOLE.minimum_link_probability
        means_one = bool(set(senses) - LEFT_OUT)
        if means_one:
            assert small[mention][1] == senses
        elif mention in small:
            assert small[mention][1] == {}
    # "jaguar (car)" has "jaguar" in it, which may be the cat: nothing of it may be taken for that.
    assert small["jaguar (car)"][1] == {}
    assert not {"cat", "river", "engine"} & set(small)


def test_rare_links_are_left_out(parent: Snapshot, tmp_path: Path) -> None:
    often = ExcerptSettings(minimum_comentions=1, minimum_word_pairs=1, minimum_link_probability=0.99)
    kept = dictionary(taken(parent, tmp_path / "small", often), parent)
    known = dictionary(parent, parent)
    assert 0 < len(kept) < len(known)
    assert min(probability for probability, _ in kept.values()) >= 0.99


@pytest.mark.parametrize("title", ARTICLES)
def test_it_annotates_where_the_parent_does(parent: Snapshot, excerpt: Snapshot, title: str) -> None:
    text = ARTICLES[title].replace("[", "").replace("]", "").replace("|", " or ")
    whole = Annotator.of_snapshot(parent).keeping(0.0)
    small = Annotator.of_snapshot(excerpt).keeping(0.0)
    jaguars = {"jaguar", "python"}  # whose sense depends on votes, of which an excerpt has fewer

    def found(annotator: Annotator, snapshot: Snapshot) -> set[tuple[int, int, str]]:
        return {
            (each.start, each.end, snapshot.concept_titles[each.concept])
            for each in annotator.annotate(text)
            if each.concept < snapshot.concepts and text[each.start : each.end].lower() not in jaguars
        }

    expected = {place for place in found(whole, parent) if place[2] not in LEFT_OUT}
    assert found(small, excerpt) == expected
