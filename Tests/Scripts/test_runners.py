"""The test runners: correct totals when tests fail, hang or crash, the name of a test that hangs, and the second try."""

import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Support"))
import results  # noqa: E402

SUITE = ROOT / "Tests/Support/python_suite.py"
SWIFT = ROOT / "Tests/Support/swift_suite.py"
ENDED = '{"kind":"event","payload":{"kind":"testEnded","messages":[{"symbol":"%s","text":""}],"testID":"Module.Suite/%s()/File.swift:1:1"},"version":0}'
ISSUE = ENDED.replace("testEnded", "issueRecorded") % ("fail", "%s")
ISSUE = ISSUE.replace('"text":""', '"text":"Expectation failed: 1 == 2"')
STARTED = '{"kind":"event","payload":{"kind":"testStarted","messages":[],"testID":"Module.Suite/%s()/File.swift:1:1"},"version":0}'


class RunnerTestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="trunk-runner-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.results = self.folder / "results"
        self.results.touch()

    def write(self, name, text):
        path = self.folder / name
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        path.chmod(0o755)
        return path

    def run_program(self, *command, **env):
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=120,
                              env={**os.environ, "TEST_RESULTS": str(self.results), **env})

    def recorded(self):
        return sorted(line for line in self.results.read_text().splitlines() if not line.startswith(("reason ", "took ")))

    def reasons(self):
        return results.read(self.results).reasons


class PythonSuiteTest(RunnerTestCase):
    def run_suite(self, text, **env):
        self.write("test_it.py", "import os, sys, threading, time, unittest\n" + textwrap.dedent(text))
        return self.run_program(sys.executable, SUITE, "test_it", "--", "argument", **env)

    def test_each_outcome_is_recorded(self):
        done = self.run_suite("""
            class It(unittest.TestCase):
                def test_good(self): self.assertEqual(sys.argv[1:], ["argument"])
                def test_bad(self): self.fail()
                def test_error(self): raise ValueError("no\\nnumber")
                def test_parts(self):
                    for part in range(3):
                        with self.subTest(part=part): self.assertEqual(part, 0)
                @unittest.expectedFailure
                def test_unexpected(self): pass
        """)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(self.recorded(), [
            "failed test_it.It.test_bad", "failed test_it.It.test_error", "failed test_it.It.test_parts",
            "failed test_it.It.test_unexpected", "passed test_it.It.test_good"])
        self.assertEqual(self.reasons()["test_it.It.test_error"], "ValueError: no number (test_it.py:6)")
        self.assertIn("AssertionError: 1 != 0", self.reasons()["test_it.It.test_parts"])

    def test_a_test_that_hangs_is_named_and_the_others_run(self):
        done = self.run_suite("""
            class It(unittest.TestCase):
                def setUp(self): self.addCleanup(print, "cleaned up", file=sys.stderr)
                def test_a_hangs(self): threading.Event().wait()
                def test_b(self): pass
        """, TEST_LIMIT="1")
        self.assertEqual(done.returncode, 3)
        self.assertIn("time limit: test_it.It.test_a_hangs takes longer than 1 s", done.stderr)
        self.assertIn("in test_a_hangs", done.stderr)  # the stack
        self.assertEqual(done.stderr.count("cleaned up"), 2)
        self.assertEqual(self.recorded(), ["failed test_it.It.test_a_hangs", "passed test_it.It.test_b"])

    def test_a_temporary_file_that_a_test_leaves_is_named_and_removed(self):
        done = self.run_suite("""
            import tempfile
            class It(unittest.TestCase):
                def test_leaves(self): print(tempfile.mkdtemp(prefix="left-"))
                def test_removes(self): os.rmdir(tempfile.mkdtemp())
        """)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"a test left the temporary file left-\w+: test_it\.It\.test_leaves\n")
        self.assertEqual(done.stderr.count("a test left"), 1)
        self.assertFalse(os.path.exists(done.stdout.strip()))
        self.assertEqual(self.recorded(), ["passed test_it.It.test_leaves", "passed test_it.It.test_removes"])

    def test_temporary_files_are_removed_if_the_run_is_ended(self):
        done = self.run_suite("""
            import signal, tempfile
            class It(unittest.TestCase):
                def test_it(self):
                    print(tempfile.mkdtemp(), flush=True)
                    os.kill(os.getpid(), signal.SIGTERM)
                    threading.Event().wait()
        """)
        self.assertNotEqual(done.returncode, 0)
        self.assertFalse(os.path.exists(done.stdout.strip()))

    def test_a_class_that_cannot_start_fails(self):
        done = self.run_suite("""
            class It(unittest.TestCase):
                @classmethod
                def setUpClass(cls): raise ValueError
                def test_it(self): pass
        """)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(self.recorded(), ["failed setUpClass (test_it.It)"])

    def test_no_test_at_all_fails(self):
        self.assertNotEqual(self.run_suite("").returncode, 0)


