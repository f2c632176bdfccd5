"""The journal: all entries, newest first, with a filter, a page for each entry and the days of each month."""

import datetime
import pathlib
import unittest

import pyatspi

import events
from program import ProgramTestCase, has_state, text_of


def is_entry(name):
    """Whether a row of that name is an entry, and not a month heading."""
    return "," in name


class JournalTest(ProgramTestCase):
    def prepare(self):
        self.trunkctl("plant", "Cello", "--twig", "voice/practice")
        self.trunkctl("plant", "Garden path", "--twig", "core/movement")
        self.trunkctl("water", "Cello", "-m", "Bar nine held today")
        self.trunkctl("water", "Garden path", "-m", "Along the river, slowly")
        self.shine("A warm kitchen in the evening", "Where was it warm?")

    def shine(self, content, question):
        """Imports a reflection of this moment, however many the garden has."""
        shone = events.event("sun_shone", events.days_ago(0), twigId="branch-4-twig-7", twigLabel="joy",
                             content=content, prompt=question)
        self.trunkctl("import", str(events.write(self.home / "garden.json", [shone])))

    def setUp(self):
        super().setUp()
        self.program.keys("ctrl+4")
        self.program.find("list", "Journal")

    def rows(self):
        """The texts of the entries in the list, newest first."""
        found = self.program.find_all("list item", is_entry, self.program.find("list", "Journal"))
        return [row.name for row in found]

    def wait_rows(self, *parts):
        """Waits until exactly these entries are listed, each named by a part of its text."""
        def are_listed():
            rows = self.rows()
            return len(rows) == len(parts) and all(part in row for part, row in zip(parts, rows))

        self.program.wait(f"the rows {parts}", are_listed)

    def row(self, part):
        return self.program.find("list item", lambda name: part in name, self.program.find("list", "Journal"))

    def test_lists_everything_newest_first(self):
        self.wait_rows("A warm kitchen", "Along the river", "Bar nine", "planted “Garden path”", "planted “Cello”")
        self.program.check_names()

    def test_a_new_entry_comes_to_the_top(self):
        self.trunkctl("plant", "Letters", "--twig", "back/connection")
        self.trunkctl("water", "Letters", "-m", "Dear Ruth")
        self.wait_rows(
            "Dear Ruth", "planted “Letters”", "A warm kitchen", "Along the river", "Bar nine", "planted", "planted")

    def open_filter(self):
        return self.program.open(self.program.find("push button", "Filter…"), "Filter the Journal")

    def show_whole_journal(self):
        """Removes the filter in its dialog."""
        program = self.program
        dialog = program.open(
            program.find("push button", lambda name: name.startswith("Filter: ")), "Filter the Journal")
        program.press(program.find("push button", "Show the Whole Journal", dialog))
        program.wait_closed("Filter the Journal")

    def test_a_kind_narrows_it(self):
        program = self.program
        self.open_filter()
        program.check_names()
        program.tab_to("Branch")
        program.tab_to("Show", key="shift+Tab")
        program.keys("space")
        program.find("list item", "Sun")
        program.popover_keys("Down", "Down", "Return")
        self.wait_rows("A warm kitchen")
        program.close("Filter the Journal")
        program.find("push button", "Filter: Reflections")
        self.show_whole_journal()
        self.wait_rows("A warm kitchen", "Along the river", "Bar nine", "planted", "planted")

    def test_a_time_narrows_it_until_the_filter_is_removed(self):
        program = self.program
        self.open_filter()
        program.tab_to("From")
        program.type("today")
        program.tab_to("To")
        program.type("2020-02")
        program.close("Filter the Journal")
        program.find_text("No entry matches all of these filters.")
        program.press(program.find("push button", "Show the Whole Journal"))
        self.wait_rows("A warm kitchen", "Along the river", "Bar nine", "planted", "planted")

    def test_a_branch_narrows_it(self):
        program = self.program
        self.open_filter()
        program.tab_to("Branch")
        program.keys("space")
        program.find("list item", "Voice")
        # From "All branches" to Voice.
        program.popover_keys("Down", "Down", "Down", "Return")
        program.close("Filter the Journal")
        program.find("push button", "Filter: Voice")
        self.wait_rows("Bar nine", "planted “Cello”")

    def test_the_days_of_the_month_open_in_place(self):
        program = self.program
        today = datetime.date.today()
        month = program.find("push button", f"{today:%B %Y}")
        program.wait_focus(self.row("A warm kitchen"))
        program.keys("c")
        days = program.find("image", "Days of the month")
        program.wait_focus(days)
        program.wait_state(month, pyatspi.STATE_EXPANDED)
        program.check_names()
        program.wait("the day", lambda: days.description.endswith(": 3 entries"))
        program.keys("Escape")
        program.wait_gone("image", "Days of the month")
        program.keys("c")
        program.wait_focus(program.find("image", "Days of the month"))
        program.keys("Return")
        program.wait_gone("image", "Days of the month")
        program.wait_focus(self.row("A warm kitchen"))

    def test_a_wide_window_has_the_entry_beside_the_list(self):
        program = self.program
        program.resize(1300, 800)
        program.find("push button", "Earlier entry")
        program.find("list item", is_entry, program.find("list", "Journal"))
        program.activate(self.row("Bar nine"))
        program.find("push button", "Cello")
        program.check_names()

    def test_a_newer_entry_takes_the_place_of_the_first_one(self):
        program = self.program
        program.resize(1300, 800)
        program.find("push button", "Earlier entry")
        self.shine("Snow on the bench", "What was quiet?")
        program.find("label", "Snow on the bench")
        program.find("list item", lambda name: "Snow on the bench" in name)
        # A page that the user has opened stays.
        program.activate(self.row("Bar nine"))
        program.find("push button", "Cello")
        self.shine("The dough rose overnight", "What rose?")
        program.find("list item", lambda name: "The dough rose" in name)
        program.find("push button", "Cello")

    def test_a_leaf_is_found_by_typing(self):
        program = self.program
        self.open_filter()
        program.tab_to("Leaf, All leaves")
        program.open("Return", "Leaf")
        program.wait_focus(program.find("entry", "Search leaves"))
        program.check_names()
        leaves = program.find("list", "Leaf")
        program.find("list item", lambda name: name.startswith("Cello, ") and name.endswith(", 1 sprout"), leaves)
        program.type("pat")
        program.wait_gone("list item", lambda name: name.startswith("Cello"), leaves)
        program.keys("Down", "Return")
        program.wait_closed("Leaf")
        program.find("list item", "Leaf, Garden path")
        program.close("Filter the Journal")
        program.find("push button", "Filter: Garden path")
        self.wait_rows("Along the river", "planted “Garden path”")

    def test_an_entry_opens_as_a_page(self):
        program = self.program
        program.activate(self.row("A warm kitchen"))
        program.find("label", "A warm kitchen in the evening")
        self.assertFalse(has_state(program.find("push button", "Later entry"), pyatspi.STATE_SENSITIVE))
        program.press(program.find("push button", "Earlier entry"))
        program.find("label", "Along the river, slowly")
        program.keys("alt+Down")
        program.find("label", "Bar nine held today")
        # Plantings are not among the entries to page through.
        self.assertFalse(has_state(program.find("push button", "Earlier entry"), pyatspi.STATE_SENSITIVE))
        program.keys("alt+Up")
        program.find("label", "Along the river, slowly")
        program.keys("alt+Left")
        program.find("list", "Journal")
        program.activate(self.row("Bar nine"))
        program.press(program.find("push button", "Cello"))
        program.find("push button", "Uproot")

    def test_a_question_leads_to_all_entries_with_it(self):
        program = self.program
        # The key of the view that is open leads to the newest entry.
        program.keys("ctrl+4")
        program.wait("the newest row", lambda: "A warm kitchen" in getattr(program.focused(), "name", ""))
        row = self.row("A warm kitchen")
        link = program.find("link", within=row)
        self.assertIn(link.name, row.name)
        program.keys("Right")
        program.wait_focus(link)
        program.keys("Return")
        self.wait_found(link.name)
        program.keys("Escape")
        program.wait_focus(link)
        # As a screen reader does it.
        program.activate(link)
        self.wait_found(link.name)

    def wait_found(self, question):
        """Waits until the search shows the entry with this question."""
        program = self.program
        field = program.find("entry", "Search the whole garden")
        # Quotation marks would end the phrase.
        phrase = question.translate({ord(mark): " " for mark in "“”"})
        program.wait("the question", lambda: text_of(field) == f'"{phrase}"')
        found = program.find("list", "Search results")
        program.find("list item", lambda name: question in name, found)

    def test_a_planting_opens_its_sprout(self):
        program = self.program
        program.activate(self.row("planted “Garden path”"))
        program.find("push button", "Uproot")
        program.find("label", "Garden path")

    def save(self, dialog, name):
        """Saves to a file of that name, and returns its text."""
        program = self.program
        program.press(program.find("push button", "Save\u2026", dialog))
        path = pathlib.Path(self.home, name)
        program.save_as(path)
        program.wait("the file", path.exists)
        program.wait_closed("Export Journal")
        return path.read_bytes()

    def test_the_listed_entries_can_be_exported(self):
        program = self.program

        def export():
            """Exports what the filter selects."""
            button = program.find("push button", lambda name: name.startswith("Filter"))
            filter_dialog = program.open(button, "Filter the Journal")
            return program.open(program.find("push button", "Export or Print…", filter_dialog), "Export Journal")

        self.open_filter()
        program.tab_to("Branch")
        program.tab_to("Show", key="shift+Tab")
        program.keys("space")
        program.find("list item", "Sun")
        program.popover_keys("Down", "Down", "Return")
        self.wait_rows("A warm kitchen")
        program.close("Filter the Journal")
        dialog = export()
        program.check_names()
        program.choose(program.find("radio button", "Web page", dialog))
        page = self.save(dialog, "journal.html").decode()
        self.assertIn("A warm kitchen in the evening", page)
        self.assertNotIn("Bar nine", page)
        program.find_message(f"Saved \u201c{self.home / 'journal.html'}\u201d.")
        dialog = export()
        self.assertTrue(self.save(dialog, "journal.pdf").startswith(b"%PDF"))

    def test_a_sprout_can_be_exported(self):
        program = self.program
        program.activate(self.row("planted \u201cCello\u201d"))
        dialog = program.open(program.find("push button", "Export or Print\u2026"), "Export Journal")
        program.choose(program.find("radio button", "Markdown", dialog))
        self.assertIn("# Cello\n", self.save(dialog, "cello.md").decode())

    def test_the_journal_can_be_printed(self):
        program = self.program
        filter_dialog = self.open_filter()
        dialog = program.open(program.find("push button", "Export or Print…", filter_dialog), "Export Journal")
        program.press(program.find("push button", "Print\u2026", dialog))
        program.dialog("Print")


