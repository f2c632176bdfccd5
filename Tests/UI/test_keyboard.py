"""The keyboard: letters are typed into the focused field, Esc closes and keeps the text, and Tab reaches everything."""

import subprocess
import unittest

import pyatspi

import events
from program import ProgramTestCase, has_state, text_of, xdotool


class TypingTest(ProgramTestCase):
    def prepare(self):
        self.trunkctl("plant", "Cello", "--twig", "voice/practice", "--season", "2w")

    def windows(self):
        return [window.name for window in self.program.application()]

    def test_letters_are_typed_into_the_search(self):
        program = self.program
        program.keys("slash")
        field = program.find("entry", "Search the whole garden")
        program.wait_focus(field)
        program.type("w s n h /")
        program.wait("the letters", lambda: text_of(field) == "w s n h /")
        program.find_text("No results for \u201cw s n h /\u201d.")
        self.assertEqual(self.windows(), ["Trunk"])

    def test_letters_are_typed_into_the_journal(self):
        program = self.program
        program.open("w", "Water")
        area = program.find("text", "Entry about Cello")
        program.wait_focus(area)
        program.type("wsnh/")
        program.keys("Return")
        program.type("WSNH")
        program.wait("the letters", lambda: text_of(area) == "wsnh/\nWSNH")
        self.assertEqual(self.windows(), ["Trunk", "Water"])

    def test_letters_are_typed_into_a_title(self):
        program = self.program
        program.open("n", "Plant a Sprout")
        title = program.find("text", "What will you grow?")
        program.type("wsnh/")
        program.wait("the letters", lambda: text_of(title) == "wsnh/")
        self.assertEqual(self.windows(), ["Trunk", "Plant a Sprout"])

    def test_a_key_pressed_by_accident_does_not_replace_the_name(self):
        program = self.program
        program.open("ctrl+comma", "Preferences")
        program.find("text", "Name in the greeting").queryEditableText().setTextContents("Ada")
        program.close("Preferences")
        program.open("ctrl+comma", "Preferences")
        name = program.find("text", "Name in the greeting")
        program.type("x")
        program.wait("the letter at the end", lambda: text_of(name) == "Adax")
        # Tab reaches the name and selects it, as in every field.
        program.keys("Tab", "shift+Tab")
        program.type("Emmy")
        program.wait("the new name", lambda: text_of(name) == "Emmy")

    def test_esc_closes_and_keeps_the_text(self):
        program = self.program
        for key, title, field in (("w", "Water", "Entry about Cello"), ("s", "Shine", "Reflection")):
            program.open(key, title)
            program.wait_focus(program.find("text", field))
            program.type("not done yet")
            program.close(title)
            program.open(key, title)
            area = program.find("text", field)
            program.wait("the draft", lambda: text_of(area) == "not done yet")
            program.close(title)
        self.assertEqual(program.entries("cello"), [])

    def test_keys_open_every_dialog_and_esc_closes_it(self):
        program = self.program
        for key, title in (
            ("ctrl+n", "Note an Idea"), ("ctrl+comma", "Preferences"), ("ctrl+question", "Keyboard Shortcuts"),
            ("n", "Plant a Sprout"),
        ):
            program.open(key, title)
            program.check_names()
            program.close(title)

    def test_w_waters_in_every_view(self):
        program = self.program
        for view in (1, 2, 3, 4):
            with self.subTest(view):
                program.keys(f"ctrl+{view}")
                program.open("w", "Water")
                program.close("Water")

    def test_the_key_of_a_view_focuses_its_list(self):
        program = self.program
        for key, name in (("ctrl+3", "Cello, "), ("ctrl+4", "planted"), ("ctrl+1", "Cello, ")):
            with self.subTest(key):
                program.keys(key)
                program.wait_focus(program.find("list item", lambda text: name in text))

    def test_enter_opens_a_sprout_and_esc_leaves_it(self):
        program = self.program
        program.keys("ctrl+3")
        program.find("entry", "Search sprouts and leaves")
        # Tab past the filters and the sort order into the list.
        row = program.find("list item", lambda name: name.startswith("Cello, "))
        program.tab_to("Cello, ")
        program.wait_focus(row)
        program.keys("Return")
        program.find("push button", "Uproot")
        program.check_names()
        program.tab_to("Edit")
        program.keys("Escape")
        program.find("push button", "Plant Here")


