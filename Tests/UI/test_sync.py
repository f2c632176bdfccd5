"""Signing in, and one garden on two devices, with the built program, the built server and a real keyring."""

import pathlib
import subprocess
import time
import unittest

import pyatspi
from gi.repository import Gio, GLib

import events
import tokens
from account import EMAIL, ServerTestCase, open_account, setUpModule, wait_local, wait_sync  # noqa: F401
from gate import Gate
from program import text_of, xdotool
from server import Device, Server


class SyncTest(ServerTestCase):
    def test_sign_in_and_one_garden_on_two_devices(self):
        self.trunkctl("plant", "Cello", "--twig", "voice/practice", "--season", "2w")
        self.sign_in()
        # The window asks whether to upload the earlier entries.
        self.upload_garden()
        self.wait_state("synced")
        device = Device(self.server, EMAIL)
        self.wait_server(device, "the sprout on the server",
                         lambda all: [e["title"] for e in all if e["type"] == "sprout_planted"] == ["Cello"])

        # Entries of another device appear without user action.
        sprout, planted = events.planted("From far away", events.days_ago(1))
        device.insert(planted)
        self.program.find("push button", "Water \u201cFrom far away\u201d")
        self.assertEqual(sorted(s["title"] for s in self.trunkctl("list")["sprouts"]), ["Cello", "From far away"])

        # Entries of this device reach the other one, at once or when their undo window ends.
        self.trunkctl("seed", "Visit the lighthouse", "--twig", "heart/adventure")
        self.wait_server(device, "the seedling on the server",
                         lambda all: [e["title"] for e in all if e["type"] == "seedling_created"])
        clients = [event["client_id"] for event in device.events()]
        self.assertEqual(len(clients), len(set(clients)))

    def test_the_window_works_without_the_server(self):
        self.sign_in()
        self.wait_state("synced")
        self.server.kill()
        self.trunkctl("seed", "Written alone", "--twig", "heart/adventure")
        self.wait_state("offline; 1 entry waits")
        self.program.open(self.program.find("push button", lambda name: name.startswith("Sync: ")), "Sync")
        self.program.check_names()
        self.program.press(self.program.find("push button", "Details"))
        self.program.find_text("Seedling \u00b7 Written alone")
        self.server.start()
        # The button is insensitive during a sync.
        now = self.program.find("push button", "Sync Now")
        self.program.wait("Sync Now", lambda: now.queryAction().doAction(0))
        self.program.find_text("Synced")
        self.program.close("Sync")
        device = Device(self.server, EMAIL)
        self.assertEqual([e["title"] for e in device.events()], ["Written alone"])

    def test_arriving_rows_move_neither_text_nor_caret(self):
        self.trunkctl("plant", "Cello", "--twig", "voice/practice", "--season", "2w")
        self.sign_in()
        self.upload_garden()
        self.wait_state("synced")
        device = Device(self.server, EMAIL)
        program = self.program
        program.open("w", "Water")
        field = program.find("text", "Entry about Cello")
        program.wait_focus(field)
        program.type("The first half, ")
        xdotool("key", "Left", "Left")
        caret = program.wait("the caret", lambda: field.queryText().caretOffset)
        # Five hundred rows arrive in ten batches, with typing in between.
        typed = ""
        for batch in range(10):
            seedlings = [events.event("seedling_created", events.days_ago(2), seedlingId=f"seedling-{batch}-{number}",
                                      twigId="branch-0-twig-0", title=f"Idea {batch} {number}") for number in range(50)]
            device.insert(seedlings)
            typed += chr(ord("a") + batch)
            program.type(typed[-1])
        program.wait("all rows", lambda: len(program.trunkctl("list", "--seedlings")["seedlings"]) == 500)
        program.wait("the text", lambda: text_of(field) == "The first half" + typed + ", ")
        self.assertEqual(field.queryText().caretOffset, caret + len(typed))
        self.assertTrue(field.getState().contains(pyatspi.STATE_FOCUSED))

    def test_the_session_is_kept_in_the_keyring_between_starts(self):
        self.sign_in()
        self.wait_state("synced")
        self.program.stop()
        self.program = self.start()
        self.wait_state("synced")
        # Every test searches its programs' files for both kinds of tokens: see tokens.py.
        secret = subprocess.run(["secret-tool", "search", "--all", "xdg:schema", "garden.trunk.trunk.Session"],
                                capture_output=True, check=True).stdout
        self.assertRegex(secret, tokens.ACCESS)
        self.assertRegex(secret, tokens.REFRESH)

    def test_a_sign_out_by_the_command_line_is_detected_by_the_window(self):
        self.sign_in()
        self.wait_state("synced")
        self.trunkctl("logout")
        # The next sync detects the sign-out, and the local garden is shown.
        self.program.keys("F5")
        wait_local(self.program)

    def test_signing_in_again_does_not_report_an_empty_garden(self):
        self.sign_in()
        self.trunkctl("seed", "On the server", "--twig", "heart/adventure")
        self.trunkctl("sync")
        self.trunkctl("backup")
        self.trunkctl("logout")
        self.program.keys("F5")
        wait_local(self.program)
        self.close_note()
        # The account's backups are still here, and its garden is about to be downloaded.
        self.sign_in()
        self.wait_state("synced")
        self.assertEqual(self.program.find_all("label", lambda name: "it has backups" in name), [])
        self.assertEqual(len(self.trunkctl("list", "--seedlings")["seedlings"]), 1)

    def test_signing_out_removes_everything_of_the_account(self):
        self.sign_in()
        self.trunkctl("seed", "On the server", "--twig", "heart/adventure")
        device = Device(self.server, EMAIL)
        self.wait_server(device, "the seedling", lambda all: len(all) == 1)
        program = self.program
        backup = pathlib.Path(self.trunkctl("backup")["file"])
        open_account(program)
        program.check_names()
        program.press(program.find("push button", "Sign Out\u2026"))
        question = program.find("dialog", lambda name: "Sign out?" in name)
        program.check_names()
        copies = str(self.home / "data/trunk/signed-out")
        program.find("label", lambda name: "The server has every entry" in name and copies in name, question)
        self.assertEqual(program.find_all("label", lambda name: "before you signed in" in name, question), [])
        program.press(program.find("push button", lambda name: name.startswith("Sign Out"), question))
        wait_local(program)
        self.assertEqual(self.trunkctl("list", "--seedlings")["seedlings"], [])
        # Afterwards, a message names the copy and offers to delete it.
        (copy,) = self.home.glob("data/trunk/signed-out/*/*/garden.db")
        message = program.find("dialog", lambda name: name.startswith("Signed out"))
        program.check_names()
        program.find("label", lambda name: str(copy) in name, message)
        program.press(program.find("push button", lambda name: name.startswith("Delete Copies"), message))
        question = program.find("dialog", lambda name: "Delete all copies and backups of that garden?" in name)
        program.check_names()
        program.press(program.find("push button", lambda name: name.startswith("Delete"), question))
        program.find_message("The copies and backups are deleted.")
        self.assertFalse(backup.exists() or copy.exists())
        self.assertEqual(len(device.events()), 1)

    def test_a_text_that_was_begun_before_the_sign_in_can_be_added(self):
        program = self.program
        # In the first window the title has the focus, and takes letters.
        program.tab_to("How It Works")
        program.open("s", "Shine")
        program.type("Half a thought")
        program.close("Shine")
        program.find("label", "Half a thought")
        self.sign_in()
        title = "Add your unfinished texts to this account?"
        question = program.dialog(title)
        program.wait_gone("label", "Half a thought")
        program.press(program.find("push button", lambda name: name.startswith("Add to Account"), question))
        program.wait_closed(title)
        program.find("label", "Half a thought")

    def test_signing_out_lists_what_stays(self):
        self.trunkctl("plant", "Cello", "--twig", "voice/practice", "--season", "2w")
        self.sign_in()
        self.upload_garden()
        self.wait_server(Device(self.server, EMAIL), "both entries", lambda all: len(all) == 2)
        self.wait_state("synced")
        program = self.program
        open_account(program)
        program.press(program.find("push button", "Sign Out\u2026"))
        question = program.find("dialog", lambda name: "Sign out?" in name)
        folder = self.home / "data/trunk/local"
        program.find("label", lambda name: "2 entries from before you signed in stay on this computer" in name
                     and f"delete the folder {folder}." in name, question)
        program.press(program.find("push button", lambda name: name.startswith("Sign Out"), question))
        wait_local(program)
        self.close_note()
        self.assertEqual([sprout["title"] for sprout in self.trunkctl("list")["sprouts"]], ["Cello"])
        # New local entries are offered for upload as well.
        self.trunkctl("seed", "While signed out", "--twig", "heart/adventure")
        self.sign_in()
        self.upload_garden()
        self.wait_server(Device(self.server, EMAIL), "all entries", lambda all: len(all) == 3)


