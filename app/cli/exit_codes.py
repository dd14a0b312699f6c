"""The exit codes that scripts can use, and which error ends with which."""

from __future__ import annotations

from app.errors import AddressUnavailable, AppError, NoRoom, OutputBusy, OutputExists, OutputUnusable
from datasets.annotation.errors import AnnotationError, ProjectsUnavailable
from datasets.selection.errors import MissingResource, SelectionError
from encoders.errors import EncoderError, MissingRuntime
from models.errors import ModelError
from models.given import UnusableFile
from models.registry.errors import RegistryError, RegistryUnavailable, StalePromotion
from snapshots.errors import DiskFull, EngineUnavailable, NotMapped, OutOfMemory, TableError
from training.errors import TrainingError
from wiki.errors import DownloadError, WikiError

FINDINGS, USAGE, BAD_INPUT, ENVIRONMENT = 1, 2, 3, 4
"""What a command found, wrong use, input that cannot be used, and a machine or network that fails it."""

EXIT_CODES: tuple[tuple[type[Exception], int], ...] = (
    (OutputExists, USAGE),
    (OutputUnusable, USAGE),
    (AddressUnavailable, ENVIRONMENT),
    (OutputBusy, ENVIRONMENT),
    (NoRoom, ENVIRONMENT),
    (AppError, BAD_INPUT),
    (DiskFull, ENVIRONMENT),
    (EngineUnavailable, ENVIRONMENT),
    (OutOfMemory, ENVIRONMENT),
    (NotMapped, ENVIRONMENT),
    (TableError, BAD_INPUT),
    (MissingRuntime, ENVIRONMENT),
    (EncoderError, BAD_INPUT),
    (DownloadError, ENVIRONMENT),
    (WikiError, BAD_INPUT),
    (ModelError, BAD_INPUT),
    (StalePromotion, FINDINGS),
    (RegistryUnavailable, ENVIRONMENT),
    (RegistryError, BAD_INPUT),
    (ProjectsUnavailable, ENVIRONMENT),
    (AnnotationError, BAD_INPUT),
    (TrainingError, BAD_INPUT),
    (MissingResource, ENVIRONMENT),
    (SelectionError, BAD_INPUT),
    (UnusableFile, BAD_INPUT),
    (FileNotFoundError, BAD_INPUT),
    (IsADirectoryError, BAD_INPUT),
    (PermissionError, BAD_INPUT),
    (OSError, ENVIRONMENT),
    (MemoryError, ENVIRONMENT),
)
"""What the errors of each part mean for the exit code; the first that matches holds."""


def exit_code(error: Exception) -> int | None:
    """The exit code of a command that ends with ``error``; None where it is a fault of ours."""
    return next((code for kind, code in EXIT_CODES if isinstance(error, kind)), None)
