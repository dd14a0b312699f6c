"""The settings: each an option of a command or an environment variable ``WORT_…``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

_ADDRESS = re.compile(r"https?://[^/\s]+(?:/\S*)?")
_ORIGIN = re.compile(r"https?://[^/\s?#@]+")

Natural = Annotated[int, Field(ge=0)]
Count = Annotated[int, Field(ge=1)]
Bytes = Annotated[int, Field(ge=1024)]
Seconds = Annotated[float, Field(gt=0)]


BESIDE = frozenset({"WORT_USER", "WORT_DUMPS", "WORT_ATTACK_URL"})
"""Variables that commands and tests read without their being settings; those of tests alone begin with
``WORT_TEST_``."""


def listed(text: str) -> list[str]:
    """What ``text`` holds with commas between."""
    return [part.strip() for part in text.split(",") if part.strip()]


class Settings(BaseSettings):
    """What a server is told. An unset path means what the package carries; an empty variable is unset."""

    model_config = SettingsConfigDict(
        env_prefix="WORT_",
        env_ignore_empty=True,
        frozen=True,
        protected_namespaces=(),
        use_attribute_docstrings=True,  # they are the descriptions
    )

    snapshot: Path | None = None
    """The snapshot folder; if unset, that of the release in force, else the starter snapshot."""
    model: Path | None = None
    """The model: `wort-plus`, `wort`, `regression` or a file; if unset, that of the release in force, else
    `wort-plus` if the snapshot has the tables that it reads, else `wort`."""
    strict: bool = False
    """Refuse a model that was trained on another snapshot."""
    term_model: Path | None = None
    """The model for free terms: `wort-plus`, `wort`, `regression` or a file; if unset, the shipped one that
    suits the snapshot and the model of concepts."""
    encoder: Path | None = None
    """The folder of the encoder of texts, for models of terms that read what it says; if unset, the one that
    comes with wort."""
    database: str | None = None
    """The registry's URL, `sqlite:///…` or `postgresql+psycopg://…`; `wort/wort.sqlite` in the user's data
    folder if unset."""
    follow_seconds: Annotated[float, Field(ge=0, le=3600, allow_inf_nan=False)] = 1.0
    """How often the registry is asked for a new release and for keys; 0 stays with those in force at the
    start."""
    annotation: str | None = None
    """The URL of the database of annotation projects, `sqlite:///…` or `postgresql+psycopg://…`; if unset, no
    page of annotation is served."""
    source_url: str | None = None
    """Where the source of what is served is, `https://…`, for the foot of every page; if unset, what the
    installed distribution says."""
    data_dir: Path | None = None
    """The folder in which files of benchmarks are looked for."""
    admin_key: Annotated[SecretStr | None, Field(min_length=1)] = None
    """A key that opens everything and starts retrainings; keys of the registry do where they are required."""
    require_key: bool = False
    """Answer only who has a key; `wort keys create` makes one."""
    rate_limit: str | None = None
    """How often one key, or else one address, may ask a worker, as `50/second;2000/minute`; without limit if
    unset."""
    trusted_proxies: str = "127.0.0.1"
    """The addresses or networks of the proxies before the server, with commas between, whose
    `X-Forwarded-For` is believed; `none` believes nobody."""
    cors_origins: str | None = None
    """The origins whose pages may ask from a browser, with commas between, as `https://example.org`; `*` for
    all, none if unset."""
    host: str = "127.0.0.1"
    """The address to listen on; 0.0.0.0 for all of the machine's."""
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    """The port to listen on; 0 for any free one."""
    workers: Count = 1
    """Server processes. They share the snapshot's memory."""
    max_pairs: Count = 10_000
    """The most pairs that one request may hold."""
    max_explained_pairs: Count = 1_000
    """The most pairs that one request may have explained, unless its answer is streamed."""
    max_term_pairs: Count = 1_000
    """The most pairs of free terms, or of concepts with contexts, that one request may hold."""
    max_text: Count = 100_000
    """The most characters that a text may have."""
    max_body: Bytes = 16 << 20
    """The largest request body, in bytes."""
    body_seconds: Seconds = 60
    """How long a request's body may take to arrive; then it is answered 408."""
    body_rate: Natural = 1024
    """Bytes a second that a request's body has to arrive with, over any ten seconds; a slower one is answered
    408."""
    body_memory: Bytes = 256 << 20
    """Bytes of bodies that a worker holds, beyond 64 KiB of each, arriving or worked on; what is more is
    answered 503. At least one largest body has room."""
    answer_memory: Natural = 256 << 20
    """Bytes of answers of more than 64 KiB that wait in a worker for their readers; what is more is answered
    503."""
    send_seconds: Seconds = 20
    """How long a reader may take over each 64 KiB of an answer before it is cut off; one that takes longer
    over all of it is cut off where others need its place."""
    request_seconds: Seconds = 60
    """How long a request may be worked on once its body is here; then it is answered 503."""
    max_stream_pairs: Count = 100_000
    """The most pairs that one request may hold whose answer is streamed."""
    max_file: Bytes = 64 << 20
    """The largest file of pairs that is scored, in bytes."""
    connections: Count = 1024
    """Requests that a worker deals with at a time, whatever they wait for; further ones are answered 503."""
    concurrency: Count = Field(default_factory=lambda: os.cpu_count() or 1)
    """Requests that a worker scores at once; the number of processors if unset."""
    queue: Natural = 64
    """Requests that may wait in a worker, for a thread or for the reader of their answer; further ones are
    answered 503."""
    shutdown_seconds: Natural = 30
    """How long a stopping server waits for the requests it has begun."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """The least severe event that is logged."""
    log_format: Literal["auto", "json", "console"] = "auto"
    """How events are written: auto is console on a terminal, json elsewhere."""

    @field_validator("rate_limit")
    @classmethod
    def _read_rates(cls, text: str | None) -> str | None:
        if text is not None:
            # Imported here: it loads asyncio, which a command does without.
            from limits import parse_many  # noqa: PLC0415

            try:
                least = min(limit.amount for limit in parse_many(text))
            except ValueError:
                least = 0
            if least < 1:
                raise ValueError("write it as 50/second;2000/minute")
        return text

    @field_validator("source_url")
    @classmethod
    def _read_address(cls, text: str | None) -> str | None:
        if text is not None and not _ADDRESS.fullmatch(text):
            raise ValueError(f"{text!r} is no address of the web: write https://example.org/wort")
        return text

    @field_validator("cors_origins")
    @classmethod
    def _read_origins(cls, text: str | None) -> str | None:
        for origin in () if text is None else listed(text):
            if origin != "*" and not _ORIGIN.fullmatch(origin):
                raise ValueError(f"{origin!r} is no origin: write https://example.org, without a path")
        return text

    @classmethod
    def variables(cls) -> list[str]:
        """The variables that settings are read from."""
        return [f"WORT_{name.upper()}" for name in cls.model_fields]

    @classmethod
    def unknown(cls, environment: Iterable[str]) -> list[str]:
        """The variables of an environment that look like ours, and are nobody's.

        >>> Settings.unknown(["WORT_PORT", "wort_port", "WORT_PROT", "WORT_USER", "WORT_TEST_X", "HOME"])
        ['WORT_PROT']
        """
        known = BESIDE.union(cls.variables())
        ours = (name for name in environment if name.upper().startswith("WORT_"))
        return [
            name for name in ours if name.upper() not in known and not name.upper().startswith("WORT_TEST_")
        ]

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
        return {
            variable: str(value)
            for variable, value in zip(self.variables(), values.values(), strict=True)
            if value is not None
        }
