"""When garbage is looked for, and at what."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from app.serving.garbage import collect, starting


class Cyclic:
    """Something that only the collector of cycles frees."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.enable()
    gc.unfreeze()


def test_nothing_is_looked_for_while_a_server_starts_and_nothing_of_it_afterwards() -> None:
    with starting():
        assert not gc.isenabled()
        made = weakref.ref(Cyclic())
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0
    gc.collect()
    assert made() is not None


def test_a_start_that_fails_leaves_all_as_it_was() -> None:
    with pytest.raises(OSError, match="taken"), starting():
        raise OSError("taken")
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_what_the_start_made_is_found_where_all_is_looked_at_and_the_rest_stays_aside() -> None:
    with starting():
        made = weakref.ref(Cyclic())
    collect()
    assert made() is None
    assert gc.get_freeze_count() > 0


def test_nothing_is_set_aside_where_no_server_was_started() -> None:
    made = weakref.ref(Cyclic())
    collect()
    assert made() is None
    assert gc.get_freeze_count() == 0
