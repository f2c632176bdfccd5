"""Ideas in the built window: noted, shown, edited, deleted and planted."""

import unittest

from program import ProgramTestCase, text_of


class SeedlingTest(ProgramTestCase):
    def seedlings(self):
        return [seedling["title"] for seedling in self.trunkctl("seedling", "list")["seedlings"]]

    def note(self, title):
        """Notes an idea by keyboard and shows it: Enter leads from the title to the missing place, takes what was found,
        and saves."""
        program = self.program
        program.open("ctrl+n", "Note an Idea")
        program.wait_focus(program.find("text", "What could grow?"))
        program.type(title)
        program.keys("Return")
        place = program.find("text", "Where")
        program.wait_focus(place)
        program.type("whistl")
        program.find_text("No twig is called that. Try another word.")
        program.keys("ctrl+a")
        program.type("perform")
        program.find("list item", lambda name: name.startswith("Voice · performance"))
        program.keys("Return", "Return")
        program.wait_closed("Note an Idea")
        program.press_in_message("Seedling saved", "Show")

    def row(self, title):
        return self.program.find("list item", lambda name: name.startswith(title))

    def test_an_idea_is_noted_shown_edited_and_planted(self):
        program = self.program
        self.note("Learn to whistle")
        self.row("Learn to whistle")
        program.check_names()

        program.open(program.find("push button", "Edit \u201cLearn to whistle\u201d"), "Edit the Seedling")
        program.wait_focus(program.find("text", "What could grow?"))
        program.type(" a tune")
        program.keys("Return")
        program.wait_closed("Edit the Seedling")
        self.row("Learn to whistle a tune")
        self.assertEqual(self.seedlings(), ["Learn to whistle a tune"])

        dialog = program.open(program.find("push button", "Plant \u201cLearn to whistle a tune\u201d"), "Plant a Sprout")
        field = program.find("text", "What will you grow?", dialog)
        self.assertEqual(text_of(field), "Learn to whistle a tune")
        program.keys("Return")
        program.wait_closed("Plant a Sprout")
        program.find_text("No seedlings yet")
        self.assertEqual(self.seedlings(), [])

    def test_a_deleted_idea_can_be_brought_back(self):
        program = self.program
        self.note("Learn to whistle")
        deleted = "Seedling deleted"
        for undo in (lambda: program.find_message(deleted) and program.keys("ctrl+z"),
                     lambda: program.press_in_message(deleted, "Undo")):
            program.press(program.find("push button", "Delete \u201cLearn to whistle\u201d"))
            undo()
            self.row("Learn to whistle")
        self.assertEqual(self.seedlings(), ["Learn to whistle"])

    def test_the_tabs_are_reached_by_keyboard(self):
        program = self.program
        self.trunkctl("seed", "Learn to whistle", "--twig", "voice/practice")
        program.keys("ctrl+3")
        program.tab_to("Sprouts")
        program.keys("Right", "Right")
        self.row("Learn to whistle")
        program.tab_to("Voice, 1")
        program.keys("Down", "Right", "Right", "Right")
        program.wait_focus(program.find("push button", "Delete \u201cLearn to whistle\u201d"))
        program.keys("space")
        program.find_text("No seedlings yet")


if __name__ == "__main__":
    unittest.main()
