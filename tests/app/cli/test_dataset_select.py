"""``wort dataset select``, from texts to files, on the starter snapshot."""

from __future__ import annotations

import csv
import json
from hashlib import blake2b
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app.cli import command_line
from app.cli.exit_codes import exit_code
from app.errors import OutputExists
from datasets.selection.errors import MissingResource, UnusableInput

TEXTS = {
    "Atheism": "Atheism rejects belief in God. Theism is belief in God. Agnosticism doubts it. "
    "Bertrand Russell wrote on atheism, agnosticism and theism. Philosophy asks about God and theism.",
    "Evolution": "Evolution is change by natural selection. Charles Darwin wrote on natural selection. "
    "Genetics and DNA explain evolution. A gene is made of DNA. Charles Darwin knew no genetics.",
    "Astronomy": "Astronomy looks at planets. The Sun and the Moon are seen from Earth. "
    "Mars is a planet. Jupiter is a planet as well. A telescope shows Jupiter and the Moon.",
}


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    for title, text in TEXTS.items():
        (folder / f"{title}.txt").write_text(text.replace(". ", ".\n\n", 1))
    return folder


def select(*arguments: str | Path) -> Result:
    command = command_line(["dataset"])
    return CliRunner().invoke(command, ["dataset", "select", *map(str, arguments), "--quiet"])


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_pairs_of_concepts_from_a_folder(texts: Path, tmp_path: Path) -> None:
    done = select("word", "--texts", texts, "-o", tmp_path / "out", "--set", "level=0.9", "--seed", "3")
    assert done.exit_code == 0, done.output
    pairs = rows(tmp_path / "out" / "pairs.csv")
    assert f"{len(pairs)} pairs" in done.output
    listed = {(row["topic"], row["concept"]) for row in rows(tmp_path / "out" / "lexicons.csv")}
    for pair in pairs:
        assert (pair["topic"], pair["left"]) in listed
        assert pair["right"] == pair["topic"] or (pair["topic"], pair["right"]) in listed
    assert {pair["topic"] for pair in pairs if pair["split"] == "train"} < set(TEXTS)
    assert "Natural selection" in {pair["left"] for pair in pairs}
    address = next(pair["left_uri"] for pair in pairs if pair["left"] == "Natural selection")
    assert address.endswith(".wikipedia.org/wiki/Natural_selection")


def test_what_was_done_is_written_beside_the_pairs(texts: Path, tmp_path: Path) -> None:
    assert select("word", "--texts", texts, "-o", tmp_path / "out", "--set", "level=0.9").exit_code == 0
    said = json.loads((tmp_path / "out" / "selection.json").read_text())
    assert (said["protocol"], said["seed"], said["settings"]["level"]) == ("word", 1, 0.9)
    assert said["resources"]["snapshot"].startswith("enwiki-")
    for name, digest in said["files"].items():
        assert blake2b((tmp_path / "out" / name).read_bytes(), digest_size=32).hexdigest() == digest


def test_the_same_seed_gives_the_same_bytes(texts: Path, tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("again", 1), ("other", 2)):
        arguments = ("--set", "level=0.9", "--set", "article_pairs=2", "--seed", str(seed))
        assert select("word", "--texts", texts, "-o", tmp_path / name, *arguments).exit_code == 0
    written = [
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        for name in ("one", "again", "other")
    ]
    assert written[0] == written[1]
    assert written[0]["pairs.csv"] != written[2]["pairs.csv"]
    assert written[0]["lexicons.csv"] == written[2]["lexicons.csv"]


def test_what_is_no_article_is_refused_where_a_list_names_it(texts: Path, tmp_path: Path) -> None:
    (texts / "Gardening in Zembla.txt").write_text("Nobody gardens.")
    listed = tmp_path / "articles.txt"
    listed.write_text("# of interest\nAtheism\nGardening in Zembla\n")
    refused = select("word", "--texts", texts, "--articles", listed, "-o", tmp_path / "out")
    assert isinstance(refused.exception, UnusableInput)
    assert "no article Gardening in Zembla" in str(refused.exception)
    assert exit_code(refused.exception) == 3
    assert not (tmp_path / "out").exists()
    done = select("word", "--texts", texts, "-o", tmp_path / "out", "--set", "level=0.9")
    assert done.exit_code == 0
    assert "Gardening in Zembla is left out" in done.output


