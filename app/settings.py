"""The settings: each an option of a command or an environment variable ``WORT_…``."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Literal

from limits import parse_many
from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

_ORIGIN = re.compile(r"https?://[^/\s?#@]+")


def listed(text: str) -> list[str]:
    """What ``text`` holds with commas between."""
    return [part.strip() for part in text.split(",") if part.strip()]


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
        description="How often the registry is asked for a new release and for keys; "
        "0 stays with those in force at the start.",
    )
    data_dir: Path | None = Field(
        default=None, description="The folder in which files of benchmarks are looked for."
    )
    admin_key: SecretStr | None = Field(
        default=None,
        min_length=1,
        description="A key that opens everything and starts retrainings; keys of the registry do where "
        "they are required.",
    )
    require_key: bool = Field(
        default=False, description="Answer only who has a key; `wort keys create` makes one."
    )
    rate_limit: str | None = Field(
        default=None,
        description="How often one key, or else one address, may ask a worker, as `50/second;2000/minute`; "
        "without limit if unset.",
    )
    trusted_proxies: str = Field(
        default="127.0.0.1",
        description="The addresses or networks of the proxies before the server, with commas between, whose "
        "`X-Forwarded-For` is believed; `none` believes nobody.",
    )
    cors_origins: str | None = Field(
        default=None,
        description="The origins whose pages may ask from a browser, with commas between, as "
        "`https://example.org`; `*` for all, none if unset.",
    )
    host: str = Field(
        default="127.0.0.1", description="The address to listen on; 0.0.0.0 for all of the machine's."
    )
    port: int = Field(default=8000, ge=0, le=65535, description="The port to listen on; 0 for any free one.")
    workers: int = Field(default=1, ge=1, description="Server processes. They share the snapshot's memory.")
    max_pairs: int = Field(default=10_000, ge=1, description="The most pairs that one request may hold.")
    max_explained_pairs: int = Field(
        default=1_000,
        ge=1,
        description="The most pairs that one request may have explained, unless its answer is streamed.",
    )
    max_term_pairs: int = Field(
        default=1_000,
        ge=1,
        description="The most pairs of free terms, or of concepts with contexts, that one request may hold.",
    )
    max_text: int = Field(default=100_000, ge=1, description="The most characters that a text may have.")
    max_body: int = Field(default=16 << 20, ge=1024, description="The largest request body, in bytes.")
    body_seconds: float = Field(
        default=60, gt=0, description="How long a request's body may take to arrive; then it is answered 408."
    )
    body_rate: int = Field(
        default=1024,
        ge=0,
        description="Bytes a second that a request's body has to arrive with, over any ten seconds; a slower "
        "one is answered 408.",
    )
    body_memory: int = Field(
        default=256 << 20,
        ge=1024,
        description="Bytes of bodies that a worker holds, beyond 64 KiB of each, arriving or worked on; what "
        "is more is answered 503. At least one largest body has room.",
    )
    answer_memory: int = Field(
        default=256 << 20,
        ge=0,
        description="Bytes of answers of more than 64 KiB that wait in a worker for their readers; what is "
        "more is answered 503.",
    )
    send_seconds: float = Field(
        default=20,
        gt=0,
        description="How long a reader may take over each 64 KiB of an answer before it is cut off; one that "
        "takes longer over all of it is cut off where others need its place.",
    )
    request_seconds: float = Field(
        default=60,
        gt=0,
        description="How long a request may be worked on once its body is here; then it is answered 503.",
    )
    max_stream_pairs: int = Field(
        default=100_000,
        ge=1,
        description="The most pairs that one request may hold whose answer is streamed.",
    )
    max_file: int = Field(
        default=64 << 20, ge=1024, description="The largest file of pairs that is scored, in bytes."
    )
    connections: int = Field(
        default=1024,
        ge=1,
        description="Requests that a worker deals with at a time, whatever they wait for; further ones are "
        "answered 503.",
    )
    concurrency: int = Field(
        default_factory=lambda: os.cpu_count() or 1,
        ge=1,
        description="Requests that a worker scores at once; the number of processors if unset.",
    )
    queue: int = Field(
        default=64,
        ge=0,
        description="Requests that may wait in a worker, for a thread or for the reader of their answer; "
        "further ones are answered 503.",
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

    @field_validator("rate_limit")
    @classmethod
    def _read_rates(cls, text: str | None) -> str | None:
        if text is not None:
            try:
                least = min(limit.amount for limit in parse_many(text))
            except ValueError:
                least = 0
            if least < 1:
                raise ValueError("write it as 50/second;2000/minute")
        return text

    @field_validator("cors_origins")
    @classmethod
    def _read_origins(cls, text: str | None) -> str | None:
        for origin in () if text is None else listed(text):
            if origin != "*" and not _ORIGIN.fullmatch(origin):
                raise ValueError(f"{origin!r} is no origin: write https://example.org, without a path")
        return text

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
