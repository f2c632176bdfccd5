"""Runs `swift test` and records the outcome of each test. The run also fails if a test leaves temporary files; they are
removed. The exit code is 3 if all tests ran, some failed and nothing else is wrong.

If for some time no test begins or ends, the run is stopped and the tests that are running are named. Unlike the limits of
Swift Testing, this also works if a test blocks its thread. It doesn't limit the time of one test: Swift Testing begins them
all at once, and on a busy computer each of them takes as long as the run. `make bench` measures speed.

usage: swift_suite.py COMMAND...     `swift test` with its arguments
environment: TEST_LIMIT, that time in seconds, 600 if unset; see also results.py
"""

import contextlib
import json
import os
import pathlib
import re
import selectors
import signal
import subprocess
import sys
import tempfile
import time

import results
import temporary_files

TESTS_FAILED = 3
LIMIT = int(os.environ.get("TEST_LIMIT", 600))
CASE = re.compile(r"^Test Case '(\S+)' (started at|passed|failed|skipped)")
WARNING = re.compile(r"(Gtk|Gdk|Gsk|Adwaita|Pango|GLib[A-Za-z-]*)-(WARNING|CRITICAL|ERROR) \*\*|Theme parser")


class Run:
    """The state of the tests of a run, updated with the lines of XCTest's output and the events of Swift Testing."""

    def __init__(self):
        self.running = {}  # when each test began
        self.latest = time.monotonic()  # when a test or a case last began or ended
        self.ended = self.failed = 0
        self.reasons = {}  # of each test that has an issue, the first one
        self.warnings = []  # of the toolkit

    def read_line(self, line):
        if WARNING.search(line):
            self.warnings.append(line)
        if match := CASE.match(line):
            name, outcome = match.groups()
            if outcome == "started at":
                self._start(name)
            else:
                self._end(name, None if outcome == "skipped" else outcome == "passed")

    def read_event(self, text):
        entry = json.loads(text)
        payload = entry["payload"]
        # Suites have events too; the name of a function has parentheses.
        if entry["kind"] != "event" or "(" not in payload.get("testID", ""):
            return
        name, kind = payload["testID"].rpartition("/")[0], payload["kind"]
        if kind == "issueRecorded":
            self.reasons.setdefault(name, " ".join(message["text"] for message in payload["messages"]))
        elif kind in ("testStarted", "testCaseStarted", "testCaseEnded"):
            self._start(name)
        elif kind == "testEnded":
            symbols = {message["symbol"] for message in payload["messages"]}
            self._end(name, "fail" not in symbols)
        elif kind == "testSkipped":
            self._end(name, None)

    def hanging(self, now):
        return sorted(self.running) if now - self.latest > LIMIT else []

    def _start(self, name):
        self.latest = time.monotonic()
        self.running.setdefault(name, self.latest)

    def _end(self, name, passed):
        self.latest = time.monotonic()
        start = self.running.pop(name, self.latest)
        # Swift Testing begins all tests at once, so they take as long as the run.
        seconds = None if "/" in name else self.latest - start
        if passed is not None:
            self.ended += 1
            self.failed += not passed
            results.record(name, passed, "" if passed else self.reasons.get(name, ""), seconds)


class Lines:
    """Splits the data of a file descriptor into lines."""

    def __init__(self, descriptor):
        self.descriptor, self._rest = descriptor, b""

    def read(self):
        """Returns the lines that have arrived since the last call; None at the end."""
        data = os.read(self.descriptor, 1 << 16)
        if not data:
            return None
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [line.decode(errors="replace") for line in lines]


def follow(process, events, run):
    """Prints the output until it ends. If tests hang, stops the run and returns their names."""
    output = Lines(process.stdout.fileno())
    with selectors.DefaultSelector() as selector:
        selector.register(output.descriptor, selectors.EVENT_READ, (output, run.read_line))
        selector.register(events.descriptor, selectors.EVENT_READ, (events, run.read_event))
        while True:
            for key, _ in selector.select(timeout=1):
                source, take = key.data
                lines = source.read()
                if lines is None:
                    drain(events, run)
                    return []
                for line in lines:
                    take(line)
                    if source is output:
                        print(line, flush=True)
            if hanging := run.hanging(time.monotonic()):
                return hanging


def kill_session(session):
    """Kills every process of a session. `swift test` gives the tests a process group of their own."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended
            # The name of a program, in parentheses, may contain spaces.
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session:
                os.kill(int(folder.name), signal.SIGKILL)


def drain(events, run):
    """Reads the events that are still in the pipe after the output has ended."""
    os.set_blocking(events.descriptor, False)
    try:
        while True:
            for line in events.read():
                run.read_event(line)
    except BlockingIOError:
        pass


def main():
    run = Run()
    # An end from outside must remove the temporary files, too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="trunk-events-") as folder, temporary_files.separate_folder() as files:
        pipe = pathlib.Path(folder, "events")
        os.mkfifo(pipe)
        events = Lines(os.open(pipe, os.O_RDWR))  # also for writing: otherwise reading ends when a writing process ends
        process = subprocess.Popen(
            [*sys.argv[1:], "--event-stream-output-path", pipe, "--event-stream-version", "0"], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True)
        hanging = ["the run"]
        try:
            hanging = follow(process, events, run)
        finally:
            if hanging:
                kill_session(process.pid)
        status = process.wait()
        left = files.report()
    sys.exit(verdict(run, hanging, status, left))


def verdict(run, hanging, status, left):
    """Prints problems of the whole run. Returns 0 if there are none."""
    for name in hanging:
        print(f"time limit: {name} takes longer than {LIMIT} s", file=sys.stderr)
        results.record(name, False, f"time limit: takes longer than {LIMIT} s")
    unended = [] if hanging else sorted(run.running)
    if unended:
        print("the run ended in the middle of: " + ", ".join(unended), file=sys.stderr)
    for name in unended:
        results.record(name, False, "the run ended in the middle of it")
    if run.warnings:
        print("warnings of the toolkit:\n" + "\n".join(run.warnings), file=sys.stderr)
        results.record("warnings of the toolkit", False, f"{len(run.warnings)}, the first one: {run.warnings[0]}")
    if left:
        print(*left, sep="\n", file=sys.stderr)
        results.record("temporary files", False, "; ".join(left))
    if run.ended == 0:
        print("no test ran", file=sys.stderr)
    if hanging or unended or run.warnings or left or run.ended == 0:
        return 1
    return TESTS_FAILED if run.failed else status


if __name__ == "__main__":
    main()
