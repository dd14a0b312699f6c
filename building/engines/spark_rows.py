"""What passes between the driver and the workers of a cluster: tasks and failures, as rows of plain data."""

from __future__ import annotations

import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa

from building.engines.runner import Task

TASKS = pa.schema(
    [
        ("key", pa.string()),
        ("size", pa.int64()),
        ("batch", pa.binary()),
        ("path", pa.string()),
        ("row_groups", pa.list_(pa.int32())),
        ("columns", pa.list_(pa.string())),
    ]
)
"""One row a task: its ``batch`` as an Arrow stream, or the ``path`` of its Parquet file."""


def task_row(task: Task) -> dict[str, Any]:
    """A task as a row of ``TASKS``."""
    row = {"key": task.key, "size": task.size, "row_groups": task.row_groups, "columns": task.columns}
    if isinstance(task.content, Path):
        return row | {"batch": None, "path": str(task.content)}
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, task.content.schema) as stream:
        stream.write_batch(task.content)
    return row | {"batch": sink.getvalue().to_pybytes(), "path": None}


def task_of(row: dict[str, Any]) -> Task:
    """The task of a row of ``TASKS``."""
    batch, path, columns = row["batch"], row["path"], row["columns"]
    content = Path(path) if batch is None else pa.ipc.open_stream(batch).read_next_batch()
    chosen = None if columns is None else tuple(columns)
    return Task(row["key"], row["size"], content, tuple(row["row_groups"]), chosen)


class Failure(msgspec.Struct):
    """An exception that a worker met: its type's module and name, its arguments, and its traceback."""

    module: str
    name: str
    arguments: list[Any]
    story: str

    @classmethod
    def of(cls, error: Exception) -> str:
        """``error`` as JSON; as a RuntimeError with its traceback where it cannot be made again from that."""
        story = "".join(traceback.format_exception(error))
        kind = type(error)
        try:
            told = msgspec.json.encode(cls(kind.__module__, kind.__name__, list(error.args), story)).decode()
            again = cls.error(told)
        except Exception:
            again = None
        if type(again) is kind and str(again) == str(error):
            return told
        return msgspec.json.encode(cls("builtins", "RuntimeError", [story], story)).decode()

    @classmethod
    def error(cls, told: str) -> Exception:
        """The exception again, with the worker's traceback as a note."""
        failure = msgspec.json.decode(told, type=cls)
        error: Exception = getattr(import_module(failure.module), failure.name)(*failure.arguments)
        error.add_note(failure.story)
        return error
