"""``wort serve``: answer over HTTP."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from mmap import mmap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.answering import opened
from app.cli.settings import LOOKED_AT, ServedModel, ServedSnapshot, Strict, read_settings, tell_unknown
from app.cli.standard_output import suppress_closed
from app.errors import AddressUnavailable
from app.serving.garbage import collect, starting

if TYPE_CHECKING:
    from app.serving.source import Source
    from app.settings import Settings


def serve(
    snapshot: ServedSnapshot = None,
    model: ServedModel = None,
    host: Annotated[str | None, typer.Option(help="The address to listen on (127.0.0.1).")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port to listen on (8000); 0 for any free one.")
    ] = None,
    strict: Strict = None,
    workers: Annotated[int | None, typer.Option(min=1, help="How many server processes (1).")] = None,
) -> None:
    """Serve relatedness over HTTP: a page for people at /, POST /v1/relatedness for programs, /docs.

    Without --snapshot and --model, the release in force of the registry is served, and each that is promoted
    after it; without a registry, what comes with wort.

    What is not given here is taken from the environment (WORT_PORT and so on; docs/settings.md has all).
    """
    with starting():
        tell_unknown()
        settings = read_settings(
            LOOKED_AT,
            snapshot=snapshot,
            model=model,
            host=host,
            port=port,
            strict=strict,
            workers=workers,
        )
        run = _prepared(settings)
    run()


def _prepared(settings: Settings) -> Callable[[], None]:
    """What runs the server, or the supervisor of several, once all is there that it needs."""
    # Imported here: no other command needs the service.
    from uvicorn import Config, Server

    from app.cli.supervisor import Supervisor, counted_together
    from app.logs import configure
    from app.serving.keyring import Keyring
    from app.serving.trial import Trials
    from jit.compiled import CODE_CACHE, before_compiling

    configure(settings.log_level, settings.log_format)
    before_compiling(_say_once_that_it_compiles())
    serves = opened(settings, Trials())
    listening = listen(settings.host, settings.port)
    if settings.workers == 1:
        from app.service import create_app

        # Who reads that it serves, asks: the first answer is to come as soon as any. What cannot be warmed is
        # said by the service, which tries it again.
        with suppress(Exception):
            serves.current.warm()
        _announce(serves, listening)
        server = Server(Config(create_app(settings, serves), **_uvicorn(settings)))
        return partial(server.run, sockets=[listening])
    if CODE_CACHE.is_usable():
        serves.current.warm()  # what is not compiled yet is so here, and not while workers start
    _announce(serves, listening)
    # Each worker opens what it serves itself, and reads its settings from the environment. What would keep it
    # from starting is said here. Nothing stays open: another release may come, and the disk be needed.
    del serves
    collect()
    Keyring(settings)
    os.environ.update(settings.environment())
    config = Config("app.cli.worker:create_app", factory=True, workers=settings.workers, **_uvicorn(settings))

    def supervise() -> None:
        with counted_together():
            Supervisor(config, sockets=[listening]).run()

    return supervise


def _say_once_that_it_compiles() -> Callable[[], None]:
    """What says so; not again if a child did that was forked since, as the one that tries a snapshot is."""
    said = mmap(-1, 1)  # in the memory that it shares with its children

    def say() -> None:
        import structlog

        if not said[0]:
            said[0] = 1
            structlog.get_logger("wort").info("compiling for this processor, once; some 30 seconds")

    return say


def _announce(serves: Source, listening: socket.socket) -> None:
    """Say what is served and where. Nothing of the scorer is kept, which may be replaced."""
    address, port = listening.getsockname()[:2]
    served = serves.current.info
    dated = f" ({served.snapshot.dump_date})" if served.snapshot.dump_date else ""
    with suppress_closed():  # a service manager may start it so
        typer.echo(
            f"wort serves {served.snapshot.concepts:,} concepts of "
            f"{', '.join(served.snapshot.works) or served.snapshot.wiki + dated} "
            f"at http://{f'[{address}]' if ':' in address else address}:{port}"
        )
    if served.release is not None:
        typer.echo(
            f"wort: this is release {served.release.number} of the registry, model {served.release.model}",
            err=True,
        )
    if served.model.warning is not None:
        typer.echo(f"wort: {served.model.warning}", err=True)


def _uvicorn(settings: Settings) -> dict[str, Any]:
    from app.web.connection import Connection

    return {
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "http": partial(Connection, send_seconds=settings.send_seconds),
        "ws": "none",
        "forwarded_allow_ips": settings.trusted_proxies,
        "timeout_graceful_shutdown": settings.shutdown_seconds,
    }


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens on ``host`` and ``port``.

    Raises:
        AddressUnavailable: the port is taken, or the address is not this machine's.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address, family=family, backlog=2048)
    except OSError as error:
        # Python adds the address to what the system says, as a tuple; what a name cannot be found by has its
        # own numbers.
        told = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise AddressUnavailable(
            f"cannot listen on {host} port {port}: {told or error}. "
            "Name another one with --port or --host, or stop what uses it."
        ) from None
