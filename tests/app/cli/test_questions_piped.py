"""The commands that answer one question, on a pipe: the answers of the server, as JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx

from tests.app.cli.conftest import TEXT, Ask, toy


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
