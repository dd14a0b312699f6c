"""A file of pairs, scored from the browser."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter(include_in_schema=False)
