"""What ``wort.open`` opens answers as a server does, to the last bit, whatever pairs come as."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wort.in_process
from app.in_process import Wort
from app.service import create_app
from app.serving.starter import open_scorer
from app.settings import Settings
from features.catalogue import FEATURE_NAMES
from measures.arrays import Array
from models.errors import ModelError
from tests.conftest import ROOT
from tests.support.served import AMBIGUOUS, REDIRECTS, page_id, serving, toy_files, toy_model
from tests.wikis.toy import TITLES
from wort import Client, Reference, SideReference
from wort.schemas.references import Concept

# What is asked for is often of no concept here, on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::wort.UnscoredWarning")

UNKNOWN: tuple[Concept, ...] = ("No such title", "", "a|b", 4, -1, 2**70, "Katze")
NAMED: tuple[Concept, ...] = (
    *TITLES,
    *REDIRECTS,
    *AMBIGUOUS,
    *map(page_id, TITLES[:5]),
    "cat",
    "https://toy.wikipedia.org/wiki/Cat",
    Reference(id=page_id("Cat")),
    Reference(title="Dog"),
    Reference(mention="mouse", context="It runs from the cat."),
    *UNKNOWN,
)
PAIRS: list[tuple[Concept, Concept]] = list(product(NAMED, NAMED))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A snapshot and a model trained on it."""
    return toy_files(tmp_path_factory.mktemp("toy"))


@pytest.fixture(scope="module")
def here(files: tuple[Path, Path]) -> Iterator[wort.in_process.Wort]:
    with wort.open(*files) as opened:
        yield opened


@pytest.fixture(scope="module")
def client(files: tuple[Path, Path]) -> Iterator[Client]:
    """Of a server with the same files."""
    app = create_app(Settings(), open_scorer(*files))
    with serving(app) as url, Client(url) as asked:
        yield asked


def bits(scores: Any) -> bytes:
    """Scores, to the last bit; None and NaN are the same."""
    return np.array(scores, np.float64).tobytes()


@pytest.mark.parametrize("ambiguous", ["report", "resolve"])
def test_every_result_is_the_servers(here: wort.in_process.Wort, client: Client, ambiguous: Any) -> None:
    wanted = {"explain": True, "features": True, "ambiguous": ambiguous}
    # The server sees them in requests of a thousand, each of which has its suggestions.
    pairs = PAIRS[:1000]
    assert len(pairs) > 500
    assert here.results(pairs, **wanted) == list(client.score(pairs, **wanted))


@pytest.mark.parametrize("ambiguous", ["report", "resolve"])
def test_every_score_is_the_servers(here: wort.in_process.Wort, client: Client, ambiguous: Any) -> None:
    results = list(client.score(PAIRS, ambiguous=ambiguous))
    scores = here.score(PAIRS, ambiguous=ambiguous)
    assert bits(scores) == bits([result.score for result in results])
    assert {result.status for result in results} >= {"ok", "identical", "unknown", "invalid"}
    assert scores.dtype == np.float64


def test_what_has_no_score_says_why(here: wort.in_process.Wort) -> None:
    results = here.results(PAIRS)
    for result in results:
        assert (result.reason is None) == (result.score is not None)
    sides = [side for result in results for side in (result.resolved.left, result.resolved.right)]
    for side in sides:
        assert (side.reason is None) == (side.status == "ok")
    (invalid,) = here.results([("[x]", "")])
    assert invalid.reason == (
        "'[x]' cannot be the title of an article. A concept has a name, and here is none."
    )
    (unknown,) = here.resolve(["Qqqqqqq"])
    assert unknown.reason is not None
    assert unknown.reason.startswith("There is no concept 'Qqqqqqq' in this snapshot. Try `search`")


def test_features_are_the_servers(here: wort.in_process.Wort, client: Client) -> None:
    results = list(client.score(PAIRS, features=True))
    table = here.features(PAIRS)
    assert table.names == FEATURE_NAMES
    assert np.asarray(table).shape == (len(table), len(FEATURE_NAMES)) == (len(PAIRS), len(FEATURE_NAMES))
    gaps = dict.fromkeys(FEATURE_NAMES, None)
    for name in FEATURE_NAMES:
        assert bits(table[name]) == bits([(result.features or gaps)[name] for result in results])
    some = here.features(PAIRS, names=["MW", "ESA"])
    assert some.names == ("MW", "ESA")
    assert bits(some["ESA"]) == bits(table["ESA"])
    with pytest.raises(KeyError, match="no feature 'MV'"):
        here.features(PAIRS, names=["MV"])
    with pytest.raises(KeyError, match="no column 'MV'; there are MW, ESA"):
        some["MV"]
    with pytest.raises(ValueError, match="a text has none"):
        here.features([("Cat", SideReference(text="dogs that bark"))])


