"""What is exported comes back as it was; what others export is understood; garbage is refused in words."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event
from typer.testing import CliRunner

from app.cli import command_line
from datasets.agreement.reading import read_best_worst, read_judgements
from datasets.annotation.errors import AnnotationError, BadProject, UnusableExchange
from datasets.annotation.exchange.formats import EXPORTS, IMPORTS, exported, imported
from datasets.annotation.exchange.released import LABELERS
from datasets.annotation.projects import Projects
from datasets.annotation.records import Answer, Kind, NewItem, Project
from datasets.annotation.taking_in import ImportedJudgement
from tests.datasets.annotation.asked import items_of, pair, tuples
from tests.datasets.annotation.asked import settings as project_settings
from training.benchmarks.declared import shipped
from training.benchmarks.tr9856 import table_votes

KINDS: tuple[Kind, ...] = ("binary", "graded", "best-worst")
OF_ALL_KINDS = tuple(of for of in IMPORTS if of != "tr9856")
QUICK = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

NAMES = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp", "Zs")), min_size=1, max_size=8)
"""What sides may be called: quotes, commas, colons and letters of all scripts among it."""


@pytest.fixture(name="store")
def store_fixture(sqlite: str) -> Iterator[Projects]:
    with Projects.open(sqlite) as projects:

        @event.listens_for(projects._database._engine, "connect")
        def hurry(connection: sqlite3.Connection, _: object) -> None:
            # Thousands of transactions whose end no disk needs to see.
            connection.execute("PRAGMA synchronous = OFF")

        yield projects


def made(projects: Projects, kind: Kind, items: list[NewItem] | None = None) -> Project:
    return projects.create("A test", kind, items or items_of(kind, 4), project_settings(kind))[0]


def answers(kind: Kind, size: int = 4) -> st.SearchStrategy[Answer]:
    if kind == "best-worst":
        chosen = st.permutations(range(size)).map(lambda places: Answer(best=places[0], worst=places[1]))
    else:
        chosen = st.integers(0, 1 if kind == "binary" else 4).map(lambda value: Answer(float(value)))
    return st.one_of(st.just(Answer()), chosen)


@st.composite
def said(draw: st.DrawFn, kind: Kind) -> tuple[list[NewItem], list[tuple[str, int, int, Answer]]]:
    """Items, and who said what of which, in which turn."""
    if kind == "best-worst":
        items = tuples(3)
    else:
        names = draw(st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=4, unique=True))
        items = [pair(left, right, topic=draw(st.none() | NAMES)) for left, right in names]
        items = list({item.name: item for item in items}.values())
    whats = st.tuples(st.sampled_from(["Ann", "Ben", "Cem"]), st.integers(0, len(items) - 1))
    which = draw(st.lists(whats, max_size=8, unique=True))
    given_ = [(who, item, 0, draw(answers(kind))) for who, item in which]
    again = [(who, item, 1, draw(answers(kind))) for who, item in which if draw(st.booleans())]
    return items, given_ + again


def facts(projects: Projects, project: int) -> list[tuple[object, ...]]:
    """What was said in a project, by whom, as far as a file tells it."""
    return sorted(
        (one.annotator.number, one.item.name, one.judgement.turn, repr(one.judgement.answer))
        for one in projects.said(project)
    )


def test_without_a_topic_the_sides_say_which_item_it_is(store: Projects) -> None:
    items = [pair("Cat", "Dog", topic="Pets"), pair("Ant", "Bee", topic="Insects")]
    again = pair("Ant", "Bee", topic="Marvel")
    items.append(msgspec.structs.replace(again, name="of Marvel"))
    project = made(store, "binary", items)
    head = "annotator,left,right,judgement\n"
    assert imported(store, project.id, "csv", f"{head}Ann,Cat,Dog,1\n".encode()) == (1, 0)
    with pytest.raises(UnusableExchange, match=r"2 items 'Ant – Bee'.*Name the topic in a column `topic`"):
        imported(store, project.id, "csv", f"{head}Ann,Ant,Bee,1\n".encode())
    with pytest.raises(UnusableExchange, match="has no item 'Cat – Bee'"):
        imported(store, project.id, "csv", f"{head}Ann,Cat,Bee,1\n".encode())
    named = b"annotator,left,right,topic,judgement\nAnn,Ant,Bee,Marvel,1\n"
    assert imported(store, project.id, "csv", named) == (1, 0)


@pytest.mark.parametrize("format_", OF_ALL_KINDS)
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@QUICK
def test_what_is_exported_comes_back(store: Projects, kind: Kind, format_: str, data: st.DataObject) -> None:
    items, judged = data.draw(said(kind))
    project = made(store, kind, items)
    ids = [item.id for item in store.items(project.id)]
    taken = [
        ImportedJudgement(who, ids[item], turn, what, str(uuid.uuid4())) for who, item, turn, what in judged
    ]
    store.take_in(project.id, taken)
    written = exported(store, project.id, format_)
    again = made(store, kind, items)
    read = imported(store, again.id, format_, written)
    known = [
        one
        for one in facts(store, project.id)
        if format_ != "csv" or kind != "best-worst" or "best=None" not in str(one)
    ]
    # Only a row of best-worst scaling cannot say that somebody did not know.
    assert sorted(map(_unnumbered, facts(store, again.id))) == sorted(map(_unnumbered, known))
    assert read == (len(known), 0)
    # A second time adds nothing.
    assert imported(store, again.id, format_, written) == (0, len(known))


VOTES = st.lists(st.sampled_from([0.0, 1.0, None]), min_size=3, max_size=3)


# Two rows of one pair are told apart by their order, and a row without a vote is none.
@given(
    votes=st.lists(VOTES.filter(lambda row: any(vote is not None for vote in row)), min_size=1, max_size=4)
)
@QUICK
def test_votes_come_back_from_the_table_of_tr9856(store: Projects, votes: list[list[float | None]]) -> None:
    items = [pair(f"term, {at}", "café", topic="a topic") for at in range(4)]
    items[3] = pair("term, 0", "café", topic="a topic")
    items[3] = NewItem(name="again", asked=items[3].asked, topic="a topic")
    project, again = (made(store, "binary", items) for _ in range(2))
    ids = [item.id for item in store.items(project.id)]
    taken = [
        ImportedJudgement(f"labeler {who}", of, 0, Answer(vote), str(uuid.uuid4()))
        for of, row in zip(ids, votes, strict=False)
        for who, vote in enumerate(row, start=1)
        if vote is not None
    ]
    store.take_in(project.id, taken)
    imported(store, again.id, "tr9856", exported(store, project.id, "tr9856"))
    assert sorted(map(_unnumbered, facts(store, again.id))) == sorted(
        map(_unnumbered, facts(store, project.id))
    )


def _unnumbered(fact: tuple[object, ...]) -> tuple[object, ...]:
    return fact[1:]


@pytest.mark.parametrize("kind", KINDS)
def test_annotators_stay_apart(store: Projects, kind: Kind) -> None:
    project = made(store, kind)
    items = store.items(project.id)
    answer = Answer(best=0, worst=1) if kind == "best-worst" else Answer(1.0)
    store.take_in(
        project.id,
        [ImportedJudgement(who, item.id, 0, answer, str(uuid.uuid4())) for who in "AB" for item in items[:2]],
    )
    for format_ in OF_ALL_KINDS:
        again = made(store, kind)
        imported(store, again.id, format_, exported(store, project.id, format_))
        assert facts(store, again.id) == facts(store, project.id)
        assert {one.annotator.number for one in store.progress(again.id).annotators} == {1, 2}
        # What they judged elsewhere is not asked for again.
        assert [item.given for item in store.items(again.id)] == [2, 2, 0, 0]


@pytest.mark.parametrize(
    ("kind", "format_"), [*((kind, of) for kind in KINDS for of in OF_ALL_KINDS), ("binary", "tr9856")]
)
@given(data=st.data())
@QUICK
def test_garbage_is_refused_and_changes_nothing(
    store: Projects, kind: Kind, format_: str, data: st.DataObject
) -> None:
    project = made(store, kind)
    content = data.draw(_spoilt(exported_example(store, kind, format_)))
    before = facts(store, project.id)
    try:
        imported(store, project.id, format_, content)
    except AnnotationError as error:
        assert str(error)
        assert facts(store, project.id) == before


def exported_example(store: Projects, kind: Kind, format_: str) -> bytes:
    project = made(store, kind)
    answer = Answer(best=0, worst=1) if kind == "best-worst" else Answer(1.0)
    items = store.items(project.id)
    store.take_in(
        project.id, [ImportedJudgement("Ann", item.id, 0, answer, str(uuid.uuid4())) for item in items]
    )
    return exported(store, project.id, format_)


def _spoilt(content: bytes) -> st.SearchStrategy[bytes]:
    """Any bytes, any JSON, and exports with a part cut out or replaced."""
    values = st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(_KEYS) | st.text(max_size=5), inner, max_size=4)
        ),
        max_leaves=12,
    )
    places = st.tuples(st.integers(0, 1000), st.integers(0, 1000), st.binary(max_size=6))

    def without(of: tuple[int, int, bytes]) -> bytes:
        begin, end = (len(content) * place // 1000 for place in sorted(of[:2]))
        return content[:begin] + of[2] + content[end:]

    cut = places.map(without)
    return st.one_of(st.binary(max_size=60), values.map(lambda value: json.dumps(value).encode()), cut, cut)


_KEYS = (
    *("user_id", "instance_id", "label_annotations", "relatedness", "best", "worst", "data", "item", "turn"),
    *("annotations", "result", "completed_by", "value", "choices", "type", "from_name", "_bws_items"),
    *("position", "source_id"),
)


def test_what_wort_itself_reads(store: Projects, tmp_path: Path) -> None:
    for kind in KINDS:
        project = made(store, kind)
        for at, item in enumerate(store.items(project.id)):
            value = Answer(best=0, worst=1) if kind == "best-worst" else Answer(float(at % 2))
            said_of = [
                ImportedJudgement(who, item.id, 0, value, str(uuid.uuid4())) for who in ("Ann", "Ben", "Cem")
            ]
            store.take_in(project.id, said_of)
        path = tmp_path / f"{kind}.csv"
        path.write_bytes(exported(store, project.id, "csv"))
        if kind == "best-worst":
            assert len(read_best_worst(path)) == 12
        else:
            judgements, unknown = read_judgements(path, kind)
            assert (len(judgements), unknown) == (12, 0)
            assert judgements.means().tolist() == [0, 1, 0, 1]
        shown = CliRunner().invoke(
            command_line(["dataset"]), ["dataset", "agree", str(path), "--kind", kind, "--overlap", "2"]
        )
        assert shown.exit_code == 0, shown.output


def test_an_export_of_potato_itself_is_understood(store: Projects) -> None:
    graded, bws = made(store, "graded"), made(store, "best-worst")
    name = store.items(graded.id)[0].name
    lines = [
        {"user_id": "Ann", "instance_id": name, "label_annotations": {"likert": {"scale_3": "3"}}},
        {"user": "Ben", "id": name, "label_annotations": {"likert": {"1": True, "2": False}}},
        {"user_id": "Cem", "instance_id": name, "label_annotations": {}},
    ]
    content = b"\n".join(json.dumps(line).encode() for line in lines)
    assert imported(store, graded.id, "potato", content) == (3, 0)
    assert [one.judgement.value for one in store.said(graded.id)] == [3, 1, None]
    # The tuple in another order than ours: positions are those of the file.
    item = store.items(bws.id)[0]
    shown = [
        {"source_id": asked.name, "text": "", "position": letter}
        for letter, asked in zip("ABCD", item.asked[::-1], strict=True)
    ]
    said_of = {"best": "A", "worst": "C"}
    one = {
        "user_id": "Ann",
        "instance_id": item.name,
        "label_annotations": {"bws": said_of},
        "_bws_items": shown,
    }
    imported(store, bws.id, "potato", json.dumps([one]).encode())
    assert store.said(bws.id)[0].judgement.answer == Answer(best=3, worst=1)
    with pytest.raises(UnusableExchange, match="several schemes"):
        two = {"a": {"1": "1"}, "b": {"1": "1"}}
        line = {"user_id": "Ann", "instance_id": name, "label_annotations": two}
        imported(store, graded.id, "potato", json.dumps(line).encode())


def test_an_export_of_label_studio_itself_is_understood(store: Projects) -> None:
    project = made(store, "graded")
    item = store.items(project.id)[1]
    left, right = item.asked[0].sides

    def annotation(by: object, kind: str, value: object, **more: object) -> dict[str, object]:
        region = {"from_name": "how", "to_name": "pair", "type": kind, "value": {kind: value}, "id": "Dx_aB"}
        return {"id": 1, "completed_by": by, "result": [region], "was_cancelled": False, **more}

    task: dict[str, Any] = {
        "id": 7,
        "data": {"left": left.name, "right": right.name, "topic": item.topic},
        "annotations": [
            annotation(10, "rating", 3),
            annotation({"id": 11, "email": "ben@example.org"}, "choices", ["2"]),
            annotation(12, "rating", 1, was_cancelled=True),
        ],
        "predictions": [{"result": []}],
    }
    assert imported(store, project.id, "label-studio", json.dumps([task]).encode()) == (3, 0)
    assert [one.judgement.value for one in store.said(project.id)] == [3, 2, None]
    task["data"]["left"] = "something else"
    with pytest.raises(UnusableExchange, match=r"element 1: .* no item 'something else"):
        imported(store, project.id, "label-studio", json.dumps([task]).encode())


@pytest.mark.parametrize("kind", ["binary", "graded"])
def test_released_formats_are_read_as_those_of_the_data_sets(
    store: Projects, tmp_path: Path, kind: Kind
) -> None:
    project = made(store, kind)
    items = store.items(project.id)
    for at, item in enumerate(items[:3]):
        values = [Answer(float(who <= at)) for who in range(4)]
        store.take_in(
            project.id,
            [ImportedJudgement(f"{who}", item.id, 0, of, str(uuid.uuid4())) for who, of in enumerate(values)],
        )
    means = [0.25, 0.5, 0.75]
    known = shipped()
    for name, format_ in (("word", "word"), ("bird", "bird"), ("german-222", "zesch-gurevych")):
        path = tmp_path / Path(known[name].files[-1]).name
        path.write_bytes(exported(store, project.id, format_))
        rows = _read(path, {"word": ",", "bird": "\t", "german-222": ":"}[name])
        column = {"word": "score", "bird": "relatedness score", "german-222": "GOLDSTANDARD"}[name]
        assert [float(row[column]) for row in rows] == means
    if kind == "graded":
        with pytest.raises(BadProject, match="votes of related or not"):
            exported(store, project.id, "tr9856")
        return
    content = exported(store, project.id, "tr9856")
    found = list(table_votes(known["tr9856"], tmp_path / "TermRelatednessResults.csv", content))
    assert [row.score for row, _ in found] == [str(mean) for mean in means]
    assert [row.topic for row, _ in found] == [item.topic for item in items[:3]]
    assert [list(votes) for _, votes in found] == [
        [int(who <= at) for who in range(4)] + [None] * (LABELERS - 4) for at in range(3)
    ]


def _read(path: Path, delimiter: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text()), delimiter=delimiter))


def test_formats_that_cannot_hold_a_project_say_so(store: Projects) -> None:
    project = made(store, "best-worst")
    item = store.items(project.id)[0]
    store.take_in(
        project.id, [ImportedJudgement("Ann", item.id, 0, Answer(best=0, worst=1), str(uuid.uuid4()))]
    )
    for format_, reason in (
        ("word", "Export bird"),
        ("bird", "terms were judged alone"),
        ("tr9856", "votes of related"),
        ("pdf", "There are csv"),
    ):
        with pytest.raises(BadProject, match=reason):
            exported(store, project.id, format_)
    with pytest.raises(BadProject, match="cannot be imported"):
        imported(store, project.id, "bird", b"")
    assert set(IMPORTS) < set(EXPORTS)
