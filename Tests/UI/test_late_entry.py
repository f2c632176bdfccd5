"""Entries whose texts arrive after their page was left."""

import contextlib
import sqlite3
import unittest

import events
from program import ProgramTestCase


class LateEntryTest(ProgramTestCase):
    def prepare(self):
        self.trunkctl("plant", "Path", "--twig", "core/movement")
        shone = events.event("sun_shone", events.days_ago(0), twigId="branch-4-twig-7", twigLabel="joy",
                             content="A warm kitchen in the evening", prompt="Where was it warm?")
        self.trunkctl("import", str(events.write(self.home / "garden.json", [shone])))

    @contextlib.contextmanager
    def locked_store(self):
        """Keeps the program's writes waiting, and so all reads after them."""
        path = next(self.home.rglob("garden.db"))
        with contextlib.closing(sqlite3.connect(path, timeout=60, isolation_level=None)) as lock:
            lock.execute("BEGIN IMMEDIATE")
            yield
            lock.execute("ROLLBACK")

    def row(self):
        journal = self.program.find("list", "Journal")
        return self.program.find("list item", lambda name: "A warm kitchen" in name, journal)

    def test_a_page_that_was_left_shows_nothing(self):
        program = self.program
        program.keys("ctrl+4")
        self.row()
        program.open("w", "Water")
        program.type("Along the river")
        program.keys("ctrl+Return")
        program.close_after_act("Water")
        row = self.row()
        with self.locked_store():
            # The message goes when the undo has begun, which now waits for the store.
            message = program.find_message("Watered \u201cPath\u201d")
            program.press(program.find("push button", "Undo", message))
            program.wait_gone("label", "Watered \u201cPath\u201d")
            program.activate(row)
            program.find("push button", "Earlier entry")
            self.assertEqual(program.find_all("label", "A warm kitchen in the evening"), [], "it was read already")
            program.keys("alt+Left")
            program.wait("the list alone", lambda: not program.find_all("push button", "Earlier entry", showing=False))
        program.wait_store("the undo", lambda: program.entries("Path") == [])
        # A text that is read now arrives after the late one.
        program.activate(self.row())
        program.find("label", "A warm kitchen in the evening")
        self.assertNotIn("CRITICAL", program.log())


if __name__ == "__main__":
    unittest.main()
