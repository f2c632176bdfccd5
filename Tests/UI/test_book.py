"""The book of a year: its pages by keyboard, what can be chosen, its files, and the offer in January."""

import datetime
import subprocess
import unittest

import pyatspi

import events
from program import ProgramTestCase
from test_clock import BERLIN, ClockTestCase

TITLE = "The Book of the Year"


class BookTestCase(ProgramTestCase):
    def choose(self, name):
        """Chooses a file in the dialog for saving and returns its path."""
        path = self.home / name
        self.program.save_as(path)
        return path

    def open_year(self, year):
        """Opens the page of a year and returns its button for the book."""
        program = self.program
        program.keys("ctrl+2")
        program.find("push button", "Show the Tree as a List")
        program.keys("0")
        return program.find("push button", f"The Book of {year}\u2026")


class BookTest(BookTestCase):
    def prepare(self):
        self.trunkctl("demo", "--years", "2", "--into-store")
        self.year = datetime.date.today().year

    def open_book(self):
        dialog = self.program.open(self.open_year(self.year), TITLE)
        pages = self.program.find("slider", "Pages", dialog)
        self.program.wait_focus(pages)
        self.says(pages, "Page 1 of ")
        return dialog, pages

    def says(self, pages, words):
        return self.program.wait(words, lambda: pages.description if words in pages.description else None)

    def save(self, name):
        """Chooses a file in the dialog for saving and returns its path when it is there."""
        path = self.choose(name)
        self.program.wait("the file", path.exists)
        return path

    def test_a_year_of_the_journal_becomes_markdown(self):
        program = self.program
        program.keys("F10")
        program.press(program.find("menu item", "Export, Print and Import\u2026"))
        dialog = program.dialog("Export, Print and Import")
        program.activate(program.find("list item", lambda name: name.startswith("Export or Print the Journal"), dialog))
        dialog = program.dialog("Export Journal")
        program.tab_to("Book (PDF)")
        program.tab_to("Content", key="shift+Tab")
        program.keys("space")
        program.find("list item", f"{self.year - 1}")
        # Below the whole journal are the years, this one first.
        program.popover_keys("Home", "Down", "Down", "Return")
        program.find("label", f"{self.year - 1}", dialog)
        program.choose(program.find("radio button", "Markdown", dialog))
        program.press(program.find("push button", "Save\u2026", dialog))
        text = self.save("year.md").read_text()
        program.wait_closed("Export Journal")
        self.assertTrue(text.startswith(f"# {self.year - 1}\n"), text[:40])

    def test_the_keys_turn_the_pages(self):
        program = self.program
        dialog, pages = self.open_book()
        count = int(pages.description.split()[3])
        program.keys("Right")
        self.says(pages, f"Pages 2\u20133 of {count}")
        program.keys("Right", "Right")
        self.says(pages, f"Pages 6\u20137 of {count} \u00b7 January")
        program.keys("Left")
        self.says(pages, f"Pages 4\u20135 of {count}")
        program.keys("End")
        self.says(pages, f"Page {count} of {count}")
        last = program.find("push button", "Turn the Page", dialog)
        self.assertFalse(last.getState().contains(pyatspi.STATE_SENSITIVE))
        program.keys("Home")
        self.says(pages, f"Page 1 of {count}")
        program.press(program.find("push button", "Turn the Page", dialog))
        self.says(pages, f"Pages 2\u20133 of {count}")
        program.check_names()
        program.check_numbers()
        program.close(TITLE)

    def test_a_choice_changes_the_pages(self):
        program = self.program
        dialog, pages = self.open_book()
        count = int(pages.description.split()[3])
        program.tab_to("Size")
        program.keys("space")
        program.popover_keys("Down", "Return")
        large = program.wait("fewer pages", lambda: (n := int(pages.description.split()[3])) < count and n)
        program.press(program.find("check box", "Harvests as chapters", dialog))
        program.wait("no chapters", lambda: int(pages.description.split()[3]) < large)
        program.tab_to("Dedication")
        program.type("For Ruth")
        self.says(pages, "Pages 4\u20135 of ")
        program.check_names()

    def test_the_book_is_saved(self):
        program = self.program
        dialog, _ = self.open_book()
        program.press(program.find("push button", "Save as PDF\u2026", dialog))
        self.assertTrue(self.save("book.pdf").read_bytes().startswith(b"%PDF"))
        program.press(program.find("push button", "For a Print Shop\u2026", dialog))
        self.assertTrue(self.save("shop.pdf").read_bytes().startswith(b"%PDF"))
        program.wait("the cover", (self.home / "shop-cover.pdf").exists)
        program.press(program.find("push button", "Web Page\u2026", dialog))
        self.assertIn("<svg ", self.save("book.html").read_text())
        program.press(program.find("push button", "Print\u2026", dialog))
        program.dialog("Print")

    def test_a_booklet_is_printed(self):
        program = self.program
        dialog, _ = self.open_book()
        program.press(program.find("push button", "Booklet\u2026", dialog))
        program.dialog("Print")

    def test_a_cover_is_replaced_only_after_a_question(self):
        program = self.program
        dialog, _ = self.open_book()
        cover = self.home / "shop-cover.pdf"
        cover.write_text("mine")
        back = program.find("text", "The sentence on the back, for a print shop", dialog)
        back.queryEditableText().setTextContents("Enough for a year.")
        program.press(program.find("push button", "For a Print Shop\u2026", dialog))
        pages = self.choose("shop.pdf")
        question = program.dialog("Replace the cover?")
        program.press(program.find("push button", lambda name: name.startswith("Cancel"), question))
        program.wait_closed("Replace the cover?")
        self.assertEqual((cover.read_text(), pages.exists()), ("mine", False))
        program.press(program.find("push button", "For a Print Shop\u2026", dialog))
        self.choose("shop.pdf")
        question = program.dialog("Replace the cover?")
        program.press(program.find("push button", lambda name: name.startswith("Replace"), question))
        program.wait("the cover", lambda: cover.read_bytes().startswith(b"%PDF"))
        text = subprocess.run(["pdftotext", "-raw", cover, "-"], capture_output=True, text=True, check=True).stdout
        self.assertIn("Enough for a year.", text)

    def test_the_year_grows(self):
        program = self.program
        self.open_year(self.year)
        program.press(program.find("push button", "See It Grow"))
        strip = program.find("slider", "Time")
        program.wait_focus(strip)
        # With reduced motion it only shows the first day of the year.
        program.wait("the year", lambda: str(self.year) in strip.description)

    def test_a_month_opens_the_journal(self):
        program = self.program
        self.open_year(self.year)
        month = program.find("push button", lambda name: name.startswith(f"February {self.year}: "))
        program.press(month)
        program.wait("the journal", lambda: set(program.selected("page tab")) == {"Journal"})
        program.find("push button", f"February {self.year}")