def test_who_has_no_score_is_told_why(here: wort.in_process.Wort, client: Client) -> None:
    unscored = here.unscored(PAIRS)
    assert list(unscored) == np.flatnonzero(np.isnan(here.score(PAIRS))).tolist()
    pairs: list[tuple[Concept, Concept]] = [
        ("Cat", "Dog"),
        ("Cat", "Computer mous"),
        ("Mouse", "Cat"),
        ("Cat", 4),
    ]
    expected = list(client.score(pairs))
    assert here.unscored(pairs) == {row: expected[row] for row in (1, 2, 3)}
    assert expected[1].resolved.right.suggestions
    assert here.unscored(pairs, ambiguous="resolve").keys() == {1, 3}


@pytest.mark.parametrize("ambiguous", ["report", "resolve"])
def test_matrices_are_the_servers(here: wort.in_process.Wort, client: Client, ambiguous: Any) -> None:
    square = client.matrix(NAMED, ambiguous=ambiguous)
    assert bits(here.matrix(NAMED, ambiguous=ambiguous)) == bits(square.scores)
    assert here.resolve(NAMED, ambiguous=ambiguous) == square.concepts
    rows, columns = NAMED[:5], NAMED[3:]
    part = client.matrix(rows=rows, columns=columns, ambiguous=ambiguous)
    assert bits(here.matrix(rows, columns, ambiguous=ambiguous)) == bits(part.scores)


def test_concepts_are_found_as_by_the_server(here: wort.in_process.Wort, client: Client) -> None:
    for concept in ("Cat", page_id("Dog"), "Felis catus", Reference(title="Cat")):
        assert here.related(concept, 5) == client.related(concept, 5)
        assert here.related(concept, min_score=0.2) == client.related(concept, min_score=0.2)
    for text in ("c", "mous", "Dgo", ""):
        assert here.search(text, 3) == client.search(text, 3)
    # However many are asked for, there are no more than there are.
    assert here.search("cat", limit=10**30) == here.search("cat", limit=10**6)
    for concept, told in (
        ("Katze", "no concept 'Katze'"),
        ("Mouse", "House mouse; Computer mouse"),
        (4, "4"),
    ):
        with pytest.raises(LookupError, match=told):
            here.related(concept)
    with pytest.raises(LookupError, match="No category"):
        here.related("Cat", category="No such category")
    with pytest.raises(ValueError, match="1 at least"):
        here.related("Cat", 0)
    assert here.snapshot == client.snapshot()
    assert here.explain("Cat", "Dog") == client.relatedness("Cat", "Dog", explain=True)
    assert here.explain("Cat", "Dog").explanation is not None


LEFT, RIGHT = ["Cat", "Mouse", "Katze", "Dog"], ["Dog", "Cat", "Dog", "Dog"]
IDS = np.array([[page_id("Cat"), page_id("Dog")], [4, page_id("Dog")], [page_id("Dog"), page_id("Dog")]])


def test_pairs_come_in_many_forms(here: wort.in_process.Wort) -> None:
    pairs = list(zip(LEFT, RIGHT, strict=True))
    scores = here.score(pairs)
    assert np.isnan(scores).tolist() == [False, True, True, False]
    assert scores[3] == 1
    forms: list[tuple[Any, ...]] = [
        (tuple(pairs),),
        (iter(pairs),),
        (map(list, pairs),),
        (np.array(pairs),),
        (np.array(pairs, object),),
        (LEFT, RIGHT),
        (tuple(LEFT), np.array(RIGHT)),
        (np.array(LEFT), iter(RIGHT)),
        (np.array(LEFT, object), np.array(RIGHT, object)),
    ]
    for form in forms:
        assert bits(here.score(*form)) == bits(scores), form
    by_id = here.score(IDS)
    assert bits(by_id) == bits([scores[0], np.nan, 1])
    ids: list[tuple[Any, ...]] = [
        (IDS.tolist(),),
        (IDS.astype(np.int32),),
        (IDS.astype(np.uint64),),
        (IDS.astype(object),),
        (IDS[:, 0], IDS[:, 1].tolist()),
        (list(IDS[:, 0]), IDS[:, 1]),
    ]
    for form in ids:
        assert bits(here.score(*form)) == bits(by_id), form
    nothing: list[Any] = [[], (), np.empty((0, 2)), np.empty((0, 2), np.int64)]
    for none in nothing:
        assert here.score(none).shape == (0,)
        assert here.results(none) == []
        assert here.features(none).values.shape == (0, len(FEATURE_NAMES))
    assert here.matrix([]).shape == (0, 0)


