"""Spark for tests, where there is one."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from building.engines.spark import SparkRunner

MEMORY = 2_500_000_000

BRIEF = {"spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}
"""Java that starts soon, where long runs would want it to compile better."""


def needs_spark() -> None:
    """Skip the test where PySpark or Java is missing."""
    if find_spec("pyspark") is None:
        pytest.skip("PySpark is not installed: pip install 'wort-server[spark]'")
    if shutil.which("java") is None:
        pytest.skip("there is no Java; Spark needs 17 or newer")


def spark_runner(scratch: Path) -> SparkRunner:
    """Spark on this machine, with two places for tasks."""
    needs_spark()
    return SparkRunner(2, MEMORY, scratch, conf=BRIEF)
