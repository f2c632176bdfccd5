"""Entries that the server rejected or lost: the indicator, the foot and the details say so and let the user decide."""

import contextlib
import json
import os
import pathlib
import sqlite3
import unittest

from account import EMAIL, ServerTestCase, setUpModule  # noqa: F401
from computer import Computer
from gate import Gate
from server import Device, Server


class TroubleTest(ServerTestCase):
    """A window that is signed in through a Gate."""

    def prepare(self):
        self.server = Server()
        self.addCleanup(self.server.stop)
        self.gate = Gate(self.server, b"")
        self.gate.open()
        self.addCleanup(self.gate.stop)
        self.env = self.server.env | {"SUPABASE_URL": self.gate.url}

    def open_details(self):
        indicator = self.program.find("push button", lambda name: name.startswith("Sync: "))
        return self.program.open(indicator, "Sync")

    def button(self, start, within=None):
        return self.program.find("push button", lambda name: name.startswith(start), within)

    def picture(self, name, title=None):
        """Saves a screenshot of a window if TRUNK_PICTURES names a folder."""
        folder = os.environ.get("TRUNK_PICTURES")
        if folder:
            self.program.screenshot(f"{folder}/{name}.png", title)


class MovedTest(TroubleTest):
    """The gate is the old address of the server."""

    def test_another_program_signs_in_to_the_servers_new_address(self):
        self.sign_in()
        self.wait_state("synced")
        here = Computer(self.server, self.home)
        here.login("--moved")
        self.gate.broken = "/"
        self.program.keys("F5")
        self.trunkctl("seed", "After the move", "--twig", "heart/adventure")
        device = Device(self.server, EMAIL)
        self.program.wait("the entry at the new address",
                          lambda: [event["title"] for event in device.events()] == ["After the move"])
        self.wait_state("synced")
        self.assertEqual(list(self.home.glob("data/trunk/signed-out/*/*")), [])


class RejectedTest(TroubleTest):
    def reject(self, *titles):
        """Adds seedlings. The server rejects those called Forbidden."""
        self.gate.rejected = b"Forbidden"
        for title in titles:
            self.trunkctl("seed", title, "--twig", "heart/adventure")
        self.program.keys("F5")

    def test_rejected_entries_are_never_shown_as_synced(self):
        self.sign_in()
        self.wait_state("synced")
        self.reject("Forbidden fruit", "Allowed", "Forbidden city")
        self.wait_state("the server rejected 2 entries")
        program = self.program
        program.check_names()
        program.find_text("The server rejected 2 entries. They are safe on this computer.")
        self.assertEqual([e["title"] for e in Device(self.server, EMAIL).events()], ["Allowed"])
        self.picture("rejected-window")
        program.narrow()
        self.picture("rejected-window-narrow")
        details = program.open(program.find("push button", "Details"), "Sync")
        program.check_names()
        program.check_actions()
        for title in ["Forbidden fruit", "Forbidden city"]:
            program.find("label", f"Seedling \u00b7 {title}", details)
            for verb in ["Retry", "Export", "Keep"]:
                self.button(f"{verb} Seedling \u00b7 {title}", details)
        self.assertEqual(len(program.find_all("label", "It contains characters that the server can\u2019t store.")), 2)
        self.picture("rejected-details", "Sync")
        program.narrow("Sync")
        self.picture("rejected-details-narrow", "Sync")

    def test_each_entry_can_be_kept_here_or_sent_again(self):
        self.sign_in()
        self.wait_state("synced")
        self.reject("Forbidden fruit", "Forbidden city")
        self.wait_state("the server rejected 2 entries")
        program = self.program
        details = self.open_details()
        program.press(self.button("Keep Seedling \u00b7 Forbidden city", details))
        self.wait_state("the server rejected 1 entry")
        program.press(self.button("Retry Seedling \u00b7 Forbidden fruit", details))
        program.find_text("The server rejected 1 entry again.")
        self.gate.rejected = None
        program.press(self.button("Retry Seedling \u00b7 Forbidden fruit", details))
        self.wait_state("synced; 1 entry is only on this computer")
        program.wait_gone("label", lambda name: "rejected 1 entry" in name and "safe" in name)
        self.picture("local-only-details", "Sync")
        device = Device(self.server, EMAIL)
        self.assertEqual([e["title"] for e in device.events()], ["Forbidden fruit"])
        # Entries that are kept on this computer can still be sent.
        program.press(self.button("Retry Seedling \u00b7 Forbidden city", details))
        program.find("push button", lambda name: name.startswith("Sync: synced,"))
        self.assertEqual(len(device.events()), 2)

    def test_the_keyboard_alone_is_enough(self):
        self.sign_in()
        self.wait_state("synced")
        self.reject("Forbidden fruit", "Forbidden city")
        self.wait_state("the server rejected 2 entries")
        program = self.program
        program.tab_to("Details")
        program.keys("space")
        program.dialog("Sync")
        program.tab_to("Keep Seedling \u00b7 Forbidden city")
        program.keys("space")
        self.wait_state("the server rejected 1 entry")
        program.close("Sync")
        self.wait_state("the server rejected 1 entry")
        program.tab_to("Details")
        program.keys("space")
        program.dialog("Sync")
        self.gate.rejected = None
        program.tab_to("Retry Seedling \u00b7 Forbidden fruit")
        program.keys("space")
        self.wait_state("synced; 1 entry is only on this computer")
        self.assertEqual([e["title"] for e in Device(self.server, EMAIL).events()], ["Forbidden fruit"])

    def test_all_entries_can_be_kept_here_or_sent_again(self):
        self.sign_in()
        self.wait_state("synced")
        self.reject("Forbidden fruit", "Forbidden city")
        self.wait_state("the server rejected 2 entries")
        self.open_details()
        self.program.press(self.button("Keep All Here"))
        self.wait_state("synced; 2 entries are only on this computer")
        self.program.close("Sync")
        self.reject("Forbidden again")
        self.wait_state("the server rejected 1 entry")
        self.gate.rejected = None
        self.open_details()
        self.program.press(self.button("Retry All"))
        self.wait_state("synced; 2 entries are only on this computer")
        self.assertEqual([e["title"] for e in Device(self.server, EMAIL).events()], ["Forbidden again"])

    def test_rejected_entries_can_be_exported(self):
        self.sign_in()
        self.wait_state("synced")
        self.reject("Forbidden fruit", "Allowed")
        self.wait_state("the server rejected 1 entry")
        program = self.program
        details = self.open_details()
        program.press(self.button("Export Seedling \u00b7 Forbidden fruit", details))
        path = pathlib.Path(self.home, "rejected.json")
        program.save_as(path, "Export")
        program.wait("the file", path.exists)
        events = json.loads(path.read_text())["events"]
        self.assertEqual([event["title"] for event in events], ["Forbidden fruit"])


