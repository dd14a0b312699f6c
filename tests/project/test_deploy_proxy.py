"""Two servers behind the proxy of ``deploy/proxy``: nobody notices a new release, or that one is killed."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.app.serving.test_switching_load import Load, server
from tests.conftest import ROOT
from tests.support.patience import PATIENCE
from tests.support.promoted import OTHER, ToyRegistry

CONFIGURATION = ROOT / "deploy" / "proxy" / "nginx.conf"


@contextmanager
def proxy(folder: Path, addresses: list[str]) -> Iterator[str]:
    """The address of nginx, configured as the example is, before the servers at ``addresses``."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    text = CONFIGURATION.read_text().replace("listen 127.0.0.1:8000", f"listen 127.0.0.1:{port}")
    for number, address in enumerate(addresses, 1):
        assert f"127.0.0.1:800{number}" in text
        text = text.replace(f"127.0.0.1:800{number}", address.removeprefix("http://"))
    configuration = folder / "nginx.conf"
    configuration.write_text(text)
    directives = f"daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log;"
    command = ["nginx", "-c", str(configuration), "-e", f"{folder}/nginx.log", "-g", directives]
    with subprocess.Popen(command) as process:
        try:
            until(lambda: httpx.get(f"http://127.0.0.1:{port}/ready").status_code == 200)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def until(holds: Callable[[], bool]) -> None:
    """Wait until ``holds()`` is true, for a busy machine's longest."""
    end = time.monotonic() + PATIENCE
    while True:
        with contextlib.suppress(httpx.TransportError):
            if holds():
                return
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_nobody_notices_a_new_dump_or_a_killed_replica(tmp_path: Path) -> None:
    toy_registry = ToyRegistry(tmp_path)
    old = toy_registry.candidate(toy_registry.snapshot("one"), 0.1)
    new = toy_registry.candidate(toy_registry.snapshot("two", OTHER), 0.1)
    first = toy_registry.promote(old).number
    with (
        server(toy_registry, 1) as one,
        server(toy_registry, 1) as two,
        proxy(tmp_path, [one, two]) as address,
    ):
        load = Load(address)
        with load.running():
            until(lambda: len(load.answers) > 20)
            release = toy_registry.promote(new).number
            until(lambda: load.answers[-1][0] == release)
            os.kill(httpx.get(f"{two}/models").json()["worker"], signal.SIGKILL)
            asked = len(load.answers)
            until(lambda: len(load.answers) > asked + 20)
    toy_registry.registry.close()
    assert load.failures == []
    assert {answer[:3] for answer in load.answers} == {
        (first, old.ref, old.snapshot),
        (release, new.ref, new.snapshot),
    }


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_the_proxy_hides_what_is_not_for_clients(tmp_path: Path) -> None:
    toy_registry = ToyRegistry(tmp_path)
    toy_registry.promote(toy_registry.candidate(toy_registry.snapshot("one"), 0.1))
    with server(toy_registry, 1) as one, proxy(tmp_path, [one, one]) as address:
        assert httpx.get(f"{one}/metrics").status_code == 200
        assert {httpx.get(f"{address}{path}").status_code for path in ("/metrics", "/v1/metrics")} == {404}
        assert httpx.get(f"{address}/v1/health").status_code == 200
    toy_registry.registry.close()
