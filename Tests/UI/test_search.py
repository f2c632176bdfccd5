"""The search of the whole window: groups, filters, the way to a result and back, and the keyboard."""

import unittest

from program import ProgramTestCase, text_of


class SearchTest(ProgramTestCase):
    def prepare(self):
        self.trunkctl("plant", "Run by the river", "--twig", "core/movement")
        self.trunkctl("plant", "Cello", "--twig", "voice/practice")
        self.trunkctl("water", "Run by", "-m", "Cold hands. The riverbank was white. Home by nine.")
        self.trunkctl("water", "Cello", "-m", "Bar nine held today")
        self.trunkctl("seed", "Swim in the river", "--twig", "core/sport", "--notes", "in summer")

    def search(self, text):
        """Opens the search with the keyboard and types a text."""
        program = self.program
        program.keys("ctrl+f")
        field = program.find("entry", "Search the whole garden")
        program.wait_focus(field)
        program.keys("ctrl+a")
        program.type(text)
        program.wait("the text", lambda: text_of(field) == text)
        return field

    def rows(self):
        """The names of headings and results, in order."""
        lists = self.program.find_all("list", "Search results")
        return [row.name for row in self.program.find_all("list item", within=lists[0])] if lists else []

    def wait_rows(self, *starts):
        def are_shown():
            rows = self.rows()
            return len(rows) == len(starts) and all(row.startswith(start) for row, start in zip(rows, starts))

        self.program.wait(f"the rows {starts}", are_shown)

    def row(self, start):
        return self.program.find("list item", lambda name: name.startswith(start))

    def test_groups_everything_that_has_the_words(self):
        self.search("river")
        self.wait_rows(
            "Entries · 1", "… The riverbank was white. Home by nine.", "Sprouts · 1", "Run by the river, Core",
            "Leaves · 1", "Run by the river, Core", "Seedlings · 1", "Swim in the river, Core")
        self.program.check_names()
        self.program.choose(self.program.find("push button", "Seedlings · 1"))
        self.wait_rows("Seedlings · 1", "Swim in the river, Core")

    def test_suggests_the_nearest_word(self):
        program = self.program
        field = self.search("celo")
        program.press(program.find("push button", "Did you mean “Cello”?"))
        program.wait("the word", lambda: text_of(field) == "Cello")
        self.wait_rows("Sprouts · 1", "Cello, Voice", "Leaves · 1", "Cello, Voice")
        program.wait_focus(field)

    def test_what_is_shown_can_be_exported(self):
        program = self.program
        self.search("swim")
        self.wait_rows("Seedlings · 1", "Swim in the river, Core")
        self.assertEqual(program.find_all("push button", "Export or print the entries that were found"), [])
        self.search("nine")
        program.wait("the results", lambda: "Entries · 2" in self.rows())
        self.search("nine -held")
        program.wait("the result", lambda: "Entries · 1" in self.rows())
        export = program.find("push button", "Export or print the entries that were found")
        dialog = program.open(export, "Export Journal")
        program.choose(program.find("radio button", "Markdown", dialog))
        program.press(program.find("push button", "Save\u2026", dialog))
        path = self.home / "found.md"
        program.save_as(path)
        program.wait("the file", path.exists)
        program.wait_closed("Export Journal")
        text = path.read_text()
        self.assertIn("The riverbank was white", text)
        self.assertNotIn("Bar nine", text)

    def test_the_keyboard_leads_into_the_results_and_back(self):
        program = self.program
        program.keys("ctrl+4")
        program.find("list", "Journal")
        field = self.search("nine")
        program.wait("the results", lambda: "Entries · 2" in self.rows())
        # The heading of the group doesn't take the focus.
        program.keys("Down")
        program.wait_focus(self.row("Bar nine held today"))
        program.keys("Return")
        program.find("label", "Bar nine held today")
        program.press(program.find("push button", "Earlier entry"))
        program.find_text("Cold hands. The riverbank was white.")
        program.keys("alt+Left")
        program.wait_focus(self.row("Bar nine held today"))
        program.keys("Return")
        program.find("push button", "Earlier entry")
        program.keys("Escape")
        program.wait_focus(self.row("Bar nine held today"))
        program.keys("Escape")
        program.find("list", "Journal")
        program.keys("slash")
        program.wait_focus(field)
        self.assertEqual(text_of(field), "nine")
        program.keys("Escape")
        program.find("list", "Journal")

    def test_a_sprout_leads_back_to_the_results(self):
        program = self.program
        self.search("cello")
        program.activate(self.row("Cello, Voice"))
        program.find("push button", "Uproot")
        program.keys("alt+Left")
        program.wait("the results", lambda: "Sprouts · 1" in self.rows())
        program.keys("Escape")
        program.wait("today", lambda: set(program.selected("page tab")) == {"Today"})

    def test_a_seedling_opens(self):
        self.search("summer")
        self.program.activate(self.row("Swim in the river, in summer"))
        self.program.dialog("Edit the Seedling")

    def test_a_leaf_leads_back_to_the_results(self):
        program = self.program
        self.search("riv")
        program.wait("the results", lambda: "Leaves · 1" in self.rows())
        program.choose(program.find("push button", "Leaves · 1"))
        self.wait_rows("Leaves · 1", "Run by the river")
        program.activate(self.row("Run by the river"))
        program.wait_gone("list", "Search results")
        program.keys("alt+Left")
        self.wait_rows("Leaves · 1", "Run by the river")

    def test_suggests_searches_with_results(self):
        program = self.program
        field = self.search("bar kind:sun")
        program.find("label", "Nothing found")
        program.press(program.find("push button", "1 without “kind:sun” · Show"))
        program.wait("the text", lambda: text_of(field) == "bar")
        self.wait_rows("Entries · 1", "Bar nine held today")
        self.search("bar result:9")
        program.find_text("“9” is not a result.")
        self.search("river")
        program.choose(program.find("push button", "Seedlings · 1"))
        self.wait_rows("Seedlings · 1", "Swim")
        self.search("bar")
        program.press(program.find("push button", "1 in Entries · Show"))
        self.wait_rows("Entries · 1", "Bar nine held today")

    def test_shows_entries_written_in_between(self):
        self.search("nine")
        self.program.wait("the results", lambda: "Entries · 2" in self.rows())
        self.trunkctl("shine", "--twig", "heart/joy", "-m", "Nine candles")
        self.program.wait("the new entry", lambda: "Entries · 3" in self.rows())


if __name__ == "__main__":
    unittest.main()
