"""No text costs more than its length explains: what is too long is refused before anything of it is read."""

from __future__ import annotations

import asyncio
import io
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import httpx
import msgspec
import pytest

from app.api import debater, relatedness
from app.api.texts import annotate_request
from app.batch.files.delimited import COLUMNS, LARGEST_ROW, READ_AGAIN, DelimitedReader
from app.batch.files.jsonlines import JSONLinesReader
from app.batch.files.lines import LINE_COST
from app.batch.files.rows import ROWS, PairCells, PairRow
from app.batch.results import ConceptRowScorer
from app.errors import PairsError
from app.scoring.concepts import Scorer
from app.scoring.in_words import advice
from app.scoring.matrix import lookups
from app.scoring.naming.references import CHARACTERS
from app.serving.models import TermSettings
from app.serving.serving import Serving
from app.settings import Settings
from app.web.middleware.heads import PARAMETERS
from app.web.problems import LONGEST_DETAIL, ProblemError
from app.web.responses.caching import _tags
from app.web.responses.turns import Turns
from snapshots.naming import spelling
from snapshots.naming.mentions import mention_of
from tests.support.served import serving, toy_app, toy_scorer
from wiki import titles
from wiki.siteinfo import FIRST_LETTER, Namespace, Siteinfo
from wiki.titles import LONGEST_DECODED, LONGEST_WRITTEN, TitleRules, read_url
from wort.schemas.texts import AnnotateRequest

T = TypeVar("T")

MARKS = "\u0301\u0323"
RULES = TitleRules(
    Siteinfo("Toy", "toywiki", "en", FIRST_LETTER, (Namespace(0, ""), Namespace(14, "Category")))
)
OVERLONG = [
    "a" + MARKS * LONGEST_WRITTEN,
    "%CC%81%CC%A3" * LONGEST_WRITTEN,
    "&#769;&#803;" * LONGEST_WRITTEN,
    "\ufdfa" * (LONGEST_WRITTEN + 1),
    "https://en.wikipedia.org/wiki/" + "%41" * LONGEST_WRITTEN,
    "//a" + MARKS * LONGEST_WRITTEN + ".wikipedia.org/wiki/A",
    "a#" + MARKS * LONGEST_WRITTEN,
    "x" * (LONGEST_WRITTEN + 1),
]


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    return toy_scorer(tmp_path_factory.mktemp("bounds"))


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    app = toy_app(tmp_path_factory.mktemp("bounded"))
    with serving(app) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


