"""Reminders of an account: they know what other devices have written, and share the choices with them."""

import unittest
from datetime import datetime, timezone

import events
from account import EMAIL
from computer import Computer
from gate import Gate
from server import Device, Server
from test_reminders import DAILY, ReminderTestCase


class AccountTestCase(ReminderTestCase):
    keyring = "ok"

    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.stop)
        super().setUp()
        self.settings(DAILY)
        self.device = Device(self.server, EMAIL)
        self.sign_in()

    def sign_in(self, **env):
        """Signs in on this computer, whose garden is then that of the account."""
        Computer(self.server, self.home, **self.shell.env, TZ="Europe/Berlin", **env).login()

    def plant_elsewhere(self, title):
        sprout, planted = events.planted(title, events.days_ago(3), season="3m")
        self.device.insert(planted)
        return sprout

    def water_elsewhere(self, sprout):
        self.device.insert([events.watered(sprout, datetime.now(timezone.utc), "a line")])


class OtherDeviceTest(AccountTestCase):
    def test_a_watering_on_another_device_needs_no_reminder(self):
        sprout = self.plant_elsewhere("Cello")
        self.remind()
        [title] = self.titles()
        self.assertIn("“Cello”", title)
        self.record.unlink()
        self.water_elsewhere(sprout)
        self.remind()
        self.assertEqual(len(self.shell.shown), 1)

    def test_without_the_server_the_local_garden_decides(self):
        self.plant_elsewhere("Cello")
        self.remind()
        self.record.unlink()
        self.server.kill()
        self.remind()
        self.assertEqual(len(self.shell.shown), 2)
        self.server.start()

    def test_the_account_turns_reminders_to_water_off_and_on(self):
        self.plant_elsewhere("Cello")
        self.device.set_profile(notifications={"channel": "email", "check_in_frequency": "off"})
        self.remind()
        self.assertEqual(self.titles(), [])
        self.record.unlink()
        self.device.set_profile(notifications={"channel": "email", "check_in_frequency": "daily"})
        self.remind()
        self.assertEqual(len(self.titles()), 1)


class SlowServerTest(AccountTestCase):
    def sign_in(self):
        self.gate = Gate(self.server, b"Cello")
        self.addCleanup(self.gate.stop)
        super().sign_in(SUPABASE_URL=self.gate.url)

    def test_a_slow_server_delays_a_reminder_by_seconds_only(self):
        self.plant_elsewhere("Cello")
        self.gate.open()
        self.remind()
        self.record.unlink()
        # The answer with this sprout's watering never arrives.
        self.gate.close(b"a line")
        self.water_elsewhere(self.trunkctl("list")["sprouts"][0]["id"])
        self.remind()
        self.assertTrue(self.gate.reached.is_set())
        self.assertEqual(len(self.shell.shown), 2)


class SharedChoicesTest(AccountTestCase):
    def test_preferences_follow_the_account_and_change_it(self):
        theirs = {"channel": "sms", "check_in_frequency": "every3days", "preferred_time": "afternoon",
                  "notify_harvest_ready": False, "notify_shine_available": True, "quiet": [22, 6]}
        self.device.set_profile(notifications=theirs)
        program = self.start(arguments=())
        program.find("frame")
        program.focus()
        program.preferences("Reminders")
        program.find("combo box", "Remind me to water, Every 3 days")
        program.activate(program.find("combo box", "Time of day, Afternoon, 14:00"))
        program.popover_keys("Home", "Down", "Down", "Return")
        program.wait("the account", lambda: self.device.profile()["notifications"]["preferred_time"] == "evening")
        self.assertEqual(self.device.profile()["notifications"], theirs | {"preferred_time": "evening"})
        # The other device changes something else while this computer is offline.
        self.server.kill()
        program.press(program.find("check box", "When a sprout is ready to harvest"))
        program.find_text("Trunk will send this to your other devices when the server can be reached.")
        program.close("Preferences")
        program.keys("ctrl+q")
        self.assertEqual(program.wait_exit(), 0)
        self.server.start()
        self.device.set_profile(notifications=theirs | {"check_in_frequency": "weekly", "channel": "none"})
        program = self.start(arguments=())
        program.wait("the account", lambda: self.device.profile()["notifications"]["notify_harvest_ready"])
        self.assertEqual(self.device.profile()["notifications"], theirs | {
            "check_in_frequency": "weekly", "channel": "none", "notify_harvest_ready": True})
        program.preferences("Reminders")
        program.find("combo box", "Remind me to water, Every week")


if __name__ == "__main__":
    unittest.main()
