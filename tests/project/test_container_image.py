"""The Dockerfile's own steps, executed in a bare Debian, and what they make, run as an engine runs it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.serving.starter import open_scorer
from tests.conftest import ROOT
from tests.container.dockerfile import stages
from tests.container.image import Container, Image, base, build
from tests.support.patience import PATIENCE

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

SHIPPED = stages(ROOT / "Dockerfile")[-1]
SERVE = [*SHIPPED.last("ENTRYPOINT").words, *SHIPPED.last("CMD").words]
LARGEST = 1_600_000_000
"""Bytes that the image may have, the stand-in's 290 MB for the base image included."""


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    if os.geteuid() != 0 or shutil.which("debootstrap") is None:
        pytest.skip("needs root and debootstrap")
    if subprocess.run(["unshare", "--mount", "--pid", "--net", "--fork", "true"], check=False).returncode:
        pytest.skip("needs to make namespaces")
    folder = tmp_path_factory.mktemp("image")
    # Whoever runs this often may have made the Debian before.
    given = os.environ.get("WORT_TEST_DEBIAN")
    try:
        debian = Path(given) if given else base(folder / "debian")
    except subprocess.CalledProcessError as error:
        pytest.skip(f"debootstrap cannot reach an archive: {error.stdout[-300:]}")
    yield build(ROOT, debian, folder)
    shutil.rmtree(folder)


@contextmanager
def running(image: Image, *command: str, **environment: str) -> Iterator[Container]:
    container = Container(image, command, **environment)
    try:
        yield container
    finally:
        container.kill()


def wait_until_healthy(container: Container) -> float:
    """The seconds until the image's own health check says that it is well."""
    begun = time.monotonic()
    # Nothing listens yet.
    assert container.run(*SHIPPED.healthcheck).returncode != 0
    while container.run(*SHIPPED.healthcheck).returncode != 0:
        assert container.process.poll() is None, container.process.communicate()[1]
        assert time.monotonic() - begun < PATIENCE
        time.sleep(0.2)
    return time.monotonic() - begun


def asked(container: Container, port: int, path: str, body: object) -> object:
    """The answer to a request that is sent within the container, where alone it can be reached."""
    code = (
        "import sys, urllib.request as r; "
        f"q = r.Request('http://127.0.0.1:{port}{path}', sys.argv[1].encode(), "
        "{'Content-Type': 'application/json'}); sys.stdout.write(r.urlopen(q).read().decode())"
    )
    done = container.run("python", "-c", code, json.dumps(body))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_it_serves_without_rights_on_a_read_only_root(image: Image) -> None:
    with running(image, *SERVE) as container:
        print(f"healthy after {wait_until_healthy(container):.1f} s")
        pair = {"left": "Atheism", "right": "Religion"}
        answer = asked(container, 8000, "/v1/relatedness", {"pairs": [pair]})
        (expected,) = open_scorer(None, None).score([("Atheism", "Religion")])
        assert isinstance(answer, dict)
        assert answer["results"][0]["score"] == expected.score
        status = Path(f"/proc/{container.first}/status").read_text()
        assert "\nUid:\t10001\t10001\t10001\t10001\n" in status
        assert "\nGroups:\t \n" in status
        assert "\nCapBnd:\t0000000000000000\n" in status
        assert container.run("touch", "/opt/wort/x", "/etc/x", "/x").returncode != 0
        assert container.run("touch", "/data/x", "/tmp/x").returncode == 0
        code, said = container.stop()
    assert code == 0, said
    # Every line is an event, and none is a fault.
    levels = [json.loads(line)["level"] for line in said.splitlines()]
    assert set(levels) == {"info"}, said


def test_health_is_asked_at_the_port_that_is_set(image: Image) -> None:
    with running(image, *SERVE, WORT_PORT="8123", WORT_WORKERS="2") as container:
        wait_until_healthy(container)
        assert isinstance(asked(container, 8123, "/v1/relatedness", {"pairs": []}), dict)
        code, said = container.stop()
    assert code == 0, said


def test_nothing_is_left_that_only_building_needed(image: Image) -> None:
    root = image.root
    assert not list(root.glob("opt/wort/lib/python*/site-packages/pip"))
    assert not list(root.glob("opt/wort/lib/python*/site-packages/hatchling"))
    for folder in ("src", "opt/build", "opt/wheel", "root/.cache"):
        assert not (root / folder).exists(), folder
    assert not [path.name for path in (root / "tmp").iterdir()]
    size = int(subprocess.check_output(["du", "--summarize", "--bytes", str(root)]).split()[0])
    print(f"{size:,} bytes")
    assert size < LARGEST


def test_other_commands_run_in_it_too(image: Image) -> None:
    with running(image, "wort", "verify", "--quiet", starter(image)) as container:
        _, said = container.process.communicate(timeout=60)
    assert container.process.returncode == 0, said


def starter(image: Image) -> str:
    (folder,) = image.root.glob(
        "opt/wort/lib/python*/site-packages/wort_server/own-packages/snapshots/starter"
    )
    return f"/{folder.relative_to(image.root)}"
