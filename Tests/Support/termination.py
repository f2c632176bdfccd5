"""Ends a program with one SIGTERM."""

import signal
import subprocess

# In seconds. A closed window tries to send unsent entries for up to five, and a busy computer is slow.
LIMIT = 60


def terminate(process):
    """Sends one SIGTERM and returns the exit status. If the program still runs after LIMIT seconds, kills it and raises an
    AssertionError."""
    process.send_signal(signal.SIGTERM)
    try:
        return process.wait(LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise AssertionError(f"{process.args[0]} still ran {LIMIT} s after SIGTERM") from None
