"""The settings: each an option of a command or an environment variable ``WORT_…``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """What a server is told. An unset path means what the package carries; an empty variable is unset."""

    model_config = SettingsConfigDict(
        env_prefix="WORT_", env_ignore_empty=True, frozen=True, protected_namespaces=()
    )

    snapshot: Path | None = Field(
        default=None,
        description="The snapshot folder; if unset, that of the release in force, else the starter snapshot.",
    )
    model: Path | None = Field(
        default=None,
        description="The model file; if unset, that of the release in force, else the starter snapshot's.",
    )
    strict: bool = Field(default=False, description="Refuse a model that was trained on another snapshot.")
    term_model: Path | None = Field(
        default=None,
        description="The model file for free terms; the shipped one that suits the snapshot if unset.",
    )
    database: str | None = Field(
        default=None,
        description="The registry's URL, `sqlite:///…` or `postgresql+psycopg://…`; "
        "`wort/wort.sqlite` in the user's data folder if unset.",
    )
    follow_seconds: float = Field(
        default=1.0,
        ge=0,
        le=3600,
        allow_inf_nan=False,
        description="How often the registry is asked for a new release; "
        "0 stays with the one in force at the start.",
    )
    data_dir: Path | None = Field(
        default=None, description="The folder in which files of benchmarks are looked for."
    )
    admin_key: SecretStr | None = Field(
        default=None,
        min_length=1,
        description="The key that starts retrainings over HTTP; without one, nobody can.",
    )
    host: str = Field(
        default="127.0.0.1", description="The address to listen on; 0.0.0.0 for all of the machine's."
    )
    port: int = Field(default=8000, ge=0, le=65535, description="The port to listen on; 0 for any free one.")
    workers: int = Field(default=1, ge=1, description="Server processes. They share the snapshot's memory.")
    max_pairs: int = Field(default=10_000, ge=1, description="The most pairs that one request may hold.")
    max_term_pairs: int = Field(
        default=1_000, ge=1, description="The most pairs of free terms that one request may hold."
    )
    max_body: int = Field(default=16 << 20, ge=1024, description="The largest request body, in bytes.")
    body_seconds: float = Field(
        default=60, gt=0, description="How long a request's body may take to arrive; then it is answered 408."
    )
    connections: int = Field(
        default=1024,
        ge=1,
        description="Connections that a worker holds open; requests on further ones are answered 503.",
    )
    concurrency: int = Field(
        default_factory=lambda: os.cpu_count() or 1,
        ge=1,
        description="Requests that a worker scores at once; the number of processors if unset.",
    )
    queue: int = Field(
        default=64,
        ge=0,
        description="Requests that may wait in a worker, their bodies too; further ones are answered 503.",
    )
    shutdown_seconds: int = Field(
        default=30, ge=0, description="How long a stopping server waits for the requests it has begun."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="The least severe event that is logged."
    )
    log_format: Literal["auto", "json", "console"] = Field(
        default="auto", description="How events are written: auto is console on a terminal, json elsewhere."
    )

    @property
    def registry(self) -> str:
        """The registry's URL: ``database``, or a SQLite file in the user's data folder."""
        if self.database is not None:
            return self.database
        data = Path(os.environ.get("XDG_DATA_HOME", ""))
        # The specification of base directories has a relative path ignored; a user may have no home.
        folder = data if data.is_absolute() else Path(os.path.expanduser("~/.local/share"))  # noqa: PTH111
        return f"sqlite:///{folder / 'wort' / 'wort.sqlite'}"

    def environment(self) -> dict[str, str]:
        """The variables that say the same settings to another process. They hold the key and passwords."""
        values = {
            name: value.get_secret_value() if isinstance(value, SecretStr) else value for name, value in self
        }
        return {f"WORT_{name.upper()}": str(value) for name, value in values.items() if value is not None}
