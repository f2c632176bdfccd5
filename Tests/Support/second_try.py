"""Runs the failed tests of a run once more, each one alone: a busy computer can make a test fail that waits for a window.

A test that passes now counts as passed, and the last lines name it. With STRICT=1, or after many failures, for which the
computer is hardly the reason, nothing runs again.

usage: second_try.py [--pattern] COMMAND...     COMMAND runs the test whose name is added to it, with --pattern as a regular
expression, and succeeds if the test passes
environment: TEST_RESULTS, the record of the run; see results.py
"""

import os
import re
import subprocess
import sys

import results

# More failures than this have another reason than a busy computer.
MOST = 5
# The name that unittest gives to the preparation of a class or a module.
PREPARATION = re.compile(r"setUp(?:Class|Module) \(([\w.]+)\)")


def pattern(name):
    """Returns the pattern that selects a Swift test. XCTest reports Class.test, and selects Target.Class/test."""
    return re.escape(name).replace(r"\.", "[./]")


def main():
    failed = results.read(os.environ["TEST_RESULTS"]).failed
    if os.environ.get("STRICT") == "1" or len(failed) > MOST:
        sys.exit(1)
    command = sys.argv[1:]
    is_pattern = command[0] == "--pattern"
    if is_pattern:
        command = command[1:]
    environment = {name: value for name, value in os.environ.items() if name != "TEST_RESULTS"}
    again = []
    for name in failed:
        preparation = PREPARATION.fullmatch(name)
        print(f"\nsecond try: {name}", flush=True)
        argument = pattern(name) if is_pattern else preparation[1] if preparation else name
        if subprocess.call([*command, argument], env=environment) == 0:
            results.record_second(name)
            again.append(name)
    print()
    for name in failed:
        print(f"{'passed at the second try' if name in again else 'failed twice'}: {name}", flush=True)
    sys.exit(0 if again == failed else 1)


main()
