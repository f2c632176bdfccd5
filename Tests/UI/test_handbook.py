"""F1 opens the handbook in the web browser, or a short help where it isn't installed."""

import os
import shutil
import unittest

from language import speaking
from program import ROOT, ProgramTestCase


class BrowserTestCase(ProgramTestCase):
    """With a handbook and a browser."""

    def prepare(self):
        self.folder = self.home / "share/doc/trunk/handbook"
        shutil.copytree(ROOT / "docs/handbook", self.folder)
        self.env = {"XDG_DATA_DIRS": f"{self.home}/share:{os.environ.get('XDG_DATA_DIRS', '/usr/local/share:/usr/share')}"}
        # A browser that only records the address it is asked to open.
        self.opened = self.home / "opened"
        browser = self.home / "browser"
        browser.write_text(f'#!/bin/sh\necho "$1" > "{self.opened}.part" && mv "{self.opened}.part" "{self.opened}"\n')
        browser.chmod(0o700)
        applications = self.home / "data/applications"
        applications.mkdir(parents=True)
        (applications / "browser.desktop").write_text(
            f"[Desktop Entry]\nType=Application\nName=Browser\nExec={browser} %u\nMimeType=text/html;\n")
        (self.home / "config").mkdir()
        (self.home / "config/mimeapps.list").write_text("[Default Applications]\ntext/html=browser.desktop\n")

    def check_page(self, name):
        self.program.keys("F1")
        self.program.wait("the browser", self.opened.exists)
        # GLib passes the path of a file on this computer, or its address.
        self.assertEqual(self.opened.read_text().removeprefix("file://"), f"{self.folder / name}\n")
        self.opened.unlink()


class InstalledTest(BrowserTestCase):
    def test_the_browser_opens_it(self):
        self.check_page("index.html")


class TranslatedTest(BrowserTestCase):
    def prepare(self):
        super().prepare()
        self.env |= speaking(self.home, "de_DE")

    def test_it_is_in_the_language_of_the_program(self):
        self.check_page("index.de.html")
        # A package may leave languages out.
        (self.folder / "index.de.html").unlink()
        self.check_page("index.html")


class MissingTest(ProgramTestCase):
    def test_the_short_help_takes_its_place(self):
        self.program.open("F1", "How It Works")
        self.program.check_names()
        self.program.close("How It Works")


if __name__ == "__main__":
    unittest.main()
