"""The built command line with a real PostgreSQL: both forms of the constraint on client_ids, and a reader that behaves
like the web client."""

import unittest

import events
import web_reader
from account import setUpModule  # noqa: F401
from computer import ComputerTestCase
from project import Cluster, Project
from server import Device, Server

ADA, BEN = "ada@example.org", "ben@example.org"


class PostgresTest(ComputerTestCase):
    """client_ids are unique within an account."""

    is_global = False
    conflict = "user_id,client_id"

    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.stop)

    def start_server(self):
        return Project(self.cluster, self.is_global)

    def titles(self, device):
        return sorted(payload["title"] for _, payload in self.server.rows(device.user) if payload["type"] == "sprout_planted")

    def write_waterings(self, computer, count):
        """Writes an export file of one sprout with this many waterings. Returns its path and the client_ids."""
        sprout, made = events.planted("Cello", events.days_ago(20))
        made += [events.watered(sprout, events.days_ago(19 - index / count), f"Line {index}") for index in range(count)]
        return str(events.write(computer.home / "garden.json", made)), {event["client_id"] for event in made}

    def test_two_computers_keep_one_garden(self):
        here, there = self.computer(), self.computer()
        here.json("plant", "Cello", "--twig", "voice/practice", "--season", "2w")
        self.assertEqual(here.login("--upload")["pushed"], 2)
        self.assertEqual(there.login()["pulled"], 2)
        there.write("plant", "Run", "--twig", "core/movement", "--season", "2w")
        there.write("water", "cello", "-m", "O'Neil's \"line\" \\ \u00e9 \U0001f331, {a}\n%s")
        self.assertEqual(there.json("sync")["pushed"], 3)
        self.assertEqual(here.json("sync")["pulled"], 3)
        self.assertEqual(here.json("show", "Cello")["entries"], there.json("show", "Cello")["entries"])
        self.assertEqual(here.titles(), ["Cello", "Run"])
        # Each row is stored once, and an insertion in the form that this table supports was accepted.
        device = Device(self.server, ADA)
        self.assertEqual(len(self.server.rows(device.user)), 5)
        self.assertEqual({form for form, status in self.server.insertions() if status == 201}, {self.conflict})
        self.assertLessEqual({status for _, status in self.server.insertions()}, {201, 400})
        for computer in (here, there):
            self.assertEqual(computer.json("outbox")["outbox"], [])
            self.assertEqual(computer.json("sync", "--full")["pulled"], 0)

    def test_the_same_garden_can_be_uploaded_to_a_second_account(self):
        here = self.computer()
        here.json("plant", "Cello", "--twig", "voice/practice", "--season", "2w")
        self.assertEqual(here.login("--upload", email=ADA)["pushed"], 2)
        here.json("logout")
        self.assertEqual(here.login("--upload", email=BEN)["pushed"], 2)
        self.assertEqual(here.json("outbox")["outbox"], [])
        devices = [Device(self.server, email) for email in (ADA, BEN)]
        for device in devices:
            self.assertEqual(self.titles(device), ["Cello"])
        names = [{name for name, _ in self.server.rows(device.user)} for device in devices]
        self.assertEqual(names[0] == names[1], not self.is_global)
        # Rows that were sent before are unchanged.
        self.assertEqual(here.json("sync", "--full")["pushed"], 0)
        self.assertEqual(here.titles(), ["Cello"])
        there = self.computer()
        self.assertEqual(there.login(email=BEN)["pulled"], 2)
        self.assertEqual(there.titles(), ["Cello"])

    def test_an_export_of_one_account_can_be_imported_into_another(self):
        here, there = self.computer(), self.computer()
        path, names = self.write_waterings(here, 30)
        here.login(email=ADA)
        here.json("import", path)
        here.json("sync")
        here.json("export", str(here.home / "export.json"))
        there.login(email=BEN)
        there.json("import", str(here.home / "export.json"))
        there.json("sync")
        self.assertEqual(there.json("outbox")["outbox"], [])
        for email in (ADA, BEN):
            device = Device(self.server, email)
            self.assertEqual(len(self.server.rows(device.user)), len(names))
        self.assertEqual(len(there.json("show", "Cello")["entries"]), 30)

    def test_a_reader_like_the_web_client_misses_no_row(self):
        here = self.computer()
        path, names = self.write_waterings(here, 1300)
        here.login()
        # Ensures that no page ends where a batch does.
        here.json("seed", "An idea", "--twig", "core/sport")
        here.json("sync")
        here.json("import", path)
        here.json("sync")
        device = Device(self.server, ADA)
        found = [payload["client_id"] for payload in web_reader.pull(device)]
        self.assertEqual(names - set(found), set())
        self.assertEqual(len(found), len(names) + 1)
        self.assertEqual(sorted(found), sorted(payload["client_id"] for payload in device.events()))


class GlobalPostgresTest(PostgresTest):
    """client_ids are unique across all accounts, and the rows of one insert share their created_at."""

    is_global = True
    conflict = "client_id"


class TrunkServerTest(PostgresTest):
    """The same with trunk-server."""

    @classmethod
    def setUpClass(cls):
        """Starts no PostgreSQL."""

    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.stop)

    test_two_computers_keep_one_garden = None
    test_the_same_garden_can_be_uploaded_to_a_second_account = None
    test_an_export_of_one_account_can_be_imported_into_another = None


if __name__ == "__main__":
    unittest.main(verbosity=1)
