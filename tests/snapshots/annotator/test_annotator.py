"""The annotator: against an oracle on random dictionaries, on a wiki with two Mercuries, and on any text."""

from __future__ import annotations

from pathlib import Path

import marisa_trie
import msgspec
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from building.stage import Build
from building.writer import SnapshotWriter
from measures import milne_witten
from snapshots.annotator import Annotator, kernels
from snapshots.annotator.annotator import Passages
from snapshots.annotator.kernels import longest_spots
from snapshots.annotator.spotting import Spotter
from snapshots.csr import CSR
from snapshots.errors import SnapshotError
from snapshots.naming.mentions import inside_word, mention_of
from snapshots.settings import BuildSettings
from tests.oracles.annotator import Dictionary, annotate
from tests.support.csr import csr_of_mappings, csr_of_sets
from tests.wikis.mention_wiki import CONCEPT, TITLES, build_mentions
from tests.wikis.toy import toy_snapshot


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return build_mentions(tmp_path_factory.mktemp("annotator"), BuildSettings())


@pytest.fixture(scope="module")
def annotator(build: Build) -> Annotator:
    return Annotator.of_stages(build.folder("anchors"), build.folder("links"), build.settings)


def concepts(annotator: Annotator, text: str, *context: str) -> dict[str, str]:
    found = annotator.annotate(text, [CONCEPT[title] for title in context])
    return {text[a.start : a.end]: TITLES[a.concept] for a in found}


def test_the_context_decides(annotator: Annotator) -> None:
    assert concepts(annotator, "Mercury and Venus go round the Sun.") == {
        "Mercury": "Mercury (planet)",
        "Venus": "Venus",
        "Sun": "Sun",
    }
    assert concepts(annotator, "Mercury is a metal, as iron is.") == {
        "Mercury": "Mercury (element)",
        "metal": "Metal",
        "iron": "Iron",
    }


def test_a_context_that_is_given_votes_and_is_not_annotated(annotator: Annotator) -> None:
    assert concepts(annotator, "Mercury!") == {"Mercury": "Mercury (planet)"}  # the commoner sense
    assert concepts(annotator, "Mercury!", "Metal", "Iron") == {"Mercury": "Mercury (element)"}


def test_an_annotation_says_where_it_is_and_why(annotator: Annotator) -> None:
    text = "Ὁ  Venus,\u00a0quicksilver"
    venus, quicksilver = annotator.annotate(text)
    assert (text[venus.start : venus.end], TITLES[venus.concept]) == ("Venus", "Venus")
    assert (text[quicksilver.start :], TITLES[quicksilver.concept]) == ("quicksilver", "Mercury (element)")
    for annotation in (venus, quicksilver):
        mention = annotator.spotter.trie.restore_key(annotation.mention)
        assert mention == text[annotation.start : annotation.end].lower()
        assert annotation.link_probability == annotator.link_probability[annotation.mention]
        assert annotation.rho == pytest.approx((annotation.link_probability + annotation.coherence) / 2)


def test_spaces_in_a_mention_may_be_many(build: Build) -> None:
    trie = marisa_trie.Trie(["new york", "york"])
    text = "  New \n\t York,New  York"
    found = [
        text[start:end]
        for start, end, mention in Spotter(trie).spots(text).tolist()
        if mention == trie["new york"]
    ]
    assert found == ["New \n\t York", "New  York"]


@pytest.mark.parametrize(
    ("mention", "text", "found"),
    [
        ("art", "art Art, start arty «art» art's a_art art", ["art", "Art", "art", "art", "art"]),
        ("c++", "C++ c++11 c+++", ["C++", "c++", "c++"]),
        ("u.s.", "the U.S. army", ["U.S."]),
        ("कि", "कि किताब", ["कि"]),  # a vowel sign belongs to its word
        ("क", "कि", []),
        ("東京", "東京都へ", ["東京"]),  # no spaces between words
    ],
)
def test_mentions_are_whole_words(mention: str, text: str, found: list[str]) -> None:
    spots = Spotter(marisa_trie.Trie([mention])).spots(text).tolist()
    assert [text[start:end] for start, end, _ in spots] == found


texts = st.one_of(
    st.text(),
    st.lists(
        st.sampled_from(
            ["Mercury", "metal", "SUN", " ", "  ", "\u00a0", ", ", "İ", "ß", "\ud800", "x", "\u0301"]
        )
    ).map("".join),
)


@given(texts)
@example("")
@example("\x00mercury\x00")
@example("\ud800 mercury \udfff")
def test_any_text_is_annotated(annotator: Annotator, text: str) -> None:
    found = annotator.annotate(text)
    assert found == annotator.annotate(text)
    end = 0
    for annotation in found:
        assert end <= annotation.start < annotation.end <= len(text)
        end = annotation.end
        written = text[annotation.start : annotation.end]
        assert mention_of(written, 6) == annotator.spotter.trie.restore_key(annotation.mention)
        assert not inside_word(text, annotation.start)
        assert not inside_word(text, annotation.end)
        numbers = (annotation.link_probability, annotation.commonness, annotation.coherence, annotation.rho)
        assert all(0 <= number <= 1 for number in numbers)


