"""The first minute: the window is the form for planting, and a few keys plant the first sprout."""

import unittest

import pyatspi

from program import ProgramTestCase, text_of

PLACE = "Voice \u00b7 practice"


def place_of(node):
    return node.queryComponent().getExtents(pyatspi.WINDOW_COORDS)


class FirstStepsTest(ProgramTestCase):
    def title(self):
        return self.program.find("text", "What will you grow?")

    def place(self):
        return self.program.find("text", "Where")

    def assert_planted(self, title):
        """Checks that the sprout is planted, and that its row has the focus."""
        program = self.program
        row = program.find("list item", lambda name: name.startswith(f"{title}, {PLACE}"))
        program.wait_focus(row)
        program.wait("what a screen reader says of it", lambda: row.description == "Planted.")
        program.wait_gone("text", "What will you grow?")
        [sprout] = self.trunkctl("list")["sprouts"]
        self.assertEqual((sprout["title"], sprout["leaf"], sprout["state"]), (title, title, "active"))
        self.assertEqual(sprout["twig"], "voice/practice")
        self.assertEqual(self.trunkctl("status")["soil"], {"available": 7, "capacity": 10})

    def test_the_first_window_is_the_form(self):
        program = self.program
        program.find_text("What do you want to grow?")
        program.wait_focus(self.title())
        self.assertEqual(program.find_all("text", "Where"), [])
        self.assertEqual(program.find_all("push button", lambda name: name.startswith(("Soil: ", "Water: ", "Sun: "))), [])
        program.check_names()
        program.open(program.find("push button", "I Have a Garden Already\u2026"), "I Have a Garden Already")
        for name in ("Sign In", "Import a File", "Restore a Backup"):
            program.find("list item", lambda row, name=name: row.startswith(name))
        program.check_names()
        program.tab_to("Restore a Backup")
        program.keys("Return")
        program.dialog("Preferences")
        program.close("Preferences")
        # Without a browser, a short text takes the handbook's place.
        program.open(program.find("push button", "How It Works"), "How It Works")
        program.find_text("A sprout is something you want to grow")
        program.close("How It Works")

    def test_a_few_keys_plant_the_first_sprout(self):
        program = self.program
        program.wait_focus(self.title())
        program.type("Play the cello")
        program.wait("the title", lambda: text_of(self.title()) == "Play the cello")
        # Enter asks for the place, the second decision.
        program.keys("Return")
        program.find_text("Where does it grow?")
        program.wait_focus(self.place())
        program.type("prac")
        program.find("list item", lambda name: name.startswith(PLACE))
        program.keys("Return")
        program.find("push button", "Plant")
        program.keys("ctrl+Return")
        self.assert_planted("Play the cello")
        # On the first day there is only what can be done.
        program.find_text("A few words are plenty", role="list item")
        self.assertEqual(program.find_all("push button", lambda name: name.startswith(("Soil: ", "Sun: "))), [])
        program.keys("Down", "Return")
        program.dialog("Water")

    def test_the_wheel_scrolls_the_form(self):
        program = self.program
        program.resize(640, 600)
        program.wait("the size", lambda: program.size() == (640, 600))
        program.type("Play the cello")
        self.place()
        top = place_of(self.title()).y
        program.turn_wheel_over(self.title())
        program.wait("the form to scroll", lambda: place_of(self.title()).y < top)

    def test_the_list_alone_plants_the_first_sprout(self):
        """As with a screen reader: the list beside the field is the whole choice."""
        program = self.program
        self.title().queryEditableText().setTextContents("Play the cello")
        field = self.place()
        field.queryEditableText().setTextContents("practice")
        program.activate(program.find("list item", lambda name: name.startswith(f"{PLACE}, ")))
        program.wait("the place", lambda: text_of(field) == PLACE)
        program.wait("the twig in the picture", lambda: program.find("image", "Tree").description == f"Chosen: {PLACE}")
        program.check_names()
        program.press(program.find("push button", "Plant"))
        self.assert_planted("Play the cello")

    def test_the_tree_alone_chooses_the_place(self):
        program = self.program
        program.wait_focus(self.title())
        program.type("Play the cello")
        program.find("text", "Where")
        program.tab_to("Tree")
        # The third limb, and its first twig.
        program.keys("3", "Right", "Return")
        program.wait("the place", lambda: text_of(self.place()) == PLACE)
        program.keys("ctrl+Return")
        self.assert_planted("Play the cello")

    def test_the_form_is_kept_when_the_program_ends(self):
        program = self.program
        program.wait_focus(self.title())
        program.type("Play the cello")
        program.wait("the title", lambda: text_of(self.title()) == "Play the cello")
        program.keys("ctrl+q")
        program.wait_exit()
        self.program = program = self.start()
        program.wait("the title", lambda: text_of(self.title()) == "Play the cello")
        program.press(program.find("push button", "Start Over"))
        program.wait("an empty title", lambda: text_of(self.title()) == "")

    def test_a_sprout_without_a_title_is_not_planted(self):
        program = self.program
        program.wait_focus(self.title())
        program.keys("Return")
        program.find_text("Give it a name first.")
        self.assertEqual(self.trunkctl("list")["sprouts"], [])

    def test_other_views_lead_to_the_form(self):
        program = self.program
        program.keys("ctrl+2")
        program.find("image", "Tree")
        program.keys("n")
        program.wait_focus(self.title())
        program.keys("ctrl+3")
        program.find_text("Nothing planted yet")
        program.press(program.find("push button", "Plant Your First Sprout"))
        program.wait_focus(self.title())

    def test_the_greeting_asks_for_the_name_on_the_first_day(self):
        program = self.program
        self.trunkctl("plant", "Play the cello", "--twig", "voice/practice")
        program.find("text", "Your first name")
        program.tab_to("Your first name")
        program.type("Ada")
        program.keys("Return")
        program.find("label", lambda name: name.endswith(", Ada"))
        program.wait_gone("text", "Your first name")
        program.wait_focus(program.find("list item", lambda name: name.startswith("Play the cello")))


if __name__ == "__main__":
    unittest.main()
