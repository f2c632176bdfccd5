"""Runs Python tests as `python3 -m unittest` does, with a time limit for each test, and records the outcome of each.

A test that reaches the limit fails with its name and the stacks of all threads; the tests after it still run. The run also
fails if a test leaves temporary files; they are removed. The exit code is 3 if all tests ran, some failed and nothing else is
wrong.

usage: python_suite.py NAME... [-- ARGUMENT...]     the arguments become those of the test modules, in sys.argv
environment: TEST_LIMIT, the limit in seconds, 300 if unset; see also results.py
"""

import faulthandler
import functools
import os
import signal
import sys
import time
import traceback
import unittest

import results
import temporary_files

TESTS_FAILED = 3
LIMIT = int(os.environ.get("TEST_LIMIT", 300))


class TimeLimit(Exception):
    """A test took longer than it may."""


class Result(unittest.TextTestResult):
    """Watches the running test and records how it ended."""

    def __init__(self, *arguments, files, **named):
        super().__init__(*arguments, **named)
        self._files = files
        self._test = None
        self._failed, self._reason = False, ""
        signal.signal(signal.SIGALRM, self._stop_test)

    def startTest(self, test):
        super().startTest(test)
        self._test, self._failed, self._reason = test, False, ""
        self._start = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, LIMIT)
        # While the main thread is stuck in C code, Python runs no signal handlers.
        faulthandler.dump_traceback_later(2 * LIMIT, exit=True)

    def stopTest(self, test):
        self._disarm()
        faulthandler.cancel_dump_traceback_later()
        results.record(test.id(), not self._failed, self._reason, time.monotonic() - self._start)
        self._files.note(test.id())
        self._test = None
        super().stopTest(test)

    def addError(self, test, error):
        self._fail(test, error)
        super().addError(test, error)
        self._print_last(self.errors)

    def addFailure(self, test, error):
        self._fail(test, error)
        super().addFailure(test, error)
        self._print_last(self.failures)

    def addUnexpectedSuccess(self, test):
        self._fail(test)
        super().addUnexpectedSuccess(test)

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self._fail(test, error)
        super().addSubTest(test, subtest, error)

    def _fail(self, test, error=None):
        """error: what unittest passes of an exception."""
        self._disarm()  # clean-up code must not be interrupted
        self._failed = True
        if error and not self._reason:
            frames = [frame for frame in traceback.extract_tb(error[2]) if frame.filename.startswith(os.getcwd())]
            places = ", ".join(f"{os.path.basename(frame.filename)}:{frame.lineno}" for frame in frames)
            self._reason = f"{type(error[1]).__name__}: {error[1]} ({places})"
        if self._test is None:  # setUpClass or setUpModule failed: no test has started
            results.record(test.id(), False, self._reason)

    def _print_last(self, failed):
        """Prints a failure immediately, because a run that is stopped never reaches its summary."""
        test, text = failed[-1]
        self.stream.writeln(f"\n{test}\n{text}")
        self.stream.flush()

    def _disarm(self):
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _stop_test(self, _number, _frame):
        # Raise the error again in 5 s, in case a callback of a C library swallows it.
        signal.setitimer(signal.ITIMER_REAL, 5)
        message = f"time limit: {self._test.id()} takes longer than {LIMIT} s"
        print(f"\n{message}", file=sys.stderr, flush=True)
        faulthandler.dump_traceback(all_threads=True)
        raise TimeLimit(message)


def main():
    names = sys.argv[1:]
    arguments = []
    if "--" in names:
        end = names.index("--")
        names, arguments = names[:end], names[end + 1:]
    sys.argv[1:] = arguments
    sys.path.insert(0, os.getcwd())
    # An end from outside must remove the temporary files, too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with temporary_files.separate_folder() as files:
        tests = unittest.defaultTestLoader.loadTestsFromNames(names)
        outcome = unittest.TextTestRunner(
            resultclass=functools.partial(Result, files=files), verbosity=int(os.environ.get("TEST_VERBOSITY", 1))).run(tests)
        left = files.report()
    if outcome.testsRun == 0 and outcome.wasSuccessful():
        sys.exit(f"no test ran of {' '.join(names)}")
    print(*left, sep="\n", end="\n" if left else "", file=sys.stderr)
    sys.exit(1 if left else 0 if outcome.wasSuccessful() else TESTS_FAILED)


main()
