"""The daily ritual by keyboard: W, text, Ctrl+Enter, text, Ctrl+Enter; and undo."""

import contextlib
import sqlite3
import unittest

from program import ProgramTestCase, text_of

# Typed as a user would; xdotool can't type capital umlauts.
FIRST = 'h\u00e4tte "\u00fcbung" g\u00e9macht: <b>&amp; 50 % _of_ it</b> \U0001f331'
SECOND = "\u05e9\u05dc\u05d5\u05dd and \u0645\u0631\u062d\u0628\u0627, it's fine"


class RitualTest(ProgramTestCase):
    def prepare(self):
        self.plant_earlier("Cello & <i>bow</i>")
        self.plant_earlier("Run", "branch-0-twig-0", days=2)

    def area(self, title):
        return self.program.find("text", f"Entry about {title}")

    def question(self, title):
        """Returns the question that the dialog asks about a sprout."""
        panel = self.program.find("panel", lambda name: name.startswith(title))
        return next(n.name for n in self.program.nodes(panel) if n.name.endswith("?"))

    def test_two_entries_by_keyboard_alone(self):
        program = self.program
        program.keys("w")
        program.dialog("Water")
        program.check_names()
        first, second = self.area("Cello & <i>bow</i>"), self.area("Run")
        program.wait_focus(first)
        asked = program.wait("a question", lambda: self.question("Cello"))
        program.type(FIRST)
        program.wait("the text", lambda: text_of(first) == FIRST)
        program.keys("ctrl+Return")
        program.wait_focus(second)
        program.wait("the result", lambda: second.description.startswith("Watered. Cello & <i>bow</i> has 1 leaf. "))
        self.assertEqual([(e["content"], e["prompt"]) for e in program.entries("cello")], [(FIRST, asked)])
        program.check_names()

        asked = program.wait("a question", lambda: self.question("Run"))
        program.type(SECOND)
        program.wait("the text", lambda: text_of(second) == SECOND)
        program.keys("ctrl+Return")
        # The day's last watering ends on the user's words, until the dialog is closed.
        program.find_text(SECOND)
        program.find("push button", "Undo", within=program.top_level("Water"))
        description = program.find("push button", "Close", within=program.top_level("Water")).description
        self.assertEqual(description, "Watered. Run has 1 leaf. Everything is watered for today.")
        program.close_after_act("Water")
        self.assertEqual([(e["content"], e["prompt"]) for e in program.entries("run")], [(SECOND, asked)])
        program.find("push button", "Water: 1 of 3 left, 1 day in a row")
        program.find_text("Watered for today.")
        status = self.trunkctl("status")
        self.assertEqual((status["water"]["left"], status["streak"]["current"], status["due"]), (1, 1, []))

    def test_w_is_about_the_sprout_that_has_the_focus(self):
        program = self.program
        row = program.find("list item", lambda name: name.startswith("Run,"))
        program.wait_focus(program.find("list item", lambda name: name.startswith("Cello")))
        program.keys("Down")
        program.wait_focus(row)
        program.open("w", "Water")
        program.wait_focus(self.area("Run"))
        program.close("Water")
        program.activate(row)
        # The page begins with its title.
        program.wait_focus(program.find("label", "Run"))
        program.open("w", "Water")
        program.wait_focus(self.area("Run"))

    def test_writing_in_full_screen(self):
        program = self.program
        program.keys("w")
        dialog = program.dialog("Water")
        first = self.area("Cello & <i>bow</i>")
        program.wait_focus(first)
        asked = program.wait("a question", lambda: self.question("Cello"))
        program.type("one")
        for key in ["F11", "Escape"]:
            program.keys("F11")
            program.find("push button", "Leave full screen")
            alone = self.area("Cello & <i>bow</i>")
            program.wait_focus(alone)
            program.find("label", asked)
            self.assertEqual(program.find_all("text", within=dialog), [alone])
            program.check_names()
            program.type(f" {key.lower()}")
            program.keys(key)
            program.wait_gone("push button", "Leave full screen")
            program.wait_focus(first)
        program.wait("the text", lambda: text_of(first) == "one f11 escape")
        # Ctrl+Enter waters from there, too.
        program.keys("F11")
        program.find("push button", "Leave full screen")
        program.keys("ctrl+Return")
        program.wait_focus(self.area("Run"))
        self.assertEqual([e["content"] for e in program.entries("cello")], ["one f11 escape"])

    def test_a_draft_written_in_full_screen_is_kept(self):
        program = self.program
        program.keys("w")
        program.wait_focus(self.area("Cello & <i>bow</i>"))
        program.press(program.find("push button", "Write about \u201cCello & <i>bow</i>\u201d in full screen"))
        program.find("push button", "Leave full screen")
        program.wait_focus(self.area("Cello & <i>bow</i>"))
        program.type("alone")
        program.wait_store("the draft", lambda: "alone" in self.draft_texts())
        program.kill()
        self.program = program = self.start()
        program.keys("w")
        program.wait("the text", lambda: text_of(self.area("Cello & <i>bow</i>")) == "alone")

    def water(self, text):
        """Waters the first sprout and closes the dialog. Takes as little time as possible, for undo is not offered for
        long."""
        program = self.program
        program.keys("ctrl+1", "w")
        program.dialog("Water")
        program.wait_focus(self.area("Cello & <i>bow</i>"))
        program.type(text)
        program.keys("ctrl+Return")
        program.wait_focus(self.area("Run"))
        program.keys("Escape")
        program.wait_closed("Water")

    def assert_taken_back(self, text):
        program = self.program
        program.find_message("Undone. Your words are kept as a draft.")
        self.assertEqual(program.entries("cello"), [])
        self.assertEqual(self.trunkctl("status")["water"]["left"], 3)
        program.find("push button", "Water: 3 of 3 left")
        program.keys("w")
        program.dialog("Water")
        area = self.area("Cello & <i>bow</i>")
        program.wait("the text as a draft", lambda: text_of(area) == text)

    def test_undo_by_key(self):
        self.water("by mistake")
        self.program.keys("ctrl+z")
        self.assert_taken_back("by mistake")

    def test_undo_by_the_messages_button(self):
        self.water("too early")
        self.program.press_in_message("Watered \u201cCello & <i>bow</i>\u201d", "Undo")
        self.assert_taken_back("too early")

    def test_a_message_under_the_pointer_closes_with_the_undo_window(self):
        program = self.program
        self.water("said and done")
        message = program.find_message("Watered \u201cCello & <i>bow</i>\u201d")
        button = program.find("push button", "Undo", within=message)
        program.point_at(button)
        program.wait_gone("push button", "Undo")
        self.assertEqual([entry["content"] for entry in program.entries("cello")], ["said and done"])

    def test_undo_does_not_show_earlier_messages_again(self):
        program = self.program
        program.open("n", "Plant a Sprout")
        program.wait_focus(program.find("text", "What will you grow?"))
        program.type("Draw")
        program.choose_place()
        program.keys("ctrl+Return")
        program.find_message("Planted \u201cDraw\u201d")
        self.water("at once")
        program.press_in_message("Watered \u201cCello & <i>bow</i>\u201d", "Undo")
        program.press_in_message("Undone. Your words are kept as a draft.", "Dismiss")
        program.wait_gone("label", lambda name: name.startswith("Undone."))
        self.assertEqual(program.find_all("label", lambda name: name.startswith(("Planted", "Watered"))), [])
        program.find("push button", "Water: 3 of 3 left")

    def plant(self, title):
        """Plants a sprout by keyboard, with a text for its harvest."""
        program = self.program
        dialog = program.open("n", "Plant a Sprout")
        self.fill(dialog, "What will you grow?", title)
        program.choose_place()
        self.open_hopes(dialog)
        self.fill(dialog, "Budding", "Half of it")
        program.keys("ctrl+Return")
        program.wait_closed("Plant a Sprout")

    def open_hopes(self, dialog):
        self.program.press(self.program.find("push button", "How Will You Know?", within=dialog))

    def fill(self, dialog, caption, text):
        field = self.program.find("text", caption, dialog)
        field.queryEditableText().setTextContents(text)
        self.program.wait(caption, lambda: text_of(field) == text)

    def assert_form(self, title):
        """Checks that the dialog opens with the form's draft."""
        program = self.program
        dialog = program.open("n", "Plant a Sprout")
        for caption, text in [("What will you grow?", title), ("Budding", "Half of it")]:
            field = program.find("text", caption, dialog)
            program.wait(text, lambda field=field, text=text: text_of(field) == text)

    def test_planting_can_be_undone(self):
        program = self.program
        planted = "Planted \u201cDraw\u201d"
        for undo in [lambda: program.find_message(planted) and program.keys("ctrl+z"),
                     lambda: program.press_in_message(planted, "Undo")]:
            self.plant("Draw")
            undo()
            program.find_message("Undone. Your words are kept as a draft.")
            self.assertEqual(len(self.trunkctl("list")["sprouts"]), 2)
            self.assert_form("Draw")
            program.press(program.find("push button", "Start Over"))
            # GTK presses a button a quarter of a second after it was activated.
            program.find_message("The form is empty again.")
            program.close("Plant a Sprout")

    def test_escape_and_a_crash_keep_the_plant_form(self):
        program = self.program
        dialog = program.open("n", "Plant a Sprout")
        self.fill(dialog, "What will you grow?", "Draw")
        self.open_hopes(dialog)
        self.fill(dialog, "Budding", "Half of it")
        program.close("Plant a Sprout")
        program.find_message("Your draft is saved.")
        self.assert_form("Draw")
        self.fill(program.top_level("Plant a Sprout"), "Flourishing", "All of it")
        program.wait_store("the draft", lambda: "All of it" in self.draft_texts())
        program.kill()
        program.stop()
        self.program = self.start()
        self.assert_form("Draw")

    def draft_texts(self):
        with contextlib.closing(sqlite3.connect(f"file:{self.home}/data/trunk/local/garden.db?mode=ro", uri=True)) as db:
            return "".join(text for text, in db.execute("SELECT text FROM drafts"))

    def test_undo_in_the_dialog(self):
        program = self.program
        program.keys("w")
        program.dialog("Water")
        area = self.area("Cello & <i>bow</i>")
        program.wait_focus(area)
        program.type("half a thought")
        program.keys("ctrl+Return")
        dialog = program.top_level("Water")
        program.press(program.find("push button", "Undo", within=dialog))
        program.wait("the text as a draft", lambda: text_of(self.area("Cello & <i>bow</i>")) == "half a thought")
        self.assertEqual(program.entries("cello"), [])
        # After an undo, the text has the focus again.
        program.wait_focus(self.area("Cello & <i>bow</i>"))

    def test_the_button_that_closes_a_message_has_its_own_name(self):
        program = self.program
        program.open("n", "Plant a Sprout")
        program.type("x" * 61)
        program.choose_place()
        program.press(program.find("push button", "Plant", within=program.top_level("Plant a Sprout")))
        # Nothing else is read while the message is shown: on a slow computer, it would be gone.
        program.press_in_message("The title is 61 characters long. The limit is 60.", "Dismiss")
        program.wait_gone("label", "The title is 61 characters long. The limit is 60.")
        program.check_names()

    def test_an_entry_without_words_needs_another_button(self):
        program = self.program
        program.keys("w")
        program.dialog("Water")
        program.wait_focus(self.area("Cello & <i>bow</i>"))
        program.keys(*["ctrl+Return"] * 3)
        program.find_text("A few words, or leave it for today")
        button = program.find("push button", "Water \u201cCello & <i>bow</i>\u201d without words")
        self.assertEqual(program.entries("cello"), [])
        program.press(button)
        program.wait_focus(self.area("Run"))
        self.assertEqual([entry["content"] for entry in program.entries("cello")], [""])


if __name__ == "__main__":
    unittest.main()
