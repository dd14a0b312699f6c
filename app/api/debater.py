"""The interface of IBM's discontinued Term Relater, for its own client."""

from __future__ import annotations

from fastapi import APIRouter

from app.settings import Settings


def router(_: Settings) -> APIRouter:
    """The routes, their documentation stating the limits of the settings."""
    return APIRouter()