class SecondTryTest(RunnerTestCase):
    """With a stand-in for the command that runs one test."""

    def run_again(self, outcomes, *lines, **env):
        """Records the lines and runs the failed tests again with a stand-in. outcomes: for each name, its exit code."""
        self.results.write_text("".join(line + "\n" for line in lines))
        cases = "".join(f"{name}) exit {code};;\n" for name, code in outcomes.items())
        command = self.write("command", f'''#!/bin/sh
            echo "$@ ${{TEST_RESULTS-unset}}" >>{self.folder}/runs
            case $2 in {cases} esac''')
        return self.run_program(sys.executable, ROOT / "Tests/Support/second_try.py", command, "first", **env)

    def runs(self):
        path = self.folder / "runs"
        return path.read_text().splitlines() if path.exists() else []

    def test_each_failed_test_runs_alone_and_is_named(self):
        done = self.run_again({"m.C.b": 0, "m.C.c": 0}, "passed m.C.a", "failed m.C.b", "failed m.C.c")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.runs(), ["first m.C.b unset", "first m.C.c unset"])
        self.assertEqual(done.stdout.splitlines()[-2:], [
            "passed at the second try: m.C.b", "passed at the second try: m.C.c"])
        self.assertEqual(self.recorded(), [
            "failed m.C.b", "failed m.C.c", "passed m.C.a", "second m.C.b", "second m.C.c"])

    def test_a_test_that_fails_twice_fails(self):
        done = self.run_again({"m.C.b": 3, "m.C.c": 0}, "failed m.C.b", "failed m.C.c")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.splitlines()[-2:], ["failed twice: m.C.b", "passed at the second try: m.C.c"])
        self.assertEqual(self.recorded(), ["failed m.C.b", "failed m.C.c", "second m.C.c"])

    def test_a_class_that_cannot_start_runs_again(self):
        done = self.run_again({"m.C": 0}, "failed setUpClass (m.C)")
        self.assertEqual((done.returncode, self.runs()), (0, ["first m.C unset"]))
        self.assertEqual(self.recorded(), ["failed setUpClass (m.C)", "second setUpClass (m.C)"])

    def test_a_strict_run_has_no_second_try(self):
        done = self.run_again({"m.C.b": 0}, "failed m.C.b", STRICT="1")
        self.assertEqual((done.returncode, self.runs(), self.recorded()), (1, [], ["failed m.C.b"]))

    def test_many_failures_have_another_reason(self):
        done = self.run_again({}, *(f"failed m.C.{number}" for number in range(6)))
        self.assertEqual((done.returncode, self.runs()), (1, []))

    def test_a_command_can_take_a_pattern(self):
        # Both libraries select a test as Target.Class/test, but XCTest reports it as Class.test.
        for name, selected in (("M.C/b(_:)", "M.C/b(_:)"), ("C.testB", "M.C/testB")):
            self.results.write_text(f"failed {name}\n")
            command = self.write("command", f'#!/bin/sh\necho "$@" >{self.folder}/runs')
            done = self.run_program(
                sys.executable, ROOT / "Tests/Support/second_try.py", "--pattern", command, "--filter")
            self.assertEqual(done.returncode, 0)
            [run] = self.runs()
            self.assertRegex(selected, run.removeprefix("--filter "))


