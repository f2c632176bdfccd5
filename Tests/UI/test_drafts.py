"""Unfinished texts in the built window: Today and the sprout's page show them, and they can be continued or discarded."""

import contextlib
import os
import pty
import signal
import sqlite3
import subprocess
import unittest

from program import BUILD, COMMAND_LIMIT, CONFIG, ProgramTestCase, text_of, variables


class DraftTest(ProgramTestCase):
    def prepare(self):
        self.trunkctl("plant", "Cello", "--twig", "voice/practice")

    def leave_a_draft(self, text):
        """Types into the water dialog and closes it."""
        program = self.program
        dialog = program.open("w", "Water")
        program.wait_focus(self.field(dialog))
        program.type(text)
        program.close("Water")

    def field(self, dialog):
        return self.program.find("text", within=dialog)

    def test_a_draft_is_continued_from_today_and_from_its_sprout(self):
        program = self.program
        self.leave_a_draft("Half a line")
        for opener in (None, "ctrl+3"):
            if opener:
                program.keys(opener)
                program.activate(program.find("list item", lambda name: name.startswith("Cello")))
                program.find("push button", "Uproot")
            program.find_text("Half a line")
            program.check_names()
            dialog = program.open(program.find("push button", "Continue: Water \u201cCello\u201d"), "Water")
            program.wait("the text", lambda: text_of(self.field(dialog)) == "Half a line")
            program.close("Water")
        program.open(program.find("push button", "Continue: Water \u201cCello\u201d"), "Water")
        program.keys("ctrl+Return")
        program.close_after_act("Water")
        program.wait_gone("push button", "Continue: Water \u201cCello\u201d")
        self.assertEqual([entry["content"] for entry in program.entries("cello")], ["Half a line"])

    def test_a_draft_is_discarded_and_brought_back(self):
        program = self.program
        self.leave_a_draft("Half a line")
        program.press(program.find("push button", "Discard: Water \u201cCello\u201d"))
        program.find_message("Draft discarded")
        program.wait_gone("label", "Half a line")
        program.press_in_message("Draft discarded", "Undo")
        program.find_text("Half a line")

    def type_at_terminal(self, text, *arguments):
        """Runs trunkctl at a terminal, where the user types a text. Returns its exit code and its messages."""
        terminal, inside = pty.openpty()
        with contextlib.ExitStack() as stack:
            stack.callback(os.close, terminal)
            with subprocess.Popen([BUILD / CONFIG / "trunkctl", *arguments], env=variables(self.home, self.env),
                                  stdin=inside, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
                os.close(inside)
                os.write(terminal, f"{text}\n\x04".encode())
                _, messages = process.communicate(timeout=COMMAND_LIMIT)
        return process.returncode, messages

    def test_a_text_that_is_too_long_at_the_terminal_is_a_draft(self):
        program = self.program
        self.leave_a_draft("Half a line")
        program.find_text("Half a line")
        lines = "\n".join(["Slow bow, less arm." * 10] * 11)
        code, messages = self.type_at_terminal(lines, "water", "cello")
        self.assertEqual(code, 1)
        self.assertIn("The limit is 2000.", messages)
        self.assertIn("Your draft is saved.", messages)
        dialog = program.open(program.find("push button", "Continue: Water \u201cCello\u201d"), "Water")
        program.wait("the text", lambda: text_of(self.field(dialog)) == "Half a line\n" + lines)

    @contextlib.contextmanager
    def lock(self):
        """Holds the garden's lock, as another program could."""
        path = self.home / "data/trunk/local/garden.db"
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            yield

    def drafts(self):
        path = self.home / "data/trunk/local/garden.db"
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            return [text for text, in database.execute("SELECT text FROM drafts")]

    def keep_open(self):
        program = self.program
        title = "Your text isn\u2019t saved yet"
        program.press(program.find("push button", lambda name: name.startswith("Keep Open"), program.dialog(title)))
        program.wait_closed(title)
        program.wait_focus(self.field(program.dialog("Water")))

    def test_the_window_asks_before_it_closes_with_an_unsaved_text(self):
        program = self.program
        with self.lock():
            dialog = program.open("w", "Water")
            program.wait_focus(self.field(dialog))
            program.type("Half a line")
            for _ in range(2):
                program.keys("ctrl+q")
                self.keep_open()
        program.wait("the draft", lambda: self.drafts() == ["Half a line"])
        program.keys("ctrl+q")
        self.assertEqual(program.process.wait(program.deadline), 0)

    def test_an_unsaved_text_survives_the_end_of_the_session(self):
        program = self.program
        with self.lock():
            dialog = program.open("w", "Water")
            program.wait_focus(self.field(dialog))
            program.type("Half a line")
            program.wait("the text", lambda: text_of(self.field(dialog)) == "Half a line")
            program.process.send_signal(signal.SIGTERM)
            self.assertEqual(program.process.wait(program.deadline), 0)
        self.assertEqual(self.drafts(), [])
        program.stop()
        self.start().find("push button", "Continue: Water \u201cCello\u201d")
        self.assertEqual(self.drafts(), ["Half a line"])


if __name__ == "__main__":
    unittest.main()
