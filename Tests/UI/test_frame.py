"""The window opens, its views can be reached, and it closes."""

import unittest

import pyatspi

from program import ProgramTestCase, output


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
            program.wait(f"the view {view}", lambda: set(program.selected("page tab")) == {view})
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
        for command in ("Account and Sync\u2026", "Handbook", "About Trunk"):
            program.find("menu item", command)
        program.popover_keys("Escape")
        program.wait_gone("menu item", "About Trunk")

    def test_the_menu_leads_to_files_and_the_account(self):
        program = self.program
        for command, title in (("Export, Print and Import\u2026", "Export, Print and Import"),
                               ("Account and Sync\u2026", "This Computer Only")):
            program.keys("F10")
            program.press(program.find("menu item", command))
            program.dialog(title)
            program.check_names()
            program.close(title)
        program.keys("ctrl+4", "h")
        program.find_message("No sprout is ready to harvest yet.")

    def test_each_row_of_files_opens_something(self):
        program = self.program
        for row, title in (("Export or Print the Journal", "Export Journal"), ("The Book of a Year", "The Book of the Year"),
                           ("Save the Tree as a Poster", "Save the Tree as a Poster"),
                           ("Export the Garden", "Export"), ("Import", "Import"),
                           ("Backups", "Preferences")):
            with self.subTest(row):
                program.keys("F10")
                program.press(program.find("menu item", "Export, Print and Import\u2026"))
                program.dialog("Export, Print and Import")
                program.activate(program.find("list item", lambda name, row=row: name.startswith(row)))
                if title in ("Export", "Import"):
                    # The desktop's dialog for files.
                    program.wait(f"the dialog {title}", lambda title=title: program.top_level(title))
                    program.keys("Escape")
                    program.wait_closed(title)
                else:
                    program.dialog(title)
                    program.close(title)

    def test_the_tab_that_is_open_leads_to_its_root(self):
        program = self.program
        self.trunkctl("plant", "The minuet", "--twig", "voice/practice")
        for back in (lambda: program.keys("ctrl+2"), lambda: program.press(program.find("page tab", "Tree"))):
            program.keys("ctrl+2", "3", "1")
            program.find("push button", "Plant Here")
            # Another tab keeps its page.
            program.keys("ctrl+1", "ctrl+2")
            program.find("push button", "Plant Here")
            back()
            program.find("push button", "Show the Tree as a List")
            program.find("label", lambda name: name.startswith("Voice · "))

    def test_escape_leads_up_and_alt_left_back(self):
        program = self.program
        self.trunkctl("plant", "The minuet", "--twig", "voice/practice")
        self.trunkctl("water", "minuet", "-m", "Bar nine held today")
        # The third event, after those of the leaf and of the planting.
        self.launch("trunk://entry/3")
        program.find("push button", "Earlier entry")
        for found in (("push button", "Uproot"), ("push button", "Plant Here"), ("list", "Twigs"),
                      ("push button", "Show the Tree as a List")):
            program.keys("Escape")
            program.find(*found)
        # Nothing is above the tree.
        program.keys("Escape")
        program.wait("the tree", lambda: set(program.selected("page tab")) == {"Tree"})

    def test_escape_leads_from_an_entry_to_the_list_it_was_opened_in(self):
        program = self.program
        self.trunkctl("plant", "The minuet", "--twig", "voice/practice")
        self.trunkctl("water", "minuet", "-m", "Bar nine held today")
        program.keys("ctrl+4")
        row = program.find("list item", lambda name: "Bar nine" in name)
        program.wait_focus(row)
        program.keys("Return")
        program.find("push button", "Earlier entry")
        program.keys("Escape")
        program.wait_gone("push button", "Earlier entry")
        program.wait_focus(row)
        # Beside the page, too; the page stays.
        program.resize(1300, 800)
        program.find("push button", "Earlier entry")
        program.tab_to("The minuet")
        program.keys("Escape")
        program.wait_focus(row)
        program.keys("Escape")
        program.wait("the journal", lambda: set(program.selected("page tab")) == {"Journal"})
        program.find("push button", "Earlier entry")


class MaximisedTest(ProgramTestCase):
    def prepare(self):
        state = self.home / "state/trunk/window.conf"
        state.parent.mkdir(parents=True, exist_ok=True)
        state.write_text("[window]\nwidth=820\nheight=700\nmaximised=true\nview=tree\n")

    def test_a_maximised_window_is_restored(self):
        program = self.program
        program.wait("the view", lambda: set(program.selected("page tab")) == {"Tree"})
        state = output("xprop", "-id", program.window_id(None), "_NET_WM_STATE")
        self.assertIn("_NET_WM_STATE_MAXIMIZED_VERT", state)
        program.keys("ctrl+q")
        self.assertEqual(program.wait_exit(), 0)
        saved = (self.home / "state/trunk/window.conf").read_text()
        for line in ("maximised=true", "width=820", "height=700", "view=tree"):
            self.assertIn(line, saved)


if __name__ == "__main__":
    unittest.main()
