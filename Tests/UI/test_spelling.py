"""Misspelt words in a journal text, with the dictionary hunspell-en-us."""

import unittest

from program import ProgramTestCase, text_of


class SpellingTest(ProgramTestCase):
    def prepare(self):
        self.trunkctl("plant", "Cello", "--twig", "voice/practice")
        folder = self.home / "config" / "trunk"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "trunk.conf").write_text("[writing]\nspelling=en_US\n")

    def entry(self):
        program = self.program
        program.find("push button", "Water \u201cCello\u201d")
        program.open("w", "Water")
        entry = program.find("text", "Entry about Cello")
        program.wait_focus(entry)
        return entry

    def test_the_context_menu_replaces_a_misspelt_word(self):
        program = self.program
        entry = self.entry()
        program.type("A beautifuly tune")
        program.keys("Home", "Right", "Right", "Right", "shift+F10")
        program.press(program.find("menu item", "beautifully"))
        program.wait("the word", lambda: text_of(entry) == "A beautifully tune")
        program.keys("ctrl+z")
        program.wait("the word as typed", lambda: text_of(entry) == "A beautifuly tune")

    def test_the_preferences_turn_it_off(self):
        program = self.program
        program.open("ctrl+comma", "Preferences")
        program.activate(program.find("combo box", "Check spelling, English (US)"))
        program.activate(program.find("list item", "Off"))
        program.find("combo box", "Check spelling, Off")
        # GTK 4.8 rarely warns if a window is closed while its popover is still closing.
        program.wait_gone("list item", "Off")
        program.close("Preferences")
        self.entry()
        program.type("gardn ")
        program.keys("Home", "shift+F10")
        program.find("menu item")
        self.assertEqual(program.find_all("menu item", "Add to Dictionary"), [])


if __name__ == "__main__":
    unittest.main()
