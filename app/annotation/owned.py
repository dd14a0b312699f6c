"""What an owner's link opens."""

from __future__ import annotations

from datasets.annotation.errors import UnknownLink
from datasets.annotation.projects import Projects
from datasets.annotation.records import Access


def owned(projects: Projects, token: str) -> Access:
    """What an owner's link opens.

    Raises:
        UnknownLink: it is no owner's link that is in force.
    """
    access = projects.access(token)
    if access.link.scope != "owner":
        raise UnknownLink("this link is not its owner's")
    return access
