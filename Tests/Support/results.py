"""The record of a test run. It has one line per test, appended as soon as the test ends: a crash of the runner loses nothing.

All runners write to the file that TEST_RESULTS names; Tests/all makes the totals from it.
"""

import os


def record(name, passed):
    """Appends the outcome of one test. Does nothing when no file is named, as when a suite is run by hand."""
    path = os.environ.get("TEST_RESULTS")
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{'passed' if passed else 'failed'} {' '.join(name.split())}\n")


def read(path):
    """Returns the names of the tests that passed, and of those that failed."""
    passed, failed = [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            outcome, _, name = line.rstrip("\n").partition(" ")
            (passed if outcome == "passed" else failed).append(name)
    return passed, failed
