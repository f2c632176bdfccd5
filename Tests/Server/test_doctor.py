"""`trunk-server doctor` while a server runs, after it ended, and after it was killed.

usage: test_doctor.py TRUNK_SERVER
"""

import hashlib
import json
import pathlib
import subprocess
import unittest

from server import PROGRAM, Server


def doctor(folder, *arguments):
    return subprocess.run([PROGRAM, "doctor", "--data", folder, *arguments], capture_output=True, text=True, timeout=60)


def contents(folder):
    """Every file with what a program that writes to it would change. As root, SQLite gives the log the owner of the
    database, even if it has that owner, which changes only the time of the last change of the owner."""
    found = {}
    for path in pathlib.Path(folder).rglob("*"):
        status = path.stat()
        found[path] = (status.st_ino, status.st_mode, status.st_uid, status.st_size, status.st_mtime_ns,
                       hashlib.sha256(path.read_bytes()).digest() if path.is_file() else None)
    return found


class Doctor(unittest.TestCase):
    def start(self):
        # With daily backups, the server would change the folder while the test compares its files.
        server = Server("--backup-every", "0")
        self.addCleanup(server.process.kill)
        session = server.sign_in("me@example.org")
        row = {"user_id": session["user"]["id"], "type": "t", "payload": {}}
        self.assertEqual(201, server.request("POST", "/rest/v1/events", row, session["access_token"])[0])
        subprocess.run([PROGRAM, "backup", "--data", server.folder.name], check=True, stdout=subprocess.DEVNULL)
        return server

    def check(self, folder, server_line):
        """Checks that the doctor finds a sound folder and leaves it as it was."""
        before = contents(folder)
        done = doctor(folder)
        self.assertEqual(before, contents(folder))
        self.assertEqual((0, ""), (done.returncode, done.stderr), done.stdout)
        lines = done.stdout.splitlines()
        self.assertEqual(8, len(lines))
        self.assertEqual([], [line for line in lines if not line.startswith("✓ ")])
        self.assertIn(server_line, lines)
        self.assertTrue(any(line.endswith("complete: 1 account, 1 event.") for line in lines), lines)

    def test_a_sound_folder_is_left_as_it_was(self):
        server = self.start()
        folder = server.folder.name
        self.check(folder, "✓ A server is using the folder.")
        # It serves afterwards, and its lock was not taken.
        self.assertEqual(200, server.request("GET", "/auth/v1/health")[0])
        server.process.terminate()
        self.assertEqual(0, server.process.wait(60))
        self.check(folder, "✓ No server is using the folder.")
        server.process.stdout.close()

    def test_rows_in_the_log_of_a_killed_server_are_read(self):
        server = self.start()
        server.process.kill()
        server.process.wait(60)
        server.process.stdout.close()
        self.assertGreater((pathlib.Path(server.folder.name) / "trunk-server.db-wal").stat().st_size, 0)
        self.check(server.folder.name, "✓ No server is using the folder.")

    def test_a_problem_is_the_exit_status_and_a_line(self):
        server = self.start()
        self.addCleanup(server.stop)
        (pathlib.Path(server.folder.name) / "secret").chmod(0o644)
        done = doctor(server.folder.name)
        self.assertEqual(1, done.returncode)
        [problem] = [line for line in done.stdout.splitlines() if not line.startswith("✓ ")]
        self.assertRegex(problem, r"^! .*/secret must have the mode 600, not 644\.$")
        done = doctor(server.folder.name, "--json")
        self.assertEqual(1, done.returncode)
        found = json.loads(done.stdout)
        self.assertFalse(found["sound"])
        self.assertEqual(["secret"], [check["check"] for check in found["checks"] if not check["sound"]])

    def test_a_server_starts_while_doctors_look(self):
        server = self.start()
        folder = server.folder.name
        server.process.terminate()
        self.assertEqual(0, server.process.wait(60))
        server.process.stdout.close()
        for _ in range(5):
            doctors = [subprocess.Popen([PROGRAM, "doctor", "--data", folder], stdout=subprocess.DEVNULL)
                       for _ in range(4)]
            again = subprocess.Popen(
                [PROGRAM, "--data", folder, "--listen", "127.0.0.1:0", "--print-codes"], stdout=subprocess.PIPE, text=True)
            self.assertTrue(again.stdout.readline().startswith("listening on "))
            for process in doctors:
                self.assertEqual(0, process.wait(60))
            again.terminate()
            self.assertEqual(0, again.wait(60))
            again.stdout.close()


if __name__ == "__main__":
    unittest.main()