WORDS = "abcde"


@st.composite
def dictionaries(draw: st.DrawFn) -> Dictionary:
    """Mentions of up to three words, each with a few senses among a dozen concepts."""
    universe = 12
    shares = st.sampled_from([0.001, 0.1, 0.25, 0.5, 0.5, 0.75])
    mentions = draw(
        st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join), unique=True)
    )
    return Dictionary(
        {mention: draw(st.sampled_from([0.01, 0.05, 0.3, 0.6, 1.0])) for mention in mentions},
        {
            mention: draw(st.dictionaries(st.integers(0, universe - 1), shares, min_size=1, max_size=4))
            for mention in mentions
        },
        {
            concept: draw(st.sets(st.integers(0, universe - 1), max_size=universe))
            for concept in range(universe)
        },
        universe,
    )


def annotator_of(known: Dictionary, settings: BuildSettings) -> Annotator:
    trie = marisa_trie.Trie(known.senses)
    ordered = [trie.restore_key(number) for number in range(len(trie))]
    return Annotator(
        Spotter(trie),
        np.array([known.link_probability[mention] for mention in ordered], np.float32),
        csr_of_mappings([known.senses[mention] for mention in ordered], known.universe),
        csr_of_sets([known.in_links[concept] for concept in range(known.universe)], known.universe),
        known.universe,
        settings,
    )


@pytest.mark.slow
@given(
    dictionaries(),
    st.lists(st.sampled_from(WORDS), max_size=30),
    st.lists(st.integers(0, 11), max_size=2, unique=True),
    st.sampled_from([1, 3, 20]),
    st.sampled_from([0.0, 0.3, 1.0]),
)
@hypothesis_settings(max_examples=300)
def test_the_oracle_annotates_alike(
    known: Dictionary, words: list[str], context: list[int], window: int, epsilon: float
) -> None:
    settings = BuildSettings(
        window_mentions=window,
        # Off the values that ties would fall on, where float32 and float64 may differ.
        sense_epsilon=epsilon and epsilon - 0.0123,
        minimum_coherence=0.2345,
        candidate_senses=3,
    )
    text = " ".join(words)
    places = np.cumsum([0, *(len(word) + 1 for word in words)])
    found = annotator_of(known, settings).annotate(text, context)
    expected = annotate(words, context, known, settings)
    assert [(a.start, a.end, a.concept) for a in found] == [
        (places[e.first], places[e.last] - 1, e.concept) for e in expected
    ]
    for annotation, wanted in zip(found, expected, strict=True):
        assert annotation.commonness == pytest.approx(wanted.commonness)
        assert annotation.coherence == pytest.approx(wanted.coherence, abs=1e-6)
        assert annotation.rho == pytest.approx(wanted.rho, abs=1e-6)


def test_many_paragraphs_at_once_are_annotated_as_each_alone(annotator: Annotator) -> None:
    paragraphs = ["Mercury is a metal.", "", "Venus, Mercury, the Sun", "nothing here", "quicksilver"]
    contexts = [CONCEPT["Iron"], CONCEPT["Sun"], CONCEPT["Planet"], 0, CONCEPT["Sun"]]
    spots = [annotator.spotter.spots(text) for text in paragraphs]
    numbered = [np.column_stack([np.full(len(s), i, np.int32), s]) for i, s in enumerate(spots)]
    together = annotator.annotate_passages(
        Passages(np.concatenate(numbered), np.zeros((0, 4), np.int32), np.array(contexts, np.int32)[:, None])
    )
    single = [
        (i, a.start, a.end, a.mention, a.concept, a.rho)
        for i, (text, context) in enumerate(zip(paragraphs, contexts, strict=True))
        for a in annotator.annotate(text, [context])
    ]
    columns = (*together.spans.T, together.mention, together.concept, together.rho)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == single


def test_a_known_link_is_kept_and_nothing_overlaps_it(annotator: Annotator) -> None:
    text = "Mercury is no metal; metal is no Sun"
    spots = annotator.spotter.spots(text)
    links = np.array([[0, 0, 7, CONCEPT["Amalgam"]], [0, 11, 16, CONCEPT["Iron"]]], np.int32)
    found = annotator.annotate_passages(
        Passages(np.column_stack([np.zeros(len(spots), np.int32), spots]), links, np.zeros((1, 0), np.int32))
    )
    assert [
        (text[start:end], TITLES[concept])
        for (_, start, end), concept in zip(found.spans.tolist(), found.concept, strict=True)
    ] == [
        ("Mercury", "Amalgam"),
        ("no me", "Iron"),
        ("metal", "Metal"),
        ("Sun", "Sun"),
    ]
    assert found.mention[:2].tolist() == [-1, -1]
    assert found.link_probability[:2].tolist() == [1, 1]


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 15), st.integers(1, 6), st.booleans()),
        unique_by=lambda s: s[:3],
    ),
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 15), st.integers(1, 4))),
)
def test_the_longest_spots_are_looked_at(
    drawn: list[tuple[int, int, int, bool]], drawn_links: list[tuple[int, int, int]]
) -> None:
    spots = sorted((p, start, start + length, wanted) for p, start, length, wanted in drawn)
    links: list[tuple[int, int, int]] = []
    for p, start, length in sorted(drawn_links):
        if not links or links[-1][0] < p or links[-1][2] <= start:
            links.append((p, start, start + length))
    expected: list[tuple[int, int, int]] = []
    for p, start in sorted({spot[:2] for spot in spots}):
        taken = [span for span in [*links, *expected] if span[0] == p]
        free = [
            (p, start, end)
            for q, s, end, wanted in spots
            if (q, s) == (p, start) and wanted and not any(s < b and a < end for _, a, b in taken)
        ]
        expected += free[-1:]
    table = np.array(spots, np.int32).reshape(-1, 4)
    chosen = longest_spots(
        table[:, 0],
        table[:, 1],
        table[:, 2],
        table[:, 3].astype(bool),
        np.array(links, np.int32).reshape(-1, 3),
    )
    assert [tuple(row) for row in table[chosen, :3].tolist()] == expected