def test_columns_of_pandas(here: wort.in_process.Wort) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame({"left": LEFT, "right": RIGHT})
    scores = here.score(LEFT, RIGHT)
    for kind in ("object", "string", "category"):
        typed = frame.astype(kind)
        assert bits(here.score(typed)) == bits(here.score(typed["left"], typed["right"])) == bits(scores)
    ids = pandas.DataFrame(IDS, columns=["left", "right"])
    for kind in ("int64", "Int64", "object"):
        assert bits(here.score(ids.astype(kind))) == bits(here.score(IDS))
    table = here.features(frame)
    assert list(pandas.DataFrame(table.values, frame.index, table.names).columns) == list(FEATURE_NAMES)
    for gap in (None, np.nan, pandas.NA, pandas.NaT):
        with pytest.raises(
            TypeError, match=r"Row 2 of left .* names no concept.* is a gap: leave it out"
        ) as told:
            here.score(pandas.Series(["Cat", "Dog", gap], dtype=object), frame["right"][:3])
        assert "numbers" not in str(told.value)
    with pytest.raises(TypeError, match=r"Row 1 of left is a gap, .* leave the gaps out"):
        here.score(pandas.Series([page_id("Cat"), None]), pandas.Series(["Dog", "Dog"]))
    with pytest.raises(TypeError, match="Row 1 of right is a gap"):
        here.score(pandas.DataFrame({"left": [1, 2], "right": [1, None]}))


def test_columns_of_polars(here: wort.in_process.Wort) -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed")
    frame = polars.DataFrame({"left": LEFT, "right": RIGHT})
    scores = here.score(LEFT, RIGHT)
    assert bits(here.score(frame)) == bits(here.score(frame["left"], frame["right"])) == bits(scores)
    ids = polars.DataFrame(IDS, schema=["left", "right"])
    assert bits(here.score(ids)) == bits(here.score(ids["left"], ids["right"])) == bits(here.score(IDS))
    with pytest.raises(TypeError, match="Row 1 of left"):
        here.score(polars.Series(["Cat", None]), frame["right"][:2])
    with pytest.raises(TypeError, match="Row 1 of left is a gap"):
        here.score(polars.Series([1, None]), frame["right"][:2])


def test_threads_share_it(files: tuple[Path, Path], here: wort.in_process.Wort) -> None:
    """All ask at once for what nobody has asked for yet."""
    expected = here.results(PAIRS[:400]), bits(here.score(PAIRS)), here.related("Cat")
    with wort.open(*files) as fresh, ThreadPoolExecutor(8) as threads:
        asked = [
            threads.submit(
                lambda: (fresh.results(PAIRS[:400]), bits(fresh.score(PAIRS)), fresh.related("Cat"))
            )
            for _ in range(16)
        ]
        assert all(each.result() == expected for each in asked)


def test_what_is_closed_answers_nothing(files: tuple[Path, Path]) -> None:
    with wort.open(*map(str, files)) as opened:
        assert "by toy" in repr(opened)
    opened.close()
    assert repr(opened) == "<Wort, closed>"
    with pytest.raises(ValueError, match="This is closed"):
        opened.score([("Cat", "Dog")])


