"""A concept and what is most related to it."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter(include_in_schema=False)
