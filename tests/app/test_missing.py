"""Who asks for what an excerpt does not have is told that it is one, and how to get the whole."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import httpx
import msgspec
import numpy as np
import pytest

from app.api.concepts import concept_of
from app.batch.results import trouble_of
from app.scoring.concepts import Scorer, snapshot_info
from app.scoring.in_words import advice, advice_on, not_in_excerpt
from app.service import create_app
from app.serving.starter import open_scorer
from app.settings import Settings
from app.web.problems import ProblemError
from building.excerpt import ExcerptSettings, write_excerpt
from snapshots.snapshot import Snapshot
from tests.support.browser import text_of
from tests.support.served import served_snapshot, serving, toy_model
from tests.wikis.toy import TITLES
from wort.errors import Unresolved
from wort.schemas.sides import Side


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return Snapshot.open(served_snapshot(tmp_path_factory.mktemp("missing") / "toy"))


@pytest.fixture(scope="module")
def part(whole: Snapshot, tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    target = tmp_path_factory.mktemp("missing") / "part"
    return write_excerpt(whole, target, np.arange(5), ExcerptSettings())


def test_an_excerpt_says_what_it_is_of(whole: Snapshot, part: Snapshot) -> None:
    said = not_in_excerpt(snapshot_info(part))
    assert said.startswith(f"This snapshot is an excerpt, with 5 of the {whole.universe} concepts")
    assert "`wort download`" in said
    assert "`wort build`" in said
    assert not_in_excerpt(snapshot_info(whole)) == ""


def test_an_unknown_title_is_answered_with_it(whole: Snapshot, part: Snapshot, tmp_path: Path) -> None:
    for snapshot, told in ((whole, False), (part, True)):
        scorer = Scorer.open(snapshot.folder, toy_model(tmp_path / "model.json", snapshot.id))
        said = advice(scorer.snapshot_info, "Qqqqq", scorer.resolver.resolve("Qqqqq"))
        assert ("is an excerpt" in said) is told
        with pytest.raises(ProblemError) as problem:
            concept_of(scorer, "Qqqqq")
        assert ("is an excerpt" in problem.value.detail) is told


def test_one_that_left_no_concept_out_is_a_starter(part: Snapshot) -> None:
    info = snapshot_info(part)
    said = not_in_excerpt(msgspec.structs.replace(info, excerpt_of=info.concepts))
    assert said.startswith("This snapshot is a starter: it has 5 concepts and no others.")


def test_whoever_misses_a_newer_name_is_told_when_the_texts_were_written(part: Snapshot) -> None:
    info = snapshot_info(part)
    dated = msgspec.structs.replace(info, works=[], wiki="enwiki", dump_date="2015-05-23")
    assert "It was made from enwiki of 2015-05-23." in not_in_excerpt(dated)
    merged = msgspec.structs.replace(info, works=["A Wikipedia (May 2015)", "Another (2017)"])
    assert "It was made from A Wikipedia (May 2015), Another (2017)." in not_in_excerpt(merged)


def test_an_excerpt_does_not_speak_for_what_it_is_a_part_of(part: Snapshot, tmp_path: Path) -> None:
    scorer = Scorer.open(part.folder, toy_model(tmp_path / "model.json", part.id))
    info = msgspec.structs.replace(scorer.snapshot_info, works=("Some Wikipedia",))
    said = advice(info, "Qqqqq", scorer.resolver.resolve("Qqqqq"))
    assert said.startswith("There is no concept 'Qqqqq' in this snapshot.")
    assert said.count("Some Wikipedia") == said.count("It was made from Some Wikipedia.") == 1


def test_pages_show_the_commands_as_code(part: Snapshot, tmp_path: Path) -> None:
    scorer = Scorer.open(part.folder, toy_model(tmp_path / "model.json", part.id))
    with serving(create_app(Settings(), scorer)) as address:
        for path in ("/?left=Qqqqq&right=Rrrrr", "/explore?concept=Qqqqq"):
            html = httpx.get(f"{address}{path}").text
            assert "<code>wort build</code>" in html
            assert "`" not in html


def test_a_page_tells_of_it_once_wherever_the_missing_names_stand(part: Snapshot, tmp_path: Path) -> None:
    scorer = Scorer.open(part.folder, toy_model(tmp_path / "model.json", part.id))
    known = TITLES[0]
    unclear = ("Qqqqq", "Mouse", "[x]")
    with serving(create_app(Settings(), scorer)) as address:

        def shown(path: str, **asked: str) -> str:
            return httpx.get(f"{address}{path}", params=asked).text

        for left, right in [*permutations(unclear, 2), ("Qqqqq", "Rrrrr"), (known, "Mouse")]:
            assert shown("/", left=left, right=right).count("<code>wort build</code>") == 1, (left, right)
        for names in permutations((*unclear, known)):
            assert shown("/matrix", concepts="\n".join(names)).count("<code>wort build</code>") == 1
        assert "wort build" not in shown("/", left=known, right="[x]")
        assert "wort build" not in shown("/matrix", concepts=f"{known}\n[x]")
        assert "Is something else meant? This snapshot is" in shown("/explore", concept="Mouse")


def test_one_that_is_the_only_one_called_nearly_so_is_offered(part: Snapshot, tmp_path: Path) -> None:
    scorer = Scorer.open(part.folder, toy_model(tmp_path / "model.json", part.id))
    mouse = scorer.resolver.resolve("Mouse")
    (only,) = mouse.candidates
    said = advice(scorer.snapshot_info, "Mouse", mouse)
    told = f"There is no concept called just 'Mouse'. If you mean {only}, ask again with it."
    assert said == f"{told} {not_in_excerpt(scorer.snapshot_info)}"
    with pytest.raises(ProblemError) as problem:
        concept_of(scorer, "Mouse")
    assert f"There is no concept called just 'Mouse'. There is {only}." in problem.value.detail
    side = scorer.pairs.side("Mouse", mouse)
    assert str(Unresolved(side)) == told
    assert trouble_of(side) == f"'Mouse' alone is no concept, but {only!r} is"
    with serving(create_app(Settings(), scorer)) as address:
        page = text_of(address, left="Mouse", right=only)
        assert f"There is no concept called just “ Mouse ”, but there is this one: {only}" in page.text


def test_whole_snapshots_say_nothing_of_it_in_answers(whole: Snapshot, part: Snapshot) -> None:
    assert "excerpt_of" not in msgspec.to_builtins(snapshot_info(whole))
    assert msgspec.to_builtins(snapshot_info(part))["excerpt_of"] == whole.universe


def test_what_is_lacking_is_said_once_of_two_names() -> None:
    scorer = open_scorer(None, None)
    unclear = [(name, scorer.resolver.resolve(name)) for name in ("Qqqqq", "Mercury", "Qqqqqq")]
    said = advice_on(scorer.snapshot_info, unclear, terms="terms")
    assert said.count("is a starter") == said.count("`terms` compares most words") == 1
    assert said.index("'Qqqqq'") < said.index("'Mercury'") < said.index("'Qqqqqq'")
    assert "starter" not in advice_on(scorer.snapshot_info, unclear[1:2], terms="terms")


@pytest.mark.parametrize("address", ["https://de.wikipedia.org/wiki/Religion", "https://example.org/x"])
def test_an_address_elsewhere_is_no_title_to_look_for(address: str) -> None:
    scorer = open_scorer(None, None)
    said = advice(scorer.snapshot_info, address, scorer.resolver.resolve(address))
    assert said.startswith(
        f"'{address}' is no address of an article of this snapshot. Ask again with a title."
    )


@pytest.mark.parametrize(
    ("asked", "is_id"), [("25414", True), ("25414.0", True), ("Catt", False), (25414, False)]
)
def test_a_number_that_no_title_is_may_be_a_page_id(asked: str | int, is_id: bool) -> None:
    side = Side(asked, "unknown", None, None, None)
    assert ("a page id is a number without quotes" in trouble_of(side)) == is_id
