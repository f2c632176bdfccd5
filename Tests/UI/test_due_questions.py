"""Questions and messages when a window starts: about entries elsewhere on this computer, and about a sign-out."""

import contextlib
import sqlite3
import unittest

from account import setUpModule, wait_sync  # noqa: F401
from computer import ComputerTestCase
from program import Program, text_of

UPLOAD = "Add your earlier entries to this account?"
RESTORE = "1 entry on this computer is not on the server"


class DueQuestionsTest(ComputerTestCase):
    def window(self, computer):
        """Starts a window on this computer, which ends with the test at the latest."""
        program = Program(home=computer.home, env=self.server.env)
        self.addCleanup(program.stop)
        return program.__enter__()

    def question(self, program, start):
        return program.find("dialog", lambda name: start in name)

    def answer(self, program, question, start):
        program.press(program.find("push button", lambda name: name.startswith(start), question))

    def titles(self, program):
        return [window.name for window in program.application() or () if window]

    def signed_in_with_both(self):
        """Returns a signed-in computer with an entry in its local garden and one in a copy."""
        here = self.computer()
        here.json("seed", "Written before", "--twig", "heart/joy")
        here.login()
        here.json("seed", "Only in the copy", "--twig", "heart/joy")
        here.json("sync")
        self.server.kill()
        with contextlib.closing(sqlite3.connect(self.server.folder / "trunk-server.db")) as database:
            database.execute("DELETE FROM events")
            database.commit()
        self.server.start()
        here.json("logout", "--keep-copy")
        here.login()
        return here

    def seedlings(self, computer):
        return sorted(each["title"] for each in computer.json("list", "--seedlings")["seedlings"])

    def test_a_signed_in_window_asks_at_each_start_until_answered(self):
        here = self.signed_in_with_both()
        program = self.window(here)
        question = self.question(program, UPLOAD)
        program.check_names()
        self.answer(program, question, "Not Now")
        self.answer(program, self.question(program, RESTORE), "Not Now")
        wait_sync(program, "synced")
        program.stop()

        # Both questions are asked again, because the user decided nothing.
        program = self.window(here)
        self.answer(program, self.question(program, UPLOAD), "Keep on")
        self.question(program, RESTORE)
        # Closing the window decides nothing.
        program.stop()

        program = self.window(here)
        question = self.question(program, RESTORE)
        self.assertEqual([title for title in self.titles(program) if UPLOAD in title], [])
        self.answer(program, question, "Restore")
        program.wait("the entry", lambda: self.seedlings(here) == ["Only in the copy"])

    def test_a_question_waits_until_no_dialog_is_open(self):
        here = self.computer()
        here.json("seed", "Written before", "--twig", "heart/joy")
        here.login()
        self.server.kill()
        program = self.window(here)
        program.find("push button", lambda name: name.startswith("Sync: offline"))
        dialog = program.open("ctrl+n", "Note an Idea")
        self.server.start()
        field = program.find("text", within=dialog)
        program.wait_focus(field)
        program.type("Half a tho")
        wait_sync(program, "synced")
        program.type("ught")
        program.wait("the whole text", lambda: text_of(field) == "Half a thought")
        self.assertEqual([title for title in self.titles(program) if UPLOAD in title], [])
        program.keys("Escape")
        self.answer(program, self.question(program, UPLOAD), "Upload")
        program.wait("the entry", lambda: self.seedlings(here) == ["Written before"])

    def test_the_next_window_names_the_copy_of_a_terminal_sign_out(self):
        here = self.computer()
        here.login()
        here.json("seed", "An idea", "--twig", "heart/joy")
        here.json("sync")
        copy = here.json("logout")["copy"]
        program = self.window(here)
        message = self.question(program, "Signed out")
        program.find("label", lambda name: copy in name, message)
        self.answer(program, message, "Close")
        conf = here.home / "data/trunk/account.conf"
        program.wait("the note to be removed", lambda: copy not in conf.read_text())


if __name__ == "__main__":
    unittest.main()
