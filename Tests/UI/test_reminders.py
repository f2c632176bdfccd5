"""Reminders come at the chosen time of day, once, and with the window closed."""

import unittest
from datetime import datetime, timedelta, timezone

import events
from clock import FakeClock
from program import Program, temporary_folder, trunkctl
from shell import Shell

BERLIN = timezone(timedelta(hours=1))
DAILY = "[reminders]\nfrequency=daily\ntime=morning\nsun=false\n"


class ReminderTestCase(unittest.TestCase):
    systemd = "ok"
    is_gnome = True
    keyring = "none"

    def setUp(self):
        self.home = temporary_folder(self.addCleanup)
        self.shell = self.session()

    def session(self):
        shell = Shell(self.systemd, self.is_gnome, self.keyring)
        self.addCleanup(shell.close)
        return shell

    def settings(self, text):
        folder = self.home / "config" / "trunk"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "trunk.conf").write_text(text)

    def plant(self, title, days_ago=3, season="3m", now=None):
        sprout, made = events.planted(title, events.days_ago(days_ago, now), season=season)
        self.trunkctl("import", str(events.write(self.home / "garden.json", made)))
        return sprout

    def trunkctl(self, *arguments):
        return trunkctl(self.home, *arguments, env={"TZ": "Europe/Berlin"})

    def start(self, shell=None, arguments=("--gapplication-service",), env=None):
        """Starts the program, by default as the bus does: without a window."""
        shell = shell or self.shell
        program = Program(*arguments, home=self.home, env=shell.env | {"TZ": "Europe/Berlin"} | (env or {}))
        self.addCleanup(program.stop)
        program.wait("the program on the bus", shell.has_program)
        return program

    def remind(self):
        """Starts the program and lets it decide, as the timer does, and waits until it has ended by itself."""
        program = self.start()
        self.shell.activate("remind")
        self.end(program)
        self.assertFalse((self.home / "state" / "trunk" / "window.conf").exists(), "a window was open")

    def end(self, program):
        program.wait("the end", lambda: program.process.poll() is not None)
        self.assertEqual(program.process.returncode, 0, program.log())
        self.assertEqual(program.log(), "")
        # A notification that was sent arrives before the end of the sender's connection.
        program.wait("the end on the bus", lambda: not self.shell.has_program())

    def titles(self):
        return [title for title, _ in self.shell.shown]

    @property
    def record(self):
        return self.home / "state" / "trunk" / "reminders.conf"

    def shift_record(self, **ago):
        """Sets instants in the record to this many hours before now."""
        lines = self.record.read_text().splitlines()
        for name, hours in ago.items():
            instant = events.stamp(datetime.now(timezone.utc) - timedelta(hours=hours))
            [place] = [place for place, line in enumerate(lines) if line.startswith(name + "=")]
            lines[place] = f"{name}={instant}"
        self.record.write_text("\n".join(lines) + "\n")


