"""Unfinished texts in the built window: they are on Today and on the sprout's page, and can be continued or discarded."""

import unittest

from program import ProgramTestCase, text_of


class DraftTest(ProgramTestCase):
    def prepare(self):
        self.trunkctl("plant", "Cello", "--twig", "voice/practice")

    def leave_a_draft(self, text):
        """Types into the water dialog and closes it."""
        program = self.program
        dialog = program.open("w", "Water")
        program.wait_focus(self.field(dialog))
        program.type(text)
        program.close("Water")

    def field(self, dialog):
        return self.program.find("text", within=dialog)

    def test_a_draft_is_continued_from_today_and_from_its_sprout(self):
        program = self.program
        self.leave_a_draft("Half a line")
        for opener in (None, "ctrl+3"):
            if opener:
                program.keys(opener)
                program.activate(program.find("list item", lambda name: name.startswith("Cello")))
                program.find("push button", "Uproot")
            program.find_text("Half a line")
            program.check_names()
            dialog = program.open(program.find("push button", "Continue: Water \u201cCello\u201d"), "Water")
            program.wait("the text", lambda: text_of(self.field(dialog)) == "Half a line")
            program.close("Water")
        program.open(program.find("push button", "Continue: Water \u201cCello\u201d"), "Water")
        program.keys("ctrl+Return")
        program.wait_closed("Water")
        program.wait_gone("push button", "Continue: Water \u201cCello\u201d")
        self.assertEqual([entry["content"] for entry in program.entries("cello")], ["Half a line"])

    def test_a_draft_is_discarded_and_brought_back(self):
        program = self.program
        self.leave_a_draft("Half a line")
        program.press(program.find("push button", "Discard: Water \u201cCello\u201d"))
        program.find_toast("Draft discarded")
        program.wait_gone("label", "Half a line")
        program.press_in_toast("Draft discarded", "Undo")
        program.find_text("Half a line")


if __name__ == "__main__":
    unittest.main()
