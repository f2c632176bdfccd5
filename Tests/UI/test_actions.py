"""The actions of rows, as a screen reader performs them: without keyboard and pointer."""

import unittest

import events
from program import ProgramTestCase, actions_of, is_focusable


class RowTest(ProgramTestCase):
    def prepare(self):
        ripe, made = events.planted("Ripe", events.days_ago(15), leaf="Bach")
        made += events.planted("Cello", events.days_ago(3))[1]
        made += events.planted("Run", events.days_ago(2), twig="branch-0-twig-1", season="3m")[1]
        made.append(events.watered(ripe, events.days_ago(1), "words"))
        self.trunkctl("import", str(events.write(self.home / "garden.json", made)))
        self.trunkctl("backup")

    def row(self, start):
        return self.program.find("list item", lambda name: name.startswith(start))

    def assert_opens(self, row, title):
        """Activates the row, which opens this sprout's page, and goes back."""
        program = self.program
        program.activate(row)
        program.find("push button", "Uproot")
        program.find("label", title)
        program.press(program.find("push button", "Back"))
        program.wait_gone("push button", "Uproot")

    def test_every_row_of_today_opens_its_sprout(self):
        program = self.program
        program.find("push button", "Water \u201cCello\u201d")
        rows = [node.name for node in program.find_all("list item") if is_focusable(node)]
        self.assertEqual(len(rows), 3, rows)  # a ripe sprout (named once) and two thirsty ones
        for name in rows:
            with self.subTest(name):
                self.assert_opens(program.find("list item", name), name.split(",")[0])
        dialog = program.open(program.find("push button", "Upcoming Harvests"), "Upcoming Harvests")
        program.activate(program.find("list item", lambda name: name.startswith("Run, "), dialog))
        program.wait_closed("Upcoming Harvests")
        program.find("push button", "Uproot")
        program.find("label", "Run")

    def test_every_row_of_the_garden_opens_its_sprout(self):
        program = self.program
        program.resize(700, 900)  # no room for a page beside the list
        program.wait("the size", lambda: program.size() == (700, 900))
        program.press(program.find("page tab", "Garden"))
        program.wait_gone("push button", "Uproot")
        for title in ("Ripe", "Cello", "Run"):
            with self.subTest(title):
                self.assert_opens(self.row(f"{title}, "), title)

    def test_water_entries_open_and_months_do_nothing(self):
        program = self.program
        dialog = program.open(program.find("push button", lambda name: name.startswith("Water: ")), "Water")
        month, entry = program.wait("the rows", lambda: program.find_all("list item", within=dialog))
        self.assertEqual(actions_of(month), [])
        program.activate(entry)
        program.wait_closed("Water")
        program.find("push button", "Earlier entry")

    def test_backups_expand_and_can_be_previewed(self):
        program = self.program
        program.preferences("Data")
        program.activate(self.row("Restore from 1 backup"))
        program.activate(self.row("Restore the backup of "))
        program.dialog("Import")


if __name__ == "__main__":
    unittest.main()
