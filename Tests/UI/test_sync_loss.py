"""The command line's messages if the server has lost or rejected entries."""

import json
import sqlite3
import unittest

from computer import ComputerTestCase
from test_sync import setUpModule  # noqa: F401


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
            self.here.answer("seed", f"Seedling {number}", "--twig", "voice/practice")
        self.assertEqual(self.here.answer("sync")["pushed"], 40)
        with self.database() as database:
            database.execute("DELETE FROM events WHERE rowid NOT IN (SELECT rowid FROM events ORDER BY created_at LIMIT 5)")

    def check(self, *command):
        """Checks that the command ends with code 7 and prints both counts and both options."""
        code, answer, complaint = self.here.run(*command)
        self.assertEqual(code, 7, (command, answer, complaint))
        for words in ("The server has 5 entries, this computer 40: 35 entries are missing", "--keep-mine", "--follow-server"):
            self.assertIn(words, complaint)
        self.assertNotIn("had everything", answer)
        code, answer, _ = self.here.run(*command, "--json")
        self.assertEqual(code, 7)
        answer = json.loads(answer)
        loss = answer.get("sync", answer)["remoteLoss"]
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
        self.here.answer("seed", "One more", "--twig", "voice/practice")
        self.assertEqual(self.here.run("sync")[0], 7)
        self.assertEqual(self.count(), 6)
        answer = self.here.answer("sync", "--keep-mine")
        self.assertIsNone(answer["remoteLoss"])
        self.assertEqual((answer["mode"], answer["pushed"]), ("full", 35))
        self.assertEqual(self.count(), 41)
        for command in ("sync", "outbox", "status", "doctor"):
            self.here.answer(command)
        code, answer, _ = self.here.run("outbox")
        self.assertEqual(code, 0)
        self.assertRegex(answer, "At the last check, .+, the server had everything.")

    def test_a_small_removal_is_reported(self):
        self.here.login()
        for number in range(6):
            self.here.answer("seed", f"Seedling {number}", "--twig", "voice/practice")
        answer = self.here.answer("sync")
        self.assertEqual((answer["pushed"], answer["removed"], answer["backup"]), (6, 0, None))
        for number, command in enumerate((["sync"], ["sync", "--json"])):
            with self.database() as database:
                database.execute(f"DELETE FROM events WHERE payload LIKE '%Seedling {number}%'")
            code, answer, complaint = self.here.run(*command)
            self.assertEqual((code, complaint), (0, ""))
            if "--json" in command:
                answer = json.loads(answer)
                self.assertEqual(answer["removed"], 1)
                backup = answer["backup"]
            else:
                self.assertIn("The server no longer had 1 entry", answer)
                self.assertIn("trunkctl log --superseded", answer)
                backup = answer[answer.index("“") + 1:answer.index("”")]
            with open(backup, encoding="utf-8") as file:
                self.assertIn(f"Seedling {number}", file.read())
            self.assertIn(f"Seedling {number}", self.here.run("log", "--superseded")[1])

    def test_follow_server_removes_missing_entries(self):
        self.lose()
        answer = self.here.answer("sync", "--follow-server")
        self.assertEqual(answer["removed"], 35)
        self.assertEqual(self.here.answer("status")["events"], 5)
        code, _, complaint = self.here.run("sync", "--follow-server")
        self.assertEqual(code, 3, complaint)
        self.assertEqual(self.here.run("sync", "--follow-server", "--keep-mine")[0], 2)

    def test_a_decision_that_cannot_be_carried_out_fails(self):
        self.lose()
        self.assertEqual(self.here.run("sync")[0], 7)
        self.server.kill()
        code, answer, complaint = self.here.run("sync", "--keep-mine")
        self.assertEqual((code, answer), (6, ""))
        self.assertIn("The server can\u2019t be reached.", complaint)

    def test_a_record_of_a_loss_that_cannot_be_read_is_an_error_of_the_store(self):
        self.here.login()
        self.here.answer("seed", "Fine", "--twig", "voice/practice")
        self.here.answer("sync")
        for path in (self.here.home / "data/trunk").rglob("garden.db"):
            with sqlite3.connect(path, timeout=10) as database:
                database.execute("INSERT INTO meta (key, value) VALUES ('remote-loss', '?')")
        self.assertEqual(self.here.run("sync")[0], 4)
        self.assertEqual(self.here.answer("sync", "--full")["mode"], "full")

    def test_rejected_entries_are_reported(self):
        self.here.login()
        self.here.answer("seed", "Rejected for good", "--twig", "voice/practice")
        self.here.answer("seed", "Also rejected", "--twig", "voice/practice")
        self.here.answer("seed", "Fine", "--twig", "voice/practice")
        # The message includes the server's.
        for path in (self.here.home / "data/trunk").rglob("garden.db"):
            with sqlite3.connect(path, timeout=10) as database:
                database.execute("UPDATE events SET upload = 2, attempts = 1, last_answer = '400 23514: no' "
                                 "WHERE raw LIKE '%ejected%'")
        code, answer, complaint = self.here.run("sync")
        self.assertEqual(code, 8, (answer, complaint))
        self.assertIn("The server rejected 2 entries.", complaint)
        # A plain explanation precedes the server's message.
        words = " ".join(self.here.run("outbox")[1].split())
        self.assertIn("It breaks a rule of the server, such as a length limit.", words)
        code, answer, _ = self.here.run("outbox", "--json")
        answer = json.loads(answer)
        self.assertEqual((code, answer["refused"], len(answer["outbox"])), (8, 2, 2))
        self.assertIn("The server rejected 2 entries.", self.here.run("status")[1])
        one, two = [entry["clientId"] for entry in answer["outbox"]]
        self.assertEqual(self.here.run("outbox", "--keep-here", one)[0], 8)
        self.assertEqual(self.here.run("outbox", "--keep-here", "elsewhere")[0], 3)
        code, answer, complaint = self.here.run("outbox", "--keep-here", two)
        self.assertEqual((code, complaint), (0, ""))
        self.assertIn("only on this computer", answer)
        self.assertEqual(self.here.answer("sync")["localOnly"], 2)
        self.assertIn("2 entries are only on this computer.", self.here.run("status")[1])
        file = self.here.home / "kept.json"
        self.assertEqual(self.here.run("outbox", "--export", str(file))[0], 0)
        self.assertEqual(len(json.loads(file.read_text())["events"]), 2)
        self.server.kill()
        code, answer, complaint = self.here.run("outbox", "--retry", one)
        self.assertEqual(code, 6, answer)
        self.assertIn("The server can\u2019t be reached.", complaint)
        self.server.start()
        self.here.answer("outbox", "--retry", one, two)
        self.assertEqual(self.here.answer("outbox")["outbox"], [])
        self.assertEqual(self.count(), 3)


if __name__ == "__main__":
    unittest.main()
