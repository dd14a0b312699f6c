"""How a server ends, and how a worker of it does: nobody else's request is lost."""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
import time
from pathlib import Path

import httpx
import pytest

from tests.support.patience import PATIENCE, until
from tests.support.processes import Served, answers, wort_serve

PAIRS = [{"left": "Cat", "right": "Dog"}, {"left": "Mouse", "right": "Piano"}]
BODY = json.dumps({"pairs": PAIRS, "explain": True}).encode()
HEAD = (
    b"POST /relatedness HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b"Content-Length: " + str(len(BODY)).encode() + b"\r\n\r\n"
)


def whole_answer(connection: socket.socket) -> bytes:
    """The body of an answer, of the length that it states."""
    read = b""
    while b"\r\n\r\n" not in read:
        piece = connection.recv(65536)
        assert piece, read
        read += piece
    head, _, body = read.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head
    (length,) = (
        int(line[16:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")
    )
    while len(body) < length:
        piece = connection.recv(65536)
        assert piece, body
        body += piece
    return body


def refused(served: Served) -> bool:
    try:
        with served.connect():
            return False
    except ConnectionRefusedError:
        return True


@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_a_stopping_server_finishes_what_it_has_begun(workers: int, tmp_path: Path) -> None:
    with wort_serve(tmp_path, workers=workers) as served:
        headers = {"Content-Type": "application/json"}
        expected = httpx.post(
            f"{served.address}/relatedness", content=BODY, headers=headers, timeout=PATIENCE
        )
        begun = [served.connect() for _ in range(4)]
        for connection in begun:
            connection.sendall(HEAD.replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n") + BODY[:20])
            # Taken, and begun: its body is asked for.
            assert connection.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        served.process.send_signal(signal.SIGTERM)
        until(lambda: refused(served))
        for connection in begun:
            connection.sendall(BODY[20:])
            assert json.loads(whole_answer(connection)) == expected.json()
            connection.close()
        code = served.process.wait(timeout=PATIENCE)
        assert code in (0, -signal.SIGTERM)


@pytest.mark.slow
def test_a_stopping_server_does_not_wait_for_ever(tmp_path: Path) -> None:
    with wort_serve(tmp_path, shutdown_seconds=1) as served, served.connect() as slow:
        slow.sendall(HEAD + BODY[:20])
        time.sleep(0.3)
        begun = time.monotonic()
        served.process.send_signal(signal.SIGTERM)
        served.process.wait(timeout=PATIENCE)
        assert time.monotonic() - begun > 0.9


@pytest.mark.slow
def test_a_killed_worker_loses_its_own_requests_and_is_replaced(tmp_path: Path) -> None:
    with wort_serve(tmp_path, workers=2) as served:
        folder = counting_folder(served)
        until(lambda: len(list(folder.glob("*.slot"))) == 2)
        pairs = {"pairs": PAIRS}
        scored: list[int] = []
        lost: list[httpx.TransportError] = []
        stop = threading.Event()

        def ask() -> None:
            while not stop.is_set():
                try:
                    answer = httpx.post(f"{served.address}/v1/relatedness", json=pairs, timeout=PATIENCE)
                    assert answer.status_code == 200
                    scored.append(len(PAIRS))
                except httpx.TransportError as error:
                    lost.append(error)

        clients = [threading.Thread(target=ask) for _ in range(3)]
        for client in clients:
            client.start()
        until(lambda: len(scored) > 20)
        victim, survivor = served.workers()
        os.kill(victim, signal.SIGKILL)
        until(lambda: len(served.workers()) == 2 and victim not in served.workers())
        assert survivor in served.workers()
        before = len(scored)
        until(lambda: len(scored) > before + 20)
        stop.set()
        for client in clients:
            client.join()
        # Each client has one request in flight at a time, and the kill comes once.
        assert len(lost) <= len(clients)
        until(lambda: len(worker_memory(served)) == 2)
        # The replacement counts on where the dead one stopped: no pair is counted less than it was answered.
        counted = float(sample(served, 'wort_pairs_total{scored="concepts"}'))
        assert sum(scored) <= counted <= sum(scored) + len(lost) * len(PAIRS)
        assert float(sample(served, 'wort_places_taken{pool="concepts"}')) == 0
        assert len(list(folder.glob("counter_*.db"))) == 2
        served.process.send_signal(signal.SIGTERM)
        served.process.wait(timeout=PATIENCE)
        assert not folder.exists()
        assert not answers(f"{served.address}/health")


def counting_folder(served: Served) -> Path:
    """Where the workers count together, which their environment says."""
    environment = Path(f"/proc/{served.workers()[0]}/environ").read_bytes().split(b"\0")
    (folder,) = (entry.partition(b"=")[2] for entry in environment if entry.startswith(b"PROMETHEUS_"))
    return Path(os.fsdecode(folder))


def sample(served: Served, name: str) -> str:
    """The value of one sample of the metrics."""
    lines = httpx.get(f"{served.address}/metrics").text.splitlines()
    (value,) = (line.rpartition(" ")[2] for line in lines if line.startswith(name + " "))
    return value


def worker_memory(served: Served) -> list[str]:
    """The samples of the workers' memory, one a worker."""
    lines = httpx.get(f"{served.address}/metrics").text.splitlines()
    return [line for line in lines if line.startswith("process_resident_memory_bytes{")]
