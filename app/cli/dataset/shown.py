"""Annotation projects on the terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from app.cli.registry.tables import cells, line, minute, plain_table, show_table
from app.cli.settings import read_settings
from datasets.annotation.records import AccessLink, Project, ProjectProgress, Scope
from models.storage.times import now

_FOLDERS = {"owner": "project", "invitation": "invitation", "annotator": "annotate"}


def link_address(url: str | None, scope: Scope, token: str) -> str:
    """The whole link, where a service is at ``url``, or else at the port of the settings on this machine."""
    service = f"http://127.0.0.1:{read_settings().port}" if url is None else url.rstrip("/")
    return f"{service}/annotation/{_FOLDERS[scope]}/{token}"


def project_facts(project: Project) -> dict[str, object]:
    """What is known of a project."""
    facts: dict[str, object] = msgspec.to_builtins(project)
    return facts


def link_facts(link: AccessLink) -> dict[str, object]:
    """What is told of a link: all but its digest."""
    facts: dict[str, object] = msgspec.to_builtins(link)
    del facts["digest"]
    return {**facts, "state": _state(link)}


def progress_facts(progress: ProjectProgress, links: Sequence[AccessLink]) -> dict[str, object]:
    """How far a project is, its annotators and its links."""
    facts: dict[str, object] = msgspec.to_builtins(progress)
    return {**facts, "links": [link_facts(link) for link in links if link.scope != "annotator"]}


def show_projects(listed: Sequence[Project]) -> None:
    """Print a table of projects."""
    if not listed:
        line("No project yet: `wort dataset project create` makes one.")
        return
    table = plain_table("id", "title", "kind", "made", "annotators", "state")
    for one in listed:
        state = "open" if one.closed is None else f"closed {minute(one.closed)}"
        table.add_row(
            *cells(str(one.id), one.title, one.kind, minute(one.created), str(one.annotators), state)
        )
    show_table(table)


def show_progress(progress: ProjectProgress, links: Sequence[AccessLink]) -> None:
    """Print how far a project is, its annotators and its links."""
    project = progress.project
    line(f"{project.title} ({project.kind}), {'open' if project.closed is None else 'closed'}")
    gold = f" and {progress.gold:,} gold questions" if progress.gold else ""
    line(
        f"{progress.judgements:,} of {progress.wanted:,} judgements; {progress.complete:,} of "
        f"{progress.items:,} items have all{gold}. {progress.unknown:,} answers are of who did not know."
    )
    if progress.annotators:
        table = plain_table("annotator", "began", "judgements", "again", "unknown", "gold", "last", "state")
        for one in progress.annotators:
            who = one.annotator
            counts = (f"{one.judgements:,}", f"{one.repeated:,}", f"{one.unknown:,}")
            gold = f"{who.gold_right}/{who.gold_asked}" if who.gold_asked else ""
            last = "" if one.last is None else minute(one.last)
            state = "" if who.refused is None else f"refused {minute(who.refused)}"
            table.add_row(*cells(str(who.number), minute(who.began), *counts, gold, last, state))
        show_table(table)
    table = plain_table("link", "scope", "note", "made", "state")
    for link in links:
        if link.scope != "annotator":
            table.add_row(*cells(str(link.id), link.scope, link.note, minute(link.created), _state(link)))
    show_table(table)


def _state(link: AccessLink) -> str:
    if link.withdrawn is not None:
        return f"withdrawn {minute(link.withdrawn)}"
    if link.expires is None:
        return "in force"
    return f"expired {minute(link.expires)}" if link.expires <= now() else f"until {minute(link.expires)}"
