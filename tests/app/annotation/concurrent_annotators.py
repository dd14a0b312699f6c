"""Many annotators at once, who send each answer until it is acknowledged, as the page's script does."""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import httpx

from tests.support.patience import PATIENCE

AGAIN = 0.2
"""Seconds until what was not acknowledged is sent again."""


@dataclass
class ConcurrentAnnotators:
    """Annotators of a project, by its invitation; each answers until nothing is asked any more.

    ``acknowledged``: the keys of acknowledged answers, and what was said under each, of which item, by which
    annotator's page. ``refused``: answers that are no acknowledgement and nothing that passes.
    """

    address: str
    invitation: str
    annotators: int
    acknowledged: dict[str, tuple[str, int, float]] = field(default_factory=dict)
    again: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)

    def start(self) -> None:
        """Have them annotate, on a thread."""
        self._thread = threading.Thread(target=lambda: asyncio.run(self._all()))
        self._thread.start()

    def join(self) -> None:
        """Wait until all have ended."""
        self._thread.join()

    @property
    def ended(self) -> bool:
        """Whether all have."""
        return not self._thread.is_alive()

    async def _all(self) -> None:
        limits = httpx.Limits(max_connections=self.annotators, max_keepalive_connections=self.annotators)
        async with (
            httpx.AsyncClient(base_url=self.address, timeout=PATIENCE, limits=limits) as http,
            asyncio.TaskGroup() as group,
        ):
            for _ in range(self.annotators):
                group.create_task(self._annotate(http))

    async def _annotate(self, http: httpx.AsyncClient) -> None:
        begin = f"/annotation/invitation/{self.invitation}"
        response = await self._asked(http, "POST", begin, data={"key": str(uuid.uuid4())})
        path = httpx.URL(self.address + begin).join(response.headers["location"]).path
        said: dict[str, Any] = (await self._asked(http, "GET", f"{path}/items")).json()
        while said["state"] in {"ask", "wait"}:
            for card in said["cards"]:
                value = judgement(card["item"])
                key = str(uuid.uuid4())
                sent = {"key": key, "item": card["item"], "turn": card["turn"], "judgement": value}
                response = await self._asked(http, "POST", f"{path}/answers?ahead=0", json=sent)
                taken = response.json()
                if response.status_code != 200 or taken["key"] != key:
                    self.refused.append(response.text)
                    return
                self.acknowledged[key] = (path, card["item"], value)
            said = (await self._asked(http, "GET", f"{path}/items")).json()
            if said["state"] == "wait":
                await asyncio.sleep(AGAIN)

    async def _asked(self, http: httpx.AsyncClient, method: str, path: str, **sent: Any) -> httpx.Response:
        while True:
            try:
                response = await http.request(method, path, **sent)
            except httpx.TransportError as error:
                self.again[type(error).__name__] += 1
            else:
                if response.status_code != 503:
                    return response
                self.again["503"] += 1
            await asyncio.sleep(AGAIN)


def judgement(item: int) -> float:
    """What is said of an item: the same by everybody, so that what is stored can be checked."""
    return float(crc32(str(item).encode()) % 2)