class OldJournalTest(ProgramTestCase):
    """Three years of entries; the list reads only some of them at first."""

    def prepare(self):
        self.trunkctl("demo", "--years", "3", "--into-store")

    def test_the_days_lead_to_a_year_long_ago(self):
        program = self.program
        program.keys("ctrl+4")
        rows = program.find("list", "Journal")
        newest = program.find("list item", is_entry, rows).name
        program.keys("c")
        program.wait_focus(program.find("image", "Days of the month"))
        program.press(program.find("push button", "Previous year"))
        program.press(program.find("push button", "Previous year"))
        year = datetime.date.today().year - 2
        program.find("push button", str(year))
        program.tab_to("Days of the month")
        program.keys("Home", "Return")
        # The first day of that month, or the last one before it that has an entry.
        old = program.find("list item", lambda name: is_entry(name) and f" {year}, " in name, rows)
        self.assertNotEqual(old.name, newest)
        program.find("push button", lambda name: name.endswith(f" {year}"))
        program.press(program.find("push button", "Previous month"))
        program.press(program.find("push button", "Back to the newest entry"))
        program.find("list item", newest, rows)


class EmptyJournalTest(ProgramTestCase):
    def test_says_how_to_begin(self):
        program = self.program
        program.keys("ctrl+4")
        program.find("label", "Your journal begins with a sprout")
        # There is nothing to choose or to export yet.
        self.assertEqual(program.find_all("push button", "Filter…"), [])
        program.press(program.find("push button", "Plant Your First Sprout"))
        program.wait_focus(program.find("text", "What will you grow?"))


if __name__ == "__main__":
    unittest.main()