class ClosingTest(ServerTestCase):
    """The window is closed while the last entry could still be undone."""

    # A program that waits for the server takes longer than this to end, in seconds; it waits for 5.
    AT_ONCE = 4

    def prepare(self):
        self.server = server = Server()
        self.addCleanup(server.stop)
        # A closed gate forwards the upload, but holds back the response.
        self.gate = Gate(server, b"client_id", method="POST")
        self.gate.open()
        self.addCleanup(self.gate.stop)
        self.env = server.env | {"SUPABASE_URL": self.gate.url}

    def sign_in_with_sprout(self):
        self.sign_in()
        self.wait_state("synced")
        self.device = Device(self.server, EMAIL)
        sprout, planted = events.planted("Cello", events.days_ago(1))
        self.device.insert(planted)
        self.program.keys("F5")
        self.program.find("push button", "Water \u201cCello\u201d")

    def water_and_close(self):
        """Waters a sprout, quits, and waits until the window is gone."""
        program = self.program
        program.open("w", "Water")
        field = program.find("text", "Entry about Cello")
        program.wait_focus(field)
        program.type("the last of the day")
        program.wait("the text", lambda: text_of(field) == "the last of the day")
        program.keys("ctrl+Return")
        program.close_after_act("Water")
        program.keys("ctrl+q")
        program.wait("the window to close", lambda: program.process.poll() is not None
                     or not list(program.application() or ()))
        self.closed = time.monotonic()

    def sent(self):
        return [event["content"] for event in self.device.events() if event["type"] == "sprout_watered"]

    def pending(self):
        return [entry["type"] for entry in self.trunkctl("outbox")["outbox"]]

    def test_the_last_entry_is_sent_before_the_program_ends(self):
        self.sign_in_with_sprout()
        self.water_and_close()
        self.assertEqual(self.program.wait_exit(), 0)
        self.assertEqual(self.sent(), ["the last of the day"])
        self.assertEqual(self.pending(), [])

    def test_a_closed_window_waits_only_briefly_for_a_silent_server(self):
        self.sign_in_with_sprout()
        self.gate.close(b"client_id")
        self.water_and_close()
        self.assertIsNone(self.program.process.poll())
        self.assertEqual(self.pending(), ["sprout_watered"])
        self.assertEqual(self.program.wait_exit(), 0)
        self.assertEqual(self.sent(), ["the last of the day"], "only the response is missing")
        self.assertEqual(self.pending(), ["sprout_watered"])
        # The next start sends the entry again, and the server has it once.
        self.gate.open()
        self.program = self.start()
        self.wait_state("synced")
        self.assertEqual(self.pending(), [])
        self.assertEqual(self.sent(), ["the last of the day"])

    def test_a_second_launch_shows_the_closed_window_again(self):
        self.sign_in_with_sprout()
        self.gate.close(b"client_id")
        self.water_and_close()
        # What a second launch does, without the time that a program takes to start.
        Gio.bus_get_sync(Gio.BusType.SESSION).call_sync(
            "garden.trunk.trunk", "/garden/trunk/trunk", "org.freedesktop.Application", "Activate",
            GLib.Variant("(a{sv})", ({},)), None, Gio.DBusCallFlags.NONE, -1, None)
        self.program.find("push button", "Water: 2 of 3 left, 1 day in a row")
        self.assertEqual(self.program.find_all("push button", "Undo"), [])
        self.gate.open()
        self.wait_state("synced")
        self.assertEqual(self.pending(), [])
        self.assertEqual(self.sent(), ["the last of the day"])
        self.program.focus()
        self.program.keys("ctrl+q")
        self.assertEqual(self.program.wait_exit(), 0)

    def test_the_end_of_the_session_does_not_wait(self):
        self.sign_in_with_sprout()
        self.gate.close(b"client_id")
        self.water_and_close()
        self.program.process.terminate()
        self.assertEqual(self.program.wait_exit(), 0)
        self.assertLess(time.monotonic() - self.closed, self.AT_ONCE)
        self.assertEqual(self.pending(), ["sprout_watered"])

    def test_the_program_ends_at_once_if_it_is_offline(self):
        self.sign_in_with_sprout()
        self.server.kill()
        self.program.keys("F5")
        self.wait_state("offline")
        self.water_and_close()
        self.assertEqual(self.program.wait_exit(), 0)
        self.assertLess(time.monotonic() - self.closed, self.AT_ONCE)
        self.assertEqual(self.pending(), ["sprout_watered"])


