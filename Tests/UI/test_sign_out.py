"""Signing out loses nothing: everything that leaves a computer is on the server or in a copy, and the program names the
copy."""

import contextlib
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

import events
from account import EMAIL, setUpModule, wait_local, wait_sync  # noqa: F401
from computer import Computer, ComputerTestCase
from gate import Gate
from program import Program, temporary_folder
from server import Device

SHIM = pathlib.Path(__file__).parent.parent / "Support/FaultShim/fault-shim.c"
MISSING = 7


def texts(path):
    """Returns the seedlings in a garden's file, including those only in its write-ahead log."""
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("", "-wal"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copy(str(path) + suffix, folder + "/garden.db" + suffix)
        with contextlib.closing(sqlite3.connect(folder + "/garden.db")) as database:
            try:
                rows = database.execute("SELECT json_extract(raw, '$.title') FROM events")
                return {title for (title,) in rows}
            except sqlite3.DatabaseError:
                return set()


class SignOutTest(ComputerTestCase):
    def signed_in(self, count):
        """Returns a computer whose account has this many seedlings, all of them sent."""
        here = self.computer()
        here.login()
        self.ideas = {f"Idea {number}" for number in range(count)}
        for idea in sorted(self.ideas):
            here.json("seed", idea, "--twig", "heart/joy")
        here.json("sync")
        return here

    @contextlib.contextmanager
    def database(self):
        """Opens the server's database while the server is stopped."""
        self.server.kill()
        with contextlib.closing(sqlite3.connect(self.server.folder / "trunk-server.db")) as database:
            yield database
            database.commit()
        self.server.start()

    def keep(self, count):
        """Restores the server to a state in which it had this many rows."""
        with self.database() as database:
            database.execute("DELETE FROM events WHERE id NOT IN (SELECT id FROM events ORDER BY created_at LIMIT ?)",
                             (count,))

    def test_what_was_hidden_is_hidden_again_after_signing_in(self):
        here = self.signed_in(0)
        here.json("plant", "Cello", "--twig", "voice/practice")
        here.json("water", "Cello", "-m", "A line for myself")
        here.json("hide", "for myself")
        here.json("sync")
        here.json("logout")
        here.login()
        here.json("sync")
        self.assertEqual(len(here.json("hide")["hidden"]), 1)
        self.assertNotIn("A line for myself", here.run("log")[1])
        # What the user shows then stays so.
        here.json("hide", "--undo", "for myself")
        here.login()
        self.assertIn("A line for myself", here.run("log")[1])

    def check_copy(self, path):
        path = pathlib.Path(path)
        self.assertEqual(texts(path), self.ideas)
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        self.assertEqual(path.parent.stat().st_mode & 0o777, 0o700)

    def garden(self, here):
        return next(path for path in here.home.glob("data/trunk/*-*/garden.db") if path.parent.name != "signed-out")

    def test_a_server_that_lost_everything_is_reported(self):
        here = self.signed_in(20)
        self.keep(0)
        code, stdout, stderr = here.run("logout")
        self.assertEqual(code, MISSING, stderr)
        self.assertIn("20 entries on this computer are not on the server.", stderr)
        for idea in self.ideas:
            self.assertIn(idea, stdout)
        self.assertNotIn("Signed out", stdout)
        self.assertEqual(texts(self.garden(here)), self.ideas)
        report = here.json("logout", "--keep-copy")
        self.assertEqual((report["signedOut"], report["checked"]), (True, True))
        self.assertEqual({(entry["reason"], entry["text"]) for entry in report["missing"]},
                         {("lost", idea) for idea in self.ideas})
        self.check_copy(report["copy"])
        self.assertEqual(texts(self.garden(here)), set())

    def test_lost_entries_can_be_sent_again(self):
        here = self.signed_in(20)
        self.keep(4)
        report = here.json("logout", "--upload-again")
        self.assertEqual((report["checked"], report["missing"]), (True, []))
        self.check_copy(report["copy"])
        self.assertEqual({event["title"] for event in Device(self.server, EMAIL).events()}, self.ideas)

    def test_a_server_that_was_set_up_again_gets_the_entries_from_a_copy(self):
        """The new server doesn't know the session, so nothing can be compared; the same address gets another id."""
        here = self.signed_in(5)
        self.server.kill()
        shutil.rmtree(self.server.folder)
        self.server.folder.mkdir()
        self.server.start()
        code, stdout, _ = here.run("logout")
        self.assertEqual(code, 0)
        self.assertIn("The server couldn\u2019t be checked: ", stdout)
        (copy,) = here.home.glob("data/trunk/signed-out/*/*/garden.db")
        self.assertIn(f"A copy of this garden is in \u201c{copy}\u201d.\n", stdout)
        self.check_copy(copy)
        self.assertEqual(here.login()["restorable"], 5)
        self.assertEqual(here.json("restore")["restored"], 5)
        self.assertEqual({event["title"] for event in Device(self.server, EMAIL).events()}, self.ideas)

    def test_a_restored_server_gets_back_what_it_lacks(self):
        here = self.signed_in(33)
        here.json("logout")
        self.keep(3)
        code, stdout, stderr = here.type_code()
        self.assertEqual(code, 0, stderr)
        self.assertIn("30 entries on this computer are not on the server. \u201ctrunkctl restore\u201d restores them.",
                      " ".join(stdout.split()))
        report = here.json("restore", "--dry-run")
        self.assertEqual((report["restored"], report["dryRun"]), (30, True))
        self.assertEqual(len(Device(self.server, EMAIL).events()), 3)
        report = here.json("restore")
        self.assertEqual((report["restored"], report["pending"]), (30, 0))
        events = Device(self.server, EMAIL).events()
        self.assertEqual({event["title"] for event in events}, self.ideas)
        self.assertEqual(len({event["client_id"] for event in events}), 33)
        # Restoring again changes nothing, and the copy stays.
        self.assertEqual(here.json("restore")["restored"], 0)
        self.assertEqual(len(Device(self.server, EMAIL).events()), 33)
        self.check_copy(report["copies"][0])

    def test_signing_out_without_the_server_keeps_entries_in_a_copy(self):
        here = self.signed_in(3)
        self.server.kill()
        code, stdout, stderr = here.run("logout")
        self.assertEqual(code, 0, stderr)
        self.assertIn("The server couldn\u2019t be checked: ", stdout)
        (copy,) = here.home.glob("data/trunk/signed-out/*/*/garden.db")
        self.assertIn(str(copy), stdout)
        self.check_copy(copy)
        self.assertEqual(here.run("sync")[0], 3)

    def test_a_session_that_the_server_did_not_end_is_reported(self):
        gate = Gate(self.server, b"")
        gate.open()
        self.addCleanup(gate.stop)
        here = self.computer()
        here.env["SUPABASE_URL"] = gate.url
        here.login()
        gate.broken = "/auth/v1/logout"
        code, stdout, stderr = here.run("logout")
        self.assertEqual(code, 0, stderr)
        self.assertIn("Signed out.", stdout)
        self.assertIn("The session on the server could not be ended", stderr)
        self.assertEqual(here.run("sync")[0], 3)

    def test_the_only_backups_of_an_entry_are_not_to_be_deleted(self):
        here = self.computer()
        here.json("seed", "Local", "--twig", "heart/joy")
        here.login()
        here.json("sync", "--upload")
        advice = f"delete the folder {here.home}/data/trunk/local."
        self.assertIn(advice, " ".join(here.run("logout")[1].split()))
        here.login()
        # The garden may have been started over when its file was missing.
        backups = here.home / "data/trunk/local/backups"
        backups.mkdir(exist_ok=True)
        events.write(backups / "trunk-20200101-080000.json", events.planted("Old", events.days_ago(900))[1])
        stdout = " ".join(here.run("logout")[1].split())
        self.assertIn("stays on this computer", stdout)
        self.assertNotIn("delete the folder", stdout)

    def test_unsent_entries_are_restored_as_unsent(self):
        here = self.signed_in(3)
        self.server.kill()
        here.json("seed", "Unsent", "--twig", "heart/joy")
        self.ideas.add("Unsent")
        code, stdout, stderr = here.run("logout")
        self.assertEqual(code, MISSING)
        self.assertIn("Unsent", stdout)
        self.assertIn("1 entry on this computer is not on the server.", stderr)
        self.check_copy(here.json("logout", "--keep-copy")["copy"])
        self.server.start()
        self.assertEqual(here.login()["restorable"], 1)
        self.assertEqual(here.json("restore")["restored"], 1)
        self.assertEqual(len(Device(self.server, EMAIL).events()), 4)

    def test_another_account_never_sees_the_copy(self):
        here = self.signed_in(3)
        here.json("logout")
        self.keep(0)
        self.assertEqual(here.login(email="ben@example.org")["restorable"], 0)
        report = here.json("restore")
        self.assertEqual((report["restored"], report["copies"]), (0, []))
        self.assertEqual(Device(self.server, "ben@example.org").events(), [])

    def test_nothing_happens_if_no_copy_can_be_written(self):
        here = self.signed_in(3)
        blocked = here.home / "data/trunk/signed-out"
        blocked.write_text("a file")
        code, stdout, stderr = here.run("logout")
        self.assertEqual((code, stdout), (4, ""))
        self.assertIn(f"\u201c{blocked}", stderr)
        self.assertEqual(texts(self.garden(here)), self.ideas)
        self.assertEqual(here.json("sync")["pending"], 0)

    def test_copies_are_deleted_only_after_a_word_is_typed(self):
        here = self.signed_in(2)
        here.json("backup")
        self.assertEqual(here.run("logout", "--delete-copies", given="no\n")[0], 0)
        self.assertEqual(len(list(here.home.glob("data/trunk/signed-out/*/*/garden.db"))), 1)
        here.login()
        self.assertIn("The copies and backups are deleted.", here.run("logout", "--delete-copies", given="delete\n")[2])
        self.assertEqual(list(here.home.glob("data/trunk/signed-out/*/*/*")), [])
        self.assertEqual(list(here.home.glob("data/trunk/*/backups/*")), [])
        # Deleting is not offered if these may be the only copies.
        here.login()
        self.server.kill()
        self.assertIn("All copies and backups stay: the server couldn\u2019t be checked.", here.run("logout", "--delete-copies", given="delete\n")[2])
        self.assertEqual(len(list(here.home.glob("data/trunk/signed-out/*/*/garden.db"))), 1)

    def test_a_damaged_account_file_does_not_mean_signed_out(self):
        here = self.signed_in(2)
        note = here.home / "data/trunk/account.conf"
        note.write_text("")
        for command in ("list", "sync", "logout"):
            code, stdout, stderr = here.run(command)
            self.assertEqual((code, stdout), (4, ""), command)
            self.assertIn(str(note), stderr)
        # Signing in again opens the unchanged garden.
        note.unlink()
        here.login()
        self.assertEqual(len(here.json("list", "--seedlings")["seedlings"]), 2)

    def test_a_kill_at_any_moment_loses_nothing(self):
        template = self.signed_in(5)
        library = template.home / "fault.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, SHIM, "-ldl"], check=True)
        at, was_killed, states = 1, True, set()
        while was_killed:
            home = temporary_folder(self.addCleanup)
            shutil.copytree(template.home, home, dirs_exist_ok=True)
            here = Computer(self.server, home)
            here.env = {"LD_PRELOAD": str(library), "FAULT_FOLDER": str(home / "data/trunk"), "FAULT_AT": str(at),
                        "FAULT_KIND": "0"}
            was_killed = here.run("logout", "--keep-copy")[0] < 0
            here.env = {}
            copies = [texts(path) for path in home.glob("data/trunk/signed-out/*/*/garden.db")
                      if not path.parent.name.endswith(".part")]
            garden = texts(self.garden(here))
            self.assertTrue(garden == self.ideas or self.ideas in copies, f"call {at}")
            states.add((garden == self.ideas, self.ideas in copies))
            # The rest can be signed out of, or was signed out already.
            self.assertIn(here.run("logout", "--keep-copy")[0], (0, 3), f"call {at}")
            self.assertIn(self.ideas, [texts(path) for path in home.glob("data/trunk/signed-out/*/*/garden.db")], at)
            at += 2
        self.assertGreater(at, 20)
        self.assertEqual(states, {(True, False), (True, True), (False, True)})

    def test_signing_out_while_a_window_is_open(self):
        here = self.signed_in(3)
        with Program(home=here.home, env=self.server.env) as program:
            self.addCleanup(program.stop)
            wait_sync(program, "synced")
            copy = here.json("logout")["copy"]
            program.keys("F5")
            wait_local(program)
            program.find("label", lambda name: copy in name)
        self.check_copy(copy)


if __name__ == "__main__":
    unittest.main()
