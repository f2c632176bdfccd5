"""Settings that are kept between runs, and the files in which they are stored."""

import stat
import unittest

import pyatspi
from program import ProgramTestCase, text_of


class SettingsTest(ProgramTestCase):
    def test_settings_survive_a_restart(self):
        program = self.program
        self.trunkctl("plant", "Cello", "--twig", "voice/practice")  # the first window has no greeting
        program.find("push button", "Water \u201cCello\u201d")
        program.resize(700, 800)
        program.wait("the size", lambda: program.size() == (700, 800))
        program.keys("ctrl+3")
        # The views are in the header or below, depending on the width.
        program.wait("the garden", lambda: set(program.selected("page tab")) == {"Garden"})
        program.open("ctrl+comma", "Preferences")
        name = program.find("text", "Name in the greeting")
        name.queryEditableText().setTextContents("Ada <b>")
        program.choose(program.find("radio button", "Dark"))
        program.close("Preferences")
        program.keys("ctrl+1")
        program.find("label", lambda label: label.endswith(", Ada <b>"))
        program.keys("ctrl+3")
        program.wait("the garden", lambda: set(program.selected("page tab")) == {"Garden"})
        program.keys("ctrl+q")
        self.assertEqual(program.wait_exit(), 0)

        program = self.program = self.start()
        self.assertEqual(program.size(), (700, 800))
        self.assertEqual(set(program.selected("page tab")), {"Garden"})
        program.keys("ctrl+1")
        program.find("label", lambda label: label.endswith(", Ada <b>"))
        program.open("ctrl+comma", "Preferences")
        self.assertEqual(text_of(program.find("text", "Name in the greeting")), "Ada <b>")
        program.wait_state(program.find("radio button", "Dark"), pyatspi.STATE_CHECKED)

    def test_the_desktop_search_shows_entries_only_after_a_choice(self):
        program = self.program
        path = self.home / "config/trunk/trunk.conf"
        program.open("ctrl+comma", "Preferences")
        switch = program.find("check box", "Show journal entries")
        self.assertFalse(switch.getState().contains(pyatspi.STATE_CHECKED))
        for stored in ("true", "false"):
            program.press(switch)
            program.wait_store("the choice", lambda: path.exists() and f"desktop-entries={stored}" in path.read_text())

    def test_a_garden_without_an_account_starts_over(self):
        program = self.program
        program.preferences("Data")
        self.assertEqual(program.find_all("push button", "Start Over"), [])
        program.close("Preferences")
        self.trunkctl("seed", "Private", "--twig", "heart/joy")
        program.preferences("Data")
        program.check_names()

        def answer(word):
            program.press(program.find("push button", "Start Over"))
            question = program.find("dialog", lambda name: name.startswith("Delete everything on this computer?"))
            field = program.find("text", "Type the word \u201cdelete\u201d", question)
            field.queryEditableText().setTextContents(word)
            program.press(program.find("push button", lambda name: name.startswith("Delete"), question))

        answer("remove")
        program.find_text("That didn\u2019t match. Nothing was deleted.")
        self.assertEqual(len(self.trunkctl("list", "--seedlings")["seedlings"]), 1)
        answer("delete")
        told = program.find_text("Everything is deleted. To bring it back, restore the newest backup.").name
        (copy,) = self.home.glob("data/trunk/signed-out/local/*/garden.db")
        self.assertIn(f"\u201c{copy}\u201d", told)
        self.assertEqual(self.trunkctl("list", "--seedlings")["seedlings"], [])
        program.wait_gone("push button", "Start Over")
        (backup,) = self.home.glob("data/trunk/local/backups/*.json")
        self.trunkctl("import", str(backup))
        self.assertEqual([each["title"] for each in self.trunkctl("list", "--seedlings")["seedlings"]], ["Private"])

    def test_the_search_finds_a_setting_on_another_page(self):
        program = self.program
        dialog = program.preferences("General")
        program.press(program.find("push button", "Search", dialog))
        program.wait_focus(program.find("entry", "Search", dialog))
        program.type("until")
        program.find("list item", lambda name: "Rest until" in name, dialog)
        program.tab_to("Rest until")
        program.keys("Return")
        program.wait("its page", lambda: "Reminders" in program.selected("page tab"))
        program.wait_focus(program.find("text", "Rest until", dialog))

    def test_files_are_private_and_in_the_right_folders(self):
        program = self.program
        self.trunkctl("plant", "Cello", "--twig", "voice/practice")
        program.find("push button", "Water \u201cCello\u201d")
        dialog = program.preferences("Data")
        program.press(program.find("push button", "Back Up Now"))
        program.show_page("General", dialog)
        program.choose(program.find("radio button", "Dark"))
        program.close("Preferences")
        program.open("w", "Water")
        program.wait_focus(program.find("text", "Entry about Cello"))
        program.type("private")
        program.close("Water")
        program.keys("ctrl+q")
        self.assertEqual(program.wait_exit(), 0)

        self.assertLessEqual({path.name for path in self.home.iterdir()}, {"config", "data", "state", "cache"})
        ours = [path for path in self.home.rglob("*") if "trunk" in path.relative_to(self.home).parts]
        self.assertTrue(any(path.name == "garden.db" for path in ours), ours)
        self.assertTrue(any(path.name == "trunk.conf" for path in ours), ours)
        self.assertTrue(any("backups" in path.parts for path in ours), ours)
        opened = [path for path in ours if stat.S_IMODE(path.stat().st_mode) & 0o077]
        self.assertEqual(opened, [], "other users can read these")


if __name__ == "__main__":
    unittest.main()