class WalkTest(ProgramTestCase):
    """Tab reaches every control and returns to the first one."""

    # The window's own buttons are excluded, because they depend on the desktop.
    OWN = ("Minimize", "Maximize", "Close")

    def prepare(self):
        sprout, made = events.planted("Ripe", events.days_ago(15), leaf="Bach")
        made.append(events.watered(sprout, events.days_ago(7), "words"))
        made += events.planted("Cello", events.days_ago(3))[1]
        made.append(events.event("sun_shone", events.days_ago(20), twigId="branch-0-twig-0", twigLabel="movement",
                                 content="What the light showed.", prompt="What has changed?"))
        self.trunkctl("import", str(events.write(self.home / "garden.json", made)))

    def assert_reached(self, within, besides=()):
        program = self.program
        program.check_names()
        wanted = {n.name for n in program.nodes(within) if n.getRoleName() in ("push button", "combo box") and n.name
                  and has_state(n, pyatspi.STATE_SENSITIVE)}
        walked = program.walk()
        self.assertEqual(wanted - set(walked) - set(besides) - set(self.OWN), set(), f"not reached by Tab; reached {walked}")
        return walked

    def test_tab_reaches_everything(self):
        program = self.program
        # A list is one stop. The arrow keys lead from row to row, and to the button of a row.
        buttons = ("Water “Cello”", "Harvest “Ripe”")
        walked = self.assert_reached(program.top_level("Trunk"), buttons)
        self.assertLessEqual(len(walked), 19, f"too many stops: {walked}")
        for row, button in (("Cello, Core · movement — planted", buttons[0]), ("Ripe, ", buttons[1])):
            program.tab_to(row)
            program.keys("Right")
            program.wait_focus(program.find("push button", button))
        program.keys("ctrl+3")
        program.find("list item", lambda name: name.startswith("Cello, "))
        self.assert_reached(program.top_level("Trunk"))
        # The walk may end in the search, where letters are text.
        program.tab_to("Ripe, ")
        for key, title in (
            ("n", "Plant a Sprout"), ("w", "Water"), ("s", "Shine"), ("h", "Harvest"), ("ctrl+n", "Note an Idea"),
            ("ctrl+comma", "Preferences"),
        ):
            with self.subTest(title):
                try:
                    self.assert_reached(program.open(key, title))
                finally:
                    program.close(title)

    def test_tab_reaches_everything_in_the_preferences(self):
        program = self.program
        for page in ("General", "Reminders", "Data"):
            with self.subTest(page):
                self.assert_reached(program.preferences(page))
                program.close("Preferences")

    def test_tab_reaches_everything_of_a_sprout_and_of_its_form(self):
        program = self.program
        program.keys("ctrl+3")
        program.activate(program.find("list item", lambda name: name.startswith("Ripe, ")))
        program.find("push button", "Uproot")
        self.assert_reached(program.top_level("Trunk"))
        dialog = program.open(program.find("push button", "Edit"), "Edit the Sprout")
        self.assert_reached(dialog)
        walked = program.walk()
        for field in ("Title", "Withering", "Budding", "Flourishing"):
            self.assertIn(field, walked)

    def test_tab_reaches_the_lines_of_each_log(self):
        program = self.program
        for start, title in (("Soil: ", "Soil"), ("Water: ", "Water"), ("Sun: ", "Sun")):
            with self.subTest(title):
                dialog = program.open(program.find("push button", lambda name: name.startswith(start)), title)
                lines = program.wait("the lines", lambda: program.find_all("list item", within=dialog))
                walked = self.assert_reached(dialog)
                self.assertTrue({line.name for line in lines} & set(walked), walked)
                program.close(title)


