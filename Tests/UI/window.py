"""The program on a separate desktop: a screen, a session bus, an unlocked keyring and a home. A bus has one accessibility tree
and one instance of the program, so two windows need two of these processes; see remote.py.

usage: window.py HOME
"""

import os
import pathlib
import sys

import account
from program import ROOT, Program, home_variables, text_of
from remote import Remote, serve


class Window:
    """A window, operated as a user does."""

    def __init__(self, home):
        account.setUpModule()  # unlocks this bus's keyring
        self.home = home
        self.program = None

    def start(self):
        program = Program(home=self.home)
        self.program = program
        program.deadline = 120  # two desktops and a server share the computer
        program.__enter__()

    def kill(self):
        """Kills the program, as in a power failure."""
        self.program.kill()
        self.stop()

    def stop(self):
        if self.program:
            self.program.stop()

    def ask_for_code(self, email):
        account.ask_for_code(self.program, email)

    def enter_code(self, code):
        account.enter_code(self.program, code)
        self.wait_state("synced")

    def plant(self, title, is_first=False):
        self.program.plant(title, is_first)

    def water(self, title, text):
        """Waters a sprout and returns as soon as the window confirms it."""
        program = self.program
        dialog = program.open(program.find("push button", f"Water \u201c{title}\u201d"), "Water")
        field = program.find("text", f"Entry about {title}", dialog)
        program.wait_focus(field)
        program.type(text)
        program.wait("the text", lambda: text_of(field) == text)
        program.keys("ctrl+Return")
        program.find("list item", lambda name: name.startswith(f"{title}, ") and name.endswith("watered today"))

    def wait_unwatered(self, *titles):
        """Waits until exactly these sprouts are shown as not watered today."""
        wanted = sorted(f"Water \u201c{title}\u201d" for title in titles)
        self.program.wait(f"{wanted}", lambda: wanted == sorted(
            node.name for node in self.program.find_all("push button", lambda name: name.startswith("Water \u201c"))))

    def wait_water(self, left):
        """Waits until this many of the day's three waterings are left."""
        self.program.wait(f"{left} waterings", lambda: 3 - left == len(
            self.program.find_all("list item", lambda name: name.endswith("watered today"))))

    def wait_state(self, state):
        account.wait_sync(self.program, state)


def open_window(home, env):
    """Starts a desktop with this home, an existing folder. env: additional environment variables for everything on
    it."""
    runtime = pathlib.Path(home, "run")
    runtime.mkdir(mode=0o700)
    return Remote(
        "xvfb-run", "--auto-servernum", "--server-args=-screen 0 1400x1200x24",
        ROOT / "scripts/private-bus", "org.a11y.Bus", "--", "/usr/bin/python3", __file__, home,
        env=os.environ | home_variables(home) | {"XDG_RUNTIME_DIR": str(runtime)} | env)


if __name__ == "__main__":
    window = Window(sys.argv[1])
    try:
        serve(window)
    finally:
        window.stop()
