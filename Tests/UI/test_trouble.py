"""Problems with the disk are reported clearly in the window, and nothing is lost."""

import contextlib
import os
import sqlite3
import unittest

from program import Program, ProgramTestCase, output

# Root can write everywhere. Without this capability it is like any other user.
AS_OTHERS = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search") if os.getuid() == 0 else ()


class TroubleTest(ProgramTestCase):
    def setUp(self):
        self.under = ()
        super().setUp()

    def prepare(self):
        self.trunkctl("plant", "Cello", "--twig", "voice/practice", "--season", "2w")
        self.trunkctl("water", "cello", "-m", "kept")
        self.folder = self.home / "data" / "trunk" / "local"
        self.store = self.folder / "garden.db"

    def start(self):
        return None

    def run_program(self, under=(), env=None):
        self.program = Program(home=self.home, under=under, env=env)
        self.addCleanup(self.program.stop)
        return self.program.__enter__()

    def test_a_newer_store_can_be_read(self):
        with sqlite3.connect(self.store) as database:
            version = database.execute("PRAGMA user_version").fetchone()[0]
            database.execute(f"PRAGMA user_version = {version + 1}")
            # With the same tables, the version would be a damaged one.
            database.execute("CREATE TABLE later (id INTEGER PRIMARY KEY)")
        program = self.run_program()
        program.find_text("written by a newer version of Trunk")
        program.find("list item", lambda name: name.startswith("Cello, "))
        program.open("n", "Plant a Sprout")
        program.type("New")
        program.choose_place()
        program.keys("ctrl+Return")
        program.find("label", lambda name: "newer version" in name, within=program.top_level("Plant a Sprout"))
        with sqlite3.connect(self.store) as database:
            database.execute(f"PRAGMA user_version = {version}")
            database.execute("DROP TABLE later")
        self.assertEqual([s["title"] for s in self.trunkctl("list")["sprouts"]], ["Cello"])

    def test_a_damaged_store_is_recovered_and_kept(self):
        damage = bytes(range(256)) * 8
        with open(self.store, "r+b") as file:
            file.write(damage)
        program = self.run_program()
        program.find_text("was damaged")
        kept = [path for path in self.folder.rglob("*") if path.is_file() and path.read_bytes()[:2048] == damage]
        self.assertTrue(kept, "the damaged file is gone")

    def test_a_recovery_by_a_script_is_shown_until_it_is_closed(self):
        with open(self.store, "r+b") as file:
            file.write(bytes(range(256)) * 8)
        self.assertEqual([s["title"] for s in self.trunkctl("list")["sprouts"]], ["Cello"])
        program = self.run_program()
        program.find_text("was damaged")
        program.stop()
        program = self.run_program()
        program.find_text("was damaged")
        program.press(program.find("push button", "Dismiss"))
        program.wait("the report to be forgotten", lambda: not self.recoveries())
        program.stop()
        program = self.run_program()
        program.find("list item", lambda name: name.startswith("Cello, "))
        self.assertEqual(program.find_all("label", lambda name: "was damaged" in name), [])

    def recoveries(self):
        with sqlite3.connect(self.store) as database:
            return database.execute("SELECT value FROM meta WHERE key = 'recoveries'").fetchall()

    def test_the_garden_of_another_computer_is_offered_and_merged(self):
        """A service that syncs the folder has kept the other computer's file beside the garden's."""
        other = self.folder / "garden.sync-conflict-20261128-081500.db"
        before = self.store.read_bytes()
        self.trunkctl("seed", "only there", "--twig", "voice/practice")
        other.write_bytes(self.store.read_bytes())
        self.store.write_bytes(before)
        # It says that the file has lost an entry.
        (self.folder / "garden.mark").unlink()
        program = self.run_program()
        program.find_text("has 1 entry that is not here")
        program.press(program.find("push button", "Preview\u2026"))
        program.top_level("Import")
        program.find_text("only there")
        program.press(program.find("push button", "Import 1"))
        program.find_text("1 entry was imported.")
        program.wait("the file to be moved", lambda: (self.folder / "merged" / other.name).exists())
        self.assertFalse(other.exists())
        self.assertEqual([s["title"] for s in self.trunkctl("list", "--seedlings")["seedlings"]], ["only there"])
        program.wait("the notice to go", lambda: not program.find_all("push button", "Preview\u2026"))

    def test_a_missing_store_names_its_backups(self):
        self.trunkctl("backup")
        for path in self.folder.glob("garden*"):
            path.unlink()
        with self.assertRaisesRegex(AssertionError, "exit code 4"):
            self.trunkctl("list")
        program = self.run_program()
        program.find_text("file is missing")
        self.assertFalse(self.store.exists())
        program.wait_focus(program.find("push button", "Restore Newest Backup"))
        program.keys("Return")
        program.find("list item", lambda name: name.startswith("Cello, "))
        self.assertEqual([s["title"] for s in self.trunkctl("list")["sprouts"]], ["Cello"])

    def test_a_missing_store_starts_over_only_on_request(self):
        self.trunkctl("backup")
        for path in self.folder.glob("garden.db*"):
            path.unlink()
        program = self.run_program()
        program.press(program.find("push button", "Start Over"))
        program.find_text("What do you want to grow?")
        self.assertTrue(list(self.folder.glob("backups/*.json")))

    def test_a_read_only_folder_can_be_read(self):
        for path in [self.folder, *self.folder.iterdir()]:
            path.chmod(0o500 if path.is_dir() else 0o400)
        self.addCleanup(lambda: [path.chmod(0o700) for path in [self.folder, *self.folder.iterdir()]])
        program = self.run_program(under=AS_OTHERS)
        program.find_text("can\u2019t be written")
        program.find("list item", lambda name: name.startswith("Cello, "))

    def test_a_folder_that_cannot_be_created_can_be_retried(self):
        blocked = self.home / "blocked"
        blocked.write_text("a file")
        program = self.run_program(env={"XDG_DATA_HOME": str(blocked)})
        program.find_text("Your garden could not be opened")
        program.find_text("should be a folder, but is a file")
        blocked.unlink()
        program.press(program.find("push button", "Try Again"))
        program.find_text("What do you want to grow?")

    def test_unwritable_settings_are_reported(self):
        (self.home / "config").write_text("a file")
        program = self.run_program()
        program.find("list item", lambda name: name.startswith("Cello, "))
        program.open("ctrl+comma", "Preferences")
        program.press(program.find("radio button", "Dark"))
        program.find("label", lambda name: "can\u2019t be used" in name or "folder" in name)

    def is_asked(self):
        with contextlib.closing(sqlite3.connect(self.store)) as store:
            return store.execute("SELECT count(*) FROM drafts WHERE asked IS NOT NULL").fetchone() == (1,)

    def test_starts_without_a_bus_and_keeps_working(self):
        # Without a bus there is no AT-SPI either, so the test reads the effect of the keys from the store.
        program = Program(home=self.home, env={"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent", "GTK_A11Y": "none"})
        self.addCleanup(program.stop)
        program.focus()
        program.keys("s")
        # The dialog takes the focus without a window manager.
        program.wait("the dialog", lambda: output("xdotool", "getwindowfocus", "getwindowname") == "Shine\n")
        program.type("without a bus")
        # The test sees in the store that the dialog has its question: the draft contains it.
        program.wait_store("the question", self.is_asked)
        program.keys("ctrl+Return")
        program.wait_store("the reflection", lambda: program.trunkctl("status")["sun"]["left"] == 0)


if __name__ == "__main__":
    unittest.main()
