"""SIGTERM at any moment ends the window and trunkctl, and loses nothing that they acknowledged."""

import json
import os
import random
import signal
import subprocess
import sys
import time
import unittest

import program

sys.path.append(str(program.ROOT / "Tests/Support"))
from termination import terminate  # noqa: E402

# TERMINATIONS is the number of times that each program is ended.
ROUNDS = int(os.environ.get("TERMINATIONS", 20))


class TerminationTest(unittest.TestCase):
    def setUp(self):
        self.home = program.temporary_folder(self.addCleanup)
        self.trunkctl("plant", "Cello", "--twig", "voice/practice", "--season", "2w")

    def trunkctl(self, *arguments):
        return json.loads(subprocess.run(
            [program.BUILD / program.CONFIG / "trunkctl", *arguments, "--json"], check=True, stdout=subprocess.PIPE,
            env=program.variables(self.home, {})).stdout)

    def end_after(self, seconds, name, *arguments):
        """Starts a program, sends it one SIGTERM at a random moment within this many seconds, and returns its exit
        status."""
        process = subprocess.Popen(
            [program.BUILD / program.CONFIG / name, *arguments], env=program.variables(self.home, {}),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.random() * seconds)  # a random moment; this doesn't wait for anything
        return terminate(process)

    def test_one_signal_ends_the_window(self):
        for _ in range(ROUNDS):
            self.assertIn(self.end_after(1.5, "trunk"), (0, -signal.SIGTERM))

    def test_one_signal_ends_trunkctl_and_no_acknowledged_entry_is_lost(self):
        acknowledged = set()
        for number in range(ROUNDS):
            title = f"Seedling {number}"
            if self.end_after(0.1, "trunkctl", "seed", title, "--twig", "voice/practice") == 0:
                acknowledged.add(title)
            self.end_after(0.1, "trunkctl", "export", "--force", self.home / "export.json")
            self.end_after(0.1, "trunkctl", "backup")
        listed = {seedling["title"] for seedling in self.trunkctl("list", "--seedlings")["seedlings"]}
        self.assertEqual(set(), acknowledged - listed)
        # An export is complete or missing, and the store is intact, or doctor would fail.
        if (self.home / "export.json").exists():
            json.loads((self.home / "export.json").read_text())
        self.trunkctl("doctor")


if __name__ == "__main__":
    unittest.main()
