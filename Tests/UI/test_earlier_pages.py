"""Pages of the journal of another program: the preview of their file, their places in the window, and how they leave again."""

import datetime
import json
import subprocess
import unittest

from program import BUILD, CONFIG, ProgramTestCase, variables

LISBON = "We sat on the steps until the last ferry left."


def entry(number, date, text, **others):
    return {"uuid": f"{number:032X}", "creationDate": date, "timeZone": "Europe/Lisbon", "text": text, **others}


class EarlierPagesTest(ProgramTestCase):
    def prepare(self):
        self.trunkctl("plant", "Cello", "--twig", "voice/practice")
        self.trunkctl("water", "Cello", "-m", "Bar nine held today")
        # The day that the window shows begins at six.
        today = (datetime.datetime.now() - datetime.timedelta(hours=6)).date()
        self.lisbon = today.replace(year=today.year - 12)
        self.file = self.home / "Journal.json"
        self.write([])

    def write(self, more):
        """Writes an export of Day One with two usable entries and these."""
        entries = [
            entry(1, f"{self.lisbon}T20:30:00Z", f"# An evening by the river\n\n{LISBON}", tags=["travel"],
                  location={"placeName": "Lisbon"}, photos=[{}, {}]),
            entry(2, "2001-03-04T10:00:00Z", "The river was higher than the path."),
            {"uuid": "F" * 32, "text": "No date"}]
        self.file.write_text(json.dumps({"metadata": {"version": "1.0"}, "entries": entries + more}))

    def open_file(self):
        """Opens the file as a file manager does."""
        subprocess.run([BUILD / CONFIG / "trunk", str(self.file)], env=variables(self.home, {}), check=True, timeout=60)
        return self.program.dialog("Import")

    def take_in(self, count=2):
        dialog = self.open_file()
        self.program.press(self.program.find("push button", f"Import {count}", dialog))
        self.program.wait_closed("Import")

    def confirm(self):
        self.program.press(self.program.find("push button", lambda name: name in ("Remove", "Remove Remove")))

    def sources(self):
        return self.trunkctl("pages", "list")["sources"]

    def test_a_preview_says_what_comes_and_what_does_not(self):
        program = self.program
        dialog = self.open_file()
        program.find_text("Left out: 2 pictures.")
        program.find("push button", "Import 2", dialog)
        program.check_names()
        program.press(program.find("push button", "What is skipped, and why", dialog))
        program.find_text("no usable date")
        program.close("Import")
        self.assertEqual(self.sources(), [])
        self.take_in()
        program.find_message("2 earlier pages were imported.")
        [source] = self.sources()
        self.assertEqual((source["format"], source["name"], source["pages"]), ("dayone", "Journal", 2))
        # The same file again brings nothing, and a newer one only what is new.
        dialog = self.open_file()
        self.assertEqual(program.find_all("push button", lambda name: name.startswith("Import "), dialog), [])
        program.close("Import")
        self.write([entry(3, "2002-03-04T10:00:00Z", "Snow.")])
        self.take_in(1)
        program.find_message("1 earlier page was imported.")
        program.press(program.find("push button", "Open in Journal"))
        program.find("list item", lambda name: "Snow." in name, program.find("list", "Journal"))

    def test_pages_appear_where_entries_do(self):
        program = self.program
        self.take_in()
        # On this day, twelve years ago.
        card = program.find("push button", lambda name: name.startswith(LISBON) and "12 years ago" in name)
        program.press(card)
        program.find_text("An evening by the river")
        program.find_text("Earlier page · Day One · Lisbon\nTags: travel\n2 pictures were not imported.")
        program.check_names()
        program.keys("alt+Left")
        program.find("push button", lambda name: name.startswith(LISBON))
        # Between the entries of the journal, and in its calendar.
        program.keys("ctrl+4")
        journal = program.find("list", "Journal")
        rows = lambda: [row.name for row in program.find_all("list item", lambda name: "," in name, journal)]
        program.wait("the lines", lambda: len(rows()) == 4)
        self.assertIn("Bar nine held today", rows()[0])
        self.assertIn("Earlier page · Day One · Lisbon", rows()[2])
        self.assertIn("The river was higher", rows()[3])
        program.wait_focus(program.find("list item", lambda name: "Bar nine" in name, journal))
        program.keys("End")
        program.wait_focus(program.find("list item", lambda name: "The river was higher" in name, journal))
        program.keys("Return")
        program.find_text("The river was higher than the path.", role="label")
        program.keys("alt+Up")
        program.find_text("An evening by the river", role="label")
        # The garden is as before.
        status = self.trunkctl("status")
        self.assertEqual(status["soil"]["capacity"], 10)

    def test_the_years_of_pages_are_beside_those_of_the_garden(self):
        program = self.program
        self.take_in()
        program.keys("ctrl+2")
        program.keys("0")
        program.find("push button", "Previous year")
        for year in (self.lisbon.year, 2001):
            program.keys("alt+Down")
            program.wait_focus(program.find("label", str(year)))
            program.find("list item", lambda name: name.startswith("1 earlier page"))
            # Its words are there to read again.
            program.find_text("To Read Again")
        program.keys("alt+Up")
        program.wait_focus(program.find("label", str(self.lisbon.year)))

    def test_search_finds_and_opens_pages(self):
        program = self.program
        self.take_in()
        program.keys("ctrl+f")
        program.wait_focus(program.find("entry", "Search the whole garden"))
        program.type("ferry in:earlier")
        row = program.find("list item", lambda name: "last ferry left" in name)
        self.assertIn("Earlier page · Day One · Lisbon", row.name)
        program.activate(row)
        program.find_text("An evening by the river", role="label")
        program.press(program.find("push button", "Show in the Journal"))
        program.wait("the journal", lambda: set(program.selected("page tab")) == {"Journal"})
        program.find_text("An evening by the river", role="label")

    def test_one_page_and_a_whole_journal_can_be_removed(self):
        program = self.program
        self.take_in()
        program.press(program.find("push button", lambda name: name.startswith(LISBON)))
        program.press(program.find("push button", "Remove This Page…"))
        self.confirm()
        program.wait("the page to go", lambda: self.sources()[0]["pages"] == 1)
        program.preferences("Data")
        remove = program.find("push button", lambda name: name.startswith("Remove “Journal”"))
        program.press(remove)
        self.confirm()
        program.wait("the journal to go", lambda: self.sources() == [])
        program.close("Preferences")
        backups = sorted((self.home / "data/trunk").glob("*/backups/*"))
        self.assertTrue(any("The river was higher" in backup.read_text() for backup in backups if backup.is_file()))


if __name__ == "__main__":
    unittest.main()