class RemoteLossTest(TroubleTest):
    COUNT = 40

    def lose(self):
        """Signs in, fills the garden, and makes the server lose all but the newest five entries."""
        self.sign_in()
        for number in range(self.COUNT):
            self.trunkctl("seed", f"Idea {number}", "--twig", "heart/adventure")
        self.trunkctl("sync")
        self.wait_state("synced")
        self.server.kill()
        (path,) = [path for path in self.server.folder.glob("*.db") if has_events(path)]
        with contextlib.closing(sqlite3.connect(path)) as database, database:
            database.execute("DELETE FROM events WHERE rowid NOT IN (SELECT rowid FROM events ORDER BY rowid DESC LIMIT 5)")
        self.server.start()
        # The counts are compared at launch.
        self.program.keys("ctrl+q")
        self.assertEqual(self.program.wait_exit(), 0)
        self.program = self.start()
        self.wait_state(f"{self.COUNT - 5} entries are missing on the server")

    def ideas(self):
        return len(self.trunkctl("list", "--seedlings")["seedlings"])

    def test_not_now_hides_the_notice_and_nothing_else(self):
        self.lose()
        program = self.program
        program.check_names()
        program.find_text("35 entries are missing on the server. Nothing")
        self.picture("loss-window")
        program.narrow()
        self.picture("loss-window-narrow")
        program.press(program.find("push button", "Not Now"))
        program.wait_gone("label", lambda name: "are missing on the server. Nothing" in name)
        self.wait_state("35 entries are missing on the server")
        self.open_details()
        program.check_names()
        program.find_text("The server has 5 entries, this computer 40: 35 entries are missing on the server.")
        self.picture("loss-details", "Sync")
        program.narrow("Sync")
        self.picture("loss-details-narrow", "Sync")
        self.assertEqual(self.ideas(), self.COUNT)

    def test_the_keyboard_alone_is_enough(self):
        self.lose()
        program = self.program
        program.tab_to("Decide\u2026")
        program.keys("space")
        program.dialog("Sync")
        program.tab_to("Details")
        program.keys("space")
        reached = program.walk()
        for name in ["Upload Again", "Remove Them Here Too", "Not Now", "Last confirmed entry, ", "Server, http"]:
            self.assertTrue(any(each.startswith(name) for each in reached), f"{name} in {reached}")
        # Escape closes the dialog without a decision.
        program.close("Sync")
        program.find("push button", "Decide\u2026")
        self.wait_state("35 entries are missing on the server")
        program.tab_to("Decide\u2026")
        program.keys("space")
        program.dialog("Sync")
        program.tab_to("Upload Again")
        program.keys("space")
        self.wait_state("synced")
        self.assertEqual(len(Device(self.server, EMAIL).events()), self.COUNT)

    def test_keep_mine_uploads_what_is_missing(self):
        self.lose()
        self.program.open(self.program.find("push button", "Decide\u2026"), "Sync")
        self.program.press(self.program.find("push button", "Upload Again"))
        self.wait_state("synced")
        self.assertEqual(len(Device(self.server, EMAIL).events()), self.COUNT)
        self.assertEqual(self.ideas(), self.COUNT)

    def test_follow_server_removes_missing_entries(self):
        self.lose()
        self.open_details()
        self.program.press(self.program.find("push button", "Remove Them Here Too"))
        self.wait_state("synced")
        self.assertEqual(self.ideas(), 5)


def has_events(path):
    with contextlib.closing(sqlite3.connect(path)) as database:
        return bool(database.execute("SELECT 1 FROM sqlite_master WHERE name = 'events'").fetchall())


if __name__ == "__main__":
    unittest.main()
