"""Starting where things are missing that a desktop usually has."""

import tempfile
import unittest

from program import Program


class StartTest(unittest.TestCase):
    def first_frame(self, **env):
        """Milliseconds to the first frame, as the program measured them; a complaint of the toolkit fails."""
        with tempfile.TemporaryDirectory() as home:
            program = Program(home=home, env={"TRUNK_BENCH": "first-frame"} | env)
            try:
                self.assertEqual(program.wait_exit(), 0)
                return int(program.log())
            finally:
                program.stop()

    def test_the_first_frame_is_measured(self):
        self.assertIn(self.first_frame(), range(10, 10_000))

    def test_starts_without_a_bus(self):
        self.first_frame(DBUS_SESSION_BUS_ADDRESS="unix:path=/nonexistent", GTK_A11Y="none")

    def test_starts_without_a_runtime_folder(self):
        self.first_frame(XDG_RUNTIME_DIR=None)

    def test_starts_before_it_was_installed(self):
        self.first_frame(XDG_DATA_DIRS="/usr/share")


if __name__ == "__main__":
    unittest.main()
