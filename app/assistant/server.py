"""The server of the Model Context Protocol: which tools there are, and what an assistant is told of them."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

import structlog
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, InputRequiredResult, Tool, ToolAnnotations
from pydantic import ValidationError

from app.assistant.tools import Tools
from app.scoring.in_words import snapshot_name
from app.serving.source import Source
from app.wording import of_fields
from snapshots.errors import TableError

INSTRUCTIONS = (
    "wort says how related Wikipedia concepts are, from the links, categories and texts of a Wikipedia dump "
    "on this machine ({snapshot}). Concepts are named by the titles of their articles; `search` finds those. "
    "What is no article is asked about with `terms`, whole texts with `annotate` and `texts`. {attribution}"
)


class PlainServer(MCPServer[None]):
    """A server that says what is wrong with the arguments of a tool, and nothing of how that was found."""

    async def list_tools(self) -> list[Tool]:
        """The tools, none of which takes an argument that its schema does not name."""
        listed = await super().list_tools()
        return [
            tool.model_copy(update={"input_schema": {**tool.input_schema, "additionalProperties": False}})
            for tool in listed
        ]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool.

        Raises:
            ToolError: there is no such tool, its arguments are wrong, or it refuses them.
        """
        schema = next((tool.input_schema for tool in await self.list_tools() if tool.name == name), {})
        known = schema.get("properties", {})
        # One that is spelt wrong would be left unheeded.
        if schema and (unknown := sorted(set(arguments) - set(known))):
            there = f"There is no parameter {', '.join(unknown)}, only {', '.join(sorted(known))}."
            raise ToolError(f"Error executing tool {name}: {there}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            faults = of_fields(error.__cause__.errors(), schema.get("required", ()))
            raise ToolError(f"Error executing tool {name}: {faults}") from None


def server(source: Source) -> MCPServer[None]:
    """A server that answers from ``source``, and follows it while it runs."""

    @asynccontextmanager
    async def lifespan(_: MCPServer[None]) -> AsyncIterator[None]:
        # The first tool call need not wait for code to be compiled; nor need the handshake.
        warming = asyncio.create_task(_warm(source))
        source.start()
        yield
        await warming
        await asyncio.to_thread(source.stop)

    snapshot = source.current.scorer.snapshot_info
    serves = PlainServer(
        "wort",
        title="wort",
        version=version("wort-server"),
        instructions=INSTRUCTIONS.format(snapshot=snapshot_name(snapshot), attribution=snapshot.attribution),
        lifespan=lifespan,
    )
    # It logs what tools refuse, which holds titles; what fails in them it logs as errors.
    logging.getLogger("mcp").setLevel(logging.WARNING)
    tools = Tools(source)
    reads = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    pairs = (tools.relatedness, tools.explain, tools.related, tools.search)
    for tool in (*pairs, tools.terms, tools.annotate, tools.texts):
        serves.tool(description=inspect.getdoc(tool), annotations=reads)(tool)
    return serves


async def _warm(source: Source) -> None:
    try:
        await asyncio.to_thread(source.current.warm)
    except TableError as error:
        structlog.get_logger("wort").error("the snapshot cannot be scored", reason=str(error))
    except Exception:
        structlog.get_logger("wort").exception("the snapshot cannot be scored")
