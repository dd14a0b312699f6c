"""Releases of the registry: an append-only log, read and written within a transaction."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from sqlalchemy import Connection, func, insert, select

from models.registry import versions
from models.registry.entries import checked_text, now
from models.registry.errors import BadEntry, StalePromotion, UnknownRelease
from models.registry.layout import MODELS, RELEASES
from models.registry.records import Release, Shipped, of_row

SHIPPED = 0
"""The number that stands for what ships with wort, which is in force before the first release."""

_R = RELEASES.c


def latest_number(connection: Connection) -> int:
    """The number of the release in force, 0 where there is none."""
    return connection.scalar(select(func.max(_R.number))) or 0


def listed(connection: Connection, number: int | None = None) -> list[Release]:
    """All releases, the first one first; or the one of ``number``."""
    query = (
        select(RELEASES, MODELS.c.name, MODELS.c.version, MODELS.c.checksum).join(MODELS).order_by(_R.number)
    )
    if number is not None:
        query = query.where(_R.number == number)
    return [
        of_row(
            Release,
            {
                **row,
                "model": f"{row['name']}@{row['version']}",
                "model_id": row["model"],
                "shipped": bool(row["shipped"]),
            },
        )
        for row in connection.execute(query).mappings()
    ]


def in_force(connection: Connection) -> Release | None:
    """The release of the greatest number."""
    number = latest_number(connection)
    return listed(connection, number)[0] if number else None


def promote(
    connection: Connection,
    ref: str,
    *,
    snapshot_id: str,
    location: str,
    reason: str,
    who: str,
    expected: int | None,
) -> Release:
    """Append a release of a registered model; as ``Registry.promote``."""
    _check_expected(connection, expected)
    if not PurePath(location).is_absolute():
        raise BadEntry(f"the snapshot's folder {location} is not absolute. Write the whole path.")
    content = (
        versions.of_ref(connection, ref).id,
        checked_text(snapshot_id, "the snapshot's id", needed=True),
        checked_text(location, "the snapshot's folder", needed=True),
    )
    return _append(connection, content, reason, who, None)


def rollback(
    connection: Connection,
    *,
    reason: str,
    who: str,
    shipped: Shipped | None,
    to: int | None,
    expected: int | None,
) -> Release:
    """Append a release with the content of an earlier one, or of what ships; as ``Registry.rollback``."""
    _check_expected(connection, expected)
    restored = earlier(connection, to)
    if restored is None:
        if shipped is None:
            raise UnknownRelease("there is nothing to go back to before the first release.")
        model = versions.of_shipped(connection, shipped, who)
        content = (model, shipped.snapshot_id, shipped.location)
        return _append(connection, content, reason, who, None, shipped=True)
    return _append(connection, restored.content, reason, who, restored.restores or restored.number)


def earlier(connection: Connection, to: int | None) -> Release | None:
    """What a rollback goes back to, None for what ships; as ``Registry.earlier``."""
    log = {release.number: release for release in listed(connection)}
    if not log:
        raise UnknownRelease("there is no release yet, and nothing to go back to.")
    current = log[max(log)]
    if to is None:
        history = _history(log.values())
        to = history[-2].number if len(history) > 1 else SHIPPED
    if to == SHIPPED:
        if current.shipped:
            raise UnknownRelease(
                f"what ships with wort is in force already, by release {current.number}, and there is "
                "nothing to go back to before it. Name a release with --to, or promote a model."
            )
        return None
    if to not in log:
        raise UnknownRelease(f"there is no release {to}; they are 1 to {current.number}.")
    if log[to].content == current.content:
        raise UnknownRelease(f"release {to} is what is in force already ({current.model}).")
    return None if log[to].shipped else log[to]


def _history(log: Iterable[Release]) -> list[Release]:
    """The releases that brought about what is in force, it last: what was rolled back is not among them.

    So a second rollback goes on to what was before the first one, and not back to what that left. Before the
    first of them, what ships was in force; who went back to that went back before all.
    """
    history: list[Release] = []
    for release in log:
        if release.shipped:
            history = [release]
            continue
        contents = [earlier.content for earlier in history]
        if release.restores is not None and release.content in contents:
            while history[-1].content != release.content:
                history.pop()
        elif not contents or contents[-1] != release.content:
            history.append(release)
    return history


def _check_expected(connection: Connection, expected: int | None) -> None:
    """Refuse to go on where another release than ``expected`` is in force."""
    latest = latest_number(connection)
    if expected is None or expected == latest:
        return
    current = f"release {latest}" if latest else "no release"
    seen = f"release {expected}" if expected else "none"
    raise StalePromotion(
        f"{current} is in force, and {seen} was when this was decided. Nothing was changed: look at what is "
        "in force now, and decide again."
    )


def _append(
    connection: Connection,
    content: tuple[int, str, str],
    reason: str,
    who: str,
    restores: int | None,
    *,
    shipped: bool = False,
) -> Release:
    latest = latest_number(connection)
    model, snapshot_id, location = content
    row = {
        "number": latest + 1,
        "model": model,
        "snapshot_id": snapshot_id,
        "location": location,
        "reason": checked_text(reason, "the reason", needed=True),
        "who": checked_text(who, "who does it", needed=True),
        "at": now(),
        "restores": restores,
        "shipped": shipped,
    }
    connection.execute(insert(RELEASES), [row])
    return listed(connection, latest + 1)[0]
