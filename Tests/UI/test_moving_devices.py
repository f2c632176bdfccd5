"""The move of docs/moving-to-supabase.md with devices that have unsent entries: to a real PostgreSQL, with the commands of
the document. Behind it is a service that behaves like PostgREST; trunk-server stands in for Supabase's auth service."""

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import unittest

from account import EMAIL, setUpModule  # noqa: F401
from computer import ComputerTestCase
from program import BUILD, CONFIG, ROOT, temporary_folder
from project import Cluster, Project

BEN = "ben@example.org"
AWKWARD = "O'Neil's \"line\" \\ \\u0041 \u00e9 e\u0301 \U0001f331 \u2028, {a}\n%s"


def sections():
    """The document's section for all users, with its commands by the order of their steps."""
    text = (ROOT / "docs/moving-to-supabase.md").read_text(encoding="utf-8")
    section = text.split("## All users at once")[1].split("\n## ")[0]
    blocks = section.split("   ```sh\n")[1:]
    return ["\n".join(line.removeprefix("   ") for line in block.split("   ```")[0].splitlines()) for block in blocks]


class MovingTest(ComputerTestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.stop)

    def setUp(self):
        super().setUp()
        self.work = temporary_folder(self.addCleanup)
        (self.work / "supabase").symlink_to(ROOT / "supabase")
        self.project = Project(self.cluster)
        self.addCleanup(self.project.stop)

    def step(self, number):
        script = sections()[number - 1].replace("/var/lib/trunk-server", str(self.server.folder))
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script], cwd=self.work, capture_output=True, text=True,
            env=os.environ | {"SUPABASE_URL": self.project.service.url, "SERVICE_KEY": "service",
                              "DATABASE_URL": self.project.database.uri, "PATH": f"{BUILD / CONFIG}:{os.environ['PATH']}"})
        self.assertEqual(0, done.returncode, done)
        self.assertNotIn("not created", done.stdout)
        return done.stdout

    def end(self):
        self.server.process.terminate()
        self.assertEqual(0, self.server.process.wait(60))

    def move(self):
        """Moves everything. The accounts then sign in through a trunk-server that has the same ones."""
        self.end()
        for number in range(1, 5):
            self.step(number)
        self.assertEqual("All events are there.\n", self.step(5))
        accounts = self.project.server
        accounts.kill()
        for path in accounts.folder.glob("trunk-server.db*"):
            path.unlink()
        shutil.copy2(self.work / "garden.db", accounts.folder / "trunk-server.db")
        accounts.start()

    def before(self):
        """The rows on the old server's disk, with payloads by their meaning."""
        with contextlib.closing(sqlite3.connect(self.work / "garden.db")) as database:
            rows = database.execute(
                "select id, user_id, type, payload, client_id, client_timestamp, created_at from events").fetchall()
        return sorted([*row[:3], json.loads(row[3]), *row[4:]] for row in rows)

    def after(self):
        [rows] = self.project.service.transaction("""select json_agg(json_build_array(id, user_id, type, payload, client_id,
            client_timestamp, (extract(epoch from created_at) * 1000000)::bigint)) from public.events""")
        return sorted(rows, key=lambda row: row[0])

    def garden(self, computer):
        """What a computer shows: every sprout with its entries, and the seedlings."""
        sprouts = computer.json("list")["sprouts"]
        return sorted((sprout["title"], sprout["state"]) for sprout in sprouts), computer.json("status")["events"]

    def test_devices_that_move_lose_nothing(self):
        here, there = self.computer(), self.computer()
        here.run("demo", "--years", "3", "--to", str(here.home / "demo.json"))
        here.login()
        here.json("import", str(here.home / "demo.json"))
        here.json("sync")
        there.login()
        there.json("plant", "Cello", "--twig", "voice/practice", "--season", "2w")
        there.json("water", "Cello", "-m", AWKWARD)
        there.json("sync")
        here.json("sync")
        self.assertGreater(here.json("status")["events"], 500)
        # Written after the last sync, while the server is being moved.
        here.write("seed", "Unsent here", "--twig", "voice/practice")
        there.write("seed", "Unsent there: O'Neil \" \\ \U0001f331", "--twig", "voice/practice")
        gardens = [self.garden(computer) for computer in (here, there)]
        self.move()
        before = self.before()
        self.assertEqual(before, self.after())
        for computer, garden in zip((here, there), gardens):
            old, computer.server = computer.server.url, self.project
            stored = self.after()
            # Nothing is sent to the new address before the user has confirmed the move.
            code, _, complaint = computer.run("sync")
            self.assertNotEqual(0, code)
            with self.assertRaisesRegex(AssertionError, f"belongs to {old}.*--moved"):
                computer.login()
            self.assertEqual(stored, self.after())
            self.assertEqual(garden, self.garden(computer))
            self.assertEqual(1, len(computer.json("outbox")["outbox"]))
            answer = computer.login("--moved")
            self.assertEqual((1, 0, None), (answer["pushed"], answer["removed"], answer["remoteLoss"]))
            self.assertEqual([], computer.json("outbox")["outbox"])
            computer.json("doctor")
        here.json("sync")
        after = self.after()
        self.assertEqual(len(before) + 2, len(after))
        self.assertEqual(before, [row for row in after if row[0] in {row[0] for row in before}])
        self.assertEqual(self.garden(here), self.garden(there))
        # A computer that has never seen the old server has the same garden.
        new = self.computer()
        new.server = self.project
        self.assertEqual(len(after), new.login()["pulled"])
        self.assertEqual(self.garden(here), self.garden(new))
        for computer in (here, there, new):
            self.assertEqual(here.json("show", "Cello")["entries"], computer.json("show", "Cello")["entries"])
        self.assertEqual([AWKWARD], [entry["content"] for entry in new.json("show", "Cello")["entries"]])

    def test_accounts_stay_apart(self):
        here, there = self.computer(), self.computer()
        for computer, email, title in ((here, EMAIL, "Cello"), (there, BEN, "Run")):
            computer.login(email=email)
            computer.json("plant", title, "--twig", "voice/practice", "--season", "2w")
            computer.json("sync")
        self.move()
        for computer, email, title in ((here, EMAIL, "Cello"), (there, BEN, "Run")):
            computer.server = self.project
            computer.login("--moved", email=email)
            self.assertEqual([title], computer.titles())
            self.assertEqual(0, computer.json("sync", "--full")["pulled"])
        self.assertEqual(self.before(), self.after())

    def test_a_user_can_move_alone_with_an_export(self):
        here, there = self.computer(), self.computer()
        here.login()
        here.json("plant", "Cello", "--twig", "voice/practice", "--season", "2w")
        here.json("water", "Cello", "-m", AWKWARD)
        here.json("sync")
        there.login()
        path = str(here.home / "garden.json")
        here.json("export", path)
        for computer in (here, there):
            computer.json("logout")
            computer.server = self.project
            computer.login()
        for _ in range(2):
            here.json("import", path)
            here.json("sync")
        there.json("sync")
        self.assertEqual(3, len(self.after()))
        for computer in (here, there):
            self.assertEqual([AWKWARD], [entry["content"] for entry in computer.json("show", "Cello")["entries"]])
            self.assertEqual([], computer.json("outbox")["outbox"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
