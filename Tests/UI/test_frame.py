"""The frame of the window: it opens, its views can be reached, and it closes."""

import unittest

from program import ProgramTestCase


class FrameTest(ProgramTestCase):
    def test_opens_and_quits_by_key(self):
        program = self.program
        for view in ("Today", "Garden"):
            program.find("page tab", view)
        program.find("push button", "Main menu")
        program.check_names()
        program.keys("ctrl+q")
        self.assertEqual(program.wait_exit(), 0)

    def test_keys_lead_to_the_views(self):
        program = self.program
        for number, view in ((2, "Garden"), (1, "Today")):
            program.keys(f"ctrl+{number}")
            program.wait(f"the view {view}", lambda: program.selected("page tab") == [view])
            program.check_names()

    def test_a_narrow_window_has_the_views_below(self):
        program = self.program
        program.narrow()
        bar = program.find("filler", "AdwViewSwitcherBar")
        garden = program.find("page tab", "Garden", within=bar)
        program.press(garden)
        program.wait("the garden", lambda: program.selected("page tab", within=bar) == ["Garden"])
        program.check_names()

    def test_the_menu_opens_by_key(self):
        program = self.program
        program.keys("F10")
        program.find("menu item", "About Trunk")
        program.keys("Escape")
        program.wait_gone("menu item", "About Trunk")


if __name__ == "__main__":
    unittest.main()
