"""The command line's messages if the server has lost or rejected entries."""

import json
import sqlite3
import unittest

from account import setUpModule  # noqa: F401
from computer import ComputerTestCase


class LossTest(ComputerTestCase):
    def setUp(self):
        super().setUp()
        self.here = self.computer()

    def database(self):
        """Opens the server's database directly."""
        return sqlite3.connect(self.server.folder / "trunk-server.db", timeout=10)

    def lose(self):
        """Syncs 40 entries, then deletes all but five on the server's disk."""
        self.here.login()
        for number in range(40):
            self.here.write("seed", f"Seedling {number}", "--twig", "voice/practice")
        self.assertEqual(self.here.json("sync")["pushed"], 40)
        with self.database() as database:
            database.execute("DELETE FROM events WHERE rowid NOT IN (SELECT rowid FROM events ORDER BY created_at LIMIT 5)")

    def check(self, *command):
        """Checks that the command ends with code 7 and prints both counts and both options."""
        code, stdout, stderr = self.here.run(*command)
        self.assertEqual(code, 7, (command, stdout, stderr))
        for text in ("The server has 5 entries, this computer 40: 35 entries are missing", "--keep-mine", "--follow-server"):
            self.assertIn(text, stderr)
        self.assertNotIn("had everything", stdout)
        code, stdout, _ = self.here.run(*command, "--json")
        self.assertEqual(code, 7)
        report = json.loads(stdout)
        loss = report.get("sync", report)["remoteLoss"]
        self.assertEqual((loss["local"], loss["server"], loss["missing"]), (40, 5, 35))

    def count(self):
        with self.database() as database:
            return database.execute("SELECT count(*) FROM events").fetchone()[0]

    def test_every_command_reports_a_remote_loss(self):
        self.lose()
        self.check("sync")
        # Even without the server.
        for command in ("outbox", "status", "doctor"):
            self.check(command)
        self.check("sync")
        # New entries are still sent, which decides nothing.
        self.here.json("seed", "One more", "--twig", "voice/practice")
        self.assertEqual(self.here.run("sync")[0], 7)
        self.assertEqual(self.count(), 6)
        report = self.here.json("sync", "--keep-mine")
        self.assertIsNone(report["remoteLoss"])
        self.assertEqual((report["mode"], report["pushed"]), ("full", 35))
        self.assertEqual(self.count(), 41)
        for command in ("sync", "outbox", "status", "doctor"):
            self.here.json(command)
        code, stdout, _ = self.here.run("outbox")
        self.assertEqual(code, 0)
        self.assertRegex(stdout, "At the last check, .+, the server had everything.")

    def test_a_small_removal_is_reported(self):
        self.here.login()
        for number in range(6):
            self.here.write("seed", f"Seedling {number}", "--twig", "voice/practice")
        report = self.here.json("sync")
        self.assertEqual((report["pushed"], report["removed"], report["backup"]), (6, 0, None))
        for number, command in enumerate((["sync"], ["sync", "--json"])):
            with self.database() as database:
                database.execute(f"DELETE FROM events WHERE payload LIKE '%Seedling {number}%'")
            code, stdout, stderr = self.here.run(*command)
            self.assertEqual((code, stderr), (0, ""))
            if "--json" in command:
                report = json.loads(stdout)
                self.assertEqual(report["removed"], 1)
                backup = report["backup"]
            else:
                self.assertIn("The server no longer had 1 entry", stdout)
                self.assertIn("trunkctl log --superseded", stdout)
                backup = stdout[stdout.index("“") + 1:stdout.index("”")]
            with open(backup, encoding="utf-8") as file:
                self.assertIn(f"Seedling {number}", file.read())
            self.assertIn(f"Seedling {number}", self.here.run("log", "--superseded")[1])

    def test_follow_server_removes_missing_entries(self):
        self.lose()
        report = self.here.json("sync", "--follow-server")
        self.assertEqual(report["removed"], 35)
        self.assertEqual(self.here.json("status")["events"], 5)
        code, _, stderr = self.here.run("sync", "--follow-server")
        self.assertEqual(code, 3, stderr)
        self.assertEqual(self.here.run("sync", "--follow-server", "--keep-mine")[0], 2)

    def test_a_decision_that_cannot_be_carried_out_fails(self):
        self.lose()
        self.assertEqual(self.here.run("sync")[0], 7)
        self.server.kill()
        code, stdout, stderr = self.here.run("sync", "--keep-mine")
        self.assertEqual((code, stdout), (6, ""))
        self.assertIn("The server can\u2019t be reached.", stderr)

    def test_a_record_of_a_loss_that_cannot_be_read_is_an_error_of_the_store(self):
        self.here.login()
        self.here.json("seed", "Fine", "--twig", "voice/practice")
        self.here.json("sync")
        for path in (self.here.home / "data/trunk").rglob("garden.db"):
            with sqlite3.connect(path, timeout=10) as database:
                database.execute("INSERT INTO meta (key, value) VALUES ('remote-loss', '?')")
        self.assertEqual(self.here.run("sync")[0], 4)
        self.assertEqual(self.here.json("sync", "--full")["mode"], "full")

    def test_rejected_entries_are_reported(self):
        self.here.login()
        self.here.json("seed", "Rejected for good", "--twig", "voice/practice")
        self.here.json("seed", "Also rejected", "--twig", "voice/practice")
        self.here.json("seed", "Fine", "--twig", "voice/practice")
        # The message includes the server's.
        for path in (self.here.home / "data/trunk").rglob("garden.db"):
            with sqlite3.connect(path, timeout=10) as database:
                database.execute("UPDATE events SET upload = 2, attempts = 1, last_answer = '400 23514: no' "
                                 "WHERE raw LIKE '%ejected%'")
        code, stdout, stderr = self.here.run("sync")
        self.assertEqual(code, 8, (stdout, stderr))
        self.assertIn("The server rejected 2 entries.", stderr)
        # A plain explanation precedes the server's message.
        text = " ".join(self.here.run("outbox")[1].split())
        self.assertIn("It breaks a rule of the server, such as a length limit.", text)
        code, stdout, _ = self.here.run("outbox", "--json")
        report = json.loads(stdout)
        self.assertEqual((code, report["refused"], len(report["outbox"])), (8, 2, 2))
        self.assertIn("The server rejected 2 entries.", self.here.run("status")[1])
        one, two = [entry["clientId"] for entry in report["outbox"]]
        self.assertEqual(self.here.run("outbox", "--keep-here", one)[0], 8)
        self.assertEqual(self.here.run("outbox", "--keep-here", "elsewhere")[0], 3)
        code, stdout, stderr = self.here.run("outbox", "--keep-here", two)
        self.assertEqual((code, stderr), (0, ""))
        self.assertIn("only on this computer", stdout)
        self.assertEqual(self.here.json("sync")["localOnly"], 2)
        self.assertIn("2 entries are only on this computer.", self.here.run("status")[1])
        file = self.here.home / "kept.json"
        self.assertEqual(self.here.run("outbox", "--export", str(file))[0], 0)
        self.assertEqual(len(json.loads(file.read_text())["events"]), 2)
        self.server.kill()
        code, stdout, stderr = self.here.run("outbox", "--retry", one)
        self.assertEqual(code, 6, stdout)
        self.assertIn("The server can\u2019t be reached.", stderr)
        self.server.start()
        self.here.json("outbox", "--retry", one, two)
        self.assertEqual(self.here.json("outbox")["outbox"], [])
        self.assertEqual(self.count(), 3)


if __name__ == "__main__":
    unittest.main()
