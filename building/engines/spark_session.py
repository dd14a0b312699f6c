"""Starting Spark from Python: what a build asks of it, and what to say where it cannot start."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from building.engines.runner import ROWS_IN_A_GROUP, WORKER_BYTES, processes_within
from snapshots.errors import EngineUnavailable

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOCAL = "local[*]"
"""The master that is no cluster: this machine alone, with as many processes as the build may use."""

_LEAST_HEAP = 1_000_000_000
LEAST_MEMORY = WORKER_BYTES + _LEAST_HEAP
"""The least memory that a build with Spark takes: one Python worker's, and that of the Java process."""

JAVA = 17
"""The oldest Java that Spark 4 runs on."""

WORKER_PATH = "spark.executorEnv.PYTHONPATH"
"""The setting that says where Python workers look for packages before all other places."""

_LOG = "spark.log"

_LOGGERS = ("DataFrameQueryContextLogger", "SQLQueryContextLogger")
"""PySpark's, which write whole Java stack traces to the terminal for what is raised as an error, too."""


@contextmanager
def spark_session(
    master: str, workers: int, memory: int, scratch: Path, conf: Mapping[str, str]
) -> Iterator[SparkSession]:
    """A session on ``master`` with a Java process of its own, which ends with it.

    Where the master is ``local``, Java and its Python workers stay within ``memory`` bytes; on a cluster
    the driver's Java gets half of them. ``conf``: Spark's own settings, which override ours. What Java has
    to say goes to ``spark.log`` in ``scratch``.

    Raises:
        EngineUnavailable: PySpark, Java or the master is not there.
    """
    try:
        from pyspark import SparkConf, SparkContext  # noqa: PLC0415 large, and not needed by other engines
        from pyspark.errors import PySparkException  # noqa: PLC0415 as above
        from pyspark.java_gateway import launch_gateway  # noqa: PLC0415 as above
        from pyspark.logger import PySparkLogger  # noqa: PLC0415 as above
        from pyspark.sql import SparkSession  # noqa: PLC0415 as above
    except ImportError:
        raise EngineUnavailable(
            "PySpark is not installed. Install it: pip install 'wort-server[spark]'"
        ) from None
    _require_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    path = worker_path(os.environ["PYSPARK_PYTHON"], conf.get(WORKER_PATH))
    settings = SparkConf(loadDefaults=False)
    settings.setAll(list({**_settings(master, workers, memory, scratch), **conf, WORKER_PATH: path}.items()))
    scratch.mkdir(parents=True, exist_ok=True)
    log = scratch / _LOG
    for name in _LOGGERS:
        PySparkLogger.getLogger(name).disabled = True
    try:
        with log.open("ab") as file:
            gateway = launch_gateway(settings, {"stdout": file, "stderr": file})
    except PySparkException:
        raise _could_not_start(master, log.read_text(errors="replace").strip(), log) from None
    try:
        try:
            session = SparkSession(SparkContext(conf=settings, gateway=gateway))
        except Exception as error:
            raise _could_not_start(master, str(error).partition("\n\tat ")[0], log) from error
        try:
            yield session
        finally:
            session.stop()
    finally:
        gateway.shutdown()
        gateway.proc.stdin.close()  # which ends Java
        gateway.proc.wait()
        SparkContext._gateway = SparkContext._jvm = None


_PACKAGES = Path(__file__).resolve().parent.parent.parent
"""Where wort's packages are."""


def worker_path(
    python: str, given: str | None = None, *, here: Path = _PACKAGES, environment: Path = Path(sys.prefix)
) -> str:
    """``PYTHONPATH`` for the workers of ``python``: wort's packages are in no folder that they know.

    That is where this process found them, ``here``, or the same place in the environment of ``python``, which
    may be this ``environment``, sent to the nodes of a cluster. ``given``: where else workers are to look,
    after that.
    """
    places = [here]
    environment = environment.resolve()
    if here.is_relative_to(environment) and os.sep in python:
        places.append(Path(python).parent.parent / here.relative_to(environment))
    return os.pathsep.join(dict.fromkeys([*map(str, places), *filter(None, [given])]))


def _could_not_start(master: str, said: str, log: Path) -> EngineUnavailable:
    reason = said.splitlines()[-1].strip(": ") if said else "it said nothing"
    return EngineUnavailable(f"Spark could not start on the master {master}: {reason}. More is in {log}.")


def _require_java() -> None:
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=str(Path(home) / "bin") if home else None)
    fault = "there is none"
    if java is not None:
        asked = [java, "-version"]
        said = subprocess.run(asked, check=False, capture_output=True, text=True).stderr  # noqa: S603 no input
        version = re.search(r'version "(?:1\.)?(\d+)', said)
        if version and int(version[1]) >= JAVA:
            return
        fault = f"{java} is {version[1] if version else 'of no known version'}"
    raise EngineUnavailable(
        f"Spark needs Java {JAVA} or newer, and {fault}. Install it (Debian: openjdk-{JAVA}-jre-headless), "
        "or set JAVA_HOME to where it is."
    )


def _settings(master: str, workers: int, memory: int, scratch: Path) -> dict[str, str]:
    processes = processes_within(memory, workers)
    local = master.startswith("local")
    heap = memory - processes * WORKER_BYTES if local else 0
    settings = {
        "spark.master": f"local[{processes}]" if master == LOCAL else master,
        "spark.app.name": "wort build",
        "spark.driver.memory": f"{max(heap, memory // 2, _LEAST_HEAP) >> 20}m",
        # Whatever lies in the folder that a worker is started in is not to be run.
        "spark.executorEnv.PYTHONSAFEPATH": "1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.parquet.compression.codec": "zstd",
        "spark.hadoop.parquet.block.row.count.limit": str(ROWS_IN_A_GROUP),
        "spark.hadoop.mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
    }
    if local:
        settings |= {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.local.dir": str(scratch),
            "spark.sql.shuffle.partitions": str(4 * processes),
        }
    return settings