class ReminderTest(ReminderTestCase):
    def test_a_reminder_comes_once_a_day_without_a_window(self):
        self.settings(DAILY)
        sprout = self.plant("Cello & <b>bow</b>")
        self.remind()
        [(title, buttons)] = self.shell.shown
        self.assertIn("“Cello & <b>bow</b>”", title)
        self.assertEqual(buttons, [("Water…", "app.water-sprout", sprout), ("Later", "app.remind-later", None)])
        self.remind()
        self.assertEqual(len(self.shell.shown), 1)
        # Off or asleep for two days.
        self.shift_record(checked=49, sent=49)
        self.remind()
        self.remind()
        self.assertEqual(len(self.shell.shown), 2)

    def test_water_opens_the_dialog_of_the_sprout(self):
        self.settings(DAILY)
        self.plant("Run", days_ago=2)
        self.plant("Cello", days_ago=5)
        self.remind()
        self.assertIn("“Cello”", self.titles()[0])
        program = self.start()
        self.shell.press("Water…")
        program.dialog("Water")
        program.wait_focus(program.find("text", "Entry about Cello"))

    def test_a_press_on_a_reminder_opens_the_dialog_too(self):
        self.settings(DAILY)
        self.plant("Cello", days_ago=5)
        self.remind()
        program = self.start()
        self.shell.press_notification()
        program.dialog("Water")
        program.wait_focus(program.find("text", "Entry about Cello"))

    def test_later_returns_once(self):
        self.settings(DAILY)
        self.plant("Cello")
        self.remind()
        program = self.start()
        self.shell.press("Later")
        self.end(program)
        self.assertEqual(self.shell.removed, 1)
        self.remind()
        self.assertEqual(len(self.shell.shown), 1)
        self.shift_record(later=0)
        self.remind()
        self.assertEqual([label for label, _, _ in self.shell.shown[1][1]], ["Water…"])
        self.remind()
        self.assertEqual(len(self.shell.shown), 2)

    def test_nothing_comes_when_off_at_rest_or_watered(self):
        self.plant("Cello")
        self.remind()
        day = timedelta(days=1)
        today = datetime.now(BERLIN)
        self.settings(f"{DAILY}[rest]\nperiods={today - day:%Y-%m-%d}/{today + day:%Y-%m-%d}\n")
        self.record.unlink()
        self.remind()
        self.settings(DAILY)
        self.trunkctl("water", "cello", "-m", "a line")
        self.record.unlink()
        self.remind()
        self.assertEqual(self.titles(), [])

    def test_a_harvest_is_mentioned_and_opened(self):
        self.settings(DAILY)
        self.plant("Run", days_ago=15, season="2w")
        self.remind()
        self.assertEqual(self.titles(), ["“Run” is ready to harvest."])
        program = self.start()
        self.shell.press("Harvest…")
        program.dialog("Harvest")

    def test_hidden_text_names_nothing(self):
        self.settings(DAILY + "[privacy]\nhide-text=true\n")
        self.plant("Cello")
        self.remind()
        self.assertEqual(self.titles(), ["A moment for your garden?"])

    def test_two_sessions_show_one_reminder(self):
        self.settings(DAILY)
        self.plant("Cello")
        shells = [self.shell, self.session()]
        programs = [self.start(shell) for shell in shells]
        for shell in shells:
            shell.activate("remind")
        for program in programs:
            program.wait("the end", lambda program=program: program.process.poll() is not None)
        self.assertEqual(sum(len(shell.shown) for shell in shells), 1)

    def test_a_record_that_cannot_be_written_sends_nothing(self):
        self.settings(DAILY)
        self.plant("Cello")
        (self.home / "state").mkdir(exist_ok=True)
        (self.home / "state" / "trunk").write_text("not a folder")
        program = self.start()
        self.shell.activate("remind")
        self.assertEqual(program.wait_exit(), 0)
        self.assertIn("reminders.conf", program.log())
        self.assertEqual(self.titles(), [])


class OpenWindowTest(ReminderTestCase):
    def test_an_open_window_reminds_at_the_chosen_time(self):
        # A Wednesday.
        morning = datetime(2026, 11, 25, 9, 0, 20, tzinfo=BERLIN)
        clock = FakeClock(morning)
        self.addCleanup(clock.close)
        self.settings(DAILY)
        self.plant("Cello", now=morning)
        # With a preloaded library the program doesn't see its arguments, so it opens a window.
        program = self.start(arguments=(), env=clock.env)
        program.find("frame")

        def decide(when, expected):
            clock.set(when)
            before = self.record.read_text() if self.record.exists() else ""
            self.shell.activate("remind")
            program.wait("the decision", lambda: self.record.exists() and self.record.read_text() != before)
            program.wait("the notification", lambda: len(self.shell.shown) >= expected)
            self.assertEqual(len(self.shell.shown), expected, when)

        decide(morning, 1)
        decide(morning + timedelta(hours=5), 1)
        decide(morning + timedelta(hours=23), 1)
        decide(morning + timedelta(hours=24), 2)
        # Asleep until Saturday.
        decide(morning + timedelta(hours=75), 3)
        decide(morning + timedelta(hours=77), 3)


