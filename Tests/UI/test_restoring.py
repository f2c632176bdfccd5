"""The restore drill of docs/restoring.md: a server loses its disk, is restored from a copy, and loses no entry."""

import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import unittest

from account import EMAIL, setUpModule  # noqa: F401
from computer import ComputerTestCase
from program import BUILD, CONFIG, ROOT, temporary_folder
from server import Device, Server, free_port

LOST = 30


def commands(heading):
    """Returns the commands in one section of the document, in the order of its steps."""
    text = (ROOT / "docs/restoring.md").read_text(encoding="utf-8")
    section = text.split(f"## {heading}\n")[1].split("\n## ")[0]
    blocks = re.findall(r"^   ```sh\n(.*?)^   ```$", section, re.M | re.S)
    return [re.sub(r"^   ", "", block, flags=re.M) for block in blocks]


class RestoringTest(ComputerTestCase):
    def setUp(self):
        super().setUp()
        self.work = temporary_folder(self.addCleanup)
        self.copies, self.drill = self.work / "copies", self.work / "drill"

    def step(self, script):
        """Runs the commands of one step, with the folders of this test. Returns what they print."""
        for path, folder in (("/srv/trunk-copies", self.copies), ("/var/lib/trunk-server", self.server.folder),
                             ("/tmp/drill", self.drill)):
            script = script.replace(path, str(folder))
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True,
                              env=os.environ | {"PATH": f"{BUILD / CONFIG}:{os.environ['PATH']}"})
        self.assertEqual((0, ""), (done.returncode, done.stderr), script)
        return done.stdout

    def write(self, computer, start, count=LOST):
        for number in range(start, start + count):
            computer.write("seed", f"Seedling {number}", "--twig", "voice/practice")

    def copy(self):
        """Makes a backup and copies it as the document's rsync does."""
        subprocess.run([BUILD / CONFIG / "trunk-server", "backup", "--data", self.server.folder], check=True,
                       stdout=subprocess.DEVNULL)
        self.copies.mkdir()
        shutil.copytree(self.server.folder / "backups", self.copies / "backups")
        shutil.copy2(self.server.folder / "secret", self.copies)

    def restore(self):
        """Loses the disk, and follows the document until the server runs again."""
        self.server.kill()
        shutil.rmtree(self.server.folder)
        self.server.folder.mkdir(mode=0o700)
        *steps, check = commands("Restoring after a loss")
        for script in steps:
            self.step(script)
        self.assertEqual(["There is no backup."], re.findall("^! (.*)$", self.step(check), re.M))
        self.server.start()

    def rows(self):
        """Returns the client_ids on the server."""
        with contextlib.closing(sqlite3.connect(self.server.folder / "trunk-server.db", timeout=10)) as database:
            return sorted(name for name, in database.execute("SELECT client_id FROM events"))

    def test_the_drill_serves_a_copy_and_leaves_the_server_alone(self):
        here = self.computer()
        here.login()
        self.write(here, 0, 3)
        here.json("sync")
        self.copy()
        before = self.rows()
        prepare, check = commands("The drill")
        self.step(prepare)
        lines = self.step(check).splitlines()
        self.assertEqual(8, len([line for line in lines if line.startswith("✓ ")]), lines)
        self.assertRegex(lines[-1], rf"^{EMAIL}\t.*\t3\t\d+\t0\.0%\t0\.0%$")
        drilled = Server.__new__(Server)
        drilled.folder, drilled.port = self.drill, free_port()
        drilled.start()
        self.addCleanup(drilled.stop)
        self.server, real = drilled, self.server
        try:
            there = self.computer()
            there.login()
        finally:
            self.server = real
        self.assertEqual(3, there.json("status")["events"])
        there.json("doctor")
        self.assertEqual(before, self.rows())

    def test_a_restored_server_gets_back_what_it_lost(self):
        here, there = self.computer(), self.computer()
        here.login()
        there.login()
        self.write(here, 0)
        here.json("sync")
        self.copy()
        self.write(here, LOST)
        here.json("sync")
        self.assertEqual(2 * LOST, there.json("sync")["pulled"])
        before = self.rows()
        # Each computer has something that it hasn't sent.
        self.server.kill()
        here.json("seed", "Unsent here", "--twig", "voice/practice")
        there.json("seed", "Unsent there", "--twig", "voice/practice")
        self.restore()
        self.assertEqual(LOST, len(self.rows()))
        words = f"{LOST} entries are missing on the server"
        for command in ("sync", "status", "doctor"):
            code, _, complaint = here.run(command)
            self.assertEqual(7, code, command)
            self.assertIn(words, complaint)
            self.assertIn("--keep-mine", complaint)
        answer = here.json("sync", "--keep-mine")
        self.assertEqual((LOST, None, 0), (answer["pushed"], answer["remoteLoss"], answer["removed"]))
        there.run("sync")
        self.assertEqual(0, there.run("sync")[0])
        here.json("sync")
        self.assertEqual(len(before) + 2, len(self.rows()))
        self.assertEqual(set(), set(before) - set(self.rows()))
        for computer in (here, there):
            computer.json("doctor")
            self.assertEqual([], computer.json("outbox")["outbox"])
            self.assertEqual(len(before) + 2, computer.json("status")["events"])
        self.assertEqual(len(before) + 2, len(Device(self.server, EMAIL).events()))

    def test_a_few_lost_entries_come_back_by_an_import(self):
        here = self.computer()
        here.login()
        self.write(here, 0)
        here.json("sync")
        self.copy()
        self.write(here, LOST, 2)
        here.json("sync")
        before = self.rows()
        self.restore()
        answer = here.json("sync")
        self.assertEqual(2, answer["removed"])
        here.write("import", answer["backup"])
        self.assertEqual(2, here.json("sync")["pushed"])
        self.assertEqual(before, self.rows())
        self.assertEqual(LOST + 2, here.json("status")["events"])

    def test_a_session_after_the_backup_needs_a_new_one(self):
        first, here = self.computer(), self.computer()
        first.login()
        self.write(first, 0)
        first.json("sync")
        self.copy()
        here.login()
        self.write(here, LOST, 1)
        self.restore()
        # Without the secret, access tokens are invalid at once; with it, they would expire within an hour.
        self.server.forget_key()
        code, _, complaint = here.run("sync")
        self.assertNotEqual(0, code)
        self.assertIn("sign in", complaint.lower())
        self.assertEqual(LOST + 1, here.json("status")["events"])
        here.login()
        here.json("sync")
        self.assertEqual([], here.json("outbox")["outbox"])
        self.assertEqual(LOST + 1, len(self.rows()))
        # The session that is in the backup still works.
        self.assertEqual(1, first.json("sync")["pulled"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
