"""The commands that answer one question, of what has no answer: what is said instead, and what to ask."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.cli.conftest import Ask, toy


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
