"""Time limits for the steps of the benchmarks: a step that hangs ends them with a message."""

import contextlib
import signal
import sys
import time

_steps = []  # the deadline of each running step, and the message if the step misses it


@contextlib.contextmanager
def limit(step, seconds):
    """Ends the program with the name of the step if the block takes longer. Can be nested."""
    _steps.append((time.monotonic() + seconds, f"{step}: not done after {seconds} s"))
    _arm()
    try:
        yield
    finally:
        if _steps:  # none is left once the program ends
            _steps.pop()
            _arm()


def _arm():
    signal.signal(signal.SIGALRM, _stop)
    # A deadline in the past must not disarm the timer, as 0 would.
    left = max(min(_steps)[0] - time.monotonic(), 0.001) if _steps else 0
    signal.setitimer(signal.ITIMER_REAL, left)


def _stop(_number, _frame):
    _, message = min(_steps)
    _steps.clear()
    # Clean-up code gets half a minute; then the signal itself ends the program.
    print(f"bench: {message}", file=sys.stderr, flush=True)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 30)
    sys.exit(1)
