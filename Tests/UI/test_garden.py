"""The garden by keyboard: search, filters, a sprout's page and back; the logs, preferences and keys."""

import unittest

import events
from program import ProgramTestCase


class GardenTest(ProgramTestCase):
    def prepare(self):
        self.trunkctl("demo", "--years", "2", "--into-store", "--seed", "7")

    def titles(self):
        return [node.name for node in self.program.find_all("list item") if "," in node.name]

    def test_a_sprout_is_found_opened_and_left(self):
        program = self.program
        program.keys("ctrl+3")
        program.wait("the rows", self.titles)
        program.check_names()
        growing = self.titles()
        program.tab_to("Search sprouts and leaves")
        program.type("CELLO")
        program.wait("the search results", lambda: self.titles() != growing and self.titles())
        found = self.titles()
        self.assertTrue(all("cello" in title.lower() for title in found), found)
        program.tab_to(found[0])
        program.keys("Return")
        program.find("push button", "Edit")
        program.find_text("Journal")
        program.check_names()
        program.keys("alt+Left")
        program.wait("the list", lambda: self.titles() == found)
        program.tab_to("Search sprouts and leaves", key="shift+Tab")
        program.keys("Escape")
        program.wait("all growing sprouts", lambda: self.titles() == growing)

    def test_every_dialog_is_named_and_closes_by_escape(self):
        program = self.program
        program.keys("ctrl+1")
        for name, title in (("Soil", "Soil"), ("Water", "Water"), ("Sun", "Sun")):
            program.press(program.find("push button", lambda found, name=name: found.startswith(f"{name}: ")))
            program.dialog(title)
            program.find_text("202")
            program.check_names()
            program.keys("Escape")
            program.wait_closed(title)
        for keys, title in (("ctrl+comma", "Preferences"), ("ctrl+question", "Keyboard Shortcuts")):
            program.keys(keys)
            program.dialog(title)
            program.check_names()
            program.keys("Escape")
            program.wait_closed(title)


class WideTest(ProgramTestCase):
    def prepare(self):
        for title in ("Cello", "Run", "Bread"):
            self.trunkctl("plant", title, "--twig", "voice/practice")

    def test_the_focus_stays_in_the_list_beside_a_page(self):
        program = self.program
        program.resize(1200, 800)
        program.keys("ctrl+3")
        rows = program.wait("the rows", lambda: [row for row in program.find_all("list item") if "," in row.name])
        program.wait_focus(rows[0])
        titles = [row.name.split(",")[0] for row in rows]
        for keys, title in ((("Down", "Return"), titles[1]), (("alt+Down",), titles[2]), (("alt+Up",), titles[1])):
            program.keys(*keys)
            # Its row and its page have the title.
            program.wait(title, lambda title=title: len(program.find_all("label", title)) == 2)
            self.assertTrue(program.focused().name.startswith(titles[1]), program.focused().name)


class HarvestedTest(ProgramTestCase):
    def prepare(self):
        sprout, made = events.planted("Prelude", events.days_ago(60))
        made.append(events.event("sprout_harvested", events.days_ago(40), sproutId=sprout, result=3, capacityGained=0.1))
        made += events.planted("Cello", events.days_ago(3))[1]
        self.trunkctl("import", str(events.write(self.home / "garden.json", made)))

    def test_the_list_beside_a_harvested_sprout_contains_it(self):
        program = self.program
        program.resize(1200, 800)
        program.keys("ctrl+f")
        program.wait_focus(program.find("entry", "Search the whole garden"))
        program.type("prelude")
        program.activate(program.find("list item", lambda name: name.startswith("Prelude, Core · movement · Budded")))
        program.find("push button", "Edit")
        program.find("list item", lambda name: name.startswith("Prelude, "))
        self.assertEqual(program.find_all("list item", lambda name: name.startswith("Cello, ")), [])


if __name__ == "__main__":
    unittest.main()