class OtherDesktopTest(ReminderTestCase):
    is_gnome = False

    def test_the_program_stays_for_a_press_on_a_button(self):
        self.settings(DAILY)
        self.plant("Cello")
        program = self.start()
        self.shell.activate("remind")
        program.wait("the notification", lambda: self.shell.shown)
        self.shell.press("Water…")
        program.dialog("Water")
        program.wait_focus(program.find("text", "Entry about Cello"))
        program.close("Water")
        program.keys("ctrl+q")
        self.end(program)

    def test_later_lets_the_program_end(self):
        self.settings(DAILY)
        self.plant("Cello")
        program = self.start()
        self.shell.activate("remind")
        program.wait("the notification", lambda: self.shell.shown)
        self.shell.press("Later")
        self.end(program)


class PreferencesTestCase(ReminderTestCase):
    def setUp(self):
        super().setUp()
        self.program = self.start(arguments=())
        self.program.find("frame")
        self.program.focus()
        self.program.preferences("Reminders")

    def switch(self):
        """Turns reminders on or off."""
        self.program.press(self.program.find("check box", "Show reminders on this computer"))

    def stored_settings(self):
        path = self.home / "config" / "trunk" / "trunk.conf"
        return path.read_text() if path.exists() else ""


class TimerTest(PreferencesTestCase):
    def test_the_preferences_start_and_stop_the_timer(self):
        program = self.program
        self.switch()
        program.wait("the timer", lambda: len(self.shell.units) == 2)
        self.assertEqual(self.shell.units, [
            ("EnableUnitFiles", ["trunk-reminder.timer"], False, True), ("StartUnit", "trunk-reminder.timer", "replace")])
        program.wait("the settings", lambda: "on=true" in self.stored_settings())
        program.activate(program.find("combo box", "Remind me to water, Every week"))
        program.popover_keys("Home", "Down", "Return")
        program.find("combo box", "Remind me to water, Every day")
        program.wait("the settings", lambda: "frequency=daily" in self.stored_settings())
        program.activate(program.find("combo box", "Time of day, Morning, 09:00"))
        program.popover_keys("End", "Return")
        program.find("combo box", "Time of day, Exact time")
        program.wait("the settings", lambda: "at=09:00" in self.stored_settings())
        self.assertEqual(self.shell.units[2:], [
            ("Reload",), ("EnableUnitFiles", ["trunk-reminder.timer"], False, True),
            ("RestartUnit", "trunk-reminder.timer", "replace")])
        [unit] = (self.home / "config" / "systemd" / "user" / "trunk-reminder.timer.d").iterdir()
        self.assertEqual(unit.read_text(), "[Timer]\nOnCalendar=*-*-* 09:00\n")
        self.switch()
        program.wait("the settings", lambda: "on=false" in self.stored_settings())
        program.wait("the end of the timer", lambda: len(self.shell.units) == 7)
        self.assertEqual(self.shell.units[5:], [
            ("DisableUnitFiles", ["trunk-reminder.timer"], False), ("StopUnit", "trunk-reminder.timer", "replace")])


class NoSystemdTest(PreferencesTestCase):
    systemd = None

    def test_the_preferences_say_what_is_missing(self):
        self.switch()
        self.program.find_text("Reminders need systemd, which doesn’t manage this desktop session.")
        self.assertNotIn("on=true", self.stored_settings())


class NotInstalledTest(PreferencesTestCase):
    systemd = "missing"

    def test_the_preferences_say_what_is_missing(self):
        self.switch()
        self.program.find_text("Reminders need Trunk to be installed: the timer “trunk-reminder.timer” is missing.")


class SilentSystemdTest(PreferencesTestCase):
    systemd = "hang"

    def test_the_window_stays_usable(self):
        program = self.program
        self.switch()
        dialog = program.top_level("Preferences")
        program.show_page("General", dialog)
        program.choose(program.find("radio button", "Dark"))
        program.show_page("Reminders", dialog)
        program.find_text("systemd doesn’t answer. Try again later.")


if __name__ == "__main__":
    unittest.main()
