"""The tree by keyboard: the picture, the list of branches and twigs, the pages of twigs and leaves, and the way back."""

import datetime
import pathlib
import unittest

import pyatspi

from program import ProgramTestCase, text_of


class TreeTest(ProgramTestCase):
    def prepare(self):
        self.trunkctl("plant", "The minuet", "--twig", "voice/practice", "--season", "2w", "--leaf", "Bach")
        self.trunkctl("seed", "Sing in the choir", "--twig", "voice/performance")
        self.trunkctl("water", "minuet", "-m", "Bar nine held today")

    def setUp(self):
        super().setUp()
        self.program.keys("ctrl+2")
        self.program.find("push button", "Show the Tree as a List")
        self.program.keys("l")
        self.program.find("list", "Branches and twigs")

    def show_picture(self):
        self.program.keys("l")
        self.program.find("push button", "Show the Tree as a List")

    def row(self, name):
        return self.program.find("list item", lambda found: found.startswith(name))

    def test_the_picture_leads_to_a_twig_with_two_keys(self):
        program = self.program
        program.keys("l")
        program.find("push button", "Show the Tree as a List")
        program.keys("v")
        program.find("label", "Voice · 1 growing, 1 seedling")
        program.keys("Left")
        program.find("label", "Brain · nothing here yet")
        program.keys("3", "Right")
        program.find("label", "practice · 1 growing")
        program.keys("Right", "Home", "End")
        program.find("label", "publication · nothing here yet")
        program.keys("alt+Down", "1")
        program.find("label", "design")
        program.find("push button", "Plant Here")
        program.keys("Escape")
        program.find("list", "Twigs")
        program.keys("Escape")
        program.find("push button", "Show the Tree as a List")
        program.find("label", "Hands · nothing here yet")
        program.check_names()

    def test_the_tree_is_saved_as_a_poster(self):
        program = self.program
        for name, start in (("tree.svg", b"<?xml"), ("tree.gif", None)):
            path = pathlib.Path(self.home, name)
            program.keys("F10")
            program.press(program.find("menu item", "Export, Print and Import\u2026"))
            program.dialog("Export, Print and Import")
            program.check_names()
            program.activate(program.find("list item", lambda name: name.startswith("Save the Tree as a Poster")))
            dialog = program.dialog("Save the Tree as a Poster")
            program.check_names()
            # By keyboard: the format, and what is written on the poster.
            program.tab_to("PDF")
            program.keys("Right")
            program.wait_state(program.find("radio button", "SVG", within=dialog), pyatspi.STATE_CHECKED)
            program.tab_to("Names of the branches")
            program.keys("space")
            program.tab_to("Save…")
            program.keys("Return")
            program.save_as(path)
            if start:
                program.find_message(f"Saved \u201c{path}\u201d.")
                self.assertTrue(path.read_bytes().startswith(start))
                program.wait_closed("Save the Tree as a Poster")
            else:
                program.find_message("The name of the file must end in .svg, .png or .pdf.")
                self.assertFalse(path.exists())
                program.keys("Escape")
                program.wait_closed("Save the Tree as a Poster")

    def test_growing_sprouts_open_from_the_picture(self):
        program = self.program
        self.trunkctl("plant", "A cabin", "--twig", "hands/fabrication", "--season", "1m")
        self.show_picture()
        program.keys("Down")
        program.find("label", lambda name: name.startswith("The minuet · Voice · practice · 2 weeks, "))
        program.keys("Down")
        program.find("label", lambda name: name.startswith("A cabin · Hands · fabrication · 1 month, "))
        program.keys("Down")
        program.find("label", lambda name: name.startswith("The minuet · "))
        program.keys("Up", "Left")
        program.find("label", "Voice · 1 growing, 1 seedling")
        program.keys("Return", "Up")
        program.find("label", lambda name: name.startswith("The minuet · "))
        program.check_names()
        program.keys("Return")
        program.find("push button", "Uproot")
        program.wait("the garden", lambda: set(program.selected("page tab")) == {"Garden"})
        program.keys("alt+Left")
        program.find("push button", "Show the Tree as a List")

    def test_the_chosen_sprout_is_tended_with_letters(self):
        program = self.program
        self.trunkctl("plant", "A cabin", "--twig", "hands/fabrication", "--season", "1m")
        self.show_picture()
        program.keys("End", "Up")
        program.find("label", lambda name: name.startswith("A cabin · Hands · fabrication · "))
        program.keys("w")
        program.dialog("Water")
        program.find("label", "A cabin")
        program.keys("Escape")
        program.wait_closed("Water")
        program.keys("h")
        program.find_message("“A cabin” isn’t ready to harvest yet.")
        program.keys("n")
        dialog = program.dialog("Note an Idea")
        program.wait("the twig of the sprout", lambda: "fabrication" in text_of(program.find("text", "Where", dialog)))
        program.keys("Escape")
        program.wait_closed("Note an Idea")
        program.keys("s")
        program.dialog("Shine")
        program.keys("Escape")
        program.wait_closed("Shine")
        # Without a sprout, a letter chooses a name.
        program.keys("Left", "h")
        program.find("label", lambda name: name.startswith(("Hands · ", "Heart · ")))

    def test_a_screen_reader_gets_the_list_first(self):
        program = self.program
        program.keys("ctrl+q")
        self.assertEqual(program.wait_exit(), 0)
        path = pathlib.Path(self.home, "config/trunk/trunk.conf")
        path.write_text("\n".join(line for line in path.read_text().splitlines() if not line.startswith("form=")) + "\n")
        settings = pathlib.Path(self.home, "config/glib-2.0/settings/keyfile")
        settings.parent.mkdir(parents=True, exist_ok=True)
        for is_on, button in (("true", "Show the Tree as a Picture"), ("false", "Show the Tree as a List")):
            settings.write_text(f"[org/gnome/desktop/a11y/applications]\nscreen-reader-enabled={is_on}\n")
            self.env = (self.env or {}) | {"GSETTINGS_BACKEND": "keyfile"}
            program = self.program = self.start()
            program.keys("ctrl+2")
            program.find("push button", button)
            if is_on == "true":
                program.find("list", "Branches and twigs")
            program.keys("ctrl+q")
            self.assertEqual(program.wait_exit(), 0)

    def test_a_year_in_growth_opens_from_the_trunk_and_the_journal(self):
        program = self.program
        year = str(datetime.date.today().year)
        self.show_picture()
        program.keys("0")
        program.find("label", year)
        program.find("push button", f"The Book of {year}\u2026")
        program.press(program.find("list item", lambda name: name.startswith("1 planting")))
        program.find("label", "The minuet")
        program.check_names()
        program.keys("Escape")
        program.find("push button", "Show the Tree as a List")
        program.keys("ctrl+4")
        program.keys("c")
        program.press(program.find("push button", year))
        program.find("push button", f"The Book of {year}\u2026")
        program.keys("alt+Left")
        program.wait("the journal", lambda: set(program.selected("page tab")) == {"Journal"})

    def test_limbs_say_when_they_were_last_tended(self):
        program = self.program
        self.trunkctl("plant", "A cabin", "--twig", "hands/fabrication", "--season", "1m")
        self.trunkctl("water", "cabin", "-m", "The first wall stands")
        self.show_picture()
        program.keys("v")
        program.find("label", "Voice · 1 growing, 1 seedling")
        program.keys("ctrl+b")
        program.find("label", lambda name: name.startswith("Voice · 1 growing, 1 seedling, last tended: "))
        program.keys("Right")
        program.find("label", "Hands · 1 growing, last tended: today")
        program.keys("l")
        program.wait("the list", lambda: self.row("Hands").name == "Hands, 1 growing, last tended: today")
        self.assertEqual(self.row("Core").name, "Core, nothing here yet, last tended: not yet")
        program.check_names()
        program.keys("ctrl+q")
        self.assertEqual(program.wait_exit(), 0)
        program = self.program = self.start()
        program.keys("ctrl+2")
        program.wait("the list", lambda: ", last tended: " in self.row("Hands").name)
        program.keys("ctrl+b")
        program.wait("no time", lambda: self.row("Core").name == "Core, nothing here yet")

    def test_the_form_of_the_tree_is_remembered(self):
        self.program.keys("ctrl+q")
        self.assertEqual(self.program.wait_exit(), 0)
        self.program = self.start()
        self.program.keys("ctrl+2")
        self.program.find("list", "Branches and twigs")

    def test_every_node_says_what_it_contains(self):
        program = self.program
        program.wait("the branches", lambda: len(program.find_all("list item")) == 8)
        self.assertEqual(self.row("Voice").name, "Voice, 1 growing, 1 seedling")
        self.assertEqual(self.row("Core").name, "Core, nothing here yet")
        program.activate(self.row("Voice"))
        self.assertEqual(self.row("practice").name, "practice, 1 growing")
        self.assertEqual(self.row("performance").name, "performance, 1 seedling")
        program.wait_state(self.row("Voice"), pyatspi.STATE_EXPANDED)
        program.check_names()

    def test_keys_lead_to_a_twig_and_back(self):
        program = self.program
        program.tab_to("Core")
        program.keys("v")
        program.wait_focus(self.row("Voice"))
        program.keys("4")
        program.wait_focus(self.row("Hands"))
        program.keys("3", "Right", "Right")
        program.wait_focus(self.row("practice"))
        program.keys("Down", "Left")
        program.wait_focus(self.row("Voice"))
        program.keys("Left")
        program.wait_gone("list item", lambda name: name.startswith("practice"))
        program.keys("Right", "Down", "Return")
        program.find("label", "practice")
        program.find("push button", "Plant Here")
        program.check_names()
        program.keys("alt+Down")
        program.find("label", "composition")
        program.keys("alt+Up")
        program.find("label", "practice")
        program.keys("Escape")
        program.find("list", "Twigs")
        program.keys("Escape")
        program.wait_focus(self.row("Voice"))

    def test_pages_link_to_each_other_and_lead_back(self):
        program = self.program
        program.activate(self.row("Voice"))
        program.activate(self.row("practice"))
        program.press(program.find("push button", "Leaf “Bach”"))
        program.find("label", "Bar nine held today")
        program.check_names()
        program.press(program.find("push button", "The minuet"))
        program.find("push button", "Uproot")
        program.wait("the garden", lambda: set(program.selected("page tab")) == {"Garden"})
        program.press(program.find("push button", "Voice · practice"))
        program.press(program.find("push button", "Voice"))
        program.find("list", "Twigs")
        program.check_names()
        for button in ("Plant Here", "Uproot", "Continue the Leaf", "Plant Here"):
            program.keys("alt+Left")
            program.find("push button", button)
        program.keys("alt+Left")
        program.find("list", "Branches and twigs")

    def test_a_twig_is_renamed_in_place_and_everywhere(self):
        program = self.program
        program.activate(self.row("Voice"))
        program.activate(self.row("practice"))
        program.press(program.find("push button", "Edit Name and Note"))
        field = program.find("text", "Name")
        program.wait_focus(field)
        program.type("Cello")
        program.keys("Return")
        program.find_message("Changed “Cello”")
        program.find("label", "Cello")
        self.assertEqual(self.trunkctl("list")["sprouts"][0]["twig"], "voice/practice")
        program.keys("ctrl+3")
        program.find("list item", lambda name: "Voice · Cello" in name)
        program.keys("ctrl+2")
        program.find("label", "Cello")
        program.keys("ctrl+z")
        program.find("label", "practice")

    def test_the_original_name_is_restored(self):
        program = self.program
        self.trunkctl("node", "rename", "voice/practice", "Cello")
        program.activate(self.row("Voice"))
        program.activate(self.row("Cello"))
        program.press(program.find("push button", "Edit Name and Note"))
        program.press(program.find("push button", "Restore Original"))
        program.find("label", "practice")

    def test_an_idea_is_noted_on_a_twig(self):
        program = self.program
        program.activate(self.row("Voice"))
        program.activate(self.row("curation"))
        program.tab_to("Note an idea")
        program.type("A shelf for records")
        program.keys("Return")
        program.find("push button", "Plant “A shelf for records”")
        program.wait("an empty field", lambda: text_of(program.find("text", "Note an idea")) == "")
        self.assertIn("voice/curation", [seedling["twig"] for seedling in self.trunkctl("list", "--seedlings")["seedlings"]])


if __name__ == "__main__":
    unittest.main()