def test_what_is_there_is_kept(texts: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    refused = select("word", "--texts", texts, "-o", tmp_path / "out")
    assert isinstance(refused.exception, OutputExists)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--set", "colour=red"], "there is no parameter colour"),
        (["--set", "level=red"], "Expected `float`"),
        (["--dump", "some.xml"], "name one of the two"),
    ],
)
def test_wrong_use_is_said(texts: Path, tmp_path: Path, arguments: list[str], says: str) -> None:
    refused = select("word", "--texts", texts, "-o", tmp_path / "out", *arguments)
    assert refused.exit_code == 2
    assert says in " ".join(refused.output.replace("│", " ").split())


TOPICS = """
[[topic]]
definition = "Evolution should be taught"
terms = ["evolution"]
articles = ["Evolution"]

[[topic]]
definition = "Astronomy should be taught"
terms = ["astronomy"]
articles = ["Astronomy"]
"""


def test_pairs_of_terms_and_their_tuples(texts: Path, tmp_path: Path) -> None:
    for title in ("Evolution", "Astronomy"):
        (texts / f"{title}.txt").write_text(f"{TEXTS[title]} " * 4)
    (tmp_path / "topics.toml").write_text(TOPICS)
    arguments = ("--texts", texts, "--topics", tmp_path / "topics.toml", "--set", "random_step=within")
    done = select("tr9856", *arguments, "-o", tmp_path / "out")
    assert done.exit_code == 0, done.output
    pairs = rows(tmp_path / "out" / "pairs.csv")
    assert {"natural selection", "charles darwin"} <= {pair["left"] for pair in pairs}
    said = json.loads((tmp_path / "out" / "selection.json").read_text())
    assert said["settings"]["random_step"] == "within"
    assert said["resources"]["texts"] == {"folder": "texts"}
    command = ["dataset", "select", "tuples", str(tmp_path / "out" / "pairs.csv"), "-o"]
    runner, line = CliRunner(), command_line(["dataset"])
    for name in ("tuples.csv", "again.csv"):
        done = runner.invoke(line, [*command, str(tmp_path / name)])
        assert done.exit_code == 0, done.output
        assert f"{2 * len(pairs)} tuples of {len(pairs)} pairs" in done.output
    assert (tmp_path / "tuples.csv").read_bytes() == (tmp_path / "again.csv").read_bytes()
    numbers = {tuple_[f"pair{place}"] for tuple_ in rows(tmp_path / "tuples.csv") for place in (1, 2, 3, 4)}
    assert numbers == {pair["pair"] for pair in pairs}


@pytest.mark.parametrize("protocol", ["bird", "zesch-gurevych"])
def test_a_lexicon_that_is_not_installed(texts: Path, tmp_path: Path, protocol: str) -> None:
    refused = select(protocol, "--texts", texts, "--wordnet", tmp_path, "-o", tmp_path / "out")
    assert isinstance(refused.exception, MissingResource)
    assert "dpkg -i" in str(refused.exception)
    assert exit_code(refused.exception) == 4


def test_pairs_that_are_worth_a_persons_time(tmp_path: Path) -> None:
    """Of all pairs of eight articles; a title that is none and an article with itself are left out."""
    titles = ("Atheism", "Religion", "Evolution", "Genetics", "Jazz", "Music", "Slavery", "Money")
    lines = ["group,left,right", *(f"g,{one},{other}" for one in titles for other in titles)]
    candidates = tmp_path / "many.csv"
    candidates.write_text("\n".join([*lines, "g,Atheism,No such article at all"]) + "\n")
    for strategy in ("spread", "unsure", "disagreement", "evenly"):
        out = tmp_path / strategy
        done = select("worth", candidates, "-o", out, "--number", "12", "--strategy", strategy)
        assert done.exit_code == 0, done.output
        pairs = rows(out / "pairs.csv")
        assert len(pairs) == len({(pair["left"], pair["right"]) for pair in pairs}) == 12
        assert all(pair["group"] == "g" and pair["left"] != pair["right"] for pair in pairs)
        for pair in pairs:
            assert 0 <= float(pair["low"]) <= float(pair["predicted"]) <= float(pair["high"]) <= 1
        written = json.loads((out / "selection.json").read_text())
        assert written["counts"] == {"pairs": 12, "candidates": 65, "without_a_prediction": 9}
        assert written["resources"]["model"].startswith("wort-plus")


def test_a_table_that_has_no_pairs_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    for content, says in (
        ("a,b\n1,2\n", "needs left and right"),
        ("left,right,weight\n1,2,3\n", "none of predicted, low, high, weight"),
        ("left,right\n1\n", "row 2: it has not as many fields"),
        ("", "an empty file"),
    ):
        table.write_text(content)
        done = select("worth", table, "-o", tmp_path / "out")
        assert isinstance(done.exception, UnusableInput)
        assert says in str(done.exception)
    assert not (tmp_path / "out").exists()