class LongBookTest(BookTestCase):
    def prepare(self):
        # Enough entries for the book to take some time.
        sprout, made = events.planted("Cello", events.days_ago(2), season="3m")
        words = "The left hand knew the way before I did. " * 20
        made += [events.watered(sprout, events.days_ago(1 + n / 86400), f"{words}{n}") for n in range(1500)]
        self.trunkctl("import", str(events.write(self.home / "garden.json", made)))

    def test_a_cancelled_book_leaves_no_file(self):
        program = self.program
        year = (datetime.date.today() - datetime.timedelta(days=1)).year
        dialog = program.open(self.open_year(year), TITLE)
        pages = program.find("slider", "Pages", dialog)
        program.wait("the book", lambda: "Page 1 of " in pages.description)
        before = set(self.home.iterdir())
        program.press(program.find("push button", "Save as PDF\u2026", dialog))
        self.choose("book.pdf")
        program.press(program.find("push button", "Cancel", dialog))
        program.find_message("Cancelled.")
        self.assertEqual({path for path in self.home.iterdir() if path.is_file()} - before, set())


class OfferTest(ClockTestCase):
    # Ten seconds before the year of the garden ends.
    start_time = datetime.datetime(2027, 1, 1, 5, 59, 50, tzinfo=BERLIN)
    offer = "The book of 2026 is ready: "

    def prepare(self):
        sprout, made = events.planted("Cello", events.days_ago(60, self.start_time), season="3m")
        made += [events.watered(sprout, events.days_ago(59 - 4 * n, self.start_time), f"Bar {n}") for n in range(12)]
        self.import_events(made)

    def wait_offer(self):
        return self.program.find("label", lambda name: name.startswith(self.offer) and name.endswith(" pages."))

    def test_the_book_is_offered_once(self):
        program = self.program
        program.find("push button", "Water \u201cCello\u201d")
        self.assertEqual(program.find_all("label", lambda name: name.startswith(self.offer)), [])
        self.clock.set(self.start_time + datetime.timedelta(seconds=20))
        self.wait_offer()
        program.check_names()
        program.press(program.find("push button", "Not Now"))
        program.wait_gone("label", lambda name: name.startswith(self.offer))
        program.keys("ctrl+q")
        self.assertEqual(program.wait_exit(), 0)
        program = self.program = self.start()
        program.find("push button", "Water \u201cCello\u201d")
        self.assertEqual(program.find_all("label", lambda name: name.startswith(self.offer)), [])

    def test_the_book_can_be_looked_at(self):
        program = self.program
        self.clock.set(self.start_time + datetime.timedelta(seconds=20))
        self.wait_offer()
        program.press(program.find("push button", "Look"))
        dialog = program.dialog(TITLE)
        pages = program.find("slider", "Pages", dialog)
        program.wait("the book", lambda: "Page 1 of " in pages.description)
        program.close(TITLE)
        program.wait_gone("label", lambda name: name.startswith(self.offer))


if __name__ == "__main__":
    unittest.main()
