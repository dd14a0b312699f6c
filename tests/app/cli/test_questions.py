"""The commands that answer one question: the server's answers, readable on a terminal and JSON on a pipe."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.service import create_app
from app.serving.starter import open_scorer
from app.settings import Settings
from tests.app.cli.test_cli import wort
from tests.support.served import serving, toy_files, toy_term_model

ESCAPE, CSI = "\x1b[31m", "\x9b2J"
"""What turns text red, and what clears a terminal, as hostile titles would."""

TEXT = "Atheism is the rejection of belief in God;\nBuddhism is a religion without one.\n"

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("questions")
    snapshot, _ = toy_files(folder)
    identity = json.loads((snapshot / "manifest.json").read_bytes())["id"]
    toy_term_model(folder / "terms.json", identity)
    return folder


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Ask:
    """Runs the command line in this process: its exit code, and what it says on both outputs."""

    def run(*arguments: str) -> tuple[int, str, str]:
        code = wort(monkeypatch, arguments)
        said = capfd.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture(scope="module")
def http() -> Iterator[httpx.Client]:
    app = create_app(Settings(), open_scorer(None, None))
    with serving(app) as address, httpx.Client(base_url=f"{address}/v1", timeout=120) as client:
        yield client


def toy(folder: Path, model: str = "model.json") -> list[str]:
    return ["--snapshot", str(folder / "snapshot"), "--model", str(folder / model)]


def named(folder: Path) -> str:
    """The line that says what an answer of the toy rests on."""
    identity = json.loads((folder / "snapshot" / "manifest.json").read_bytes())["id"]
    return f"(toy, on {identity}: smallwiki of 2001-01-15, 12 concepts)"


def test_two_concepts_for_people(ask: Ask, folder: Path) -> None:
    code, said, trouble = ask("compare", "Mouse", "Dog", "--ambiguous", "resolve", *toy(folder), "--text")
    assert (code, trouble) == (0, "")
    assert said.splitlines() == [
        "House mouse – Dog: 0.40 of 1, somewhat related",
        "More than 82.5 % of random pairs and 37.9 % of pairs of linked articles.",
        "'Mouse' is House mouse. It may mean Computer mouse too.",
        "How it adds up, rounded:",
        "  +0.100  where every pair begins",
        "  -0.007  words",
        "      +0.002  PMI1 0.216: Do the words of the titles occur in the same sentences?",
        "      -0.009  W2V 0.450: Do the words of the titles occur among the same words?",
        "  +0.311  links and categories",
        "      +0.027  INLINK-PMI 0.442: Do the same articles link to both more often than by chance?",
        "      +0.043  MW 0.613: How near are the in-links of the two, by the distance of Milne and Witten?",
        "      +0.040  COND-PROB 0.500: How likely does an article that links to one link to the other?",
        "      +0.030  J-IN 0.333: What share of the articles that link to either link to both?",
        "      +0.067  J-OUT 0.667: What share of the concepts that either links to do both link to?",
        "      +0.055  J-IN-OUT 0.500: What share of the concepts linked with either, in any direction, are "
        "linked with both?",
        "      +0.050  FRIEND 0.417: Does each link to the other, or to concepts that do?",
        "What they share:",
        "  Articles that link to both: Cat.",
        "  Articles that both link to: Cat, Noun.",
        "  Paragraphs that mention both: 0.",
        named(folder),
    ]


def test_other_answers_for_people(ask: Ask, folder: Path) -> None:
    here = [*toy(folder), "--text"]
    assert ask("compare", "Cat", "Felis catus", *here)[1].splitlines() == [
        "Cat – Cat: 1.00 of 1, the same",
        "'Felis catus' is Cat.",
        named(folder),
    ]
    assert ask("related", "Cat", "--top", "2", *here)[1].splitlines() == [
        "The most related to Cat:",
        "  0.91  Dog",
        "  0.82  Pet",
        named(folder),
    ]
    assert ask("search", "felis", *here[:2], "--text") == (0, "Cat (also Felis catus)\n", "")
    assert ask("search", "qqqqqqqq", *here[:2], "--text")[:2] == (
        0,
        "Nothing in smallwiki of 2001-01-15, 12 concepts is written like that.\n"
        "Try fewer letters, or another name of it.\n",
    )
    assert ask("search", " ", *here[:2]) == (0, '{"concepts":[]}\n', "")
    empty = "Nothing is written there. Give a name, its beginning, or words of it.\n"
    assert ask("search", " ", *here[:2], "--text") == (0, empty, "")
    code, said, trouble = ask("matrix", "Cat", "Dog", "Catt", *here)
    assert code == 3
    assert said.splitlines() == [
        "         1     2     3",
        "   1  1.00  0.91     –  Cat",
        "   2  0.91  1.00     –  Dog",
        "   3     –     –     –  Catt",
        named(folder),
    ]
    assert "'Catt'" in trouble
    assert "Did you mean Cat" in trouble


def test_terms_for_people(ask: Ask) -> None:
    code, said, _ = ask("compare", "--terms", "atheists zzyzzx", "religions", "--text")
    first, panel, placed, unknown, taken, rests_on, heading, *lines, names = said.splitlines()
    assert code == 0
    assert re.fullmatch(r"atheists zzyzzx – religions: 0\.\d\d of 1, related", first)
    assert placed.endswith(" of pairs of linked articles.")
    assert unknown == "'atheists zzyzzx' has words that are not known here: zzyzzx."
    assert re.match(r"Of ten people, about \d would call them related, very likely \d to 10 ", panel)
    # Of the one term that names a concept the article is read.
    assert taken == "'religions' is taken for Religion."
    assert (rests_on, heading) == ("The score rests on words and the encoder.", "How it adds up, rounded:")
    assert any("ESA-IDF" in line for line in lines)
    assert names.startswith("(terms-plus-starter, on enwiki-20150523-")
    games = ("compare", "--terms", "violent video games", "aggression")
    assert "\nThe score rests on words and the encoder.\n" in ask(*games, "--text")[1]
    (result,) = json.loads(ask(*games)[1])["results"]
    assert result["used"] == ["words", "encoder"]
    assert all(result["resolved"][side]["sense"] for side in ("left", "right"))
    river = ("compare", "--terms", "bank", "river", "--text")
    assert "The context changed nothing: it chooses among" in ask(*river, "--context", "money")[1]
    assert "The context" not in ask(*river)[1]
    assert (
        "The context"
        not in ask("compare", "--terms", "mercury", "planet", "--context", "medicine", "--text")[1]
    )
    said = ask("compare", "--terms", "machine learning", "deep learning", "--text")[1]
    assert "\nThe score rests on concepts, words and the encoder.\n" in said
    assert "\nMore than " in said
    said = ask("compare", "--terms", "asdkfjh", "AC/DC", "--text")[1]
    assert "\n'asdkfjh' is judged by its letters alone.\n'AC/DC' is no name that is known here, and" in said
    # Two that name concepts have the score of these, and their model is named.
    assert "(wort-plus-starter, on " in ask("compare", "--terms", "atheism", "religion", "--text")[1]


def test_a_text_for_people(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text(TEXT)
    code, said, _ = ask("annotate", str(file), "--text")
    lines = [line.split("  ") for line in said.splitlines()[:-1]]
    assert code == 0
    assert [(place, named) for place, _, named in lines] == [
        ("1:1", "Atheism → Atheism"),
        ("1:39", "God → God"),
        ("2:1", "Buddhism → Buddhism"),
        ("2:15", "religion → Religion"),
    ]
    left_out = "wort: a part of the context is left out. There is no concept 'Qwxyzq' in this snapshot."
    assert ask("annotate", str(file), "--context", "Qwxyzq", "--text")[2].startswith(left_out)
    file.write_text("")
    assert ask("annotate", str(file), "--text")[1].startswith("No concept that is known here is mentioned.\n")


def test_a_pipe_gets_the_answers_of_the_server(ask: Ask, http: httpx.Client, tmp_path: Path) -> None:
    """Number for number: both are read from JSON, which has every digit."""

    def said(*arguments: str) -> Any:
        code, out, _ = ask(*arguments)
        assert code == 0
        # The server beside it, in this process, may have logged before.
        return json.loads(out.splitlines()[-1])

    def posted(path: str, **body: Any) -> Any:
        return http.post(path, json=body).raise_for_status().json()

    (tmp_path / "text.txt").write_text(TEXT)
    pair = {"left": "Atheism", "right": "Religion"}
    terms = {"left": "atheists", "right": "religions", "context": "belief"}
    address = "https://en.wikipedia.org/wiki/Religion"
    assert said("compare", "Atheism", "Religion") == posted("relatedness", pairs=[pair], explain=True)
    assert said("compare", "Atheism", address, "--json") == posted(
        "relatedness", pairs=[{"left": "Atheism", "right": address}], explain=True
    )
    assert said("compare", "--terms", "atheists", "religions", "--context", "belief") == posted(
        "terms/relatedness", pairs=[terms], explain=True
    )
    by_title = http.get("concepts/related", params={"title": "Evolution", "k": 5}).json()
    assert said("related", "Evolution", "--top", "5") == by_title
    found = http.get("concepts/search", params={"q": "Athe", "limit": 4}).json()
    assert said("search", "Athe", "--top", "4") == found
    titles = ["Atheism", "Religion", "Evolution"]
    assert said("matrix", *titles) == posted("relatedness/matrix", concepts=titles)
    options = ["--context", "Religion", "--min-rho", "0.4"]
    assert said("annotate", str(tmp_path / "text.txt"), *options) == posted(
        "annotate", text=TEXT, context=["Religion"], min_rho=0.4
    )


def test_standard_input_is_annotated() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "app.cli", "annotate", "-"],
        input=TEXT.encode(),
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout)["annotations"][0]["title"] == "Atheism"


def test_the_most_are_those_of_the_server(ask: Ask, http: httpx.Client) -> None:
    questions: tuple[tuple[str, str, dict[str, str | int]], ...] = (
        ("related", "concepts/related", {"title": "Atheism", "k": 101}),
        ("search", "concepts/search", {"q": "Atheism", "limit": 51}),
    )
    for command, path, asked in questions:
        most = max(number for number in asked.values() if isinstance(number, int)) - 1
        assert http.get(path, params=asked).status_code == 422
        code, _, said = ask(command, "Atheism", "--top", str(most + 1))
        assert code == 2
        assert str(most) in said
        assert ask(command, "Atheism", "--top", str(most))[0] == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["compare", "Mouse", "Dogg"],
            "'Mouse' may mean several concepts. Ask again with one of: House",
        ),
        (["compare", "Mouse", "Dogg"], "There is no concept 'Dogg' in smallwiki of 2001-01-15, 12 concepts."),
        (["compare", "Mouse", "Dogg"], "Did you mean Dog?"),
        (
            ["compare", "Cat mouse", "Dog"],
            "`wort compare --terms` compares most words, whether or not a concept is called so.",
        ),
        (["compare", "", "Dog"], "A concept has a name, and here is none."),
        (["related", "Catt"], "Did you mean Cat"),
        (["related", "Qqqqqqq"], "Try `wort search` with the beginning of its title"),
        (
            ["matrix", "Keyboard", "Cat"],
            "Ask again with the title of the one that is meant; `wort search`",
        ),
    ],
)
def test_what_is_no_concept_is_said_with_what_to_ask(
    ask: Ask, folder: Path, arguments: list[str], says: str
) -> None:
    code, _, trouble = ask(*arguments, *toy(folder))
    assert code == 3
    assert trouble.startswith("wort: ")
    assert says in trouble


def test_terms_are_advised_only_where_they_have_an_answer(ask: Ask, folder: Path) -> None:
    for sides, is_answered in ((("Cat mouse", "Dog"), True), (("Qqqqqqq", "Zzzzzz"), False)):
        code, _, trouble = ask("compare", *sides, *toy(folder))
        assert code == 3
        assert ("wort compare --terms" in trouble) == is_answered
        assert (ask("compare", "--terms", *sides, *toy(folder, "terms.json"))[0] == 0) == is_answered


def test_a_text_in_place_of_a_file_is_told_how_it_is_given(ask: Ask, folder: Path) -> None:
    code, said, trouble = ask("annotate", "Charles Darwin was a naturalist.", *toy(folder)[:2])
    assert (code, said) == (3, "")
    assert trouble.startswith("wort: There is no file Charles Darwin was a naturalist.")
    assert "| wort annotate -" in trouble
    said = f"wort: {folder} is a folder. Name a file with a text in it.\n"
    assert ask("annotate", str(folder), *toy(folder)[:2]) == (3, "", said)


def test_case_is_nothing_to_be_told_of(ask: Ask, folder: Path) -> None:
    assert "is Dog." not in ask("compare", "dog", "Cat", *toy(folder), "--text")[1]


def test_a_pipe_gets_the_server_s_answer_of_what_has_no_score(ask: Ask, folder: Path) -> None:
    code, said, _ = ask("compare", "Catt", "Dog", *toy(folder))
    assert said.count("\n") == 1
    (result,) = json.loads(said)["results"]
    assert code == 3
    assert (result["score"], result["status"]) == (None, "unknown")
    assert result["resolved"]["left"]["suggestions"] == ["Cat"]
    assert ask("compare", "Catt", "Dog", *toy(folder), "--text")[1] == ""
    code, said, trouble = ask("compare", "--terms", "zzz yyy", "", *toy(folder, "terms.json"))
    assert code == 3
    assert json.loads(said)["results"][0]["score"] is None
    assert "No word of 'zzz yyy' is known in smallwiki" in trouble
    assert "'' is no term" in trouble
    code, said, trouble = ask("related", "Catt", *toy(folder))
    problem = json.loads(said)
    assert (code, problem["status"], problem["suggestions"]) == (3, 404, ["Cat"])
    assert trouble.startswith("wort: There is no concept 'Catt'")
    assert ask("related", "Catt", *toy(folder), "--text")[1] == ""


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["compare", "Cat"], 2, "RIGHT is missing"),
        (["compare", "Cat", "Dog", "--context", "pets"], 2, "--terms"),
        (["compare", "Cat", "Dog", "--terms", "--ambiguous", "resolve"], 2, "always chosen"),
        (["compare", "Cat", "Dog", "--snapshot", "none"], 3, "not a snapshot"),
        (["compare", "Cat", "Dog", "--model", "none.json"], 3, "none.json"),
        (["compare", "Cat", "\udcff"], 2, "not UTF-8"),
        (["matrix", "Cat,Dog"], 2, "two titles at least, with blanks between"),
        (["annotate", "none.txt"], 3, "none.txt"),
        (["annotate", "latin.txt"], 3, "byte 0xe9 at 4 is not UTF-8"),
    ],
)
def test_wrong_use_of_a_question(
    monkeypatch: pytest.MonkeyPatch, ask: Ask, tmp_path: Path, arguments: list[str], code: int, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("latin.txt").write_bytes("café".encode("latin-1"))
    ended, said, trouble = ask(*arguments)
    assert (ended, said) == (code, "")
    assert says in trouble
    assert "Traceback" not in trouble


def test_a_foreign_model_is_told_of(ask: Ask, folder: Path) -> None:
    here = ["--snapshot", str(folder / "snapshot")]
    assert "trained on" in ask("compare", "Cat", "Dog", *here)[2]
    assert ask("search", "Ca", *here)[2] == ""


def test_nothing_hostile_steers_the_terminal(ask: Ask, folder: Path, tmp_path: Path) -> None:
    hostile = f"{ESCAPE}Cat{CSI}\u202e"
    here = toy(folder)
    asked = [
        ("compare", hostile, "Dog", *here, "--text"),
        ("compare", hostile, "Dog", *here, "--json"),
        ("compare", hostile, "Dog", "--terms", *toy(folder, "terms.json"), "--json"),
        ("related", hostile, *here, "--text"),
        ("search", hostile, *here[:2], "--text"),
        ("matrix", hostile, "Cat", "Dog", *here, "--text"),
        ("matrix", hostile, "Cat", *here, "--json"),
        ("compare", "Cat", "Dog", "--snapshot", hostile),
    ]
    for arguments in asked:
        _, said, trouble = ask(*arguments)
        assert not set(said + trouble) & {"\x1b", "\x9b", "\u202e"}, arguments
    # What JSON says is what was asked, written otherwise.
    (result,) = json.loads(ask(*asked[1])[1])["results"]
    assert result["resolved"]["left"]["asked"] == hostile
    terms = ("compare", "--terms", f"atheists {hostile}", "religions", "--text")
    assert "\\x1b" in ask(*terms)[1]
    file = tmp_path / "text.txt"
    file.write_text(f"{ESCAPE} Natural\nselection {CSI} is the cause of evolution.")
    for form in ("--text", "--json"):
        _, said, _ = ask("annotate", str(file), form)
        assert "Natural selection" in said
        assert not set(said) & {"\x1b", "\x9b"}


@pytest.mark.parametrize(
    ("form", "begins"), [([], "Cat – Dog: 0.91 of 1, "), (["--json"], '{\n  "results": [')]
)
def test_a_terminal_gets_what_people_read(folder: Path, form: list[str], begins: str) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "app.cli", "compare", "Cat", "Dog", *toy(folder), *form]
    subprocess.run(command, stdout=theirs, check=True)
    os.close(theirs)
    shown = b""
    with io.FileIO(ours) as terminal:
        try:
            while piece := terminal.read(1 << 16):
                shown += piece
        except OSError:
            pass  # so ends a terminal whose other end is closed
    assert shown.decode().replace("\r\n", "\n").startswith(begins)


def test_what_cannot_be_written_on_a_terminal_is_shown_otherwise(folder: Path) -> None:
    command = [sys.executable, "-m", "app.cli", "compare", "Cat", "Dog", *toy(folder), "--text"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert done.stdout.startswith(rb"Cat \u2013 Dog: 0.91")
