"""`wort mcp`, asked by the protocol's own client over a real process."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, TextContent, Tool

import wort
from app.assistant.results import QUESTIONS, Pair
from app.assistant.server import server
from app.scoring.concepts import Scorer
from app.scoring.related import related
from app.serving.models import TermSettings
from app.serving.serving import Serving
from app.serving.source import Source
from app.serving.starter import open_scorer
from tests.support.patience import PATIENCE
from tests.support.promoted import OTHER, ToyRegistry
from tests.support.served import page_id, toy_files

DARWIN = "Charles Darwin described natural selection, the engine of evolution."

COMMAND = [sys.executable, "-m", "app.cli", "mcp"]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return toy_files(tmp_path_factory.mktemp("toy"))


@pytest.fixture(scope="module")
def scorer(files: tuple[Path, Path]) -> Scorer:
    return Scorer.open(*files)


def of(files: tuple[Path, Path]) -> list[str]:
    snapshot, model = files
    return ["--snapshot", str(snapshot), "--model", str(model)]


def assisted(work: Callable[[Client], Awaitable[None]], *arguments: str, **environment: str) -> None:
    """Do some work with a client of a process of its own."""

    async def run() -> None:
        command, *rest = [*COMMAND, *arguments]
        async with Client(StdioServerParameters(command=command, args=rest, env=environment)) as client:
            await work(client)

    anyio.run(run)


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


@pytest.fixture(scope="module")
def answers(files: tuple[Path, Path]) -> dict[str, Any]:
    """What one assistant is told in one sitting: its tools, and the answers to some calls by their names."""
    calls: dict[str, tuple[str, dict[str, Any]]] = {
        "pair": ("relatedness", {"left": "Felis catus", "right": "Dog"}),
        "by id": ("relatedness", {"left": page_id("Cat"), "right": "https://en.wikipedia.org/wiki/Dog"}),
        "explained": ("explain", {"left": "Cat", "right": "Dog"}),
        "same": ("explain", {"left": "Cat", "right": "Felis catus"}),
        "related": ("related", {"concept": "Felis catus", "k": 3}),
        "search": ("search", {"query": "felis", "limit": 2}),
        "terms": ("terms", {"left": "cat", "right": "dog", "context": "pets"}),
        "unknown terms": ("terms", {"left": "zzzzqqq", "right": "dog"}),
        "no mentions": ("annotate", {"text": "A cat and a dog."}),
        "no match": ("search", {"query": "zzzzqqq"}),
        "ambiguous": ("relatedness", {"left": "Mouse", "right": "Dogg"}),
        "nothing like it": ("related", {"concept": "Zzzzqqq"}),
        "no senses": ("related", {"concept": "Keyboard"}),
        "no title": ("explain", {"left": "<>", "right": "Cat"}),
        "too many": ("related", {"concept": "Cat", "k": 51}),
        "missing": ("relatedness", {"left": "Cat"}),
        "no query": ("search", {}),
        "empty query": ("search", {"query": ""}),
        "empty text": ("annotate", {"text": ""}),
        "empty left": ("texts", {"left": "", "right": "A dog."}),
        "no kind": ("relatedness", {"left": None, "right": "Dog"}),
        "no kinds": ("relatedness", {"left": 1.5, "right": [1]}),
        "no number": ("related", {"concept": "Cat", "k": None}),
        "no such argument": ("related", {"concept": "Cat", "limit": 3}),
        "true": ("relatedness", {"left": True, "right": "Dog"}),
        "no text": ("texts", {"left": 7, "right": "A dog."}),
    }
    told: dict[str, Any] = {}

    async def ask(client: Client) -> None:
        told["instructions"] = client.instructions
        told["tools"] = (await client.list_tools()).tools
        for name, (tool, arguments) in calls.items():
            told[name] = await client.call_tool(tool, arguments)

    assisted(ask, *of(files))
    return told


def test_the_tools_say_what_they_do(answers: dict[str, Any]) -> None:
    tools: dict[str, Tool] = {tool.name: tool for tool in answers["tools"]}
    assert list(tools) == ["relatedness", "explain", "related", "search", "terms", "annotate", "texts"]
    for tool in tools.values():
        assert tool.description is not None
        assert "  " not in tool.description
        assert tool.output_schema is not None
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint
        assert tool.input_schema["additionalProperties"] is False
        for argument in tool.input_schema["properties"].values():
            assert argument["description"]
    assert "12 concepts" in answers["instructions"]


def test_a_pair(answers: dict[str, Any], scorer: Scorer) -> None:
    (expected,) = scorer.score([("Cat", "Dog")])
    assert expected.percentiles is not None
    said = answers["pair"].structured_content
    assert said["score"] == expected.score
    assert said["left"] == {"title": "Cat", "page_id": page_id("Cat")}
    assert said["percentile_random"] == expected.percentiles.random
    assert text_of(answers["pair"]).startswith(f"Cat – Dog: {expected.score:.2f} of 1. More than ")
    assert said["notes"] == ["'Felis catus' is Cat."]
    assert text_of(answers["pair"]).splitlines()[1:] == said["notes"]
    assert answers["by id"].structured_content == said | {"notes": []}


def test_what_people_may_say_anything_of_is_not_placed(answers: dict[str, Any]) -> None:
    unsure = Pair.model_validate(answers["pair"].structured_content | {"low": 0.0, "high": 1.0})
    assert " of 1. Of ten people, any number may call them related (0.00 to 1.00): too little" in unsure.text
    assert "More than" not in unsure.text


def test_an_explanation(answers: dict[str, Any], scorer: Scorer) -> None:
    (expected,) = scorer.score([("Cat", "Dog")], explain=True)
    assert expected.explanation is not None
    assert expected.evidence is not None
    said = answers["explained"].structured_content
    assert {addend["feature"]: addend["contribution"] for addend in said["addends"]} == {
        addend.feature: addend.contribution for addend in expected.explanation.contributions
    }
    assert all(addend["question"] == QUESTIONS[addend["feature"]] for addend in said["addends"])
    assert said["intercept"] + sum(addend["contribution"] for addend in said["addends"]) == pytest.approx(
        expected.explanation.raw
    )
    assert said["shared"]["linked_from"] == [of.title for of in expected.evidence.in_links.strongest]
    assert "Pet" in said["shared"]["links_to"]
    assert "Categories of both: Domestic animals." in text_of(answers["explained"])
    assert answers["same"].structured_content["score"] == 1.0
    assert answers["same"].structured_content["addends"] == []


def test_related_concepts(answers: dict[str, Any], scorer: Scorer) -> None:
    cat = scorer.resolver.resolve("Cat").concept
    expected = [(near.title, near.score) for near in related(scorer, cat, 3).related]
    said = answers["related"].structured_content
    assert [(near["title"], near["score"]) for near in said["related"]] == expected
    assert text_of(answers["related"]).splitlines()[1:] == [
        *(f"{score:.2f} {title}" for title, score in expected),
        "'Felis catus' is Cat.",
    ]


def test_a_search(answers: dict[str, Any]) -> None:
    (found,) = answers["search"].structured_content["concepts"]
    assert (found["title"], found["page_id"], found["redirect"]) == ("Cat", page_id("Cat"), "Felis catus")
    assert text_of(answers["search"]) == "Cat (also Felis catus)"
    assert answers["no match"].structured_content["concepts"] == []
    assert "Try fewer letters" in text_of(answers["no match"])


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        (
            "ambiguous",
            "'Mouse' may mean several concepts. Ask again with one of: House mouse; Computer mouse.",
        ),
        ("ambiguous", "There is no concept 'Dogg'"),
        ("ambiguous", "Did you mean Dog"),
        ("nothing like it", "Try `search`"),
        ("no senses", "Ask again with the title of the one that is meant"),
        ("no title", "'<>' cannot be the title of an article"),
        ("too many", "Error executing tool related: “k”: 51 is too large; 50 is the most."),
        ("missing", "Error executing tool relatedness: “right”: it is missing."),
        ("no query", "Error executing tool search: “query”: it is missing."),
        ("empty query", "Error executing tool search: “query”: it is empty; give it a value."),
        ("empty text", "Error executing tool annotate: “text”: it is empty; give it a value."),
        ("empty left", "Error executing tool texts: “left”: it is empty; give it a value."),
        ("no kind", "Error executing tool relatedness: “left”: it is to be a text or a whole number."),
        (
            "no kinds",
            "“left”: it is to be a text or a whole number. “right”: it is to be a text or a whole number.",
        ),
        ("no number", "Error executing tool related: “k”: it is to be a whole number."),
        (
            "no such argument",
            "Error executing tool related: There is no parameter limit, only concept, k.",
        ),
        ("true", "Error executing tool relatedness: “left”: it is to be a text or a whole number."),
        ("no text", "Error executing tool texts: “left”: it is to be a text."),
    ],
)
def test_what_cannot_be_answered_says_what_to_ask(name: str, advice: str, answers: dict[str, Any]) -> None:
    assert answers[name].is_error
    assert advice in text_of(answers[name])
    assert "pydantic" not in text_of(answers[name])


@pytest.mark.slow
def test_terms(answers: dict[str, Any], scorer: Scorer) -> None:
    (expected,) = scorer.score([("Cat", "Dog")])
    said = answers["terms"].structured_content
    # Terms that name articles have the score of these.
    assert (said["score"], said["used"]) == (expected.score, ["concepts"])
    assert said["left"] == {"asked": "cat", "sense": "Cat", "whole": True, "others": []}
    assert text_of(answers["terms"]).startswith(f"cat – dog: {expected.score:.2f} of 1")
    assert answers["unknown terms"].is_error
    assert "Nothing is known of 'zzzzqqq'." in text_of(answers["unknown terms"])


def test_texts() -> None:
    asked: dict[str, Any] = {}

    async def ask() -> None:
        serves = server(Source(Serving(open_scorer(None, None), TermSettings())))
        async with Client(serves) as client:
            for name, (tool, arguments) in {
                "annotated": ("annotate", {"text": DARWIN}),
                "nothing": ("annotate", {"text": "Zzzzqqq."}),
                "texts": ("texts", {"left": DARWIN, "right": "Genetics is the study of genes."}),
                "no texts": ("texts", {"left": "Zzzzqqq.", "right": DARWIN}),
                "neither text": ("texts", {"left": "A puppy ran.", "right": "It is so."}),
                "long texts": ("texts", {"left": "Zzzzqqq. " * 40, "right": "It is so."}),
                "too long": ("annotate", {"text": "a" * 20_001}),
            }.items():
                asked[name] = await client.call_tool(tool, arguments)

    anyio.run(ask)
    with wort.open() as own:
        expected = own.annotate(DARWIN).annotations
    found = asked["annotated"].structured_content["annotations"]
    assert [(one["mention"], one["title"], one["start"], one["rho"]) for one in found] == [
        (one.mention, one.title, one.start, one.rho) for one in expected
    ]
    assert text_of(asked["annotated"]) == "\n".join(
        f"{one.rho:.2f} {one.mention} → {one.title}" for one in expected
    )
    assert "mentions nothing" in text_of(asked["nothing"])
    said = asked["texts"].structured_content
    weighed = [(one["weight"], one["score"]) for side in ("left", "right") for one in said[side]]
    assert said["score"] == pytest.approx(sum(weight * score for weight, score in weighed) / 2)
    assert "the first text mentions no concept" in text_of(asked["no texts"])
    nothing = text_of(asked["neither text"])
    assert nothing.startswith(
        "No score: the first and the second texts mention no concept of this snapshot. "
    )
    assert nothing.endswith("can be compared as terms: `terms` does.")
    assert "terms" not in text_of(asked["long texts"])
    assert asked["too long"].is_error


def test_a_snapshot_without_mentions_says_so(answers: dict[str, Any]) -> None:
    assert answers["no mentions"].is_error
    assert "has no mention dictionary" in text_of(answers["no mentions"])


def test_a_release_that_is_promoted_meanwhile_is_followed(tmp_path: Path) -> None:
    toy_registry = ToyRegistry(tmp_path)
    toy_registry.promote(toy_registry.candidate(toy_registry.snapshot("one"), 0.1))

    async def ask(client: Client) -> None:
        pair = {"left": "Cat", "right": "Dog"}
        before = (await client.call_tool("relatedness", pair)).structured_content
        await anyio.to_thread.run_sync(
            lambda: toy_registry.promote(toy_registry.candidate(toy_registry.snapshot("two", OTHER), 0.2))
        )
        with anyio.fail_after(PATIENCE):
            while (await client.call_tool("relatedness", pair)).structured_content == before:
                await anyio.sleep(0.05)

    assisted(ask, WORT_DATABASE=toy_registry.url)


def test_nothing_but_the_protocol_is_written(files: tuple[Path, Path]) -> None:
    """Nor is what was asked logged; and the process ends with its input."""
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    asked = {"name": "relatedness", "arguments": {"left": "Cat", "right": "Secret thing"}}
    messages: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": asked},
    ]
    with subprocess.Popen(
        [*COMMAND, *of(files)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in [*map(json.dumps, messages), "no message"]:
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
        read = [json.loads(process.stdout.readline()) for _ in range(2)]
        rest, logged = process.communicate(timeout=60)
    assert process.returncode == 0, logged
    assert {message["id"] for message in read} == {1, 2}
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
    assert "Secret thing" in json.dumps(read)
    assert "Secret" not in logged


def test_it_ends_on_an_interrupt(files: tuple[Path, Path]) -> None:
    """Though its input is open, and a thread waits for the next line of it."""
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    with subprocess.Popen(
        [*COMMAND, *of(files)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Tests that run in the background were started with the signal ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509  # no thread runs here
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
        process.stdin.write(f"{json.dumps(message)}\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PATIENCE) == 130
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()


def test_what_cannot_be_served_ends_the_command() -> None:
    command = [*COMMAND, "--snapshot", "none"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 3
    assert done.stdout == ""
    assert "none is not a snapshot" in done.stderr
