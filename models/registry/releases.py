"""Releases of the registry: an append-only log, of which the last is in force."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from sqlalchemy import Connection, Text, cast, false, func, insert, select

from models.registry.database import RegistryDatabase
from models.registry.entries import checked_text
from models.registry.errors import BadEntry, StalePromotion, UnknownRelease
from models.registry.layout import MODELS, RELEASES
from models.registry.records import Release, Shipped
from models.registry.runs import finish
from models.registry.versions import of_ref, of_shipped
from models.storage.rows import kept
from models.storage.times import now

SHIPPED = 0
"""The number that stands for what ships with wort, which is in force before the first release."""

_R, _M = RELEASES.c, MODELS.c


class Releases(RegistryDatabase):
    """The releases of a registry."""

    def promote(
        self,
        ref: str,
        *,
        snapshot_id: str,
        location: str,
        reason: str,
        who: str,
        expected: int | None = None,
        run: int | None = None,
    ) -> Release:
        """Put a model in force, with the snapshot it was judged on: append a release.

        ``location``: the absolute folder of the snapshot. ``expected``: the number of the release that the
        caller saw in force, 0 for none; None promotes whatever is in force. ``run``: the retraining that this
        ends as promoted, in the same transaction, so that one without the other never is.

        Raises:
            UnknownModel: there is no such version.
            StalePromotion: another release than ``expected`` is in force; nothing was changed.
            UnknownRun, RunEnded: there is no such retraining, or it has ended; nothing was changed.
            BadEntry: the reason is empty, or a text or the folder is not taken.
        """
        with self.writing() as connection:
            latest = _expected(connection, expected)
            if not PurePath(location).is_absolute():
                raise BadEntry(f"the snapshot's folder {location} is not absolute. Write the whole path.")
            content = (
                of_ref(connection, ref).id,
                checked_text(snapshot_id, "the snapshot's id", needed=True),
                checked_text(location, "the snapshot's folder", needed=True),
            )
            release = _append(connection, latest, content, reason, who)
            if run is not None:
                finish(connection, run, "promoted", reason, release.model)
            return release

    def rollback(
        self,
        *,
        reason: str,
        who: str,
        shipped: Shipped | None = None,
        to: int | None = None,
        expected: int | None = None,
    ) -> Release:
        """Put an earlier release in force again: append a release with its content.

        ``to``: its number, 0 for what ships; None for what was in force before. Rolling back twice goes back
        twice: what was rolled back is not gone to again. Before the first release it is what ``shipped``,
        where that is said; its model is registered if it is not yet.

        Raises:
            UnknownRelease: there is no such release, none at all, or its content is in force already.
            StalePromotion: another release than ``expected`` is in force; nothing was changed.
            BadEntry: the reason is empty, or a text is not taken.
        """
        with self.writing() as connection:
            latest = _expected(connection, expected)
            back = _earlier(connection, to)
            if back is not None:
                return _append(connection, latest, back.content, reason, who, back.restores or back.number)
            if shipped is None:
                raise UnknownRelease("there is nothing to go back to before the first release.")
            model = of_shipped(connection, shipped, who).id
            content = (model, shipped.snapshot_id, shipped.location)
            return _append(connection, latest, content, reason, who, shipped=True)

    def earlier(self, to: int | None = None) -> Release | None:
        """The release that ``rollback`` goes back to, to be looked at before; None for what ships.

        Raises:
            UnknownRelease: as ``rollback``.
        """
        with self.reading() as connection:
            return _earlier(connection, to)

    def in_force(self) -> Release | None:
        """The release of the greatest number, None where there is none."""
        with self.reading() as connection:
            number = latest_number(connection)
            return listed(connection, number)[0] if number else None

    def releases(self) -> list[Release]:
        """All releases, the first one first."""
        with self.reading() as connection:
            return listed(connection)

    def latest_number(self) -> int:
        """The number of the release in force, 0 where there is none: one short query, to be asked often."""
        with self.reading() as connection:
            return latest_number(connection)


def latest_number(connection: Connection) -> int:
    """The number of the release in force, 0 where there is none."""
    return connection.scalar(select(func.max(_R.number))) or 0


def listed(connection: Connection, number: int | None = None) -> list[Release]:
    """All releases, the first one first; or the one of ``number``."""
    return kept(
        connection,
        Release,
        RELEASES,
        _R.model == _M.id,
        *[] if number is None else [_R.number == number],
        model=_M.name + "@" + cast(_M.version, Text),
        model_id=_R.model,
        checksum=_M.checksum,
        shipped=func.coalesce(_R.shipped, false()),
    )


def _earlier(connection: Connection, to: int | None) -> Release | None:
    """What a rollback goes back to, None for what ships; as ``Releases.earlier``."""
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


def _expected(connection: Connection, expected: int | None) -> int:
    """The number of the release in force; refuse to go on where another than ``expected`` is."""
    latest = latest_number(connection)
    if expected is None or expected == latest:
        return latest
    current = f"release {latest}" if latest else "no release"
    seen = f"release {expected}" if expected else "none"
    raise StalePromotion(
        f"{current} is in force, and {seen} was when this was decided. Nothing was changed: look at what is "
        "in force now, and decide again."
    )


def _append(
    connection: Connection,
    latest: int,
    content: tuple[int, str, str],
    reason: str,
    who: str,
    restores: int | None = None,
    *,
    shipped: bool = False,
) -> Release:
    """Add the release after ``latest``, of ``content``: model, snapshot, and where that is."""
    row = {
        **dict(zip(("model", "snapshot_id", "location"), content, strict=True)),
        "number": latest + 1,
        "reason": checked_text(reason, "the reason", needed=True),
        "who": checked_text(who, "who does it", needed=True),
        "at": now(),
        "restores": restores,
        "shipped": shipped,
    }
    connection.execute(insert(RELEASES), [row])
    return listed(connection, latest + 1)[0]
