"""The asynchronous client answers as the other one does, and lets others work meanwhile."""

from __future__ import annotations

import asyncio
import inspect
import socket
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest

from app.service import create_app
from app.serving.starter import open_scorer
from app.settings import Settings
from app.web.problems import BUSY, TOO_MANY
from tests.support.scripted_server import Answer, scripted
from tests.support.served import serving, toy_app
from tests.wort.test_client_transport import SNAPSHOT, problem
from wort import AsyncClient, Client, NotReached, TooLarge, Unavailable, Unresolved

PAIRS = [("Cat", "Dog"), ("Cat", "Felis catus"), ("Mouse", "Computer"), ("Cat", "Nothing")] * 5

CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "relatedness": (("Cat", "Dog"), {"explain": True, "features": True}),
    "explain": (("Cat", "Dog"), {"ambiguous": "resolve"}),
    "score": ((PAIRS,), {"ambiguous": "resolve"}),
    "stream": ((PAIRS,), {}),
    "matrix": ((["Cat", "Dog", "Pet"],), {}),
    "related": (("Cat",), {"k": 3}),
    "search": (("ca",), {"limit": 2}),
    "concept": (("Cat",), {}),
    "annotate": (("A cat and a dog.",), {"context": ["Pet"]}),
    "documents": (("A cat.", "A dog."), {"explain": True}),
    "terms": (("cat", "dog"), {"explain": True}),
    "models": ((), {}),
    "snapshot": ((), {}),
}
"""Every method, called somehow."""


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(toy_app(tmp_path_factory.mktemp("toy"), max_pairs=7)) as url:
        yield url


@pytest.fixture(scope="module")
def starter() -> Iterator[str]:
    with serving(create_app(Settings(), open_scorer(None, None))) as url:
        yield url


def methods(kind: type) -> dict[str, Callable[..., object]]:
    return {name: of for name, of in inspect.getmembers(kind, inspect.isfunction) if name[0] != "_"}


def asked(url: str, ask: Callable[[AsyncClient], Coroutine[Any, Any, Any]], **settings: Any) -> Any:
    """What ``ask`` gets of a client of its own."""

    async def run() -> Any:
        async with AsyncClient(url, **settings) as client:
            return await ask(client)

    return asyncio.run(run())


def test_both_clients_have_the_same_methods_with_the_same_parameters() -> None:
    here, there = methods(AsyncClient), methods(Client)
    assert set(here) == set(there) == {*CALLS, "close"}
    for name, method in here.items():
        assert inspect.signature(method).parameters == inspect.signature(there[name]).parameters, name
    assert inspect.signature(AsyncClient).parameters == inspect.signature(Client).parameters


@pytest.mark.parametrize("name", CALLS)
def test_each_method_answers_as_the_other_client_does(starter: str, name: str) -> None:
    given, named = CALLS[name]

    async def ask(client: AsyncClient) -> Any:
        answer = getattr(client, name)(*given, **named)
        return [each async for each in answer] if hasattr(answer, "__aiter__") else await answer

    with Client(starter) as client:
        expected = getattr(client, name)(*given, **named)
        if name in {"score", "stream"}:
            expected = list(expected)
    assert asked(starter, ask) == expected


def test_any_number_of_pairs_however_few_the_server_takes(toy: str) -> None:
    async def ask(client: AsyncClient) -> list[str]:
        return [f"{result.resolved.left.asked} {result.status}" async for result in client.score(PAIRS)]

    with Client(toy) as client:
        assert asked(toy, ask) == [f"{one.resolved.left.asked} {one.status}" for one in client.score(PAIRS)]


def test_many_are_under_way_at_once_and_none_gets_the_answer_of_another(toy: str) -> None:
    titles = ["Cat", "Dog", "Pet", "Computer"]

    async def ask(client: AsyncClient) -> list[object]:
        results = await asyncio.gather(*(client.relatedness(titles[n % 4], "Dog") for n in range(200)))
        return [result.resolved.left.asked for result in results]

    assert asked(toy, ask) == [titles[n % 4] for n in range(200)]


def test_what_passes_is_tried_again_by_each_for_itself() -> None:
    answers = [problem(BUSY, Retry_After="0"), problem(BUSY, Retry_After="0"), SNAPSHOT, SNAPSHOT]

    async def ask(client: AsyncClient) -> list[str]:
        found = await asyncio.gather(client.snapshot(), client.snapshot())
        return [one.id for one in found]

    with scripted(answers) as (url, requests):
        assert asked(url, ask) == ["s", "s"]
    assert len(requests) == 4


@pytest.mark.parametrize("retries", [0, 2])
def test_what_goes_on_is_raised_in_the_end(retries: int) -> None:
    with scripted([problem(BUSY, Retry_After="0")] * (retries + 1)) as (url, requests):
        with pytest.raises(Unavailable):
            asked(url, AsyncClient.snapshot, retries=retries)
        assert len(requests) == retries + 1


def test_a_single_pair_that_is_too_much_is_refused() -> None:
    with scripted([problem(TOO_MANY, limit=1)]) as (url, _), pytest.raises(TooLarge):
        asked(url, lambda client: client.relatedness("Cat", "Dog"))


def test_errors_are_those_of_the_other_client(toy: str) -> None:
    with pytest.raises(Unresolved) as raised:
        asked(toy, lambda client: client.related("Mouse"))
    assert set(raised.value.side.candidates) == {"House mouse", "Computer mouse"}


@pytest.mark.parametrize("answer", [Answer(200, b'{"id"', length=100), Answer(None)], ids=["cut", "closed"])
def test_an_answer_that_breaks_off_is_no_answer(answer: Answer) -> None:
    with scripted([answer] * 2) as (url, _), pytest.raises(NotReached):
        asked(url, AsyncClient.snapshot, retries=1)


def test_a_stream_that_breaks_off_is_no_end(toy: str) -> None:
    async def ask(client: AsyncClient) -> int:
        return len([result async for result in client.stream([("Cat", "Dog")])])

    head = b'{"model":{"name":"m","trained_on":"s"},"snapshot":' + SNAPSHOT.body + b"}\n"
    for body in (b"", head, head + b'{"score":1.0,"status":"ok"'):
        with scripted([Answer(200, body)]) as (url, _), pytest.raises(Exception, match=r"broke off|expects"):
            asked(url, ask)
    assert asked(toy, ask) == 1


def test_who_stops_waiting_can_go_on_with_the_client() -> None:
    """A server that answers only the second time: what was given up keeps no connection and no turn."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        held: list[socket.socket] = []

        def serve() -> None:
            for number in range(2):
                connection, _ = listening.accept()
                held.append(connection)
                connection.recv(65536)
                if number == 1:
                    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(SNAPSHOT.body)
                    connection.sendall(head + SNAPSHOT.body)

        thread = threading.Thread(target=serve)
        thread.start()

        async def ask(client: AsyncClient) -> str:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(client.snapshot(), 0.2)
            return (await client.snapshot()).id

        assert asked(f"http://127.0.0.1:{listening.getsockname()[1]}", ask) == "s"
        thread.join()
        for connection in held:
            connection.close()


def test_others_work_meanwhile(toy: str) -> None:
    async def ask(client: AsyncClient) -> int:
        turns = 0

        async def other() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        task = asyncio.create_task(other())
        await client.relatedness("Cat", "Dog")
        task.cancel()
        return turns

    assert asked(toy, ask) > 1
