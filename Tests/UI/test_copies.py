"""The copies of signed-out gardens: what is restored from them, what isn't, and when they can be deleted."""

import contextlib
import pathlib
import shutil
import sqlite3
import unittest

from account import EMAIL, setUpModule  # noqa: F401
from computer import ComputerTestCase
from server import Device, Server


class CopiesTest(ComputerTestCase):
    def signed_in(self, *ideas):
        here = self.computer()
        here.login()
        self.write(here, *ideas)
        here.json("sync")
        return here

    def write(self, here, *ideas):
        for idea in ideas:
            here.json("seed", idea, "--twig", "heart/joy")

    def on_server(self, server=None):
        return {event["title"] for event in Device(server or self.server, EMAIL).events()}

    def lose(self, *ideas):
        """Restores the server to its state before these ideas were written."""
        self.server.kill()
        with contextlib.closing(sqlite3.connect(self.server.folder / "trunk-server.db")) as database:
            for idea in ideas:
                database.execute("DELETE FROM events WHERE json_extract(payload, '$.title') = ?", (idea,))
            database.commit()
        self.server.start()

    def garden(self, here):
        return next(path for path in here.home.glob("data/trunk/*-*/garden.db") if path.parent.name != "signed-out")

    def copies(self, here):
        return sorted(here.home.glob("data/trunk/signed-out/*/*/garden.db"))

    def draft(self, here, text):
        with contextlib.closing(sqlite3.connect(self.garden(here), timeout=10)) as database:
            database.execute("INSERT OR REPLACE INTO drafts (kind, entity, day, updated, text) VALUES ('sun', '', '', 1, ?)",
                             (text,))
            database.commit()

    def drafts(self, here):
        with contextlib.closing(sqlite3.connect(self.garden(here), timeout=10)) as database:
            return [text for text, in database.execute("SELECT text FROM drafts")]

    def unwrap(self, text):
        """Returns the text without its line breaks, which depend on the width of the terminal."""
        return " ".join(text.split())

    # Deleting

    def test_copies_with_more_than_the_server_are_never_deleted(self):
        here = self.signed_in("Sent")
        self.server.kill()
        self.write(here, "Only here")
        rich = here.json("logout", "--keep-copy")["copy"]
        self.server.start()
        self.assertEqual(here.login()["restorable"], 1)
        code, _, stderr = here.run("logout", "--delete-copies", given="delete\n")
        self.assertEqual(code, 0)
        self.assertIn(f"All copies and backups stay: the server may not have every entry that is in \u201c{rich}\u201d.", stderr)
        self.assertEqual(len(self.copies(here)), 2)
        here.login()
        self.assertEqual(here.json("restore")["restored"], 1)
        # Now the server has all entries of the copies.
        stderr = self.unwrap(here.run("logout", "--delete-copies", given="delete\n")[2])
        self.assertIn(f"Delete 3 copies in {pathlib.Path(rich).parent.parent} permanently?", stderr)
        self.assertIn("The copies and backups are deleted.", stderr)
        self.assertEqual(self.copies(here), [])
        self.assertEqual(self.on_server(), {"Sent", "Only here"})

    def test_a_backup_with_more_than_the_server_prevents_deletion(self):
        here = self.signed_in("Sent", "Lost")
        here.json("backup")
        self.lose("Lost")
        here.json("sync", "--full")
        [backup] = sorted(self.garden(here).parent.glob("backups/*.json"))[:1]
        stderr = here.run("logout", "--delete-copies", given="delete\n")[2]
        self.assertIn("All copies and backups stay", stderr)
        self.assertTrue(backup.exists())

    def test_the_question_lists_what_is_deleted_and_what_stays(self):
        here = self.signed_in("Sent")
        here.json("backup")
        self.draft(here, "half a sentence")
        damaged = self.garden(here).with_name("garden.db.damaged-1")
        damaged.write_text("damaged")
        second = here.home / "second"
        config = here.home / "config/trunk"
        config.mkdir(parents=True, exist_ok=True)
        with (config / "trunk.conf").open("a") as file:
            file.write(f"\n[backups]\nfolder={second}\n")
        _, stdout, stderr = here.run("logout", "--delete-copies", given="delete\n")
        self.assertIn(f"Backups stay in {damaged.parent}/backups", self.unwrap(stdout))
        stderr = self.unwrap(stderr)
        self.assertIn(f"and 1 backup in {damaged.parent}/backups permanently?", stderr)
        self.assertIn("are deleted too: 1 draft.", stderr)
        self.assertIn(f"Backups in {second} stay. Damaged files that Trunk has set aside in {damaged.parent} stay.", stderr)
        self.assertIn("The copies and backups are deleted.", stderr)
        self.assertEqual(list(here.home.glob("data/trunk/*/backups/*")), [])
        self.assertEqual(damaged.read_text(), "damaged")

    # Decisions

    def test_entries_given_up_to_the_server_are_offered_only_on_request(self):
        ideas = [f"Idea {number}" for number in range(30)]
        here = self.signed_in(*ideas)
        here.json("logout")
        here.login()
        self.lose(*ideas[3:])
        self.assertEqual(here.run("sync")[0], 7)
        here.json("sync", "--follow-server")
        here.json("logout")
        offer = here.login()
        # Removed entries are kept as superseded versions, which are never sent to a server.
        self.assertEqual((offer["restorable"], offer["restorableSuperseded"]), (0, 27))
        report = here.json("restore")
        self.assertEqual((report["restored"], [earlier["entries"] for earlier in report["earlier"]]), (0, [27]))
        self.assertEqual(len(self.on_server()), 3)
        code, stdout, stderr = here.run("restore", given="no\n")
        self.assertEqual(code, 0, stderr)
        self.assertIn("Copies that you decided about earlier contain more:", stdout)
        self.assertIn(": 27 entries", stdout)
        self.assertIn("They stay in the copies.", stderr)
        self.assertEqual(len(self.on_server()), 3)
        self.assertIn("27 entries were restored.", here.run("restore", given="restore\n")[1])
        self.assertEqual(self.on_server(), set(ideas))

    # Restoring

    def test_superseded_versions_are_restored(self):
        here = self.signed_in("My words")
        path = here.home / "export.json"
        here.json("export", str(path))
        path.write_text(path.read_text().replace("My words", "Other words"))
        self.assertEqual(here.json("import", str(path))["conflicts"], 1)
        here.json("logout")
        _, stdout, _ = here.type_code()
        self.assertIn("1 superseded version is in a copy of this garden.", self.unwrap(stdout))
        self.assertNotIn("not on the server", stdout)
        self.assertEqual(here.json("restore")["superseded"], 1)
        self.assertIn("Other words", here.run("log", "--superseded")[1])
        self.assertEqual(here.json("restore")["superseded"], 0)
        self.assertEqual(self.on_server(), {"My words"})

    def test_drafts_are_restored_once_and_not_as_entries(self):
        here = self.signed_in("Sent")
        self.draft(here, "first words")
        here.json("logout")
        here.login()
        self.draft(here, "second words")
        here.json("logout")
        offer = here.login()
        self.assertEqual((offer["restorable"], offer["restorableDrafts"]), (0, 1))
        self.assertEqual([here.json("restore")["drafts"] for _ in range(3)], [1, 0, 0])
        self.assertEqual(self.drafts(here), ["second words"])
        # The draft has changed since, so it isn't restored a second time.
        self.draft(here, "third")
        here.json("restore")
        self.assertEqual(self.drafts(here), ["third"])

    # Copies that are left out

    def test_damaged_copies_and_stray_files_do_not_block_the_others(self):
        here = self.signed_in("A", "B")
        older = pathlib.Path(here.json("logout")["copy"])
        here.login()
        newer = pathlib.Path(here.json("logout")["copy"])
        here.login(email="ben@example.org")
        bens = pathlib.Path(here.json("logout")["copy"])
        newer.write_bytes(b"no database")
        bens.write_bytes(b"")
        (older.parent.parent.parent / ".directory").write_text("[Desktop Entry]\n")
        (older.parent.parent / "notes.txt").write_text("mine")
        self.lose("A", "B")
        code, stdout, stderr = here.type_code()
        self.assertEqual(code, 0)
        self.assertIn("2 entries on this computer are not on the server.", self.unwrap(stdout))
        self.assertIn(f"The copy \u201c{newer}\u201d is damaged. It was not changed.", stderr)
        self.assertNotIn(str(bens), stderr)
        report = here.json("restore")
        self.assertEqual((report["restored"], report["copies"], len(report["notices"])), (2, [str(older)], 1))
        self.assertEqual(self.on_server(), {"A", "B"})
        # It is an error if no copy can be read.
        older.write_bytes(b"")
        code, _, stderr = here.run("restore")
        self.assertEqual(code, 4)
        self.assertIn(str(older), stderr)

    def test_a_linked_folder_of_copies_is_reported(self):
        here = self.signed_in("A")
        folder = pathlib.Path(here.json("logout")["copy"]).parent.parent
        elsewhere = here.home / "elsewhere"
        folder.rename(elsewhere)
        folder.symlink_to(elsewhere)
        self.lose("A")
        code, stdout, stderr = here.type_code()
        self.assertEqual(code, 0)
        self.assertNotIn("not on the server", stdout)
        self.assertIn(f"\u201c{folder}\u201d is a link.", self.unwrap(stderr))
        code, _, stderr = here.run("restore")
        self.assertEqual(code, 4)
        self.assertIn(f"\u201c{folder}\u201d is a link.", self.unwrap(stderr))
        code, _, stderr = here.run("logout")
        self.assertEqual(code, 4)
        self.assertIn("is a link.", self.unwrap(stderr))
        # Do what the message recommends.
        folder.unlink()
        elsewhere.rename(folder)
        self.assertEqual(here.json("restore")["restored"], 1)
        self.assertEqual(self.on_server(), {"A"})

    def test_copies_of_another_server_are_not_sent_to_this_one(self):
        other = Server()
        self.addCleanup(other.stop)
        here = self.computer()
        here.login()
        self.server.kill()
        other.kill()
        # A copied project has the same users with the same IDs.
        for path in self.server.folder.glob("trunk-server.db*"):
            shutil.copyfile(path, other.folder / path.name)
        self.server.start()
        other.start()
        self.write(here, "Of the first server")
        here.json("sync")
        copy = here.json("logout")["copy"]
        here.server = other
        code, stdout, stderr = here.type_code()
        self.assertEqual(code, 0)
        self.assertNotIn("not on the server", stdout)
        self.assertIn(f"The copy \u201c{copy}\u201d belongs to {self.server.url} and was left out.", stderr)
        self.assertEqual(here.json("restore")["restored"], 0)
        self.assertEqual(self.on_server(other), set())
        self.assertEqual(here.json("restore", "--moved")["restored"], 1)
        self.assertEqual(self.on_server(other), {"Of the first server"})
        # The user has decided, so the copy isn't mentioned again.
        here.json("logout")
        self.assertNotIn(copy, here.type_code()[2])


if __name__ == "__main__":
    unittest.main()
