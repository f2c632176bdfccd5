"""Questions and messages when a window starts: about entries elsewhere on this computer, and about a sign-out."""

import contextlib
import sqlite3
import unittest

from account import open_account, setUpModule, wait_sync  # noqa: F401
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

    def is_stored(self, computer, key):
        """Whether the account's garden has this value."""
        paths = [path for path in computer.home.glob("data/trunk/*/garden.db") if path.parent.name != "local"]
        with contextlib.closing(sqlite3.connect(paths[0], timeout=60)) as database:
            return database.execute("SELECT count(*) FROM meta WHERE key = ?", (key,)).fetchone()[0] > 0

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

    def test_a_signed_in_window_asks_until_answered_and_then_never_by_itself(self):
        here = self.signed_in_with_both()
        program = self.window(here)
        self.question(program, UPLOAD)
        program.check_names()
        # Closing the window decides nothing.
        program.stop()

        program = self.window(here)
        self.answer(program, self.question(program, UPLOAD), "Keep on")
        self.answer(program, self.question(program, RESTORE), "Not Now")
        program.wait_store("the answer", lambda: self.is_stored(here, "restore-postponed"))
        program.stop()

        # Both offers are in the account dialog now.
        program = self.window(here)
        wait_sync(program, "synced")
        dialog = open_account(program)
        program.find("push button", "Add to This Account\u2026", dialog)
        self.assertEqual([title for title in self.titles(program) if UPLOAD in title or RESTORE in title], [])
        program.press(program.find("push button", "Restore\u2026", dialog))
        self.answer(program, self.question(program, RESTORE), "Restore")
        program.wait("the entry", lambda: self.seedlings(here) == ["Only in the copy"])

    def test_keys_meant_for_something_else_answer_nothing(self):
        here = self.computer()
        here.json("seed", "Written before", "--twig", "heart/joy")
        here.login()
        program = self.window(here)
        question = self.question(program, UPLOAD)
        program.focus(UPLOAD)
        # No answer has the focus.
        program.keys("Return", "space", "Return")
        self.assertEqual(self.question(program, UPLOAD), question)
        self.assertEqual(self.seedlings(here), [])
        # Escape keeps everything here once the first second is over, and the answer is kept.
        program.wait("the end of the question", lambda: UPLOAD not in self.titles(program) or program.keys("Escape"))
        program.find_message("Your earlier entries stay on this computer. You can upload them later in the account dialog.")
        program.stop()
        program = self.window(here)
        wait_sync(program, "synced")
        dialog = open_account(program)
        program.find("push button", "Add to This Account\u2026", dialog)
        self.assertEqual([title for title in self.titles(program) if UPLOAD in title], [])

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
