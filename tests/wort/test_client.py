"""The Python client against a real server."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import numpy as np
import pytest

import wort
from app.service import create_app
from app.serving.starter import open_scorer
from app.settings import Settings
from tests.support.scripted_server import Answer, scripted
from tests.support.served import page_id, serving, toy_app
from wort import AsyncClient, Client, Reference
from wort.schemas.relatedness import PairResult


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    app = toy_app(tmp_path_factory.mktemp("toy"), max_pairs=7, max_stream_pairs=50)
    with serving(app) as url:
        yield url


@pytest.fixture(scope="module")
def starter() -> Iterator[str]:
    with serving(create_app(Settings(), open_scorer(None, None))) as url:
        yield url


@pytest.fixture
def client(toy: str) -> Iterator[Client]:
    with Client(toy) as made:
        yield made


def test_a_pair(client: Client, toy: str) -> None:
    body = {
        "pairs": [{"left": "Cat", "right": "Felis catus"}, {"left": "Cat", "right": "Dog"}],
        "explain": True,
    }
    (same, other) = httpx.post(f"{toy}/v1/relatedness", json=body).json()["results"]
    assert msgspec.to_builtins(client.relatedness("Cat", "Felis catus", explain=True)) == same
    assert msgspec.to_builtins(client.relatedness("Cat", "Dog", explain=True)) == other
    result = client.relatedness(page_id("Cat"), Reference(title="Dog"), features=True)
    assert result.score == other["score"]
    assert result.features is not None
    assert client.relatedness("Cat", "Nothing").score is None


def test_an_ambiguous_title(client: Client) -> None:
    reported = client.relatedness("Mouse", "Computer")
    assert reported.score is None
    assert set(reported.resolved.left.candidates) == {"House mouse", "Computer mouse"}
    chosen = client.relatedness("Mouse", "Computer", ambiguous="resolve")
    assert chosen.resolved.left.title == "Computer mouse"
    assert chosen.score is not None


def test_any_number_of_pairs_in_order(client: Client) -> None:
    """The server takes seven at a time."""
    titles = ["Cat", "Dog", "Pet", "Computer", "Mouse", "Nothing"]
    pairs = [(left, right) for left in titles for right in titles]
    results = list(client.score(iter(pairs)))
    assert [result.resolved.left.asked for result in results] == [left for left, _ in pairs]
    assert [result.resolved.right.asked for result in results] == [right for _, right in pairs]
    assert results == [client.relatedness(*pair) for pair in pairs]
    assert list(client.score([])) == []


def test_pairs_are_read_as_results_are_taken(client: Client) -> None:
    def endless() -> Iterator[tuple[str, str]]:
        while True:
            yield "Cat", "Dog"

    taken = [result.score for result, _ in zip(client.score(endless()), range(30), strict=False)]
    assert len(set(taken)) == 1


def test_a_stream_has_the_same_results(client: Client) -> None:
    pairs = [("Cat", "Dog"), ("Cat", "Cat"), ("Mouse", "Cat"), ("Nothing", "Cat")] * 10
    assert list(client.stream(pairs)) == list(client.score(pairs))
    assert list(client.stream([])) == []
    with pytest.raises(wort.TooLarge) as raised:
        list(client.stream(pairs * 2))
    assert raised.value.limit == 50


def test_a_stream_that_breaks_off_is_no_end(client: Client, toy: str) -> None:
    pairs = [("Cat", "Dog"), ("Cat", "Pet")]
    body = {"pairs": [{"left": left, "right": right} for left, right in pairs]}
    whole = httpx.post(f"{toy}/v1/relatedness", json=body, headers={"Accept": "application/x-ndjson"}).content
    lines = whole.splitlines(keepends=True)
    for kept in range(len(lines)):
        cut = Answer(body=b"".join(lines[:kept]), headers={"Content-Type": "application/x-ndjson"})
        taken: list[PairResult] = []
        with scripted([cut]) as (url, _), Client(url) as broken, pytest.raises(wort.WortError):
            taken.extend(broken.stream(pairs))
    # Within the last line, and with a title that holds a line separator, which is no end of a line.
    with (
        scripted([Answer(body=whole[:-5])]) as (url, _),
        Client(url) as broken,
        pytest.raises(wort.WortError),
    ):
        list(broken.stream(pairs))
    odd = whole.replace(b'"Dog"', '"D\u2028o\u0085g"'.encode())
    with scripted([Answer(body=odd)]) as (url, _), Client(url) as other:
        assert next(iter(other.stream(pairs))).resolved.right.title == "D\u2028o\u0085g"


def test_a_matrix(client: Client) -> None:
    titles = ["Cat", "Dog", "Nothing"]
    square = client.matrix(titles)
    cat_dog = client.relatedness("Cat", "Dog").score
    assert square.scores == [[1, cat_dog, None], [cat_dog, 1, None], [None, None, None]]
    assert client.matrix(rows=["Cat"], columns=["Dog", page_id("Cat")]).scores == [[cat_dog, 1]]
    assert client.matrix(["Cat"], ["Dog", page_id("Cat")]).scores == [[cat_dog, 1]]
    assert client.matrix(rows=["Mouse"], columns=["Cat"]).scores == [[None]]
    (side,) = client.matrix(rows=["Mouse"], columns=["Cat"], ambiguous="resolve").rows or []
    assert side.title in {"House mouse", "Computer mouse"}
    with pytest.raises(ValueError, match="rows"):
        client.matrix(rows=["Cat"])


def test_a_concept_is_named_in_any_way(client: Client) -> None:
    ways = ("Cat", "Felis catus", page_id("Cat"), Reference(id=page_id("Cat")), Reference(title="cat"))
    assert len({msgspec.json.encode(client.concept(way)) for way in ways}) == 1
    assert client.concept("Felis catus").title == "Cat"
    assert client.related("Felis catus", 3) == client.related(page_id("Cat"), 3)
    with pytest.raises(wort.Unresolved, match="Computer mouse") as raised:
        client.related("Mouse")
    assert raised.value.side.status == "ambiguous"
    with pytest.raises(wort.Unresolved, match="Dog"):
        client.concept("Dogg")
    with pytest.raises(wort.NotFound):
        client.concept(999)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Cat|Dog", "'Cat|Dog' cannot be the title of an article. Ask again with a title"),
        ("", "A concept has a name, and here is none."),
        (
            "https://fr.wikipedia.org/wiki/Chat",
            "'https://fr.wikipedia.org/wiki/Chat' is no address of an article of the server's snapshot.",
        ),
    ],
)
def test_what_can_be_no_concept_is_told_of_as_in_process(client: Client, asked: str, said: str) -> None:
    with pytest.raises(wort.Unresolved, match=f"^{re.escape(said)}"):
        client.related(asked)


def test_related_concepts_have_the_scores_of_pairs(client: Client) -> None:
    answer = client.related("Cat", 5)
    assert answer.related
    for found in answer.related:
        assert client.relatedness("Cat", found.title).score == found.score
    least = answer.related[0].score
    assert [found.title for found in client.related("Cat", min_score=least).related] == [
        answer.related[0].title
    ]


def test_a_search(client: Client) -> None:
    assert client.search("compu", limit=1)[0].title.startswith("Comput")
    assert "House mouse" in [found.title for found in client.search("house mouze")]
    assert client.search("zzzzqqq") == []


def test_texts(starter: str) -> None:
    with Client(starter) as client:
        found = client.annotate("Atheism is the absence of belief in deities; a religion has them.")
        assert "Atheism" in {annotation.title for annotation in found.annotations}
        same = client.documents("Atheism and religion.", "Atheism and religion.")
        assert (same.status, same.score) == ("identical", 1.0)
        assert client.documents("Atheism.", "Religion.", model="wort").model.name == "wort-starter"
        terms = client.terms("school uniforms", "education", context="schools", explain=True)
        assert terms.score is not None
        assert terms.explanation is not None


def test_what_is_served(client: Client) -> None:
    assert client.snapshot() == client.models().served.snapshot
    assert client.snapshot().wiki == client.matrix(["Cat"]).snapshot.wiki


def test_keys(tmp_path: Path) -> None:
    app = toy_app(tmp_path, require_key=True, admin_key="letmein")
    with serving(app) as url:
        for key in (None, "another"):
            with Client(url, key) as client, pytest.raises(wort.NotAuthorised):
                client.relatedness("Cat", "Dog")
        with Client(url, "letmein") as client:
            assert client.relatedness("Cat", "Dog").score is not None


def test_threads_share_a_client(client: Client) -> None:
    expected = client.relatedness("Cat", "Dog")
    found: list[PairResult] = []

    def ask() -> None:
        found.extend(client.score([("Cat", "Dog")] * 20))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 80


def test_it_loads_little() -> None:
    heavy = (
        "numpy",
        "marisa_trie",
        "numba",
        "sqlalchemy",
        "fastapi",
        "starlette",
        "pydantic",
        "app.settings",
    )
    code = f"import wort, sys; sys.exit([name for name in {heavy} if name in sys.modules] or 0)"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_it_says_what_it_is(client: Client, toy: str) -> None:
    assert repr(client) == f"Client({toy!r})"
    assert repr(AsyncClient(toy)) == f"AsyncClient({toy!r})"
    assert set(wort.__all__) == {name for name in vars(wort) if name[0].isupper()}
    public = [name for name in dir(wort) if name[0] != "_"]
    assert public == [*wort.__all__, "open"]
    everything: dict[str, object] = {}
    exec("from wort import *", everything)
    assert "Client" in everything
    assert "open" not in everything


WRONG: dict[str, tuple[Callable[[Client], object], type[Exception], str]] = {
    "a limit below 1": (lambda asked: asked.search("cat", limit=-1), ValueError, "limit is .* 1 at least"),
    "a limit of text": (lambda asked: asked.search("cat", limit=any_of("3")), TypeError, "limit is .* '3'"),
    "no query": (lambda asked: asked.search(any_of(None)), TypeError, "Give a string for query: it is None"),
    "a k of floats": (lambda asked: asked.related("Cat", any_of(3.0)), TypeError, "k is .* not 3.0"),
    "a k of truth": (lambda asked: asked.related("Cat", True), TypeError, "k is .* not True"),
    "a high score": (lambda asked: asked.related("Cat", min_score=2), ValueError, "min_score is from 0 to 1"),
    "no concept": (lambda asked: asked.concept(any_of(None)), TypeError, "concept is None, and names no"),
    "no text": (lambda asked: asked.annotate(any_of(None)), TypeError, "Give a string for text: it is None"),
    "a context of letters": (
        lambda asked: asked.annotate("a", context="Cat"),
        TypeError,
        "Give a column for context",
    ),
    "no document": (
        lambda asked: asked.documents("a", any_of(7)),
        TypeError,
        "Give a string for right: it is 7",
    ),
    "no term": (
        lambda asked: asked.terms(any_of(None), "a"),
        TypeError,
        "Give a string for left: it is None",
    ),
    "no side": (lambda asked: asked.relatedness(any_of(None), "x"), TypeError, "left is None, and names no"),
    "a matrix of letters": (lambda asked: asked.matrix("Cat"), TypeError, "Give a column for concepts"),
    "a gap in a matrix": (lambda asked: asked.matrix(any_of(["a", None])), TypeError, "Row 1 of concepts is"),
    "a half pair": (
        lambda asked: list(asked.score(any_of([("Cat",)]))),
        ValueError,
        r"Row 0 is no pair: \('C",
    ),
    "a streamed mapping": (
        lambda asked: list(asked.stream(any_of([{"left": "Cat", "right": "Dog"}]))),
        ValueError,
        r"Row 0 is no pair: {'left'.* \[\(row\['left'\], row\['right'\]\) for row in rows\]",
    ),
    "reasons": (
        lambda asked: asked.documents("a", "b", explain=any_of("no")),
        TypeError,
        "explain is True or False, and not 'no'",
    ),
    "reasons of terms": (
        lambda asked: asked.terms("a", "b", explain=any_of(1)),
        TypeError,
        "explain is True or False, and not 1",
    ),
    "one pair": (
        lambda asked: list(asked.score(any_of(("Cat", "Dog")))),
        ValueError,
        "relatedness.left, right",
    ),
    "one title": (lambda asked: list(asked.stream(any_of("Cat"))), TypeError, "a list of pairs, and not as"),
}


def any_of(value: Any) -> Any:
    """A value that is of another type than what it is given for."""
    return value


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arguments_are_told_of_by_their_names(name: str, client: Client) -> None:
    ask, error, told = WRONG[name]
    with pytest.raises(error, match=told):
        ask(client)


def test_rows_are_counted_through_all_requests(client: Client) -> None:
    """The server takes seven at a time."""
    with pytest.raises(TypeError, match="Row 17 of right is None, and names no concept"):
        list(client.score(any_of([*[("Cat", "Dog")] * 17, ("Cat", None)])))


def test_numbers_of_other_libraries_are_numbers(client: Client) -> None:
    ids = np.array([page_id("Cat"), page_id("Dog")])
    assert client.relatedness(*ids) == client.relatedness(*ids.tolist())
    assert client.related(ids[0], ids[:1].size, min_score=any_of(np.float32(0.1))).related
    titles: Any = np.array(["Cat", "Dog"])
    assert client.matrix(titles).scores == client.matrix(titles.tolist()).scores
    assert client.relatedness(*ids, explain=any_of(np.True_)) == client.explain(*ids.tolist())


def test_columns_of_a_data_frame_are_not_taken_for_pairs(client: Client) -> None:
    polars = pytest.importorskip("polars", reason="Polars is not installed")
    frame = polars.DataFrame({"left": ["Cat", "Dog"], "right": ["Pet", "Computer"]})
    for ask in (client.score, client.stream):
        with pytest.raises(TypeError, match=r"no data frame.* zip\(frame\['left'\], frame\['right'\]\)"):
            list(ask(frame))
    rows = zip(frame["left"], frame["right"], strict=True)
    assert list(client.score(rows)) == list(client.score([("Cat", "Pet"), ("Dog", "Computer")]))


def test_what_is_closed_asks_nothing(toy: str) -> None:
    with Client(toy) as asked:
        pass
    for ask in (asked.snapshot, lambda: list(asked.stream([("Cat", "Dog")]))):
        with pytest.raises(wort.Closed, match=r"This client is closed\. Make another one"):
            ask()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"timeout": -1}, "timeout is a number of seconds, above 0, and not -1"),
        ({"timeout": 0}, "timeout"),
        ({"timeout": "5"}, "timeout"),
        ({"timeout": float("inf")}, "timeout"),
        ({"retries": -1}, "retries is how often a request is sent again, 0 at least"),
        ({"longest_wait": -1}, "longest_wait is a number of seconds, 0 or more"),
        ({"url": "http://here:port"}, "is no address of a server"),
        ({"url": None}, "is a string, and not of type NoneType. Begin it with http:// or https://"),
        ({"url": b"http://a:secret@here"}, "not of type bytes[^@]*$"),
        ({"key": 7}, "The key of a server is a string, and not of type int"),
        ({"url": "nonsense"}, "'nonsense' is no address of a server. Begin it with http:// or https://"),
        ({"url": "ftp://a:secret@here"}, "^'ftp://here' is no address"),
    ],
)
@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_what_no_client_is_made_with(kind: Any, wrong: Any, told: str) -> None:
    with pytest.raises((TypeError, ValueError), match=told):
        kind(**wrong)
