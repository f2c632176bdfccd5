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
        program.keys("Return")
        program.wait_closed("Plant a Sprout")

        program.find("list item", lambda name: name.startswith("Play the cello, Core · movement"))
        program.find("push button", "Soil: 7 of 10 free")
        program.wait_gone("push button", "Plant Your First Sprout")
        [sprout] = self.trunkctl("list")["sprouts"]
        self.assertEqual(sprout["title"], "Play the cello")
        self.assertEqual(sprout["leaf"], "Play the cello")
        self.assertEqual(sprout["state"], "active")
        self.assertEqual(self.trunkctl("status")["soil"], {"available": 7, "capacity": 10})

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