class SwiftSuiteTest(RunnerTestCase):
    """With a stand-in for `swift test`, which gets the path of the events as its second argument."""

    def run_suite(self, script, **env):
        return self.run_program(sys.executable, SWIFT, self.write("swift-test", "#!/bin/sh\n" + script), **env)

    def test_both_libraries_are_recorded(self):
        done = self.run_suite(textwrap.dedent(f"""\
            echo "Test Case 'A.good' started at now"
            echo "Test Case 'A.good' passed (0.1 seconds)"
            echo "Test Case 'A.bad' started at now"
            echo "Test Case 'A.bad' failed (0.1 seconds)"
            echo "Test Case 'A.later' started at now"
            echo "Test Case 'A.later' skipped (0.1 seconds)"
            exec 3>"$2"
            echo '{STARTED % "good"}' >&3
            echo '{ENDED % ("pass", "good")}' >&3
            echo '{STARTED % "bad"}' >&3
            echo '{ISSUE % "bad"}' >&3
            echo '{ENDED % ("fail", "bad")}' >&3
            exit 1"""))
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(self.recorded(), [
            "failed A.bad", "failed Module.Suite/bad()", "passed A.good", "passed Module.Suite/good()"])
        self.assertEqual(self.reasons(), {"Module.Suite/bad()": "Expectation failed: 1 == 2"})

    def wait_for_end(self, process):
        """Waits until a killed process is gone, or waits only for its parent."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                if pathlib.Path("/proc", process, "stat").read_text().rpartition(")")[2].split()[0] == "Z":
                    return
            except (FileNotFoundError, ProcessLookupError):
                return
        self.fail("a test is still running")

    def test_a_test_that_hangs_is_named_and_the_run_is_stopped(self):
        done = self.run_suite(f"""echo "Test Case 'A.good' started at now"
            echo "Test Case 'A.good' passed (0.1 seconds)"
            echo '{STARTED % "hangs"}' >"$2"
            python3 -c 'import os, time; os.setpgid(0, 0); time.sleep(1000)' &
            echo $! >{self.folder}/tests
            wait""", TEST_LIMIT="1")
        self.assertEqual(done.returncode, 1)
        # `swift test` puts the tests into another process group.
        self.wait_for_end((self.folder / "tests").read_text().strip())
        self.assertIn("time limit: Module.Suite/hangs() takes longer than 1 s", done.stderr)
        self.assertEqual(self.recorded(), ["failed Module.Suite/hangs()", "passed A.good"])

    def test_a_crash_fails_the_test_that_ran(self):
        done = self.run_suite(f"""echo '{STARTED % "crashes"}' >"$2"
            kill -SEGV $$""")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("the run ended in the middle of: Module.Suite/crashes()", done.stderr)
        self.assertEqual(self.recorded(), ["failed Module.Suite/crashes()"])

    def test_a_warning_of_the_toolkit_fails_the_run(self):
        done = self.run_suite("""echo "Test Case 'A.good' started at now"
            echo "(x:1): Gtk-CRITICAL **: no"
            echo "Test Case 'A.good' passed (0.1 seconds)" """)
        self.assertEqual((done.returncode, self.recorded()), (1, ["failed warnings of the toolkit", "passed A.good"]))
        self.assertEqual(self.reasons(), {"warnings of the toolkit": "1, the first one: (x:1): Gtk-CRITICAL **: no"})

    def test_a_temporary_file_that_a_test_leaves_is_named_and_removed(self):
        # The lock is SwiftPM's.
        done = self.run_suite("""echo "Test Case 'A.good' started at now"
            touch "$TMPDIR/left" "$TMPDIR/build.lock"
            echo "$TMPDIR"
            echo "Test Case 'A.good' passed (0.1 seconds)" """)
        self.assertEqual((done.returncode, self.recorded()), (1, ["failed temporary files", "passed A.good"]))
        self.assertEqual(done.stderr, "a test left the temporary file left\n")
        self.assertFalse(os.path.exists(done.stdout.split("\n")[1]))

    def test_no_test_at_all_fails(self):
        self.assertNotEqual(self.run_suite("exit 0").returncode, 0)


class TotalsTest(RunnerTestCase):
    def run_parts(self, *parts):
        return self.run_program(sys.executable, ROOT / "Tests/all", *parts)

    def test_the_last_line_has_the_totals(self):
        done = self.run_parts(self.write("good", "#!/bin/sh\nprintf 'passed a\\npassed b\\n' >>$TEST_RESULTS"),
                              self.write("check", "#!/bin/sh\nexit 0"))
        self.assertEqual((done.returncode, done.stdout.split("\n")[-2:]), (0, ["3 passed, 0 failed", ""]))

    def test_a_failed_part_is_counted_and_the_others_run(self):
        done = self.run_parts(self.write(
            "bad", "#!/bin/sh\nprintf 'passed a\\nreason 1 b it broke\\nfailed b\\n' >>$TEST_RESULTS; exit 1"),
                              self.write("crash", "#!/bin/sh\nprintf 'passed c\\n' >>$TEST_RESULTS; kill -9 $$"),
                              self.write("good", "#!/bin/sh\nprintf 'passed d\\n' >>$TEST_RESULTS"))
        self.assertEqual((done.returncode, done.stdout.split("\n")[-2:]), (1, ["3 passed, 2 failed", ""]))
        self.assertIn("\n  b\n    it broke\n", done.stdout)

    def test_the_slowest_tests_of_a_long_run_are_named(self):
        lines = "".join(f"took {number}.25 t{number}\\npassed t{number}\\n" for number in range(13))
        done = self.run_parts(self.write("good", f"#!/bin/sh\nprintf '{lines}' >>$TEST_RESULTS"))
        self.assertIn("\nthe slowest:\n    12.2 s  t12\n    11.2 s  t11\n", done.stdout)
        self.assertNotIn("  t0\n", done.stdout)

    def test_a_test_that_passed_at_the_second_try_is_named(self):
        done = self.run_parts(self.write(
            "part", "#!/bin/sh\nprintf 'passed a\\nfailed b\\nsecond b\\n' >>$TEST_RESULTS"))
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.stdout.endswith(
            "\npassed at the second try:\n  b\n\n2 passed, 0 failed\n"), done.stdout)


if __name__ == "__main__":
    unittest.main()