class LoadingTest(ServerTestCase):
    def prepare(self):
        self.server = server = Server()
        self.addCleanup(server.stop)
        device = Device(server, EMAIL)
        sprout, old = events.planted("From long ago", events.days_ago(90))
        ideas = [events.event("seedling_created", events.days_ago(60), seedlingId=f"seedling-{number}",
                              twigId="branch-0-twig-0", title=f"Idea {number}") for number in range(1000)]
        harvest = events.event("sprout_harvested", events.days_ago(50), sproutId=sprout, result=3, capacityGained=0.1)
        device.insert(old + ideas[:498])
        device.insert(ideas[498:])
        device.insert([harvest])

        # The first page arrives, but the last one is held back.
        self.gate = Gate(server, b"sprout_harvested")
        self.addCleanup(self.gate.stop)
        self.env = server.env | {"SUPABASE_URL": self.gate.url}

    def assert_no_empty_garden(self):
        """Checks that neither the invitation to plant nor the figures of an empty garden are shown."""
        for start in ["Plant Your First Sprout", "I Have a Garden Already", "Soil: "]:
            found = self.program.find_all("push button", lambda name, start=start: name.startswith(start))
            self.assertEqual(found, [], start)

    def is_focused(self, name):
        focused = self.program.focused()
        return focused is not None and focused.name == name

    def test_another_garden_is_shown_in_the_same_window(self):
        program = self.program
        self.trunkctl("plant", "Cello", "--twig", "voice/practice", "--season", "2w")
        program.resize(700, 800)
        program.find("list item", lambda name: name.startswith("Cello"))
        window = program.window_id("Trunk")
        program.wait("the focus on the account", lambda: self.is_focused("Account") or program.keys("Tab"))
        self.sign_in()
        question = program.dialog("Add your earlier entries to this account?")
        program.press(program.find("push button", lambda name: name.startswith("Keep on"), question))
        program.wait_closed("Add your earlier entries to this account?")
        program.find("label", "Loading your garden\u2026")
        self.assert_no_empty_garden()
        program.check_names()
        self.assertEqual(program.window_id("Trunk"), window)
        self.assertEqual(program.size("Trunk"), (700, 800))
        program.wait("the focus where it was", lambda: self.is_focused("Account"))

        # The same view is shown.
        self.gate.open()
        program.find("push button", lambda name: name.startswith("Soil: "))
        # Commands apply to the garden that is shown.
        program.keys("ctrl+1")
        dialog = program.open("n", "Plant a Sprout")
        field = program.find("text", "What will you grow?", dialog)
        program.wait_focus(field)
        program.type("Something new")
        program.wait("the title", lambda: text_of(field) == "Something new")
        program.choose_place()
        program.keys("ctrl+Return")
        program.wait_closed("Plant a Sprout")
        program.find("push button", "Water \u201cSomething new\u201d")

        self.trunkctl("sync")
        self.trunkctl("logout")
        program.keys("F5")
        program.find("push button", "Water \u201cCello\u201d")
        wait_local(program)
        told = program.dialog("Signed out")
        program.press(program.find("push button", lambda name: name.startswith("Close"), told))
        program.wait_closed("Signed out")
        self.assertEqual(program.window_id("Trunk"), window)
        self.assertEqual(program.size("Trunk"), (700, 800))

    def test_a_download_that_fails_shows_no_empty_garden(self):
        program = self.program
        self.gate.open()
        self.gate.broken = "/rest/"
        self.sign_in()
        program.find("label", "Your garden isn\u2019t on this computer yet")
        self.assert_no_empty_garden()
        program.check_names()
        # The same after a restart.
        program.keys("ctrl+q")
        self.assertEqual(program.wait_exit(), 0)
        self.program = program = self.start()
        program.find("label", "Your garden isn\u2019t on this computer yet")
        self.assert_no_empty_garden()
        program.find("push button", "Try Again")
        self.gate.broken = None

        def loaded():
            # The program also tries again by itself, so the button may be gone.
            for again in program.find_all("push button", "Try Again"):
                program.press(again)
            return program.find_all("push button", lambda name: name.startswith("Sync: synced"))

        program.wait("the garden", loaded)
        program.find("push button", lambda name: name.startswith("Soil: "))
        program.keys("ctrl+3")
        program.find("push button", "All 1")

    def test_the_garden_is_shown_after_the_whole_download(self):
        program = self.program
        self.sign_in()
        program.find("label", "Loading your garden\u2026")
        program.find("label", "1000 entries so far")
        indicator = program.find("push button", lambda name: name.startswith("Sync: the garden is being downloaded"))
        program.press(indicator)
        details = program.dialog("Sync")
        program.find("list item", lambda name: "this computer has only a part of it" in name, details)
        program.keys("Escape")
        program.wait_closed("Sync")
        program.check_names()
        self.assertEqual([s["title"] for s in self.trunkctl("list")["sprouts"]], ["From long ago"])
        self.assertEqual(program.find_all("push button", lambda name: name.startswith("Harvest")), [])

        # A new entry is shown immediately, with the part of the garden that has arrived. Nothing can be harvested yet.
        program.open("n", "Plant a Sprout")
        field = program.find("text", "What will you grow?")
        program.wait_focus(field)
        program.type("Something new")
        program.wait("the title", lambda: text_of(field) == "Something new")
        program.choose_place()
        program.keys("ctrl+Return")
        program.find("push button", "Water \u201cSomething new\u201d")
        self.assertEqual(program.find_all("push button", lambda name: name.startswith("Harvest")), [])
        program.keys("h")
        program.find_text("Your garden is still downloading.")
        self.assertTrue(self.gate.reached.is_set())

        self.gate.open()
        wait_sync(program, "synced")
        program.wait_gone("label", "Loading your garden\u2026")
        program.keys("ctrl+3")
        program.find("label", "Harvested 1")

    def test_many_new_rows_are_shown_after_the_last_page(self):
        self.gate.open()
        program = self.program
        self.sign_in()
        wait_sync(program, "synced")

        device = Device(self.server, EMAIL)
        device.insert(events.planted("Half of the story", events.days_ago(40), season="1y")[1] + [
            events.event("seedling_created", events.days_ago(30), seedlingId=f"later-{number}", twigId="branch-1-twig-0",
                         title=f"Later {number}") for number in range(999)])
        device.insert(events.planted("The other half", events.days_ago(20), season="1y")[1])
        self.gate.close(b"The other half")
        program.keys("ctrl+r")
        program.wait("the last page", self.gate.reached.is_set)
        titles = [sprout["title"] for sprout in self.trunkctl("list")["sprouts"]]
        self.assertTrue("Half of the story" in titles and "The other half" not in titles, titles)
        program.find("push button", lambda name: name.startswith("Sync: syncing"))
        self.assertEqual(program.find_all("push button", "Water \u201cHalf of the story\u201d"), [])

        self.gate.open()
        program.find("push button", "Water \u201cThe other half\u201d")
        program.find("push button", "Water \u201cHalf of the story\u201d")


class PlainInterfaceTest(SyncTest):
    """The same with trunk-server's plain interface."""

    backend = "trunk"


if __name__ == "__main__":
    unittest.main()
