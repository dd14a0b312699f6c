"""The page on assistants shows what the tools really answer, and a configuration that works."""

from __future__ import annotations

import json
import re

import anyio
import pytest
from mcp import Client
from mcp.types import TextContent

from app.assistant.server import server
from app.assistant.tools import Tools
from app.cli import COMMANDS
from app.serving.encoder import EncoderPlace
from app.serving.models import TermSettings
from app.serving.serving import Serving
from app.serving.source import Source
from app.serving.starter import open_scorer
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "assistants.md").read_text()
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def numbers(text: str) -> list[float]:
    return [float(number) for number in NUMBER.findall(text)]


def test_the_transcript_is_real() -> None:
    shown = re.findall(r"```\n(\w+) (\{[^\n]*\})\n\n(.*?)\n```", PAGE, re.DOTALL)
    assert {name for name, _, _ in shown} == {name for name in vars(Tools) if name[0] != "_"}

    async def ask() -> None:
        serves = server(Source(Serving(open_scorer(None, None), TermSettings(encoder=EncoderPlace(None)))))
        async with Client(serves) as client:
            for name, arguments, expected in shown:
                (content,) = (await client.call_tool(name, json.loads(arguments))).content
                assert isinstance(content, TextContent)
                assert NUMBER.sub("#", content.text) == NUMBER.sub("#", expected)
                assert numbers(content.text) == pytest.approx(numbers(expected), abs=0.02)

    anyio.run(ask)


def test_the_configuration_names_the_command() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    entry = json.loads(block)["mcpServers"]["wort"]
    assert entry["args"] == ["mcp"]
    assert entry["args"][0] in COMMANDS
