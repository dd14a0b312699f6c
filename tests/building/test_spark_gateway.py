"""The parts of PySpark that it does not document and ``building/engines/spark_session.py`` relies on.

A build starts the Java process itself, so that what Java says goes to a file and the process ends with the
build; PySpark's own way keeps one process for as long as Python runs. ``pyproject.toml`` bounds PySpark for
that: where a later version fails here, that module has to change before the bound does.
"""

from __future__ import annotations

import inspect

import pytest

pyspark = pytest.importorskip("pyspark")


def test_java_is_started_with_settings_and_places_for_what_it_says() -> None:
    from pyspark.java_gateway import launch_gateway

    takes = list(inspect.signature(launch_gateway).parameters)
    assert takes == ["conf", "popen_kwargs"], f"pyspark {pyspark.__version__} starts Java otherwise"


def test_a_context_is_made_on_that_process_and_forgets_it() -> None:
    context = pyspark.SparkContext
    assert "gateway" in inspect.signature(context).parameters
    for name in ("_gateway", "_jvm"):
        assert hasattr(context, name), (
            f"pyspark {pyspark.__version__} keeps its process elsewhere than {name}"
        )
