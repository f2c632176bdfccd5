"""Starting without things that a desktop usually provides."""

import contextlib
import os
import pathlib
import socket
import subprocess
import tempfile
import time
import unittest

from program import BUILD, COMMAND_LIMIT, CONFIG, Program, trunkctl, variables


class StartTest(unittest.TestCase):
    def first_frame(self, **env):
        """Returns the milliseconds to the first frame, as the program measured them. Fails if the toolkit logs a warning."""
        with tempfile.TemporaryDirectory() as home:
            program = Program(home=home, env={"TRUNK_BENCH": "first-frame"} | env)
            try:
                self.assertEqual(program.wait_exit(), 0)
                return int(program.log())
            finally:
                program.stop()

    def test_the_first_frame_is_measured(self):
        self.assertIn(self.first_frame(), range(10, 10_000))

    def test_the_version_is_printed_without_a_display(self):
        with tempfile.TemporaryDirectory() as home:
            output = subprocess.run([BUILD / CONFIG / "trunk", "--version"], env=variables(home, {"DISPLAY": None}), check=True,
                                    timeout=COMMAND_LIMIT, stdout=subprocess.PIPE, text=True).stdout
        self.assertRegex(output, r"\ATrunk \d+\.\d+\.\d+\n\Z")

    def test_the_help_lists_links_files_and_options_without_a_display(self):
        with tempfile.TemporaryDirectory() as home:
            output = subprocess.run([BUILD / CONFIG / "trunk", "--help"], env=variables(home, {"DISPLAY": None}), check=True,
                                    timeout=COMMAND_LIMIT, stdout=subprocess.PIPE, text=True).stdout
        for text in ("[link | file]", "--water ", "--version "):
            self.assertIn(text, output)

    def test_starts_without_a_bus(self):
        self.first_frame(DBUS_SESSION_BUS_ADDRESS="unix:path=/nonexistent", GTK_A11Y="none")

    def test_starts_without_a_runtime_folder(self):
        self.first_frame(XDG_RUNTIME_DIR=None)

    def test_starts_before_it_was_installed(self):
        self.first_frame(XDG_DATA_DIRS="/usr/share")

    def test_the_garden_is_read_while_the_display_is_opened(self):
        """If a display accepts connections but never responds, GTK waits forever. Reading the garden must not wait for
        GTK."""
        with tempfile.TemporaryDirectory() as home, silent_display() as display:
            trunkctl(home, "seed", "A thought", "--twig", "heart/joy")
            env = variables(home, {"DISPLAY": display, "GDK_BACKEND": "x11"})
            with subprocess.Popen([BUILD / CONFIG / "trunk"], env=env) as process:
                try:
                    folder = pathlib.Path(f"/proc/{process.pid}/fd")
                    end = time.monotonic() + COMMAND_LIMIT
                    while not any(name.endswith("/garden.db") for name in targets(folder)):
                        self.assertLess(time.monotonic(), end, "garden.db is not open before the display")
                        self.assertIsNone(process.poll())
                finally:
                    process.kill()


@contextlib.contextmanager
def silent_display():
    """Yields the name of a display whose server never answers."""
    number = next(number for number in range(400, 500) if not os.path.exists(f"/tmp/.X11-unix/X{number}"))
    path = f"/tmp/.X11-unix/X{number}"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        try:
            listener.listen()
            yield f":{number}"
        finally:
            os.unlink(path)


def targets(folder):
    """Returns the targets of the links in a folder of /proc, without those that disappear in the meantime."""
    for link in folder.iterdir():
        try:
            yield os.readlink(link)
        except FileNotFoundError:
            pass


if __name__ == "__main__":
    unittest.main()
