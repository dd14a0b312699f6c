"""The commands that answer one question, as people read their answers."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.app.cli.conftest import TEXT, Ask, toy


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
    # What a word in capitals may mean besides is said whatever it is compared with.
    for other in ("Window", "Police"):
        said = ask("compare", "--terms", "Doors", other, "--text")[1]
        assert "\n'Doors' is taken for Door. It may mean The Doors; The Doors (album) too.\n" in said
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
    file.write_text("OMG that is funny.")
    assert ask("annotate", str(file), "--text")[1].startswith(
        "Left out, since something else is more likely meant: 'OMG' (Object Management Group).\n"
    )


def test_case_is_nothing_to_be_told_of(ask: Ask, folder: Path) -> None:
    assert "is Dog." not in ask("compare", "dog", "Cat", *toy(folder), "--text")[1]
