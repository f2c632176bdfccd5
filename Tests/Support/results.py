"""The record of a test run. It has one line per test, appended as soon as the test ends: a crash of the runner loses nothing.
Before it is a line with the time it took, in seconds, and if it failed, one with the reason.

All runners write to the file that TEST_RESULTS names; Tests/all makes the totals from it.
"""

import dataclasses
import os


@dataclasses.dataclass
class Results:
    """The names of the tests, by outcome. Those that passed at the second try are among those that passed.

    reasons: for the names of tests that failed, the last reason
    seconds: for names of tests, how long they took
    """

    passed: list = dataclasses.field(default_factory=list)
    failed: list = dataclasses.field(default_factory=list)
    second: list = dataclasses.field(default_factory=list)
    reasons: dict = dataclasses.field(default_factory=dict)
    seconds: dict = dataclasses.field(default_factory=dict)

    def __iadd__(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.second += other.second
        self.reasons |= other.reasons
        self.seconds |= other.seconds
        return self


def record(name, passed, reason="", seconds=None):
    """Appends the outcome of one test. Does nothing when no file is named, as when a suite is run by hand."""
    if seconds is not None:
        _append("took", f"{seconds:.2f} {name}")
    if reason:
        _append("reason", f"{len(_line(name))} {name} {reason[:500]}")
    _append("passed" if passed else "failed", name)


def record_second(name):
    """Appends that a test which had failed has passed at its second try."""
    _append("second", name)


def _append(outcome, name):
    path = os.environ.get("TEST_RESULTS")
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{outcome} {_line(name)}\n")


def _line(text):
    return " ".join(text.split())


def read(path):
    """Returns the Results of a record."""
    results = Results()
    with open(path, encoding="utf-8") as file:
        for line in file:
            outcome, _, name = line.rstrip("\n").partition(" ")
            if outcome == "reason":
                length, _, text = name.partition(" ")
                results.reasons[text[:int(length)]] = text[int(length) + 1:]
                continue
            if outcome == "took":
                seconds, _, name = name.partition(" ")
                results.seconds[name] = float(seconds)
                continue
            if outcome == "second":
                results.failed.remove(name)
                results.second.append(name)
            (results.failed if outcome == "failed" else results.passed).append(name)
    return results
