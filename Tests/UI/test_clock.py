"""The day ends at 06:00 and the week on Monday at 06:00, even while the user watches."""

import re
import unittest
import zoneinfo
from datetime import datetime, timedelta, timezone

import events
from clock import FakeClock, SystemZone
from program import ProgramTestCase, output, xdotool

BERLIN = timezone(timedelta(hours=1))


class ClockTestCase(ProgramTestCase):
    start_time = None

    def setUp(self):
        self.clock = FakeClock(self.start_time)
        # However slow the computer is, the time passes only when a test says so.
        self.clock.stop(self.start_time)
        self.addCleanup(self.clock.close)
        self.env = self.clock.env | {"TZ": "Europe/Berlin"}
        super().setUp()

    def import_events(self, made):
        path = events.write(self.home / "garden.json", made)
        self.trunkctl("import", str(path))

    def derived(self, now):
        """Returns the store's garden at an instant."""
        path = str(self.home / "export.json")
        self.trunkctl("export", "--force", path)
        return self.trunkctl("derive", "--events", path, "--now", events.stamp(now), "--time-zone", "Europe/Berlin")


class DayTest(ClockTestCase):
    # A Tuesday, a few seconds before the day ends.
    start_time = datetime(2026, 11, 24, 5, 59, 50, tzinfo=BERLIN)

    def prepare(self):
        sprout, made = events.planted("Cello", self.start_time - timedelta(days=3), season="2w")
        hours = [20, 10, 3]
        self.import_events(made + [events.watered(sprout, self.start_time - timedelta(hours=h), f"{h}") for h in hours])

    def test_the_day_begins_without_user_action(self):
        program = self.program
        program.find("push button", "Water: 0 of 3 left, 1 day in a row")
        program.find("list item", lambda name: "watered today" in name)
        self.clock.set(self.start_time)
        program.find("push button", "Water: 3 of 3 left, 1 day in a row")
        program.find("push button", "Water \u201cCello\u201d")
        self.assertEqual(self.derived(self.start_time)["water"]["available"], 0)
        self.assertEqual(self.derived(self.start_time + timedelta(seconds=10))["water"]["available"], 3)


    def test_a_new_day_begins_with_today(self):
        program = self.program
        program.keys("ctrl+4")
        program.wait("the journal", lambda: set(program.selected("page tab")) == {"Journal"})
        # As if another program had the keys.
        xdotool("windowfocus", re.search("0x[0-9a-f]+", output("xwininfo", "-root"))[0])
        # The program answers these questions after that event.
        program.wait("the journal", lambda: set(program.selected("page tab")) == {"Journal"})
        self.clock.stop(self.start_time + timedelta(minutes=1))
        program.focus()
        program.wait("Today", lambda: set(program.selected("page tab")) == {"Today"})
        for day, tab in ((0, "Journal"), (1, "Today")):
            with self.subTest(day):
                program.keys("ctrl+4")
                program.wait("the journal", lambda: set(program.selected("page tab")) == {"Journal"})
                program.keys("ctrl+q")
                self.assertEqual(program.wait_exit(), 0)
                self.clock.stop(self.start_time + timedelta(days=day, minutes=1))
                self.program = program = self.start()
                program.wait(tab, lambda tab=tab: set(program.selected("page tab")) == {tab})


class WeekTest(ClockTestCase):
    # A Sunday; the test sets the clock to Monday.
    start_time = datetime(2026, 11, 29, 12, 0, tzinfo=BERLIN)

    def prepare(self):
        _, made = events.planted("Cello", self.start_time - timedelta(days=13, hours=18), season="2w")
        sun = events.event(
            "sun_shone", self.start_time - timedelta(days=1), twigId="branch-0-twig-0", twigLabel="movement", content="so")
        self.import_events([*made, sun])

    def test_the_week_begins_when_the_window_gets_the_focus(self):
        program = self.program
        program.find("push button", lambda name: name.startswith("Sun: returns"))
        program.find_text("has shone this week")
        last_seconds = datetime(2026, 11, 30, 5, 59, 50, tzinfo=BERLIN)
        self.clock.stop(last_seconds)
        # The kernel reports changes of the real clock, but not of the fake one. Focusing the window updates the day,
        # too.
        program.keys("w")
        program.dialog("Water")
        program.keys("Escape")
        program.wait_closed("Water")
        program.find("push button", lambda name: name.startswith("Sun: returns"))
        self.clock.set(last_seconds)
        program.find("push button", "Sun: ready")
        program.find("push button", "Answer")
        self.assertEqual(self.derived(datetime(2026, 11, 30, 6, tzinfo=BERLIN))["sun"]["available"], 1)
        # Its season had already ended in the morning.
        program.find("push button", "Harvest \u201cCello\u201d")


class ZoneTest(ClockTestCase):
    # 19:30 on the 24th in Berlin is 07:30 on the 25th in Auckland.
    start_time = datetime(2026, 11, 24, 19, 30, tzinfo=BERLIN)

    def prepare(self):
        sprout, made = events.planted("Cello", self.start_time - timedelta(days=3), season="2w")
        self.import_events([*made, events.watered(sprout, self.start_time - timedelta(hours=3), "in the afternoon")])

    def test_another_zone_has_another_day(self):
        self.program.find("push button", "Water: 2 of 3 left, 1 day in a row")
        self.program.keys("ctrl+q")
        self.assertEqual(self.program.wait_exit(), 0)
        self.env = self.env | {"TZ": "Pacific/Auckland"}
        self.program = self.start()
        self.program.find("push button", "Water: 3 of 3 left, 1 day in a row")


@unittest.skipUnless(SystemZone.is_possible(), "programs can't have a separate /etc here")
class TravelTest(ProgramTestCase):
    """The time zone changes while the program runs, as after a journey."""

    env = {"TZ": None}

    def setUp(self):
        self.zone = SystemZone("Pacific/Kiritimati")
        self.addCleanup(self.zone.close)
        self.under = self.zone.under
        super().setUp()

    def prepare(self):
        now = datetime.now(timezone.utc)
        self.ripe = now + timedelta(days=1, hours=7)
        made = events.planted("Cello", self.ripe - timedelta(days=14), season="2w")[1]
        self.trunkctl("import", str(events.write(self.home / "garden.json", made)))

    def due(self, zone):
        """Returns the date of the harvest in this zone, as its row shows it."""
        there = self.ripe.astimezone(zoneinfo.ZoneInfo(zone))
        return f"from {there.day} {there:%B %Y}"

    def test_focusing_the_window_updates_the_time_zone(self):
        program = self.program
        # The zones are UTC+14 and UTC−11, so their dates always differ.
        for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
            self.zone.set(zone)
            program.open(program.find("push button", "Upcoming Harvests"), "Upcoming Harvests")
            program.find("list item", lambda name: self.due(zone) in name)
            program.close("Upcoming Harvests")


if __name__ == "__main__":
    unittest.main()
