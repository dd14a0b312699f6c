"""The service's settings: each an option of ``wort serve`` or an environment variable ``WORT_…``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """What a server is told. An unset path means what the package carries."""

    model_config = SettingsConfigDict(env_prefix="WORT_", frozen=True, protected_namespaces=())

    snapshot: Path | None = Field(
        default=None, description="The snapshot folder; the starter snapshot if unset."
    )
    model: Path | None = Field(default=None, description="The model file; the starter snapshot's if unset.")
    strict: bool = Field(default=False, description="Refuse a model that was trained on another snapshot.")
    host: str = Field(
        default="127.0.0.1", description="The address to listen on; 0.0.0.0 for all of the machine's."
    )
    port: int = Field(default=8000, ge=0, le=65535, description="The port to listen on; 0 for any free one.")
    workers: int = Field(default=1, ge=1, description="Server processes. They share the snapshot's memory.")
    max_pairs: int = Field(default=10_000, ge=1, description="The most pairs that one request may hold.")
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
