"""F1 opens the handbook in the web browser, or a short help where it isn't installed."""

import os
import shutil
import unittest

from program import ROOT, ProgramTestCase


class InstalledTest(ProgramTestCase):
    def prepare(self):
        self.page = self.home / "share/doc/trunk/handbook/index.html"
        self.page.parent.mkdir(parents=True)
        shutil.copy(ROOT / "docs/handbook/index.html", self.page)
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

    def test_the_browser_opens_it(self):
        self.program.keys("F1")
        self.program.wait("the browser", self.opened.exists)
        # GLib passes the path of a file on this computer, or its address.
        self.assertEqual(self.opened.read_text().removeprefix("file://"), f"{self.page}\n")


class MissingTest(ProgramTestCase):
    def test_the_short_help_takes_its_place(self):
        self.program.open("F1", "Help")
        self.program.check_names()
        self.program.close("Help")


if __name__ == "__main__":
    unittest.main()