def test_the_votes_measure_is_the_features() -> None:
    counts = np.array([0, 1, 2, 3, 7, 10, 50, 99, 100])
    both, left, right = (table.ravel() for table in np.meshgrid(counts, counts, counts))
    possible = (both <= np.minimum(left, right)) & (left + right - both <= 100) & (left > 0) & (right > 0)
    both, left, right = both[possible], left[possible], right[possible]
    voted = [kernels._relatedness(b, a, c, 100) for b, a, c in zip(both, left, right, strict=True)]
    np.testing.assert_allclose(voted, milne_witten(both, left, right, 100), rtol=1e-12, atol=1e-12)


def test_concepts_beyond_the_rows_of_an_excerpt_have_no_voice(annotator: Annotator) -> None:
    whole = annotator.in_links
    rows = CONCEPT["Metal"]
    excerpt = CSR(whole.indptr[: rows + 1], whole.indices[: whole.indptr[rows]], None, whole.columns)
    limited = Annotator(
        annotator.spotter,
        annotator.link_probability,
        annotator.senses,
        excerpt,
        annotator.universe,
        msgspec.structs.replace(annotator.settings, minimum_coherence=0.0),
    )
    found = {a.concept: a.coherence for a in limited.annotate("metal and iron and the Sun and a planet")}
    assert found[CONCEPT["Metal"]] == found[CONCEPT["Iron"]] == 0
    assert found[CONCEPT["Sun"]] == found[CONCEPT["Planet"]] > 0


def test_a_snapshot_annotates_as_its_build_does(build: Build, annotator: Annotator, tmp_path: Path) -> None:
    writer = SnapshotWriter(tmp_path / "snapshot")
    for name in ("senses", "link_probability"):
        writer.adopt(build.folder("anchors"), name)
    writer.adopt(build.folder("links"), "in_links")
    writer.adopt_files(build.folder("anchors"), "mentions.")
    counts = dict.fromkeys(("concepts", "universe"), len(TITLES)) | {"sentences": 0, "paragraphs": 0}
    snapshot = writer.finish(
        lambda digest: {
            **dict.fromkeys(("wiki", "language", "dump_date", "licence", "attribution"), ""),
            **{"id": digest, "siteinfo": {}, "sources": [], "counts": counts},
            "settings": {"minimum_coherence": 0.999, "without": []},
        }
    )
    text = "Mercury and Venus go round the Sun; mercury is a metal."
    opened = Annotator.of_snapshot(snapshot)
    assert opened.settings == BuildSettings(minimum_coherence=0.999)
    assert opened.annotate(text) == []
    opened.settings = annotator.settings
    assert opened.annotate(text) == annotator.annotate(text) != []


def test_a_snapshot_without_mentions_says_so(tmp_path: Path) -> None:
    with pytest.raises(SnapshotError, match="no mention dictionary"):
        Annotator.of_snapshot(toy_snapshot(tmp_path / "toy"))


def test_nothing_known_annotates_nothing() -> None:
    empty = annotator_of(Dictionary({}, {}, {concept: set() for concept in range(12)}, 12), BuildSettings())
    assert empty.annotate("Mercury is a metal", [3]) == []


def test_concepts_beyond_the_rows_are_related_to_none() -> None:
    """Excerpts name some. The interpreter checks the bounds of all reads, as compiled code does not."""
    in_links = csr_of_sets([{1, 2}, {2, 3}, set()], 10**6)
    concepts = np.array([0, 1, 2, 3, 10**6 - 1])
    marks = np.zeros(in_links.columns, np.uint8)
    arguments = (concepts, in_links.indptr, in_links.indices, in_links.columns, marks)
    interpreted = getattr(kernels._related, "py_func")(*arguments)  # noqa: B009  # numba's, which mypy cannot see
    assert interpreted[0, 1] == interpreted[1, 0] > 0
    assert not interpreted[2:].any()
    assert not interpreted[:, 2:].any()
    assert (kernels._related(*arguments) == interpreted).all()
    assert not marks.any()
