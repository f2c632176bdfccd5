"""The tree through time by keyboard: the strip, the words of a day, and the way back to today."""

import unittest

import events
from program import ProgramTestCase


def growing(name):
    return name.startswith("1 sprout was growing.")


class TimeTest(ProgramTestCase):
    def prepare(self):
        sprout, made = events.planted("Prelude", events.days_ago(800), season="1y", twig="branch-2-twig-0")
        made.append(events.watered(sprout, events.days_ago(790), "The first line held"))
        made.append(events.watered(sprout, events.days_ago(400), "By heart now"))
        self.trunkctl("import", str(events.write(self.home / "garden.json", made)))

    def setUp(self):
        super().setUp()
        self.program.keys("ctrl+2")
        self.program.find("push button", "Show the Tree as a List")

    def open_strip(self):
        self.program.keys("t")
        strip = self.program.find("slider", "Time")
        self.program.wait_focus(strip)
        return strip

    def says(self, strip, words):
        self.program.wait(words, lambda: words in strip.description)

    def test_the_keys_lead_through_the_days(self):
        program = self.program
        strip = self.open_strip()
        self.says(strip, "The tree is 2 years old. No entries.")
        program.keys("Home")
        self.says(strip, "The first day of the tree. No entries.")
        program.find("push button", "Play")
        for _ in range(10):
            program.keys("Right")
        self.says(strip, "The tree was 10 days old. 1 entry.")
        program.find("label", "The first line held")
        program.keys("Left")
        self.says(strip, "The tree was 9 days old. No entries.")
        program.keys("ctrl+Right")
        self.says(strip, "The tree was 1 month old.")
        program.keys("Page_Down")
        self.says(strip, "The tree was 1 year old.")
        program.keys("Page_Up", "ctrl+Left")
        self.says(strip, "The tree was 9 days old. No entries.")
        program.check_names()
        program.check_numbers()
        program.keys("Escape")
        program.wait_gone("slider", "Time")
        program.wait_focus(program.find("image", "Tree"))
        program.check_names()

    def test_the_words_of_a_day_lead_to_the_next_ones_and_to_the_journal(self):
        program = self.program
        strip = self.open_strip()
        program.keys("Home")
        self.says(strip, "The first day of the tree.")
        program.press(program.find("push button", lambda name: name.endswith(" ›") and "more" not in name))
        program.find("label", "The first line held")
        program.press(program.find("push button", lambda name: name.endswith(" ›") and "more" not in name))
        program.find("label", "By heart now")
        program.tab_to("Time")
        program.keys("Return")
        program.wait("the journal", lambda: set(program.selected("page tab")) == {"Journal"})

    def test_a_wide_window_has_the_words_beside_the_tree(self):
        program = self.program
        program.resize(1200, 800)
        strip = self.open_strip()
        program.keys("Home")
        self.says(strip, "The first day of the tree.")
        program.find("label", lambda name: name.startswith("1 sprout was growing.") and "was planted on" in name)

    def test_nothing_speaks_of_another_day_while_time_plays(self):
        program = self.program
        program.resize(1200, 800)
        strip = self.open_strip()
        program.keys("Home", *["Right"] * 10)
        program.find("label", "The first line held")
        program.find("label", growing)
        program.press(program.find("push button", "Play"))
        program.find("push button", "Stop")
        program.wait_gone("label", "The first line held")
        program.wait_gone("label", growing)
        program.press(program.find("push button", "Stop"))
        program.find("label", growing)

    def test_the_strip_opens_from_everywhere_and_leads_to_its_year(self):
        program = self.program
        program.keys("ctrl+1")
        program.find("push button", "Harvest \u201cPrelude\u201d")
        strip = self.open_strip()
        self.says(strip, "The tree is 2 years old.")
        program.keys("Home", "0")
        first = events.days_ago(800)
        program.find("push button", f"The Book of {first.year}\u2026")
        program.keys("t")
        program.wait_focus(program.find("slider", "Time"))

    def test_the_tab_leads_back_to_today(self):
        program = self.program
        self.open_strip()
        program.keys("Home", "ctrl+2")
        program.wait_gone("slider", "Time")
        program.find("push button", "Time")

    def test_playing_stops_on_a_day(self):
        program = self.program
        strip = self.open_strip()
        program.keys("space")
        program.find("push button", "Stop")
        program.keys("Escape")
        program.find("push button", "Play")
        program.wait("a day", lambda: "The tree was" in strip.description or "The first day" in strip.description)


class FirstDayTest(ProgramTestCase):
    def prepare(self):
        self.trunkctl("plant", "Cello", "--twig", "voice/practice")

    def test_the_first_day_has_no_past(self):
        program = self.program
        program.keys("ctrl+2")
        program.find("push button", "Show the Tree as a List")
        program.keys("t")
        self.assertEqual(program.find_all("push button", "Time"), [])
        self.assertEqual(program.find_all("slider", "Time"), [])


if __name__ == "__main__":
    unittest.main()
