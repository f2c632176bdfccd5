"""What a real input method still composes is a part of the text.

Debian has IBus and the engine in ibus-gtk4 and ibus-hangul. The tests don't install them: GTK would use IBus in every other test.
"""

import os
import pathlib
import shutil
import subprocess
import unittest

from program import COMMAND_LIMIT, ProgramTestCase, text_of, variables

# The module with which GTK 4 uses IBus. GTK_PATH names further folders of modules.
MODULES = [
    module for folder in (*os.environ.get("GTK_PATH", "").split(":"), *map(str, pathlib.Path("/usr/lib").glob("*/gtk-4.0")))
    for module in pathlib.Path(folder).glob("4.0.0/immodules/libim-ibus.so") if folder]
ENGINE = pathlib.Path("/usr/share/ibus/component/hangul.xml")


@unittest.skipUnless(shutil.which("ibus-daemon") and MODULES and ENGINE.exists(), "IBus and its Hangul engine aren't installed")
class HangulTest(ProgramTestCase):
    def prepare(self):
        self.env = {"GTK_IM_MODULE": "ibus", "IBUS_ADDRESS": f"unix:path={self.home}/ibus"}
        daemon = self.run_ibus(
            subprocess.Popen, "ibus-daemon", f"--address={self.env['IBUS_ADDRESS']}", "--panel=disable",
            "--config=/usr/libexec/ibus-memconf", "--emoji-extension=disable", "--cache=none")
        self.addCleanup(daemon.wait)
        self.addCleanup(daemon.terminate)
        self.plant_earlier("Cello")

    def run_ibus(self, start, *command, **more):
        return start(command, env=variables(self.home, self.env), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)

    def is_hangul_chosen(self):
        return self.run_ibus(subprocess.run, "ibus", "engine", "hangul", timeout=COMMAND_LIMIT).returncode == 0

    def test_ctrl_enter_saves_the_word_that_is_composed(self):
        program = self.program
        dialog = program.open("w", "Water")
        field = program.find("text", "Entry about Cello", dialog)
        program.wait_focus(field)
        program.wait("the engine", self.is_hangul_chosen)
        # The engine begins with Latin letters.
        program.keys("shift+space")
        program.type("gksrmf")
        # The second syllable is still composed.
        program.wait("the first syllable", lambda: text_of(field) == "\ud55c")
        program.keys("ctrl+Return")
        program.wait_store("the entry", lambda: program.entries("Cello"))
        self.assertEqual([entry["content"] for entry in program.entries("Cello")], ["\ud55c\uae00"])
