"""The small window of `trunk --water`: one question about one sprout, with or without the main window."""

import subprocess
import unittest

import events
from program import Program, ProgramTestCase, text_of


class QuickWaterTestCase(ProgramTestCase):
    def prepare(self):
        cello, made = events.planted("Cello", events.days_ago(3))
        made += events.planted("Run", events.days_ago(2))[1]
        self.trunkctl("import", str(events.write(self.home / "garden.json", made)))
        self.trunkctl("backup")

    def field(self, title):
        """Waits until the cursor is in the text about a sprout."""
        field = self.program.find("text", f"Entry about {title}", self.program.dialog("Water"))
        self.program.wait_focus(field)
        return field

    def windows(self):
        return sorted(window.name for window in self.program.application())

    def entries(self, title):
        return self.trunkctl("show", title)["entries"]


class AloneTest(QuickWaterTestCase):
    """The option without the main window."""

    def start(self):
        program = Program("--water", home=self.home)
        self.addCleanup(program.stop)
        return program

    def end(self):
        """Waits until the program ends by itself."""
        self.assertEqual(self.program.wait_exit(), 0)
        self.assertEqual(self.program.log(), "")

    def test_the_sprout_that_waits_longest_is_watered_without_the_main_window(self):
        program = self.program
        field = self.field("Cello")
        asked = program.wait("the question", lambda: field.description)
        program.type("A small entry")
        program.check_names()
        program.check_actions()
        program.keys("ctrl+Return")
        done = program.find("push button", "Done")
        program.wait_focus(done)
        program.find_text("2 of 3 waterings left")
        self.assertEqual(self.windows(), ["Water"])
        program.keys("Return")
        self.end()
        entry, = self.entries("cello")
        self.assertEqual(entry["content"], "A small entry")
        self.assertEqual(entry["prompt"], asked)

    def test_a_draft_is_kept_and_another_sprout_is_chosen(self):
        program = self.program
        self.field("Cello")
        program.type("Half a line")
        program.keys("alt+Down")
        self.field("Run")
        program.type("Fast")
        program.keys("Escape")
        self.end()
        self.program = program = self.start()
        field = self.field("Cello")
        program.wait("the draft", lambda: text_of(field) == "Half a line")
        program.press(program.find("push button", "Choose another sprout"))
        field = self.field("Run")
        program.wait("the draft", lambda: text_of(field) == "Fast")
        program.keys("ctrl+Return")
        program.press(program.find("push button", "Water Another"))
        field = self.field("Cello")
        program.wait("the draft", lambda: text_of(field) == "Half a line")
        self.assertEqual([entry["content"] for entry in self.entries("run")], ["Fast"])

    def test_an_entry_is_undone(self):
        program = self.program
        self.field("Cello")
        program.type("Too early")
        program.keys("ctrl+Return")
        program.press(program.find("push button", "Undo"))
        field = self.field("Cello")
        program.wait("the text", lambda: text_of(field) == "Too early")
        self.assertEqual(self.entries("cello"), [])

    def test_the_main_window_opens_beside_it(self):
        program = self.program
        self.field("Cello")
        program.type("Half a line")
        self.launch()
        program.find("push button", "Water: 3 of 3 left")
        self.assertEqual(self.windows(), ["Trunk", "Water"])
        program.focus("Trunk")
        # The dialog takes the place of the small window, with its text.
        program.keys("w")
        # Both windows have this title; only the dialog has every sprout.
        program.find("text", "Entry about Run")
        field = self.field("Cello")
        program.wait("the draft", lambda: text_of(field) == "Half a line")
        self.assertEqual(self.windows(), ["Trunk", "Water"])
        # The small window would have a second text for the same draft.
        self.launch("--water")
        program.find("text", "Entry about Run")
        self.assertEqual(self.windows(), ["Trunk", "Water"])
        program.close("Water")
        program.keys("ctrl+q")
        self.end()

    def test_both_windows_quit_together(self):
        program = self.program
        self.field("Cello")
        self.launch()
        program.find("push button", "Water: 3 of 3 left")
        field = self.field("Cello")
        program.type("Kept")
        program.wait("the text", lambda: text_of(field) == "Kept")
        program.keys("ctrl+q")
        self.end()
        self.program = program = self.start()
        field = self.field("Cello")
        program.wait("the draft", lambda: text_of(field) == "Kept")

    def test_nothing_is_due(self):
        program = self.program
        self.field("Cello")
        program.keys("Escape")
        self.end()
        for title in ("cello", "run"):
            self.trunkctl("water", title, "-m", "done")
        self.program = program = self.start()
        program.dialog("Water")
        program.find_text("Everything is watered today.")
        program.wait_focus(program.find("push button", "Open Trunk"))
        program.keys("Return")
        program.find("push button", lambda name: name.startswith("Water: 1 of 3 left"))
        program.wait_closed("Water")

    def test_a_missing_file_is_explained_as_in_the_window(self):
        self.field("Cello")
        self.program.keys("Escape")
        self.end()
        for path in (self.home / "data/trunk/local").glob("garden.db*"):
            path.unlink()
        self.program = program = self.start()
        program.find_text("file is missing")
        program.focus("Trunk")
        program.wait_focus(program.find("push button", "Restore Newest Backup"))
        program.keys("Return")
        self.field("Cello")
        self.assertEqual(self.windows(), ["Water"])

    def test_a_damaged_file_is_reported_as_in_the_window(self):
        self.field("Cello")
        self.program.keys("Escape")
        self.end()
        with open(self.home / "data/trunk/local/garden.db", "r+b") as file:
            file.write(bytes(range(256)) * 8)
        self.program = program = self.start()
        program.find_text("was damaged")
        self.field("Cello")


class RunningTest(QuickWaterTestCase):
    """The option while the main window is open."""

    def test_it_opens_in_the_running_program(self):
        program = self.program
        program.find("push button", "Water: 3 of 3 left")
        self.launch("--water")
        self.field("Cello")
        program.type("Beside")
        program.keys("ctrl+Return")
        program.wait_focus(program.find("push button", "Done"))
        program.find("push button", "Water: 2 of 3 left, 1 day in a row")
        program.keys("Return")
        program.wait_closed("Water")
        self.assertEqual(self.windows(), ["Trunk"])
        self.assertIsNone(program.process.poll())

    def test_the_desktop_action_opens_it(self):
        subprocess.run(["gapplication", "action", "garden.trunk.trunk", "quick-water"], check=True)
        self.field("Cello")


if __name__ == "__main__":
    unittest.main()