def test_what_cannot_be_opened(files: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(Exception, match="is not a snapshot"):
        wort.open(tmp_path)
    foreign = toy_model(tmp_path / "foreign.json", "another-snapshot")
    with pytest.warns(UserWarning, match="another-snapshot") as told:
        wort.open(files[0], foreign).close()
    assert told[0].filename == __file__
    with pytest.raises(ModelError, match=r"nowhere\.json"):
        wort.open(files[0], tmp_path / "nowhere.json")


def as_declared(opened: Wort) -> wort.in_process.Wort:
    """The same: the type checker holds that it is as it is declared."""
    return opened


def test_what_is_declared_is_what_there_is(files: tuple[Path, Path]) -> None:
    """With the same arguments, and nothing is left out."""

    def public(of: type) -> dict[str, Any]:
        members = {name: member for name, member in vars(of).items() if name[0] != "_"}
        methods = {name: getattr(of, name) for name, member in members.items() if inspect.isfunction(member)}
        return {**dict.fromkeys(members), **{name: inspect.signature(of) for name, of in methods.items()}}

    declared = public(wort.in_process.Wort)
    assert public(Wort) == {**declared, "open": None}
    assert inspect.signature(Wort.open).parameters == inspect.signature(wort.open).parameters
    assert "by toy" in repr(as_declared(Wort.open(*files)))


def test_what_is_opened_says_what_its_methods_do(here: wort.in_process.Wort) -> None:
    """What may be given, what comes out, and which errors: of every method that may fail."""
    for name, declared in vars(wort.in_process.Wort).items():
        if name[0] == "_":
            continue
        told = inspect.getdoc(getattr(type(here), name))
        assert told == inspect.getdoc(declared)
        if inspect.isfunction(declared) and name != "close":
            assert told is not None
            assert "\nRaises:\n" in told, name
            arguments = set(inspect.signature(declared).parameters) - {"self", "text"}
            if "left" in arguments:
                arguments -= {"left", "right"}  # two sides, as the first line says
            for argument in arguments:
                assert f"``{argument}``" in told, (name, argument)
    shown = str(inspect.signature(here.score))
    assert "Any" not in shown
    assert "float64[n]" in str(here.score.__doc__)


def test_the_client_stays_light() -> None:
    code = "import sys, wort; print({'numpy', 'httpx', 'wort_server', 'app'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout == "set()\n"


@pytest.fixture(scope="module")
def starter() -> Iterator[tuple[wort.in_process.Wort, Client]]:
    """The starter snapshot, in process and by a server."""
    with (
        wort.open() as opened,
        serving(create_app(Settings(), open_scorer(None, None))) as url,
        Client(url) as asked,
    ):
        yield opened, asked


def test_the_starter_is_answered_from_as_by_the_server(starter: tuple[wort.in_process.Wort, Client]) -> None:
    here, client = starter
    titles: list[Concept] = [
        "Atheism",
        "Religion",
        "Evolution",
        "Philosophy",
        "atheist",
        "Jordan",
        "Social security",
        25414,
    ]
    texts = [SideReference(text="screen time"), SideReference(text="atheism"), SideReference(text="zqxv")]
    mentions = [Reference(mention="social security", context="Workers save."), Reference(mention="turkey")]
    asked: list[Concept] = [*titles, *texts, *mentions]
    pairs = list(product(asked, asked))
    ways: list[dict[str, Any]] = [{}, {"ambiguous": "resolve"}, {"explain": True, "features": True}]
    for wanted in ways:
        assert here.results(pairs, **wanted) == list(client.score(pairs, **wanted))
    assert bits(here.score(pairs)) == bits([result.score for result in client.score(pairs)])
    concepts = [concept.title for concept in client.related("Religion", 100).related]
    assert bits(here.matrix(concepts)) == bits(client.matrix(concepts).scores)
    upper = np.triu_indices(len(concepts))
    names: Array = np.array(concepts)
    assert bits(here.score(names[upper[0]], names[upper[1]])) == bits(here.matrix(concepts)[upper])
    text = (
        "Darwin explained evolution; atheism is the rejection of religion.\n\nThe Moon goes round the Earth."
    )
    assert here.annotate(text).annotations
    assert here.annotate(text) == client.annotate(text)
    more: dict[str, Any] = {"context": ["Religion", "Nothing of that name"], "min_rho": 0.1}
    assert here.annotate(text, **more) == client.annotate(text, **more)
    with pytest.raises(ValueError, match="20 concepts at most"):
        here.annotate(text, context=["Religion"] * 21)
    with pytest.raises(ValueError, match="from 0 to 1"):
        here.annotate(text, min_rho=2)