@pytest.fixture
def normalised(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What titles are normalised, and decoded, from here on."""
    seen: list[str] = []

    def watched(work: Callable[..., Any]) -> Callable[..., Any]:
        def done(*arguments: Any, **options: Any) -> Any:
            seen.extend(argument for argument in arguments if isinstance(argument, str))
            return work(*arguments, **options)

        return done

    for name in ("unicode_normalize", "unquote", "urlsplit", "parse_qs"):
        monkeypatch.setattr(titles, name, watched(getattr(titles, name)))
    monkeypatch.setattr("snapshots.naming.resolver.fold", watched(lambda text: text.lower()))
    return seen


@pytest.mark.parametrize("text", OVERLONG, ids=lambda text: text[:12])
def test_what_is_too_long_is_invalid_before_it_is_read(
    scorer: Scorer, normalised: list[str], text: str
) -> None:
    assert scorer.resolver.resolve(text).status == "invalid"
    assert scorer.resolver.category(text) is None
    assert RULES.parse(text) is None
    assert mention_of(text, 6) is None
    assert normalised == []


@pytest.mark.parametrize(
    "text",
    [
        "a" + MARKS * (LONGEST_WRITTEN // 2 - 1),
        "a" + "%CC%81%CC%A3" * (LONGEST_WRITTEN // 12 - 1),
        "a#" + MARKS * (LONGEST_WRITTEN // 2 - 1),
        "//a" + MARKS * (LONGEST_WRITTEN // 2 - 20) + ".wikipedia.org/wiki/A",
        "/\n/a" + MARKS * (LONGEST_WRITTEN // 2 - 20) + ".wikipedia.org/wiki/A",
        "a" + MARKS * 200 + ":b",
    ],
    ids=lambda text: text[:12],
)
def test_what_is_normalised_is_short(scorer: Scorer, normalised: list[str], text: str) -> None:
    scorer.resolver.resolve(text, suggest=False)
    marked = [seen for seen in normalised if "\u0301" in seen and "://" not in seen]
    assert all(len(seen.encode()) <= LONGEST_DECODED for seen in marked)


def test_a_title_may_be_written_in_any_way(scorer: Scorer) -> None:
    longest = "x" * 255
    for written in (
        "".join(f"&#{ord(letter)};" for letter in longest),
        "".join(f"%{ord(letter):02x}" for letter in longest) + "#" + "s" * 500,
        f"https://en.wikipedia.org/wiki/{longest}?{'utm=1&' * 100}",
    ):
        assert len(written) <= LONGEST_WRITTEN
        assert scorer.resolver.resolve(written, suggest=False).title == longest.capitalize()
    # Three letters each become one syllable.
    assert RULES.parse("\u1100\u1161\u11a8" * 85) == (0, "\uac01" * 85, "")
    assert RULES.parse("Category:" + "\u1100\u1161\u11a8" * 85) == (14, "\uac01" * 85, "")
    assert RULES.parse("a # " + "b" * 300) == (0, "A", "b" * 254)


def test_a_host_of_other_letters_is_none_of_wikipedia() -> None:
    assert read_url("//\u00e9.wikipedia.org/wiki/A") is None
    assert read_url("/\n/\u00e9.wikipedia.org/wiki/A") is None
    read = read_url("//en.wikipedia.org/wiki/\u00e9")
    assert read is not None
    assert read.title == "\u00e9"


def test_letters_of_many_scripts_are_not_all_tried() -> None:
    text = "".join(chr(0x100 + 67 * number) for number in range(150))
    assert 0 < len(spelling._beside(text, "abc")) <= 64 * spelling._BLOCKS
    assert "\u0436" in spelling._beside("\u043c\u0438\u0440", "abc")


def test_one_letter_that_becomes_many_is_not_searched_for_longer(
    scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    search = scorer.resolver._search._approximate

    def near(text: str, _edits: int) -> dict[str, int]:
        asked.append(text)
        return {}

    monkeypatch.setattr(search._spellings, "near", near)
    scorer.resolver.search("\ufdfa" * 255)
    assert asked
    assert max(map(len, asked)) <= 255


def test_spaces_between_entity_tags_are_gone_through_once() -> None:
    def seconds(spaces: int) -> float:
        return quickest(lambda: _tags('"a",' + " " * spaces + "x"))

    # Ten times as many take ten times as long, and took a hundred times.
    assert seconds(40_000) < 40 * seconds(4_000)


def test_heads_that_are_hard_to_read_are_not_read(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(_: str) -> dict[str, str]:
        raise AssertionError

    monkeypatch.setattr("starlette.requests.cookie_parser", never)
    assert http.get("/v1/snapshot", headers={"Cookie": 'a="' + "\\1" * 20_000}).status_code == 200
    monkeypatch.setattr("starlette.datastructures.parse_qsl", never)
    refused = http.get(f"/v1/concepts/search?{'q=a&' * PARAMETERS}")
    assert (refused.status_code, refused.json()["type"]) == (422, "urn:wort:problem:invalid-request")


@pytest.mark.parametrize("body", ['{"%s": 1}', '{"pairs": [], "ambiguous": "%s"}'])
def test_a_problem_quotes_no_megabytes(http: httpx.Client, body: str) -> None:
    sent = (body % ("x" * (1 << 20))).encode()
    refused = http.post("/v1/relatedness", content=sent, headers={"Content-Type": "application/json"})
    assert refused.status_code == 422
    assert len(refused.json()["detail"]) <= LONGEST_DETAIL + 2


def quickest(work: Callable[[], object]) -> float:
    """The least time, of several, that some work takes: seconds."""
    times = []
    for _ in range(5):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return min(times)


def test_numbers_that_are_hard_to_read_take_little_longer() -> None:
    def rows(number: bytes) -> float:
        line = b'{"left": 1, "right": 1, "n": [%s1]}' % (number * 20_000)
        return quickest(lambda: list(JSONLinesReader(io.BytesIO(line), None, PairCells()).chunks()))

    def again(number: bytes) -> float:
        body = b'{%s "text": "a"}' % (b'"min_rho": %s' % number * 20_000)
        return quickest(lambda: annotate_request(body))

    # A hundred times as long where the decoder reads them.
    assert rows(b"5e-324,") < 25 * rows(b"0.1234,")
    assert again(b"5e-324,") < 25 * again(b"0.1234,")


@pytest.mark.parametrize("number", [b"1e999", b"-1e999", b"9" * 400 + b".0"])
def test_numbers_beyond_all_are_bad_rows(number: bytes) -> None:
    lines = b'{"left": 1, "right": 1}\n{"left": 1, "right": 1, "n": %s}' % number
    (chunk,) = JSONLinesReader(io.BytesIO(lines), None, PairCells()).chunks()
    assert [row.error is None for row in chunk.rows] == [True, False]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"text": "a", "min_rho": "b"}', "Expected `float | null`, got `str` - at `$.min_rho`."),
        (b'{"text": "a", "min_rho": 2}', "Expected `float` <= 1.0 - at `$.min_rho`."),
        (b'{"text": 1}', "Expected `str`, got `int` - at `$.text`."),
        (
            b'{"text": "a", "rho": 1}',
            "Object contains unknown field `rho`: it may have `text`, `context`, `min_rho`.",
        ),
    ],
)
def test_a_field_that_is_read_late_is_refused_as_any_other(body: bytes, said: str) -> None:
    with pytest.raises(ProblemError) as caught:
        annotate_request(body)
    assert caught.value.detail == said


def test_of_a_field_that_comes_twice_the_last_counts() -> None:
    asked = annotate_request(b'{"min_rho": 0.5, "text": "a", "min_rho": 0.25, "context": ["b"]}')
    assert asked == AnnotateRequest("a", ["b"], 0.25)
    assert annotate_request(b'{"text": "a", "min_rho": null}') == AnnotateRequest("a")


def test_what_is_said_of_a_long_title_is_short(scorer: Scorer) -> None:
    (answer,) = ConceptRowScorer(scorer).of([PairRow(1, {}, "\x01" * (1 << 20), "Cat")], explain=False)
    assert answer[0] == "invalid"
    assert max(len(value) for value in answer[1] if isinstance(value, str)) < 2_000
    long = "\x01" * (1 << 20)
    assert len(advice(scorer.snapshot_info, long, scorer.resolver.resolve(long))) < 2_000


def test_long_titles_are_fewer_in_a_turn(scorer: Scorer) -> None:
    title = "x" * 2_000
    weighs = relatedness.weight((title, title), evidence=False, ambiguous="report")
    assert weighs == 1 + 4_000 // CHARACTERS
    assert len(list(lookups([title] * 2_000))) > len(list(lookups(["x"] * 2_000)))
    serves = Serving(scorer, TermSettings.of(Settings()))

    class Counted(Turns):
        """Turns that are taken at once, and counted."""

        def __init__(self) -> None:
            self.count = 0

        async def take(self, work: Callable[[], T], short: bool = False) -> T:
            self.count += 1
            return work()

    def taken(name: str) -> int:
        body, turns = msgspec.json.encode([{"first": name, "second": name}] * 500), Counted()
        asyncio.run(debater.scores(serves, body, turns, 1_000))
        return turns.count

    assert taken(title) > taken("x")


def read(content: bytes, limit: int) -> list[int]:
    """The work that is done for each of a table's chunks; ``limit``: of a row, and of what is read again."""
    reader = DelimitedReader(io.BytesIO(content), None, PairCells(), ",", limit, limit)
    work, before = [], reader._lines.work
    for chunk in reader.chunks():
        assert len(chunk.rows) <= ROWS
        work.append(reader._lines.work - before)
        before = reader._lines.work
    return work


def test_quotes_that_are_never_closed_are_read_a_few_times() -> None:
    # Every line closes the quote before it and opens another.
    content = b"left,right\n" + b'a","\n' * 20_000
    work = read(content, 1 << 17)
    once = len(content) + LINE_COST * 20_001
    assert sum(work) < (1 << 17) + 6 * once
    assert max(work) < 4 << 20
    assert READ_AGAIN > LARGEST_ROW


def test_lines_that_went_with_a_quote_are_said_to_have() -> None:
    table = io.BytesIO(b'left,right\na","\n' + b'a","\n' * 9)
    reader = DelimitedReader(table, None, PairCells(), ",", read_again=0)
    rows = [row for chunk in reader.chunks() for row in chunk.rows]
    assert rows[-1].error is not None
    assert "which it takes in, went with it" in rows[-1].error


def test_reading_that_goes_on_reads_as_much_again_as_if_it_had_not_stopped() -> None:
    content = b"left,right\n" + b'a","\n' * 60

    def reader() -> DelimitedReader:
        return DelimitedReader(io.BytesIO(content), None, PairCells(), ",", read_again=20_000)

    chunks = list(reader().chunks(rows=3))
    assert len(chunks) > 1
    assert list(reader().chunks(chunks[0].after, rows=3)) == chunks[1:]


def test_a_row_of_very_many_lines_is_refused_and_the_next_is_read() -> None:
    table = b'left,right\nCat,"' + b"\n" * 100 + b'"\nCat,Dog\n'
    reader = DelimitedReader(io.BytesIO(table), None, PairCells(), ",", largest_row=50 * LINE_COST)
    rows = [row for chunk in reader.chunks() for row in chunk.rows]
    assert rows[0].error == "a row has too many lines. Is a quote in it never closed?"
    assert (rows[-1].left, rows[-1].right, rows[-1].line) == ("Cat", "Dog", 103)


def test_a_table_of_very_many_columns_is_refused() -> None:
    header = b"left,right," + ",".join(map(str, range(COLUMNS))).encode()
    with pytest.raises(PairsError, match="columns and may have 10,000"):
        DelimitedReader(io.BytesIO(header + b"\na\n"), None, PairCells(), ",")


@pytest.mark.parametrize(
    "reader",
    [
        DelimitedReader(io.BytesIO(b"left,right\n" + b"\n" * 100_000), None, PairCells(), ","),
        JSONLinesReader(io.BytesIO(b'{"left": 1, "right": 1}\n' + b"\n" * 100_000), None, PairCells()),
    ],
    ids=["csv", "jsonl"],
)
def test_blank_lines_are_passed_over_in_turns(reader: DelimitedReader | JSONLinesReader) -> None:
    chunks = list(reader.chunks())
    assert len(chunks) > 3
    assert sum(len(chunk.rows) for chunk in chunks) <= 1


def test_a_file_of_blank_lines_is_answered(http: httpx.Client, tmp_path: Path) -> None:
    content = b"left,right\nCat,Dog\n" + b"\n" * 60_000 + b"Dog,Cat\n"
    answer = http.post("/v1/relatedness/files", content=content, headers={"Content-Type": "text/csv"})
    assert answer.headers["wort-rows"] == "2"
    assert [line.split(",")[:2] for line in answer.text.splitlines()] == [
        ["left", "right"],
        ["Cat", "Dog"],
        ["Dog", "Cat"],
    ]
