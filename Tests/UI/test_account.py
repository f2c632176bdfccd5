"""The account's name and time zone: in the window, on the server next to other clients' members, and after a
restart."""

import contextlib
import json
import sqlite3
import unittest
import zoneinfo
from datetime import datetime, timedelta, timezone

import pyatspi

import events
from account import EMAIL, ServerTestCase, open_account, setUpModule, wait_local  # noqa: F401
from program import has_state, text_of, xdotool
from server import Device


class AccountTest(ServerTestCase):
    def restart(self):
        self.program.keys("ctrl+q")
        self.assertEqual(self.program.wait_exit(), 0)
        self.program = self.start()
        self.wait_state("synced")

    def open_account(self):
        open_account(self.program)

    def test_the_account_provides_the_name(self):
        self.sign_in()
        self.wait_state("synced")
        # The first window has no greeting.
        self.trunkctl("plant", "Cello", "--twig", "voice/practice")
        device = Device(self.server, EMAIL)
        others = {"phone": "123", "notifications": {"channel": "email", "hours": [8, 20]}}
        device.set_profile(full_name="Ada Lovelace", **others)
        self.restart()
        program = self.program
        program.find("label", lambda label: label.endswith(", Ada"))
        self.open_account()
        program.check_names()
        program.check_actions()
        name = program.find("text", "Name")
        self.assertEqual(text_of(name), "Ada Lovelace")
        # The field has the focus, and a letter is added to the name instead of replacing it.
        program.type("x")
        program.wait("the letter at the end", lambda: text_of(name) == "Ada Lovelacex")
        program.keys("ctrl+a")
        program.type("Grace Hoper")
        program.wait("the name", lambda: text_of(name) == "Grace Hoper")
        xdotool("key", "Left", "Left", "Left")
        # The name is sent in a pause while typing, which must not move the caret. The rest is typed later.
        program.wait("the name on the server", lambda: device.profile().get("full_name") == "Grace Hoper")
        program.wait("the end of the request", lambda: not self.unsent())
        program.type("p")
        program.wait("the letter in its place", lambda: text_of(name) == "Grace Hopper")
        self.assertEqual(name.queryText().caretOffset, 9)
        program.wait("the whole name", lambda: device.profile() == {"full_name": "Grace Hopper", **others})
        program.close("Account")
        program.find("label", lambda label: label.endswith(", Grace"))

        # Without the server, a change applies immediately and is sent later.
        self.server.kill()
        program.open("ctrl+comma", "Preferences")
        program.find("text", "Name").queryEditableText().setTextContents("Emmy Noether")
        program.close("Preferences")
        program.find("label", lambda label: label.endswith(", Emmy"))
        self.wait_state("offline")
        self.open_account()
        program.find_text("Trunk will send this to your other devices when the server can be reached.")
        program.close("Account")
        self.server.start()
        program.keys("F5")
        program.wait("the new name", lambda: device.profile() == {"full_name": "Emmy Noether", **others})

    def unsent(self):
        """Returns the unsent profile changes in the garden's file."""
        (path,) = self.home.glob("data/trunk/*-*/garden.db")
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            ((text,),) = database.execute("SELECT value FROM meta WHERE key = 'profile'")
        return json.loads(text)["unsent"]

    def test_the_account_provides_the_time_zone(self):
        """It decides the day of entries of other programs, which don't record theirs."""
        written = (datetime.now(timezone.utc) - timedelta(days=2)).replace(hour=18)

        def wait_day(zone):
            # The zones are UTC+14 and UTC−11, so their dates always differ.
            there = written.astimezone(zoneinfo.ZoneInfo(zone))
            self.program.keys("ctrl+4")
            self.program.find("list item", lambda name: "Elsewhere" in name and f"{there.day} {there:%B}" in name)

        self.sign_in()
        self.wait_state("synced")
        device = Device(self.server, EMAIL)
        sprout, made = events.planted("Cello", events.days_ago(5), season="2w")
        device.insert([*made, events.watered(sprout, written, "Elsewhere")])
        device.set_profile(timezone="Pacific/Kiritimati")
        self.restart()
        wait_day("Pacific/Kiritimati")

        program = self.program
        self.open_account()
        program.activate(program.find("list item", "Time zone, Pacific/Kiritimati"))
        program.dialog("Time Zone")
        program.check_names()
        program.wait_focus(program.find("entry", "Search places"))
        program.type("pago")
        program.keys("Return")
        program.wait_closed("Time Zone")
        wait_day("Pacific/Pago_Pago")
        program.wait("the zone on the server", lambda: device.profile() == {"timezone": "Pacific/Pago_Pago"})

        # An unknown time zone is reported and left unchanged.
        device.set_profile(timezone="Mars/Olympus")
        self.restart()
        self.open_account()
        self.program.find_text("time zone \u201cMars/Olympus\u201d")
        self.program.close("Account")
        self.assertEqual(device.profile(), {"timezone": "Mars/Olympus"})


    def lose(self, count):
        """Signs in, adds this many seedlings and makes the server lose them all."""
        self.sign_in()
        self.wait_state("synced")
        for number in range(count):
            self.trunkctl("seed", f"Idea {number}", "--twig", "heart/joy")
        self.trunkctl("sync")
        self.server.kill()
        with contextlib.closing(sqlite3.connect(self.server.folder / "trunk-server.db")) as database:
            database.execute("DELETE FROM events")
            database.commit()
        self.server.start()

    def test_signing_out_works_by_keyboard(self):
        program = self.program
        self.lose(3)
        self.open_account()
        program.tab_to("Sign Out\u2026")
        program.keys("space")
        question = program.dialog("Sign out?")
        # Enter removes nothing, and Tab reaches every row of the list.
        self.wait_answer("Upload Again", question)
        reached = program.walk()
        for name in ["Upload Again", "Keep a Copy and Sign Out", "Cancel", *(f"Seedling \u00b7 Idea {n}" for n in range(3))]:
            self.assertTrue(any(each.startswith(name) for each in reached), f"{name} in {reached}")
        # Escape changes nothing and returns the focus to the button.
        program.keys("Escape")
        program.wait("the question to close", lambda: not program.top_level("Sign out?"))
        program.focus("Account")
        program.wait_focus(program.find("push button", "Sign Out\u2026"))
        self.assertEqual(len(self.trunkctl("list", "--seedlings")["seedlings"]), 3)
        program.keys("space")
        self.wait_answer("Upload Again", program.dialog("Sign out?"))
        program.keys("Return")
        program.find("label", lambda name: name.startswith("The server has every entry of this garden."))
        self.assertEqual(len(Device(self.server, EMAIL).events()), 3)
        program.dialog("Sign out?")
        program.tab_to("Sign Out")
        program.keys("space")
        wait_local(program)

    def wait_answer(self, start, within):
        """Waits until this button has the focus. GTK has each button twice, for wide and narrow windows."""
        self.program.wait(f"the keyboard on {start}", lambda: any(
            has_state(button, pyatspi.STATE_FOCUSED)
            for button in self.program.find_all("push button", lambda name: name.startswith(start), within)))

    def test_missing_entries_are_listed_before_signing_out_and_restored_after(self):
        program = self.program
        self.lose(12)
        self.open_account()
        program.press(program.find("push button", "Sign Out\u2026"))
        question = program.find("dialog", lambda name: "Sign out?" in name)
        program.check_names()
        program.find("label", lambda name: name.startswith("12 entries on this computer are not on the server."), question)
        program.find("list item", lambda name: name.startswith("Seedling \u00b7 Idea 11"), question)
        program.press(program.find("push button", lambda name: name.startswith("Keep a Copy and Sign Out"), question))
        wait_local(program)
        (copy,) = self.home.glob("data/trunk/signed-out/*/*/garden.db")
        message = program.find("dialog", lambda name: name.startswith("Signed out"))
        program.find("label", lambda name: str(copy) in name, message)
        # If these may be the only copies, deleting them is not offered.
        self.assertEqual(program.find_all("push button", lambda name: name.startswith("Delete"), message), [])
        program.press(program.find("push button", lambda name: name.startswith("Close"), message))

        self.sign_in()
        question = program.find("dialog", lambda name: "12 entries on this computer are not on the server" in name)
        program.check_names()
        program.press(program.find("push button", lambda name: name.startswith("Restore"), question))
        device = Device(self.server, EMAIL)
        program.wait("all entries", lambda: len(device.events()) == 12)
        self.wait_state("synced")
        self.assertEqual(len(self.trunkctl("list", "--seedlings")["seedlings"]), 12)

    def test_declined_copies_are_not_offered_again(self):
        program = self.program
        self.sign_in()
        self.wait_state("synced")
        self.trunkctl("seed", "Given up", "--twig", "heart/joy")
        self.trunkctl("sync")
        self.trunkctl("logout")
        # The window detects it without user action.
        wait_local(program)
        message = program.find("dialog", lambda name: name.startswith("Signed out"))
        program.press(program.find("push button", lambda name: name.startswith("Close"), message))
        self.server.kill()
        with contextlib.closing(sqlite3.connect(self.server.folder / "trunk-server.db")) as database:
            database.execute("DELETE FROM events")
            database.commit()
        self.server.start()

        self.sign_in()
        question = program.find("dialog", lambda name: "1 entry on this computer is not on the server" in name)
        program.press(program.find("push button", lambda name: name.startswith("Don\u2019t Restore"), question))
        program.wait("the decision", lambda: self.trunkctl("restore", "--dry-run")["restored"] == 0)
        # After a newer copy, the older one is still not offered.
        for _ in range(2):
            self.trunkctl("logout")
            wait_local(program)
            message = program.find("dialog", lambda name: name.startswith("Signed out"))
            program.press(program.find("push button", lambda name: name.startswith("Close"), message))
            self.sign_in()
            self.wait_state("synced")
            self.open_account()
            self.assertEqual(self.trunkctl("restore", "--dry-run")["restored"], 0)
            self.assertEqual(program.find_all("push button", lambda name: name.startswith("Restore")), [])
            program.close("Account")
        self.assertEqual(self.trunkctl("restore", "--all")["restored"], 1)
        device = Device(self.server, EMAIL)
        program.wait("the entry", lambda: len(device.events()) == 1)

    def test_the_copy_can_be_deleted_if_the_server_has_everything(self):
        program = self.program
        self.sign_in()
        self.wait_state("synced")
        self.trunkctl("seed", "Sent", "--twig", "heart/joy")
        self.trunkctl("sync")
        self.open_account()
        program.press(program.find("push button", "Sign Out\u2026"))
        question = program.find("dialog", lambda name: "Sign out?" in name)
        program.press(program.find("push button", lambda name: name.startswith("Sign Out"), question))
        wait_local(program)
        message = program.find("dialog", lambda name: name.startswith("Signed out"))
        program.press(program.find("push button", lambda name: name.startswith("Delete Copies"), message))
        question = program.find("dialog", lambda name: name.startswith("Delete all copies and backups of that garden?"))
        program.find("label", lambda name: name.startswith(f"Delete 1 copy in {self.home}/data/trunk/signed-out/"), question)
        program.press(program.find("push button", lambda name: name.startswith("Delete"), question))
        program.find_message("The copies and backups are deleted.")
        self.assertEqual(list(self.home.glob("data/trunk/signed-out/*/*")), [])

    def test_signing_out_without_the_server_says_that_it_was_not_checked(self):
        program = self.program
        self.sign_in()
        self.wait_state("synced")
        self.trunkctl("seed", "Sent", "--twig", "heart/joy")
        self.trunkctl("sync")
        self.server.kill()
        self.open_account()
        program.press(program.find("push button", "Sign Out\u2026"))
        question = program.find("dialog", lambda name: "Sign out?" in name)
        text = program.find("label", lambda name: name.startswith("The server couldn\u2019t be checked: "), question).name
        self.assertNotIn("The server has every entry", text)
        program.press(program.find("push button", lambda name: name.startswith("Sign Out"), question))
        wait_local(program)
        (copy,) = self.home.glob("data/trunk/signed-out/*/*/garden.db")
        said = program.find("dialog", lambda name: name.startswith("Signed out"))
        program.find("label", lambda name: str(copy) in name, said)
        # Nothing says that the server has what is in the copy.
        self.assertEqual(program.find_all("push button", lambda name: name.startswith("Delete"), said), [])

    def test_everything_is_deleted_only_after_a_word_is_typed(self):
        program = self.program
        self.sign_in()
        self.wait_state("synced")
        self.trunkctl("seed", "Private", "--twig", "heart/joy")
        self.trunkctl("sync")
        device = Device(self.server, EMAIL)
        self.open_account()

        def answer(word):
            program.press(program.find("push button", "Delete Everywhere\u2026"))
            question = program.find("dialog", lambda name: name.startswith("Delete everything, everywhere?"))
            field = program.find("text", "Type the word \u201cdelete\u201d", question)
            field.queryEditableText().setTextContents(word)
            program.press(program.find("push button", lambda name: name.startswith("Delete"), question))

        answer("remove")
        program.find_message("That didn\u2019t match. Nothing was deleted.")
        self.assertEqual([event["title"] for event in device.events()], ["Private"])
        answer("delete")
        told = program.find("label", lambda name: name.startswith("Everything is deleted. A copy is in ")).name
        (copy,) = self.home.glob("data/trunk/signed-out/*/*/garden.db")
        self.assertIn(f"\u201c{copy}\u201d", told)
        with contextlib.closing(sqlite3.connect(copy)) as database:
            self.assertEqual(database.execute("SELECT json_extract(raw, '$.title') FROM events").fetchall(), [("Private",)])
        self.assertEqual(device.events(), [])
        self.assertEqual(self.trunkctl("list", "--seedlings")["seedlings"], [])
        # The copy is not offered as something that the server has lost.
        self.assertEqual(self.trunkctl("restore", "--dry-run")["restored"], 0)
        self.assertEqual(self.trunkctl("restore", "--all", "--dry-run")["restored"], 1)


class PlainInterfaceTest(AccountTest):
    """The same with trunk-server's plain interface."""

    backend = "trunk"


if __name__ == "__main__":
    unittest.main()
