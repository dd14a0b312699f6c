"""Texts: the concepts that they mention, and how related two of them are."""

from __future__ import annotations

from fastapi import APIRouter

from app.settings import Settings


def router(_: Settings) -> APIRouter:
    """The routes, their documentation stating the limits of the settings."""
    return APIRouter()
