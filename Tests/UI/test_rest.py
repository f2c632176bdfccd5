"""A time of rest, chosen in the preferences with the keyboard."""

import unittest

from program import ProgramTestCase


class RestTest(ProgramTestCase):
    def prepare(self):
        self.plant_earlier("Cello", season="1m", cost=3)
        self.trunkctl("water", "cello", "-m", "a line")

    def test_rest_is_added_and_ended_with_the_keyboard(self):
        program = self.program
        program.find("push button", "Water: 2 of 3 left, 1 day in a row")
        program.preferences("Reminders")
        program.tab_to("Rest until")
        program.type("2099-12-31")
        program.tab_to("Choose the Last Day")
        program.keys("space")
        program.find("label", "2099")
        program.check_names()
        program.popover_keys("Escape")
        program.tab_to("Add Rest")
        program.keys("Return")
        program.find("push button", "End Rest")
        program.check_names()
        program.check_actions()
        program.close("Preferences")
        program.find("push button", "Water: 2 of 3 left, resting until 31 December 2099, 1 day in a row")
        program.keys("ctrl+2")
        program.find_text("The garden rests until 31 December 2099.")
        program.keys("ctrl+q")
        self.assertEqual(program.wait_exit(), 0)

        rest = self.trunkctl("status")["rest"]
        self.assertTrue(rest["resting"])
        self.assertEqual(rest["until"], "2099-12-31")
        program = self.program = self.start()
        program.find_text("The garden rests until 31 December 2099.")
        program.preferences("Reminders")
        program.tab_to("End Rest")
        program.keys("Return")
        program.wait_gone("push button", "End Rest")
        program.close("Preferences")
        program.keys("ctrl+1")
        program.find("push button", "Water: 2 of 3 left, 1 day in a row")
        self.assertEqual(self.trunkctl("status")["rest"]["periods"], [])

        # The window reads the preferences again when it gets the focus.
        self.trunkctl("rest", "--to", "2099-12-31")
        program.open("ctrl+comma", "Preferences")
        program.close("Preferences")
        program.find("push button", "Water: 2 of 3 left, resting until 31 December 2099, 1 day in a row")

if __name__ == "__main__":
    unittest.main()
