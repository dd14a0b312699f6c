"""Which models there are, how good they are, and what is in force."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter(include_in_schema=False)
