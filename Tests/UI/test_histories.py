"""After any sequence of sign-outs, sign-ins, restores, imports and crashes, every acknowledged entry is on a computer or the
server.

The histories use the built programs: two computers, two accounts and a server that is killed and restored from backups. A
failing history prints its seed: TRUNK_SEED=seed runs it again, TRUNK_HISTORIES=n runs n others.
"""

import contextlib
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import unittest

import events
from account import setUpModule  # noqa: F401
from computer import Computer
from program import BUILD, CONFIG, temporary_folder
from server import Device, Server

ACCOUNTS = ["ada@example.org", "ben@example.org"]
STEPS = 30
NOTE = re.compile("note-[0-9a-f]{12}")


def notes_in(folder):
    """Returns the notes in all files of a folder: in the events of databases, and in the bytes of other files."""
    found = set()
    for path in pathlib.Path(folder).rglob("*"):
        if not path.is_file() or path.suffix in (".db-wal", ".db-shm"):
            continue
        with path.open("rb") as file:
            if file.read(16) == b"SQLite format 3\0":
                found.update(notes_in_table(path, "events"))
            else:
                file.seek(0)
                found.update(NOTE.findall(file.read().decode(errors="replace")))
    return found


def notes_in_table(path, table):
    """Returns the notes in a table of a garden's or a server's database; none if it lacks the table."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        names = [name for name, in database.execute("select name from sqlite_schema where type = 'table'")]
        if table not in names:
            return []
        column = "raw" if "meta" in names else "payload"
        return NOTE.findall(" ".join(raw for raw, in database.execute(f"select {column} from {table}")))


def superseded_notes(computer):
    """Returns the notes that the gardens of a computer and their copies keep as superseded."""
    return {note for path in computer.home.rglob("garden.db") for note in notes_in_table(path, "superseded")}


class History:
    """A random sequence of actions. `done` describes the actions so far."""

    def __init__(self, test, seed):
        self.test, self.random, self.done = test, random.Random(seed), []
        self.server = Server()
        test.addCleanup(self.server.stop)
        self.users = {email: Device(self.server, email).user for email in ACCOUNTS}
        self.computers = [Computer(self.server, temporary_folder(test.addCleanup)) for _ in range(2)]
        for computer in self.computers:
            computer.account = None
            # The users who declined to restore the copies on this computer.
            computer.declined = set()
        # Maps each note to the account in which it was written; None is the garden from before signing in.
        self.acknowledged = {}
        self.is_up = True
        self.backups = []
        self.back_up()

    def run(self):
        steps = {self.write: 8, self.synchronise: 4, self.sign_in: 4, self.sign_out: 3, self.import_file: 2, self.crash: 5,
                 self.back_up: 2, self.restore_server: 2, self.toggle_server: 2, self.decline: 2}
        for index in range(STEPS):
            # Sign in first, because a history without accounts tests little.
            [step] = self.random.choices(list(steps), list(steps.values())) if index > 3 else [self.sign_in]
            step()
            self.check()
        self.recover()

    def check(self):
        found = notes_in(self.server.folder).union(*(notes_in(computer.home) for computer in self.computers))
        self.test.assertEqual(set(self.acknowledged) - found, set(), self.description())

    def description(self):
        return "\n".join(self.done)

    def computer(self):
        return self.random.choice(self.computers)

    def trunkctl(self, computer, *arguments, expected=None, given=""):
        code, stdout, stderr = computer.run(*arguments, given=given)
        name = self.computers.index(computer)
        self.done.append(f"{name} {' '.join(arguments)}: {code} {stderr.strip()}")
        if expected is not None:
            self.test.assertEqual(code, expected, self.description() + stdout)
        self.test.assertNotIn("Fatal error", stderr, self.description())
        return code, stdout

    def note(self):
        return f"note-{self.random.getrandbits(48):012x}"

    def write(self):
        computer, note = self.computer(), self.note()
        if self.trunkctl(computer, "seed", note, "--twig", "core/sport")[0] == 0:
            self.acknowledged[note] = computer.account

    def synchronise(self):
        self.trunkctl(self.computer(), "sync")

    def sign_in(self):
        computer = next((each for each in self.computers if not each.account), None)
        if not self.is_up or not computer:
            return self.write()
        email, options = self.random.choice(ACCOUNTS), self.random.choice([[], ["--upload"]])
        code, _, stderr = computer.type_code(*options, email=email)
        self.done.append(f"{self.computers.index(computer)} login {email} {options}: {code} {stderr.strip()}")
        self.update_account(computer)

    def sign_out(self):
        computer = next((each for each in reversed(self.computers) if each.account), None)
        if not computer:
            return self.sign_in()
        options = self.random.choice([[], ["--upload-again"], ["--keep-copy"], ["--delete-copies"]])
        self.trunkctl(computer, "logout", *options, given="delete\n")
        if "The copies and backups are deleted." in self.done[-1]:
            # The copies were deleted because the server has all entries. So it is not restored to an earlier state.
            self.backups.clear()
            self.back_up()
        self.update_account(computer)

    def update_account(self, computer):
        """Sets `computer.account` to the account that is signed in."""
        code, _, _ = computer.run("outbox")
        if code == 3:
            computer.account = None
            return
        text = (computer.home / "data/trunk/account.conf").read_text()
        [computer.account] = [email for email, user in self.users.items() if user in text]

    def import_file(self):
        computer, notes = self.computer(), [self.note(), self.note()]
        made = [events.event("seed_collected", events.days_ago(1), note=note) for note in notes]
        path = events.write(computer.home / "notes.json", made)
        code, _ = self.trunkctl(computer, "import", str(path))
        path.unlink()
        if code == 0:
            self.acknowledged.update((note, computer.account) for note in notes)

    def crash(self):
        """Kills a command at a random moment."""
        computer, note = self.computer(), self.note()
        command = self.random.choice([["seed", note, "--twig", "core/sport"], ["sync"], ["logout", "--keep-copy"],
                                      ["logout", "--upload-again"], ["restore"]])
        delay = self.random.uniform(0.01, 0.4)
        process = subprocess.Popen([BUILD / CONFIG / "trunkctl", *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   text=True, env=computer.variables())
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(delay)
        process.kill()
        stdout, _ = process.communicate()
        self.done.append(f"{self.computers.index(computer)} {' '.join(command)}: killed after {delay:.3f} s")
        if note in stdout:
            self.acknowledged[note] = computer.account
        self.update_account(computer)

    def back_up(self):
        path = self.server.folder.parent / f"{self.server.folder.name}-{len(self.done)}.db"
        subprocess.run([BUILD / CONFIG / "trunk-server", "backup", "--data", self.server.folder, path], check=True,
                       stdout=subprocess.DEVNULL)
        self.test.addCleanup(path.unlink)
        self.backups.append(path)
        self.done.append(f"backup {len(self.backups) - 1}")

    def restore_server(self):
        if self.is_up:
            self.server.kill()
        backup = self.random.choice(self.backups)
        database = self.server.folder / "trunk-server.db"
        for suffix in ("-wal", "-shm"):
            database.with_name(database.name + suffix).unlink(missing_ok=True)
        shutil.copyfile(backup, database)
        self.server.start()
        self.is_up = True
        self.done.append(f"the server has backup {self.backups.index(backup)}")

    def decline(self):
        """Declines to restore the entries in the copies."""
        computer = next((each for each in self.computers if each.account), None)
        if not computer:
            return self.sign_in()
        if self.trunkctl(computer, "restore", "--decline")[0] == 0:
            computer.declined.add(computer.account)

    def toggle_server(self):
        if self.is_up:
            self.server.kill()
        else:
            self.server.start()
        self.is_up = not self.is_up
        self.done.append(f"the server is {'up' if self.is_up else 'down'}")

    def recover(self):
        """On each computer, signs in as each user and accepts every offer of the program, also those that were declined
        before. Afterwards the server has every entry of each account, except those that a sync took for deleted. (A computer
        asks before it removes more than 20 entries or all of them. It removes fewer without asking, and keeps them as
        superseded.)"""
        if not self.is_up:
            self.toggle_server()
        for computer in self.computers:
            for email in ACCOUNTS:
                if computer.account:
                    self.trunkctl(computer, "logout", "--keep-copy", expected=0)
                code, _, stderr = computer.type_code(email=email)
                self.done.append(f"{self.computers.index(computer)} login {email}: {code} {stderr.strip()}")
                computer.account = email
                if self.trunkctl(computer, "sync")[0] != 0:
                    self.trunkctl(computer, "sync", "--keep-mine", expected=0)
                self.trunkctl(computer, "restore", *(["--all"] if email in computer.declined else []), expected=0)
                self.trunkctl(computer, "sync", expected=0)
            self.trunkctl(computer, "logout", expected=0)
            computer.account = None
        local = set()
        superseded = set().union(*(superseded_notes(computer) for computer in self.computers))
        for computer in self.computers:
            path = computer.home / "export.json"
            if self.trunkctl(computer, "export", "--force", str(path))[0] == 0:
                local.update(NOTE.findall(path.read_text()))
        for email in [*ACCOUNTS, None]:
            found = local if email is None else set(NOTE.findall(str(Device(self.server, email).events())))
            lost = {note for note, account in self.acknowledged.items() if account == email} - found - superseded
            self.test.assertEqual(lost, set(), f"of {email}\n{self.description()}")


class HistoriesTest(unittest.TestCase):
    def test_no_acknowledged_entry_is_lost(self):
        seeds = [random.SystemRandom().getrandbits(32) for _ in range(int(os.environ.get("TRUNK_HISTORIES", 2)))]
        if "TRUNK_SEED" in os.environ:
            seeds = [int(os.environ["TRUNK_SEED"])]
        for seed in seeds:
            with self.subTest(seed=seed):
                try:
                    History(self, seed).run()
                finally:
                    self.doCleanups()


if __name__ == "__main__":
    unittest.main(verbosity=1)
