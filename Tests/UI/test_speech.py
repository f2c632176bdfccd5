"""What the screen reader Orca says. Each file in the folder `speech` is a transcript: what is done, and what is then said.

RECORD_SPEECH=1 writes the transcripts anew. Then put * where a text differs from day to day.
"""

import os
import pathlib
import time
import unittest

import events
import screen_reader
from program import ProgramTestCase

FOLDER = pathlib.Path(__file__).parent / "speech"
RECORDS = "RECORD_SPEECH" in os.environ
# After this many seconds without a word, nothing more is said. Only for recording.
SILENCE = 2


@unittest.skipUnless(screen_reader.IS_INSTALLED, "Orca isn't installed")
class SpeechTest(ProgramTestCase):
    def prepare(self):
        cello, made = events.planted("Cello", events.days_ago(3))
        made += events.planted("Run", events.days_ago(2), twig="branch-0-twig-1", season="3m")[1]
        made.append(events.watered(cello, events.days_ago(2), "Slow scales, then the first line"))
        made.append(events.watered(cello, events.days_ago(1), "The bow stayed light"))
        self.trunkctl("import", str(events.write(self.home / "garden.json", made)))
        self.trunkctl("backup")

    def setUp(self):
        super().setUp()
        self.reader = self.enterContext(screen_reader.ScreenReader())
        self.heard = 0
        self.program.wait("the first words", self.new_lines)

    def do(self, step):
        """Does one step of a transcript: `key KEY`, `type TEXT`, `dialog TITLE` waits for a dialog, `closed TITLE` until it is
        closed. An empty one only listens."""
        action, _, argument = step.partition(" ")
        program = self.program
        actions = {"key": program.keys, "type": program.type, "dialog": program.dialog, "closed": program.wait_closed}
        if action:
            actions[action](argument)

    def new_lines(self):
        """Returns what was said since the last step. A busy Orca may read a description with the focus, and again because
        it has changed: the last time counts."""
        lines = self.reader.lines()[self.heard:]
        return [line for place, line in enumerate(lines) if line not in lines[place + 1:]]

    def listen(self, step, written):
        """Waits until Orca has said what is written after a step."""
        try:
            self.program.wait("the words", lambda: screen_reader.is_as_written(self.new_lines(), written))
        except AssertionError as error:
            raise AssertionError("\n".join([f"after {step!r}, Orca said:", *self.new_lines(), "but not:", *written])) from error
        self.heard = len(self.reader.lines())

    def record(self):
        """Waits until Orca is silent, and returns what it has said since the last step."""
        end = time.monotonic() + SILENCE
        count = 0
        while time.monotonic() < end:
            if len(self.new_lines()) > count:
                count, end = len(self.new_lines()), time.monotonic() + SILENCE
            self.program._handle_events()
        lines = self.new_lines()
        self.heard = len(self.reader.lines())
        return lines

    def assert_said(self, name):
        file = FOLDER / f"{name}.txt"
        steps = [part.split("\n") for part in ("\n" + file.read_text().strip()).split("\n> ")]
        written = []
        for step, *lines in steps:
            self.do(step)
            if RECORDS:
                lines = self.record()
            else:
                self.listen(step, lines)
            written.append("\n".join([step, *lines]))
        if RECORDS:
            file.write_text("\n> ".join(written).lstrip("\n") + "\n")

    def test_today(self):
        self.assert_said("today")

    def test_water(self):
        self.assert_said("water")

    def test_tree(self):
        self.assert_said("tree")

    def test_entry(self):
        self.assert_said("entry")

    def test_search(self):
        self.assert_said("search")

    def test_preferences(self):
        self.assert_said("preferences")
