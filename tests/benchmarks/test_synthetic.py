"""The synthetic wiki: the same from the same seed, readable as any dump, and shaped by the figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.report import Table
from benchmarks.synthetic.dump import write_dump
from benchmarks.synthetic.figures import Figures
from benchmarks.synthetic.laws import PROBABILITIES, RANKS, TOPS, Frequencies, Popularity, Quantiles
from benchmarks.synthetic.measure import Measured
from benchmarks.synthetic.pages import ARTICLES, STREAM_PAGES, SyntheticWiki
from benchmarks.synthetic.titles import STOP_WORDS, namesakes, shared_name, titles, words
from wiki.dump import Dump, Layout, read_pages
from wiki.page import RawPage
from wiki.titles import TitleRules
from wiki.wikitext import parse

SIZE = 1_500
FIGURES = Figures()


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Dump:
    return Dump.open(write_dump(SyntheticWiki(SIZE), tmp_path_factory.mktemp("wiki"), "small", workers=2))


@pytest.fixture(scope="module")
def pages(dump: Dump) -> list[RawPage]:
    return [page for chunk in dump.chunks() for page in read_pages(chunk, dump.siteinfo)]


@pytest.fixture(scope="module")
def found(dump: Dump, pages: list[RawPage]) -> dict[str, dict[str, tuple[float, ...]]]:
    """What ``measure`` says of the dump: by table and by row."""
    measured = Measured(dump.siteinfo)
    for page in pages:
        measured.add(page)
    return {table.name: rows(table) for table in measured.tables("small")}


def rows(table: Table) -> dict[str, tuple[float, ...]]:
    return {str(name): tuple(float(cell or 0) for cell in cells) for name, *cells in table.rows}


def at(quantiles: tuple[float, ...], probability: float) -> float:
    return quantiles[PROBABILITIES.index(probability)]


def test_the_same_seed_gives_the_same_bytes_with_any_number_of_workers(tmp_path: Path) -> None:
    def written(name: str, seed: int, workers: int) -> tuple[bytes, bytes]:
        path = write_dump(SyntheticWiki(200, seed), tmp_path / name, "w", workers)
        return path.read_bytes(), next(path.parent.glob("*index*")).read_bytes()

    assert written("one", 1, 1) == written("two", 1, 2)
    assert written("three", 2, 1) != written("one again", 1, 1)
    assert not list(tmp_path.rglob("*.partial"))


def test_a_stream_is_the_same_made_alone() -> None:
    wiki = SyntheticWiki(300)
    in_order = [wiki.pages(stream) for stream in range(3)]
    assert SyntheticWiki(300).pages(2) == in_order[2] != in_order[1]


@pytest.mark.parametrize("articles", [1, 2, 45])
def test_a_wiki_may_be_of_any_size(articles: int) -> None:
    wiki = SyntheticWiki(articles)
    made = [page for stream in range(wiki.streams) for page in wiki.pages(stream)]
    assert sum("Infobox" in page.text for page in made) == articles
    assert len({page.title for page in made}) == len(made)


def test_progress_counts_the_streams(tmp_path: Path) -> None:
    told: list[tuple[int, int | None]] = []
    write_dump(SyntheticWiki(100), tmp_path, "w", 1, lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_the_dump_is_a_multistream_dump_with_its_index(dump: Dump, pages: list[RawPage]) -> None:
    assert dump.layout is Layout.MULTISTREAM
    assert dump.index is not None
    assert dump.schema_version == "0.11"
    ids = [page.page_id for page in pages]
    assert ids == sorted(set(ids))
    counts = {"article": 0, "redirect": 0, "category": 0}
    for page in pages:
        counts["redirect" if page.redirect else "category" if page.namespace else "article"] += 1
    share = SIZE / ARTICLES
    assert counts["redirect"] == pytest.approx(44 * share, abs=1)
    assert counts["category"] == pytest.approx(8 * share, abs=1)
    assert counts["article"] == pytest.approx(48 * share, abs=2)


def test_streams_hold_the_pages_that_the_index_says(dump: Dump, pages: list[RawPage]) -> None:
    chunks = list(dump.chunks(target_bytes=1))
    assert len(chunks) == SyntheticWiki(SIZE).streams
    second = list(read_pages(chunks[1], dump.siteinfo))
    assert second == pages[STREAM_PAGES : 2 * STREAM_PAGES]


def test_titles_are_what_the_wiki_takes_them_for_and_no_two_are_the_same(
    dump: Dump, pages: list[RawPage]
) -> None:
    rules = TitleRules(dump.siteinfo)
    assert [rules.normalize(page.title) for page in pages] == [page.title for page in pages]
    assert len({page.title for page in pages}) == len(pages)


def test_every_page_is_understood(dump: Dump, pages: list[RawPage]) -> None:
    rules = TitleRules(dump.siteinfo)
    known = {page.title for page in pages}
    ambiguous = hidden = 0
    for page in pages[:400]:
        parsed = parse(page.text, rules)
        ambiguous += parsed.disambiguation
        hidden += parsed.hidden_category
        assert all(f"Category:{name}" in known for name in parsed.categories)
        if page.redirect:
            assert page.redirect in known
        elif page.namespace == 0:
            assert parsed.paragraphs
            assert parsed.links
            assert not any("[[" in text or "{{" in text or "<" in text for text in parsed.paragraphs)
    assert ambiguous == 16
    assert 0 < hidden < 10


def test_a_disambiguation_page_lists_the_namesakes(pages: list[RawPage]) -> None:
    senses = titles(np.array(namesakes(3)))
    page = next(page for page in pages if page.title == shared_name(3))
    assert all(sense.lower().endswith(shared_name(3).lower()) for sense in senses)
    assert all(f"* [[{sense}]]" in page.text for sense in senses)


@pytest.mark.parametrize(
    ("row", "figure", "tolerance"),
    [
        ("words an article", FIGURES.words, 0.2),
        ("words a sentence", FIGURES.sentence, 0.2),  # links and mentions have several words
        ("sentences a paragraph", FIGURES.paragraph, 0.1),
        ("links a word", FIGURES.links, 0.15),
        ("categories an article", FIGURES.categories, 0.2),
    ],
)
@pytest.mark.parametrize("probability", [0.25, 0.5, 0.75, 0.9])
def test_sizes_come_out(
    found: dict[str, dict[str, tuple[float, ...]]],
    row: str,
    figure: Quantiles,
    tolerance: float,
    probability: float,
) -> None:
    assert at(found["quantiles"][row], probability) == pytest.approx(
        at(figure.values, probability), rel=tolerance
    )


def test_shares_come_out(found: dict[str, dict[str, tuple[float, ...]]]) -> None:
    shares = {name: value for name, (value,) in found["shares"].items()}
    assert shares["links to no page"] == pytest.approx(FIGURES.links_to_nothing, abs=0.02)
    assert shares["links to redirects"] == pytest.approx(FIGURES.links_to_redirects, abs=0.02)
    assert shares["anchors: other words"] == pytest.approx(FIGURES.other_words, abs=0.03)
    assert shares["anchors: another case"] == pytest.approx(FIGURES.other_case, abs=0.03)
    assert shares["references a word"] == pytest.approx(FIGURES.references, rel=0.2)
    assert shares["sections a word"] == pytest.approx(FIGURES.sections, rel=0.2)


def test_links_prefer_the_articles_that_are_popular(
    found: dict[str, dict[str, tuple[float, ...]]],
) -> None:
    # The few at the top get less: an article links to each but once, and a topic has its own first article.
    for top, share in zip(TOPS[6:9], FIGURES.popularity.shares[6:9], strict=True):
        assert found["tops"]["links to articles"][TOPS.index(top)] == pytest.approx(share, rel=0.2)
    assert at(found["quantiles"]["links to an article"], 0.5) < 12
    assert at(found["quantiles"]["links to an article"], 0.99) > 300


def test_words_follow_their_frequencies_and_come_back_within_articles(
    found: dict[str, dict[str, tuple[float, ...]]],
) -> None:
    # Titles in the text take a seventh of it, which the most frequent words miss.
    for rank, share in zip(RANKS, FIGURES.frequencies.shares, strict=True):
        assert found["words"]["share of occurrences"][RANKS.index(rank)] == pytest.approx(share, rel=0.25)
    assert at(found["quantiles"]["different words, of all"], 0.5) == pytest.approx(0.443, abs=0.06)


def test_titles_have_the_lengths_of_real_ones(found: dict[str, dict[str, tuple[float, ...]]]) -> None:
    lengths = found["quantiles"]["words a title"]
    assert [at(lengths, p) for p in (0.1, 0.25, 0.5, 0.75, 0.9)] == [1, 1, 2, 3, 4]  # Relinked
    assert at(found["quantiles"]["characters a title"], 0.5) == pytest.approx(13, abs=3)


def test_every_number_has_its_own_title_and_its_own_word() -> None:
    assert len(set(titles(np.arange(100_000)).tolist())) == 100_000
    found = words(np.arange(300_000)).tolist()
    assert len(set(found)) == 300_000
    assert tuple(found[: len(STOP_WORDS)]) == STOP_WORDS


def test_a_title_is_the_same_among_others_and_alone() -> None:
    numbers = np.array([7, 10**7, 3 * 10**8])
    assert [titles(np.array([number]))[0] for number in numbers] == titles(numbers).tolist()


def test_quantiles_are_drawn_as_they_are_given() -> None:
    law = Quantiles((0, 1, 2, 5, 10, 40, 90, 400, 900, 1000))
    drawn = law.draw(np.random.default_rng(1), 200_000)
    for probability in PROBABILITIES[2:-2]:
        assert np.quantile(drawn, probability) == pytest.approx(at(law.values, probability), rel=0.05)


def test_popularity_falls_as_it_is_given_and_goes_on_beyond() -> None:
    law = FIGURES.popularity
    drawn = law.draw(np.random.default_rng(1), 500_000)
    assert 0 <= drawn.min() < drawn.max() < 1
    for top, share in zip(TOPS, law.shares, strict=True):
        assert (drawn < top).mean() == pytest.approx(share, rel=0.05)
    assert (drawn < TOPS[0] / 100).mean() == pytest.approx(law.shares[0] * 0.01**law.hubs, rel=0.1)


def test_a_flat_start_of_popularity_is_one_part_alone() -> None:
    law = Popularity((0.2, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0), hubs=0.0)
    assert (law.draw(np.random.default_rng(1), 100_000) < 1e-9).mean() == pytest.approx(0.2, rel=0.05)


def test_there_are_ever_more_words() -> None:
    law: Frequencies = FIGURES.frequencies
    drawn = law.draw(np.random.default_rng(1), 4_000_000)
    for rank, share in zip(RANKS, law.shares, strict=True):
        assert (drawn < rank).mean() == pytest.approx(share, rel=0.05)
    some, all_of_them = (len(np.unique(drawn[:count])) for count in (1_000_000, 4_000_000))
    assert 0.4 < np.log(all_of_them / some) / np.log(4) < 0.75  # Heaps' law


def test_shorter_texts_keep_their_links() -> None:
    def links(text: float) -> tuple[int, int]:
        made = SyntheticWiki(44, text=text).pages(0)
        return sum(page.text.count("[[") for page in made), sum(len(page.text) for page in made)

    (many, long), (as_many, short) = links(1.0), links(0.02)
    assert as_many == pytest.approx(many, rel=0.1)
    assert short < long / 3
