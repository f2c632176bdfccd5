"""The record of a test run. It has one line per test, appended as soon as the test ends: a crash of the runner loses nothing.

All runners write to the file that TEST_RESULTS names; Tests/all makes the totals from it.
"""

import dataclasses
import os


@dataclasses.dataclass
class Results:
    """The names of the tests, by outcome. Those that passed at the second try are among those that passed."""

    passed: list = dataclasses.field(default_factory=list)
    failed: list = dataclasses.field(default_factory=list)
    second: list = dataclasses.field(default_factory=list)

    def __iadd__(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.second += other.second
        return self


def record(name, passed):
    """Appends the outcome of one test. Does nothing when no file is named, as when a suite is run by hand."""
    _append("passed" if passed else "failed", name)


def record_second(name):
    """Appends that a test which had failed has passed at its second try."""
    _append("second", name)


def _append(outcome, name):
    path = os.environ.get("TEST_RESULTS")
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{outcome} {' '.join(name.split())}\n")


def read(path):
    """Returns the Results of a record."""
    results = Results()
    with open(path, encoding="utf-8") as file:
        for line in file:
            outcome, _, name = line.rstrip("\n").partition(" ")
            if outcome == "second":
                results.failed.remove(name)
                results.second.append(name)
            (results.failed if outcome == "failed" else results.passed).append(name)
    return results
