"""The first minute: an empty garden says what to do, and a few keys plant the first sprout."""

import unittest

from program import ProgramTestCase, text_of


class FirstStepsTest(ProgramTestCase):
    def test_an_empty_garden_explains_itself(self):
        program = self.program
        program.find_text("Plant a sprout: something you want to grow.")
        program.find_text("Nothing is growing yet.")
        program.find("push button", "Soil: 10 of 10 free")
        program.open(program.find("push button", "How It Works"), "How It Works")
        program.find_text("A sprout is something you want to grow")
        program.close("How It Works")
        program.press(program.find("push button", "Plant Your First Sprout"))
        program.dialog("Plant a Sprout")

    def test_a_few_keys_plant_the_first_sprout(self):
        program = self.program
        program.keys("n")
        dialog = program.dialog("Plant a Sprout")
        title = program.find("text", "What will you grow?", within=dialog)
        program.type("Play the cello")
        program.wait("the title", lambda: text_of(title) == "Play the cello")
        # Enter asks for the place, the second decision.
        program.keys("Return")
        program.find_text("Where does it grow?")
        program.wait_focus(program.find("text", "Where", within=dialog))
        program.type("prac")
        program.find("list item", lambda name: name.startswith("Voice \u00b7 practice"))
        program.keys("Return", "ctrl+Return")
        program.wait_closed("Plant a Sprout")

        program.find("list item", lambda name: name.startswith("Play the cello, Voice · practice"))
        program.find("push button", "Soil: 7 of 10 free")
        program.wait_gone("push button", "Plant Your First Sprout")
        [sprout] = self.trunkctl("list")["sprouts"]
        self.assertEqual(sprout["title"], "Play the cello")
        self.assertEqual(sprout["leaf"], "Play the cello")
        self.assertEqual(sprout["state"], "active")
        self.assertEqual(self.trunkctl("status")["soil"], {"available": 7, "capacity": 10})

    def test_the_list_alone_plants_the_first_sprout(self):
        """As with a screen reader: the list beside the field is the whole choice."""
        program = self.program
        dialog = program.open("n", "Plant a Sprout")
        program.check_names()
        program.type("Play the cello")
        field = program.find("text", "Where", within=dialog)
        field.queryEditableText().setTextContents("practice")
        program.activate(program.find("list item", lambda name: name.startswith("Voice \u00b7 practice, ")))
        program.wait("the place", lambda: text_of(field) == "Voice \u00b7 practice")
        program.find("image", "Tree", within=dialog)
        program.wait("the twig in the picture", lambda: program.find("image", "Tree", within=dialog).description
                     == "Chosen: Voice \u00b7 practice")
        program.press(program.find("push button", "Plant", within=dialog))
        program.wait_closed("Plant a Sprout")
        [sprout] = self.trunkctl("list")["sprouts"]
        self.assertEqual(sprout["twig"], "voice/practice")

    def test_the_tree_alone_chooses_the_place(self):
        program = self.program
        dialog = program.open("n", "Plant a Sprout")
        program.type("Play the cello")
        program.tab_to("Tree")
        # The third limb, and its first twig.
        program.keys("3", "Right", "Return")
        field = program.find("text", "Where", within=dialog)
        program.wait("the place", lambda: text_of(field) == "Voice \u00b7 practice")
        program.keys("ctrl+Return")
        program.wait_closed("Plant a Sprout")
        [sprout] = self.trunkctl("list")["sprouts"]
        self.assertEqual(sprout["twig"], "voice/practice")

    def test_a_sprout_without_a_title_is_not_planted(self):
        program = self.program
        program.keys("n")
        program.dialog("Plant a Sprout")
        program.keys("Return")
        program.find_text("Give it a name first.")
        program.keys("Escape")
        program.wait_closed("Plant a Sprout")
        self.assertEqual(self.trunkctl("list")["sprouts"], [])

    def test_an_empty_view_says_what_to_do_next(self):
        program = self.program
        program.keys("ctrl+3")
        program.find_text("Nothing planted yet")
        program.find("push button", "Plant Your First Sprout")


if __name__ == "__main__":
    unittest.main()
