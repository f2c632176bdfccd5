"""Every screen in the other languages: a width of 360 pixels is enough for their longer words, and the toolkit logs no
warning, as it does for wrong markup in a translation.

TRUNK_UI_PICTURES=folder keeps a picture of each, on which a reader of the language sees whether a text is cut.
"""

import os
import pathlib
import sys
import unittest

from gi.repository import Gio, GLib

import events
from language import speaking
from program import COMMAND_LIMIT, ROOT, Program, desktop, temporary_folder, trunkctl

sys.path.append(str(ROOT / "Tests/Support"))
from sample import sampled  # noqa: E402

PICTURES = os.environ.get("TRUNK_UI_PICTURES")
SPROUT = "Play the first prelude without stopping to look at the page"

# The commands that lead to the screens, with their targets. These don't depend on the language, unlike names of buttons.
VIEWS = {
    "today": ("view", "today"), "tree": ("view", "tree"), "branch": ("branch", "2"), "twig": ("twig", "branch-2-twig-0"),
    "leaf": ("leaf", "{leaf}"), "year": ("year", ""), "garden": ("view", "garden"), "seedlings": ("seedlings",),
    "sprout": ("sprout", "{sprout}"), "journal": ("view", "journal"), "search": ("find", "bar nine"),
    "nothing-found": ("find", "xyz"),
}
DIALOGS = {
    "plant": ("plant",), "water": ("water", ""), "shine": ("shine",), "harvest": ("harvest", ""), "edit": ("edit", "{sprout}"),
    "uproot": ("uproot", "{sprout}"), "seedling": ("seedling",), "upcoming": ("upcoming",), "soil-log": ("soil-log",),
    "water-log": ("water-log",), "sun-log": ("sun-log",), "storage": ("storage",), "server": ("account",),
    "book": ("export-journal",), "preferences": ("preferences",), "shortcuts": ("shortcuts",), "help": ("help",),
}

LANGUAGES = ("de_DE", "fr_FR", "es_ES")


class LanguageTest(unittest.TestCase):
    def setUp(self):
        self.home = temporary_folder(self.addCleanup)
        made = events.garden(SPROUT)
        trunkctl(self.home, "import", str(events.write(self.home / "garden.json", made)))
        planted = next(event for event in made if event["type"] == "sprout_planted")
        self.ids = {"sprout": planted["sproutId"], "leaf": planted["leafId"]}

    def look(self, locale):
        # Without animations, a page is in its place as soon as its command returns.
        with desktop(Gtk__EnableAnimations=0), Program(home=self.home, env=speaking(self.home, locale)) as program:
            for screen, command in VIEWS.items():
                self.open(*command)
                # The window is narrow already. Becoming wide and narrow again lays out the new view at both widths.
                program.resize(700, 640)
                self.see(program, f"{screen}-{locale[:2]}")
            for screen, command in DIALOGS.items():
                before = [window.name for window in program.application()]
                self.open(*command)
                title = program.wait(f"the dialog {screen}", lambda: next(
                    (window.name for window in program.application() if window.name not in before), None))
                program.focus(title)
                self.see(program, f"{screen}-{locale[:2]}", title)
                program.close(title)

    def open(self, name, *target):
        """Invokes a command of the window, as the desktop would."""
        targets = [GLib.Variant("s", text.format(**self.ids)) for text in target]
        Gio.bus_get_sync(Gio.BusType.SESSION).call_sync(
            "garden.trunk.trunk", "/garden/trunk/trunk/window/1", "org.gtk.Actions", "Activate",
            GLib.Variant("(sava{sv})", (name, targets, {})), None, Gio.DBusCallFlags.NONE, COMMAND_LIMIT * 1000)

    def see(self, program, screen, title=None):
        with self.subTest(screen):
            program.narrow(title)
            if not title:
                program.check_width(360)
            program.check_log(f"at {screen}")
            if PICTURES:
                self.take_picture(program, pathlib.Path(PICTURES) / f"{screen}.png", title)

    def take_picture(self, program, path, title):
        """Takes a picture when the window has looked the same in five pictures."""
        pictures = []

        def is_still():
            program.screenshot(path, title)
            pictures.append(path.read_bytes())
            return len(pictures) > 5 and len(set(pictures[-5:])) == 1

        program.wait(f"the end of changes in {path.name}", is_still)

    @sampled("de_DE", among=LANGUAGES, count=1)
    def test_german(self):
        self.look("de_DE")

    @sampled("fr_FR", among=LANGUAGES, count=1)
    def test_french(self):
        self.look("fr_FR")

    @sampled("es_ES", among=LANGUAGES, count=1)
    def test_spanish(self):
        self.look("es_ES")


if __name__ == "__main__":
    unittest.main()
