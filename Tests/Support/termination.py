"""Ends a program with one SIGTERM."""

import signal
import subprocess

# Seconds: a closed window sends unsent entries for up to five; a loaded machine is slow.
LIMIT = 60


def terminate(process):
    """Sends one SIGTERM and returns the exit status; a program that still runs after `LIMIT` is killed, and that is an
    AssertionError."""
    process.send_signal(signal.SIGTERM)
    try:
        return process.wait(LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise AssertionError(f"{process.args[0]} still ran {LIMIT} s after SIGTERM") from None
