"""One window per session, and the command line at the same time."""

import unittest

from program import Program, ProgramTestCase


class InstanceTest(ProgramTestCase):
    def prepare(self):
        self.trunkctl("plant", "Cello", "--twig", "voice/practice", "--season", "2w")

    def test_a_second_launch_raises_the_first(self):
        second = Program(home=self.home)
        self.addCleanup(second.stop)
        self.assertEqual(second.wait_exit(), 0)
        self.assertEqual(second.log(), "")
        windows = [window.name for window in self.program.application()]
        self.assertEqual(windows, ["Trunk"])
        self.assertIsNone(self.program.process.poll())

    def test_entries_of_the_command_line_are_shown(self):
        self.program.find("push button", "Water: 3 of 3 left")
        self.trunkctl("water", "cello", "-m", "from the terminal")
        self.program.find("push button", "Water: 2 of 3 left, 1 day in a row")

    def test_sprouts_of_the_command_line_are_shown(self):
        self.program.keys("ctrl+3")
        self.program.find("list item", lambda name: name.startswith("Cello, "))
        self.trunkctl("plant", "Run", "--twig", "core/movement", "--season", "2w")
        self.program.find("list item", lambda name: name.startswith("Run, "))


if __name__ == "__main__":
    unittest.main()
