"""A signal ends work, wherever it arrives."""

from __future__ import annotations

import signal
import weakref

import pytest

from app.cli.interruption import Interrupted, Interruption

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_interrupts_at_once(number: signal.Signals) -> None:
    with Interruption().listening(), pytest.raises(Interrupted, match=number.name) as stopped:
        signal.raise_signal(number)
    assert stopped.value.number == number


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("number", SIGNALS)
def test_one_that_python_drops_interrupts_at_the_next_check(number: signal.Signals) -> None:
    interruption = Interruption()
    interruption.check()
    with interruption.listening():
        thing = Interruption()
        finalized = weakref.ref(thing, lambda _: signal.raise_signal(number))
        del thing  # raises within the callback, which Python prints and forgets
        assert finalized() is None
        with pytest.raises(Interrupted) as stopped:
            interruption.check()
    assert stopped.value.number == number


def test_afterwards_signals_do_what_they_did() -> None:
    before = [signal.getsignal(number) for number in SIGNALS]
    with Interruption().listening():
        assert [signal.getsignal(number) for number in SIGNALS] != before
    assert [signal.getsignal(number) for number in SIGNALS] == before
