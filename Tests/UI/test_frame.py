"""The window opens, its views can be reached, and it closes."""

import unittest

import pyatspi

from program import ProgramTestCase


class FrameTest(ProgramTestCase):
    def test_opens_and_quits_by_key(self):
        program = self.program
        for view in ("Today", "Tree", "Garden", "Journal"):
            program.find("page tab", view)
        program.find("push button", "Main menu")
        program.check_names()
        program.keys("ctrl+q")
        self.assertEqual(program.wait_exit(), 0)

    def test_keys_switch_views(self):
        program = self.program
        for number, view in ((2, "Tree"), (3, "Garden"), (4, "Journal"), (1, "Today")):
            program.keys(f"ctrl+{number}")
            program.wait(f"the view {view}", lambda: program.selected("page tab") == [view])
            program.check_names()

    def test_a_narrow_window_has_its_view_switcher_below(self):
        program = self.program
        program.narrow()
        garden = program.wait("the views below", lambda: next(
            (tab for tab in program.find_all("page tab", "Garden") if self.is_below(tab)), None))
        program.press(garden)
        program.wait("the garden", lambda: set(program.selected("page tab")) == {"Garden"})
        program.check_names()

    def is_below(self, node):
        """Whether the node is in the lower half of the window."""
        place = node.queryComponent().getExtents(pyatspi.WINDOW_COORDS)
        return place.y > self.program.size()[1] / 2

    def test_the_menu_opens_by_key(self):
        program = self.program
        program.keys("F10")
        program.find("menu item", "About Trunk")
        program.keys("Escape")
        program.wait_gone("menu item", "About Trunk")


if __name__ == "__main__":
    unittest.main()