class SentenceTest(ProgramTestCase):
    def prepare(self):
        self.plant_earlier("Cello")

    def test_a_sentence_without_a_field_is_no_command(self):
        program = self.program
        program.wait_focus(program.find("list item", lambda name: name.startswith("Cello")))
        program.keys("ctrl+2")
        program.type("when she sang, I was here with 3 new notes")
        program.press_in_message("To write, press W.", "Dismiss")
        self.assertEqual([window.name for window in program.application()], ["Trunk"])

    def test_a_sentence_on_today_begins_an_entry(self):
        program = self.program
        program.wait_focus(program.find("list item", lambda name: name.startswith("Cello")))
        text = "When she sang, I was here with 3 new notes"
        program.type(text)
        dialog = program.dialog("Water")
        field = program.find("text", "Entry about Cello", dialog)
        program.wait("the whole sentence", lambda: text_of(field) == text)
        program.keys("ctrl+Return")
        program.wait("the entry", lambda: self.trunkctl("log", "--limit", "1")["log"][0]["event"].get("content") == text)


class BeginningTest(ProgramTestCase):
    def prepare(self):
        self.trunkctl("plant", "Cello", "--twig", "voice/practice", "--season", "2w")

    def test_the_focus_starts_on_today_and_returns_there(self):
        row = self.program.find("list item", lambda name: name.startswith("Cello"))
        self.program.wait_focus(row)
        self.program.open("w", "Water")
        self.program.close("Water")
        self.program.wait_focus(row)


class LayoutTest(ProgramTestCase):
    """The keys of the window on other keyboards, by the places of W, /, 3, 1 and Z."""

    LAYOUTS = {
        "de": ("25", "shift+16", "12", "10", "29"),
        "fr": ("52", "shift+60", "shift+12", "10", "25"),
        "cz": ("25", "shift+34", "12", "shift+10", "29"),
        "ru": ("25", "61", "12", "10", "52"),
        "gr": ("25", "61", "12", "10", "52"),
    }

    def prepare(self):
        self.trunkctl("plant", "Cello", "--twig", "voice/practice", "--season", "2w")
        xdotool("key", "shift")  # the first key of a display sets its keymap
        self.addCleanup(subprocess.run, ["setxkbmap", "us"], check=True)

    def press(self, *keys):
        """Presses keys by their codes, with modifiers before a plus sign."""
        for key in keys:
            *modifiers, code = key.split("+")
            for modifier in modifiers:
                xdotool("keydown", modifier)
            xdotool("key", code)
            for modifier in reversed(modifiers):
                xdotool("keyup", modifier)

    def test_every_layout(self):
        program = self.program
        for layout, (water, search, three, one, undo) in self.LAYOUTS.items():
            with self.subTest(layout):
                subprocess.run(["setxkbmap", layout], check=True)
                self.press(water)
                area = program.find("text", "Entry about Cello", program.dialog("Water"))
                program.wait_focus(area)
                self.press(undo)
                program.wait("a letter", lambda: text_of(area) != "")
                program.keys("ctrl+Return")
                program.close_after_act("Water")
                self.assertEqual(len(program.entries("cello")), 1)
                self.press("control+" + undo)
                program.wait("the undo", lambda: not program.entries("cello"))
                self.press(search)
                program.wait_focus(program.find("entry", "Search the whole garden"))
                program.keys("Escape")
                self.press("control+11", three, one)
                program.find("push button", "Plant Here")
                self.press("control+11", "control+10")


class ReturnTest(ProgramTestCase):
    def prepare(self):
        self.plant_earlier("Cello")
        self.plant_earlier("Run", "branch-0-twig-0", days=2)

    def test_the_focus_goes_to_what_was_watered(self):
        program = self.program
        program.find("push button", "Upcoming Harvests")
        program.wait_focus(program.find("list item", lambda name: name.startswith("Cello")))
        program.open("w", "Water")
        for text, title in (("Slow bow", "Cello"), ("To the river", "Run")):
            program.wait_focus(program.find("text", f"Entry about {title}"))
            program.type(text)
            program.keys("ctrl+Return")
        program.close_after_act("Water")
        program.wait_focus(program.find("list item", lambda name: name.startswith("Run") and "watered today" in name))


if __name__ == "__main__":
    unittest.main()
