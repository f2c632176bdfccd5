"""Every screen in every style: no toolkit warnings, a width of 360 pixels is enough, and everything has a name.

TRUNK_UI_PICTURES=folder keeps a picture of each.
"""

import contextlib
import os
import pathlib
import sys
import unittest

import events
from program import ROOT, Program, desktop, temporary_folder, trunkctl

sys.path.append(str(ROOT / "Tests/Support"))
from sample import sampled  # noqa: E402

PICTURES = os.environ.get("TRUNK_UI_PICTURES")

DIALOGS = {
    "n": "Plant a Sprout", "w": "Water", "s": "Shine", "h": "Harvest", "ctrl+n": "Note an Idea",
    "ctrl+comma": "Preferences", "ctrl+question": "Keyboard Shortcuts",
}
# The styles in which texts have other widths or places.
WIDTHS = {"light", "rtl", "large"}
METERS = {"Soil: ": "Soil", "Water: ": "Water", "Sun: ": "Sun", "Kept on": "This Computer Only"}

LOOKS = ("light", "dark", "contrast", "rtl", "large", "still")


class LookTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = temporary_folder(cls.addClassCleanup)
        made = events.garden("Play the first prelude without stopping to look at the page")
        trunkctl(cls.home, "import", str(events.write(cls.home / "garden.json", made)))

    def look(self, name, env=None, settings=None):
        with contextlib.ExitStack() as stack:
            if settings:
                stack.enter_context(desktop(**settings))
            program = Program(home=self.home, env=env)
            stack.callback(program.stop)
            program.__enter__()
            self.tour(program, name)

    def tour(self, program, dress):
        def see(screen, title=None):
            program.narrow(title)
            if not title and dress in WIDTHS:
                program.check_width(360)
            program.check_log(f"at {screen}, {dress}")
            program.check_names()
            program.check_numbers()
            # The rows of this log are only read.
            if title != "Soil":
                program.check_actions()
            if PICTURES:
                program.screenshot(pathlib.Path(PICTURES) / f"{screen}-{dress}.png", title)

        program.keys("ctrl+1")
        program.find("push button", "Water \u201cRead\u201d")
        see("Today")
        for opener, title in DIALOGS.items():
            program.open(opener, title)
            see(title, title)
            program.close(title)
        preferences = program.open("ctrl+comma", "Preferences")
        for page in ("Reminders", "Data"):
            program.show_page(page, preferences)
            see(f"Preferences-{page}", "Preferences")
        program.close("Preferences")
        for start, title in METERS.items():
            program.open(program.find("push button", lambda name: name.startswith(start)), title)
            see(f"{title}-log", title)
            program.close(title)
        program.keys("ctrl+3")
        row = program.find("list item", lambda name: name.startswith("Play the first prelude"))
        see("Garden")
        program.activate(row)
        program.find("push button", "Uproot")
        see("Sprout")
        for button in ("Edit", "Uproot"):
            before = [window.name for window in program.application()]
            program.press(program.find("push button", button))
            opened = program.wait(f"the dialog of {button}", lambda: next(
                (window.name for window in program.application() if window.name not in before), None))
            program.focus(opened)
            see(button, opened)
            program.close(opened)
        self.see_tree(program, see)
        program.keys("ctrl+4")
        entry = program.find("list item", lambda name: "What grew?" in name)
        see("Journal")
        program.activate(entry)
        program.find("push button", "Earlier entry")
        see("Entry")

    def see_tree(self, program, see):
        program.keys("ctrl+2")
        # The window may show the tree as a list, as at the end of an earlier tour.
        toggle = program.find("push button", lambda name: name.startswith("Show the Tree as a"))
        if toggle.name == "Show the Tree as a Picture":
            program.press(toggle)
        toggle = program.find("push button", "Show the Tree as a List")
        see("Tree")
        program.press(toggle)
        program.activate(program.find("list item", lambda name: name.startswith("Voice, ")))
        twig = program.find("list item", lambda name: name.startswith("practice, "))
        see("Tree-list")
        program.press(program.find("push button", "Open Voice"))
        program.find("list", "Twigs")
        see("Branch")
        program.keys("Escape")
        program.activate(twig)
        program.find("push button", "Plant Here")
        see("Twig")
        program.press(program.find("push button", "Edit Name and Note"))
        program.find("text", "Name")
        see("Twig-form")
        program.keys("Escape")
        program.press(program.find("push button", "Leaf \u201cBach\u201d"))
        program.find_text("Planted on")
        see("Leaf")

    @sampled("light", among=LOOKS, count=2)
    def test_light(self):
        self.look("light")

    @sampled("dark", among=LOOKS, count=2)
    def test_dark(self):
        self.look("dark", {"ADW_DEBUG_COLOR_SCHEME": "prefer-dark"})

    @sampled("contrast", among=LOOKS, count=2)
    def test_high_contrast(self):
        self.look("contrast", {"ADW_DEBUG_HIGH_CONTRAST": "1"})

    @sampled("rtl", among=LOOKS, count=2)
    def test_right_to_left(self):
        self.look("rtl", {"GTK_DEBUG": "invert-text-dir"})

    @sampled("large", among=LOOKS, count=2)
    def test_large_text(self):
        self.look("large", None, {"Xft__DPI": 196608})

    @sampled("still", among=LOOKS, count=2)
    def test_reduced_motion(self):
        self.look("still", None, {"Gtk__EnableAnimations": 0})


if __name__ == "__main__":
    unittest.main()
