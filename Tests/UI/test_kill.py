"""Killing the program at any point loses no text."""

import contextlib
import sqlite3
import subprocess
import unittest

from program import ProgramTestCase, text_of


class KillTest(ProgramTestCase):
    def prepare(self):
        self.plant_earlier("Cello")
        self.plant_earlier("Run", "branch-0-twig-0", days=2)

    def open_dialog(self):
        program = self.program
        program.keys("w")
        program.dialog("Water")
        area = program.find("text", "Entry about Cello")
        program.wait_focus(area)
        return area

    def question(self):
        """Returns the question that the dialog asks about the first sprout."""
        panel = self.program.find("panel", lambda name: name.startswith("Cello"))
        return next((n.name for n in self.program.nodes(panel) if n.name.endswith("?")), None)

    def test_a_draft_survives_a_kill(self):
        area = self.open_dialog()
        asked = self.program.wait("a question", self.question)
        self.program.type("half a sentence about the")
        # The last words are saved with a short delay.
        self.program.wait("the text", lambda: text_of(area) == "half a sentence about the")
        drafts = self.home / "data" / "trunk" / "local"
        self.program.wait_store("the draft", lambda: any(
            b"half a sentence about the" in path.read_bytes() for path in drafts.glob("garden.db*")))
        self.program.kill()
        self.program = self.start()
        area = self.open_dialog()
        self.program.wait("the draft", lambda: text_of(area) == "half a sentence about the")
        # By chance, the same question would be asked with a probability of one in forty.
        self.program.wait("its question", lambda: self.question() == asked)
        self.assertEqual(self.program.entries("cello"), [])

    def test_quitting_keeps_the_last_keystrokes(self):
        area = self.open_dialog()
        self.program.type("and out")
        self.program.keys("ctrl+q")
        self.program.wait_exit()
        self.program = self.start()
        area = self.open_dialog()
        self.program.wait("the draft", lambda: text_of(area) == "and out")

    def test_the_end_of_the_session_keeps_the_last_keystrokes(self):
        area = self.open_dialog()
        self.program.type("good night")
        self.program.wait("the text", lambda: text_of(area) == "good night")
        self.program.process.terminate()
        self.program.wait_exit()
        self.program = self.start()
        area = self.open_dialog()
        self.program.wait("the draft", lambda: text_of(area) == "good night")

    def test_a_second_signal_waits_for_the_last_keystrokes_too(self):
        area = self.open_dialog()
        with contextlib.closing(sqlite3.connect(self.home / "data/trunk/local/garden.db", isolation_level=None)) as other:
            # Until this transaction ends, the program can't write.
            other.execute("BEGIN IMMEDIATE")
            self.program.type("and still good night")
            self.program.wait("the text", lambda: text_of(area) == "and still good night")
            self.program.process.terminate()
            self.program.wait("the window to close", lambda: not list(self.program.application() or ()))
            self.program.process.terminate()
            with self.assertRaises(subprocess.TimeoutExpired):
                self.program.process.wait(timeout=1)
        self.program.wait_exit()
        self.program = self.start()
        area = self.open_dialog()
        self.program.wait("the draft", lambda: text_of(area) == "and still good night")

    def test_acknowledged_entries_survive_a_kill(self):
        self.open_dialog()
        self.program.type("written and shown")
        self.program.keys("ctrl+Return")
        self.program.find("label", "\u201cwritten and shown\u201d")
        self.program.kill()
        self.assertEqual([e["content"] for e in self.program.entries("cello")], ["written and shown"])
        self.program = self.start()
        self.program.find("push button", "Water: 2 of 3 left, 1 day in a row")


if __name__ == "__main__":
    unittest.main()
