"""What may be meant by names that no concept has, against comparing every title; with no encoder, nothing."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.errors import UnusableModel
from app.scoring.concepts import Scorer
from app.scoring.in_words import advice
from app.scoring.naming.meant import (
    HAS_WORD,
    LEAST_COSINE,
    LINKED_FIRST,
    LOOKED_AT,
    MARGIN,
    OWN,
    SAME,
    Meant,
    MeantConcepts,
)
from app.scoring.naming.references import MentionReference
from app.scoring.naming.suggested import MEANT
from app.serving.encoder import EncoderPlace
from app.serving.models import TermSettings
from app.serving.serving import Serving
from app.serving.starter import open_scorer, snapshot_path
from features.terms.encoded import EncodesTexts
from snapshots.naming.own_words import OWN_WORDS
from snapshots.naming.resolver import SUGGESTIONS
from snapshots.text import words
from tests.support.served import toy_scorer
from wiki.folding import fold

PLACE = EncoderPlace(None)


class Seen(NamedTuple):
    """A title that was compared with a name."""

    cosine: float
    nearness: float
    concept: int
    has_name: bool
    is_name: bool
    is_about: bool
    links: int


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    if not snapshot_path().is_dir():
        pytest.skip(f"there is no starter snapshot in {snapshot_path()}")
    opened = open_scorer(None, None)
    Serving(opened, TermSettings(encoder=PLACE))
    return opened


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("mom", "Mother"),
        ("NYC", "New York City"),
        ("LA", "Los Angeles"),  # and not La Scala, which has the letters as a word
        ("kids", "Child"),
        ("climate crisis", "Climate change"),
        ("lorry", "Truck"),
        ("dentist", "Dentistry"),
        ("math", "Mathematics"),  # which is not only what begins so
        ("cinema", "Movie"),  # which is also called "film", before Film theory
        ("rapper", "Hip hop"),
        ("ceylon", "Sri Lanka"),  # whose article writes it
        ("electric cars", "Electric vehicle"),  # and not Bass guitar, by two errors in "bass"
    ],
)
def test_what_says_nearly_the_same_comes_first(scorer: Scorer, asked: str, meant: str) -> None:
    resolution = scorer.pairs.one(asked)
    assert resolution.status == "unknown"
    assert resolution.suggestions[0] == meant
    assert len(resolution.suggestions) <= SUGGESTIONS


@pytest.mark.parametrize(
    ("asked", "meant"), [("Harry Poter", "Harry Potter"), ("Nigera", "Nigeria"), ("Ethernt", "Ethernet")]
)
def test_a_typing_error_comes_before_it(scorer: Scorer, asked: str, meant: str) -> None:
    assert scorer.pairs.one(asked).suggestions[0] == meant


def test_what_only_has_another_sign_hides_nothing(scorer: Scorer) -> None:
    assert scorer.pairs.one("plane").suggestions[0] == "Aircraft"  # beside Ground plane
    assert scorer.pairs.one("airplane").suggestions == ("Aviation", "Aircraft", "Airplane!")


@pytest.mark.parametrize(
    ("asked", "first", "behind"),
    [
        ("shakespear", "William Shakespeare", "Shakespearean tragedy"),
        ("german", "Germans", "Austrian German"),
        ("orange", "Prince of Orange", "Orange Alternative"),
        ("robot", "Humanoid robot", "Robotech"),
        ("dream", "Lucid dream", "Dream Theater"),  # a kind of it, though hardly linked
    ],
)
def test_what_is_hardly_linked_stands_behind_what_is_much(
    scorer: Scorer, asked: str, first: str, behind: str
) -> None:
    suggestions = scorer.pairs.one(asked).suggestions
    assert suggestions[0] == first
    assert behind not in suggestions[:1]


def test_two_letters_of_six_are_no_typing_error(scorer: Scorer) -> None:
    suggestions = scorer.pairs.one("sci-fi").suggestions  # no Wi-Fi
    assert suggestions == ("Science fiction", "Hard science fiction")


@pytest.mark.parametrize(
    "asked",
    [
        *("Nike", "Eminem", "Dostoevsky", "Netflix", "Minecraft"),
        # In small letters, too: the titles that are as near are names themselves.
        *("nike", "netflix", "kyiv"),
    ],
)
def test_what_is_only_of_the_same_kind_is_not_suggested(scorer: Scorer, asked: str) -> None:
    assert scorer.pairs.one(asked).suggestions == ()


@pytest.mark.parametrize(
    ("asked", "first", "no"),
    [("Kiev", "Olga of Kiev", "Lviv"), ("NYC", "New York City", "York"), ("mom", "Mother", "Parent")],
)
def test_what_is_farther_than_the_nearest_is_not_suggested(
    scorer: Scorer, asked: str, first: str, no: str
) -> None:
    suggestions = scorer.pairs.one(asked).suggestions
    assert suggestions[0] == first
    assert no not in suggestions


@pytest.mark.parametrize(
    ("asked", "first"),
    [("gypsy", "Romani people"), ("Saigon", "Ho Chi Minh City"), ("Peking", "Beijing")],
)
def test_what_an_article_is_about_by_its_words_is_nearer(scorer: Scorer, asked: str, first: str) -> None:
    assert scorer.pairs.one(asked).suggestions[0] == first


@pytest.mark.parametrize(
    ("asked", "first", "then"),
    [
        ("Mediterranean", "Mediterranean Sea", "Gibraltar"),
        ("Kiev", "Olga of Kiev", "Ukraine"),
        ("pasta", "Sicilian cuisine", "Pastaza River"),
    ],
)
def test_what_has_the_word_comes_before_what_is_about_it(
    scorer: Scorer, asked: str, first: str, then: str
) -> None:
    suggestions = scorer.pairs.one(asked).suggestions
    assert suggestions.index(first) < suggestions.index(then)


def test_a_place_that_a_name_tells_apart_is_not_called_so(scorer: Scorer) -> None:
    found = scorer.pairs.one("Georgia")
    assert (found.candidates, found.suggestions) == (("Georgia (country)",), ())


@pytest.mark.parametrize("asked", ["asdfgh", "xyzzy", "qwrtzpsdf", "!?", "12345678"])
def test_nothing_is_meant_by_nothing(scorer: Scorer, asked: str) -> None:
    assert not any(MeantConcepts(scorer.snapshot, PLACE.open).find(asked, MEANT))


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    st.text(max_size=30)
    | st.sampled_from(["mom", "tv show", "gay rights", "US dollar", "gypsy", "kids", "saigon"]),
    st.integers(1, 9),
)
def test_it_finds_what_a_look_at_every_title_finds(scorer: Scorer, name: str, limit: int) -> None:
    snapshot = scorer.snapshot
    table = snapshot.scaled("title_vectors")
    encode = PLACE.open().encode
    said = [name, f"the meaning of {name}"] if 1 <= len(name.split()) <= 2 else [name]
    together = encode(said).astype(np.float64).sum(0)
    alone, worded = table.along(np.array([encode([name])[0], together / max(np.linalg.norm(together), 1e-9)]))
    length = np.linalg.norm(alone) * np.linalg.norm(worded)
    seen = []
    word = dict(snapshot.trie("words", "<I").items()).get(fold(name), (-1,))[0]
    for concept in range(snapshot.concepts if length and any(map(str.isalpha, name)) else 0):
        vector = worded if len(snapshot.concept_titles[concept].split()) <= 2 else alone
        own_vector = table.rows(np.array([concept])).floats()[0]
        cosine = float(own_vector @ vector / np.linalg.norm(vector))
        if cosine >= OWN:
            heaviest = np.argsort(-snapshot.csr("tfidf").row_values(concept), kind="stable")
            own = snapshot.csr("tfidf").row(concept)[heaviest].tolist()
            title = fold(snapshot.concept_titles[concept])
            has_name = fold(name) in words(title)
            seen.append(
                Seen(
                    cosine,
                    cosine + HAS_WORD * (word in own and not has_name),
                    concept,
                    has_name,
                    words(title) == words(fold(name)),
                    word in own[:OWN_WORDS] and fold(name) not in title,
                    len(snapshot.csr("in_links").row(concept)),
                )
            )
    seen = sorted(seen, reverse=True)[:LOOKED_AT]
    others = [each for each in seen if not each.is_name]
    nearest = max((each.nearness for each in others), default=-1)
    best = max((each.cosine for each in others), default=-1)
    ranked = sorted(
        seen, key=lambda each: (-each.nearness - LINKED_FIRST * np.log1p(each.links), each.concept)
    )
    says, about = [], []
    for each in ranked:
        is_near = each.nearness >= nearest - MARGIN or (each.has_name and each.cosine >= best)
        if each.cosine >= LEAST_COSINE and is_near:
            says.append(each.concept)
        elif each.is_about:
            about.append(each.concept)
    found = MeantConcepts(snapshot, PLACE.open).find(name, limit)
    assert ([*found.says], [*found.about]) == (says[:limit], about[:limit])
    assert set(found.same) == {each.concept for each in seen if each.cosine >= SAME}


def test_a_mention_is_offered_the_same(scorer: Scorer) -> None:
    assert scorer.pairs.one(MentionReference("NYC", None)).suggestions[0] == "New York City"


@pytest.mark.parametrize(("asked", "meant"), [("Titanic", "RMS Titanic"), ("Doctor", "Physician")])
def test_beside_what_has_the_name_is_offered_what_says_the_same(
    scorer: Scorer, asked: str, meant: str
) -> None:
    found = scorer.pairs.one(asked)
    assert found.status == "ambiguous"
    assert found.suggestions[0] == meant
    assert set(found.suggestions).isdisjoint(found.candidates)
    said = advice(scorer.snapshot_info, asked, found)
    assert f"Or did you mean {'one of these: ' if len(found.suggestions) > 1 else ''}{meant}" in said
    of_many = scorer.pairs.each([asked, "Gemini"], 1, None)
    assert of_many[asked] == found
    assert of_many["Gemini"].candidates
    assert not of_many["Gemini"].suggestions
    assert not scorer.pairs.each([asked], 0, None)[asked].suggestions


@pytest.mark.parametrize(
    ("asked", "candidates"),
    [
        ("Native Americans", ("Native Americans in the United States", "Indian Trade")),
        ("Yankees", ("New York Yankees", "Yankee")),
    ],
)
def test_what_is_meant_sooner_stands_first(scorer: Scorer, asked: str, candidates: tuple[str, ...]) -> None:
    assert scorer.pairs.one(asked).candidates == candidates


@pytest.mark.parametrize(("asked", "meant"), [("king", "Monarch")])
def test_beside_several_in_small_letters_is_offered_what_nearly_says_the_same(
    scorer: Scorer, asked: str, meant: str
) -> None:
    assert scorer.pairs.one(asked).suggestions == (meant,)


def test_what_is_only_near_is_not_offered_beside_several(scorer: Scorer) -> None:
    found = scorer.pairs.one("Cleveland")
    assert (len(found.candidates), found.suggestions) == (3, ())


def test_only_who_is_helped_is_offered_any(scorer: Scorer) -> None:
    results = scorer.score([("mom", "NYC"), ("USSR", "kids")], suggest=1)
    sides = [side for result in results for side in (result.resolved.left, result.resolved.right)]
    assert [bool(side.suggestions) for side in sides] == [True, False, False, False]


class Strange:
    """An encoder that made no vectors of the snapshot."""

    name, digest, kind = "strange", "0" * 64, "onnx"

    def encode(self, texts: list[str]) -> object:
        raise AssertionError(f"nothing is to be compared with {texts}")


def test_the_vectors_of_another_encoder_are_not_compared(scorer: Scorer) -> None:
    def strange() -> EncodesTexts:
        return Strange()  # type: ignore[return-value]

    assert MeantConcepts(scorer.snapshot, strange).find("mom", MEANT) == Meant()


def test_without_an_encoder_names_that_are_spelt_so_are_left(scorer: Scorer) -> None:
    def missing() -> EncodesTexts:
        raise UnusableModel("there is no encoder of texts here")

    assert MeantConcepts(scorer.snapshot, missing).find("mom", MEANT) == Meant()
    alone = open_scorer(None, None)
    assert alone.pairs.one("photosinthesis").suggestions == ("Photosynthesis",)
    assert alone.pairs.one("mom").suggestions == (), "nobody has begun to write Momentum"


def test_a_snapshot_without_vectors_opens_no_encoder(tmp_path: Path) -> None:
    def opened() -> EncodesTexts:
        raise AssertionError("nothing is to be compared")

    toy = toy_scorer(tmp_path)
    toy.pairs.suggest_by(MeantConcepts(toy.snapshot, opened))
    assert toy.pairs.one("Catt").suggestions == ("Cat",)


class _Says(MeantConcepts):
    """Says the same of any name."""

    def __init__(self, concepts: list[int]) -> None:
        self._concepts = concepts

    def find(self, name: str, limit: int, least: float = LEAST_COSINE, about: bool = True) -> Meant:
        return Meant(self._concepts)


@pytest.mark.parametrize(
    ("asked", "first"), [("Nelson Qwxyz", "Nelson Mandela"), ("nelson qwxyz", "Barack Obama")]
)
def test_for_a_full_name_what_shares_a_word_comes_first(asked: str, first: str) -> None:
    alone = open_scorer(None, None)
    said = [alone.resolver.article(title) for title in ("Barack Obama", "Nelson Mandela")]
    alone.pairs.suggest_by(_Says(said))
    assert alone.pairs.one(asked).suggestions[0] == first
