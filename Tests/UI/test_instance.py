"""One window per session, and the command line at the same time."""

import unittest

from program import Program, ProgramTestCase


class InstanceTest(ProgramTestCase):
    def prepare(self):
        self.plant_earlier("Cello")

    def test_a_second_launch_raises_the_first(self):
        second = Program(home=self.home)
        self.addCleanup(second.stop)
        self.assertEqual(second.wait_exit(), 0)
        self.assertEqual(second.log(), "")
        windows = [window.name for window in self.program.application()]
        self.assertEqual(windows, ["Trunk"])
        self.assertIsNone(self.program.process.poll())

    def test_entries_of_the_command_line_are_shown(self):
        self.program.find("push button", "Water: 3 of 3 left")
        self.trunkctl("water", "cello", "-m", "from the terminal")
        self.program.find("push button", "Water: 2 of 3 left, 1 day in a row")

    def test_sprouts_of_the_command_line_are_shown(self):
        self.program.keys("ctrl+3")
        self.program.find("list item", lambda name: name.startswith("Cello, "))
        self.trunkctl("plant", "Run", "--twig", "core/movement", "--season", "2w")
        self.program.find("list item", lambda name: name.startswith("Run, "))

    def test_links_open_pages(self):
        sprout = self.program.trunkctl("show", "cello")["sprout"]["id"]
        self.launch(f"trunk://sprout/{sprout}")
        self.program.find("push button", lambda name: name.startswith("Uproot"))
        for number in range(40):
            self.trunkctl("seed", f"Idea {number}", "--twig", "voice/practice")
        oldest = self.program.trunkctl("list", "--seedlings")["seedlings"][-1]
        self.launch(f"trunk://seedling/{oldest['id']}")
        self.program.wait_focus(self.program.find("list item", lambda name: name.startswith("Idea 0,")))
        self.launch("trunk://journal")
        self.program.find("push button", "Filter…")
        for link, answer in [
            ("trunk://uproot/" + sprout, "This link doesn’t lead to a page of Trunk."),
            ("trunk://seedling/seedling-none", "The page of this link is not in your garden."),
            ("trunk://sprout/sprout-none", "The page of this link is not in your garden."),
            ("https://example.org/trunk-1.json", "Trunk can only open files on this computer."),
        ]:
            self.launch(link)
            self.program.find_message(answer)
        self.assertEqual(len(self.program.trunkctl("list")["sprouts"]), 1)

    def test_files_are_previewed_and_wait_for_a_form(self):
        self.trunkctl("export", str(self.home / "trunk-20261121-093000.json"))
        self.trunkctl("plant", "Run", "--twig", "core/movement", "--season", "2w")
        self.program.open("n", "Plant a Sprout")
        self.launch(str(self.home / "trunk-20261121-093000.json"))
        self.program.close("Plant a Sprout")
        self.program.dialog("Import")
        self.program.find_text("Your garden already has everything in this file.")
        self.program.close("Import")
        (self.home / "other.json").write_text("[1]")
        self.launch(str(self.home / "other.json"))
        self.program.dialog("Import")
        self.program.find_text("Trunk doesn\u2019t recognize this journal.")
        self.program.close("Import")


if __name__ == "__main__":
    unittest.main()
