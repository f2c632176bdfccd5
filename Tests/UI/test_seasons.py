"""Sun and harvest: the screen and the store agree."""

import contextlib
import sqlite3
import unittest

import pyatspi

import events
from program import ProgramTestCase, text_of


class SeasonsTest(ProgramTestCase):
    def prepare(self):
        sprout, made = events.planted(
            "Prelude", events.days_ago(15), leaf="Bach", bloomWither="no sound", bloomFlourish="it sings")
        made.append(events.watered(sprout, events.days_ago(8), "the first line"))
        self.trunkctl("import", str(events.write(self.home / "garden.json", made)))

    def latest(self, kind):
        event = self.trunkctl("log", "--limit", "1")["log"][0]["event"]
        self.assertEqual(event["type"], kind)
        return event

    def test_the_sun_shines_once_a_week(self):
        program = self.program
        program.open("s", "Shine")
        program.check_names()
        area = program.find("text", "Reflection")
        program.wait_focus(area)
        dialog = program.top_level("Shine")

        def place():
            return next((n.name for n in program.nodes(dialog) if " \u00b7 " in n.name), None)

        first = program.wait("a twig", place)
        program.press(program.find("push button", "Another Twig"))
        # Pressing takes effect a moment later, and the question changes with the twig.
        program.wait("another twig", lambda: place() not in (None, first))
        program.type("the light fell on \u00fc <b>")
        program.wait("the typed text", lambda: text_of(area) == "the light fell on \u00fc <b>")
        question = program.wait("a question", lambda: next(
            (n.name for n in program.nodes(dialog) if n.name.endswith("?")), None))
        program.keys("ctrl+Return")
        program.find_text("\u201cthe light fell on \u00fc <b>\u201d")
        program.close_after_act("Shine")
        event = self.latest("sun_shone")
        self.assertEqual((event["content"], event["prompt"]), ("the light fell on \u00fc <b>", question))
        program.find("push button", lambda name: name.startswith("Sun: returns"))
        program.find_text("has shone this week")
        self.assertEqual(self.trunkctl("status")["sun"]["left"], 0)

        program.open("s", "Shine")
        program.find_text("The sun has shone this week")
        program.close("Shine")
        program.keys("ctrl+z")
        program.find("push button", "Sun: ready")
        self.assertEqual(self.trunkctl("status")["sun"]["left"], 1)
        program.open("s", "Shine")
        area = program.find("text", "Reflection")
        program.wait("the text as a draft", lambda: text_of(area) == "the light fell on \u00fc <b>")

    def test_a_harvest_can_be_continued_by_the_next_sprout(self):
        program = self.program
        program.find("push button", "Soil: 8 of 10 free")
        dialog = program.open("h", "Harvest")
        program.wait_focus(program.find("slider", "Entries of this sprout", dialog))
        program.find("label", "the first line")
        program.check_names()
        program.keys("ctrl+Return")
        program.wait_focus(program.find("radio button", "Withered, \u201cno sound\u201d", dialog))
        program.check_names()
        # Nothing is chosen before the user does.
        program.keys("ctrl+Return")
        program.find_text("First choose how it grew.")
        program.keys("Down", "5")
        chosen = program.find("radio button", "Flourished, \u201cit sings\u201d", dialog)
        program.wait_state(chosen, pyatspi.STATE_CHECKED)
        program.wait_focus(chosen)
        program.keys("ctrl+Return")
        area = program.find("text", "What do you take with you?", dialog)
        program.wait_focus(area)
        program.check_names()
        program.type("slow is fast")
        program.wait("the text", lambda: text_of(area) == "slow is fast")
        program.keys("ctrl+Return")
        program.find_text("\u201cslow is fast\u201d")
        program.find_text("The first leaflet of Bach.")
        program.find_text("Your soil is deeper now. There is room again for a sprout of six months.")
        program.check_names()
        event = self.latest("sprout_harvested")
        self.assertEqual((event["result"], event["reflection"]), (5, "slow is fast"))
        self.assertAlmostEqual(event["capacityGained"], 0.26 * 1.1 * (1 - 10 / 120) ** 1.5)
        soil = self.trunkctl("status")["soil"]
        self.assertAlmostEqual(soil["capacity"], 10.25, 2)
        self.assertAlmostEqual(soil["available"], 10.05)
        program.find("push button", "Soil: 10 of 10.2 free")

        program.open(program.find("push button", "Continue \u201cBach\u201d\u2026"), "Plant a Sprout")
        title = program.find("text", "What will you grow?")
        self.assertEqual(text_of(title), "Prelude")
        program.find("push button", "Leaf: Bach")
        program.find("combo box", "Leaf, Bach")
        program.type("Allemande")
        program.keys("Return")
        program.wait_closed("Plant a Sprout")
        program.find("push button", "Soil: 8 of 10.2 free")
        new, old = self.trunkctl("list")["sprouts"]
        self.assertEqual((new["title"], new["state"], new["season"]), ("Allemande", "active", "2w"))
        self.assertEqual((old["title"], old["state"], old["result"]), ("Prelude", "completed", 5))
        self.assertEqual(new["leafId"], old["leafId"])

    def choose(self, key):
        """Opens the harvest, and goes to its last step with the result of a key."""
        program = self.program
        dialog = program.open("h", "Harvest")
        program.keys("ctrl+Return")
        program.wait_focus(program.find("radio button", "Withered, \u201cno sound\u201d", dialog))
        program.keys(key, "ctrl+Return")
        program.wait_focus(program.find("text", "What do you take with you?", dialog))
        return dialog

    def test_the_steps_are_kept_over_a_crash(self):
        program = self.program
        self.choose("4")
        program.wait_store("the steps", lambda: len(self.drafts()) == 1)
        program.kill()
        program.stop()
        self.program = program = self.start()
        program.open("h", "Harvest")
        program.wait_focus(program.find("text", "What do you take with you?"))
        program.find("label", "Bloomed")
        program.keys("alt+Left")
        program.wait_state(program.find("radio button", "Bloomed"), pyatspi.STATE_CHECKED)

    def drafts(self):
        path = f"file:{self.home}/data/trunk/local/garden.db?mode=ro"
        with contextlib.closing(sqlite3.connect(path, uri=True)) as db:
            return db.execute("SELECT text FROM drafts").fetchall()

    def test_it_leads_to_its_limb_on_the_tree(self):
        program = self.program
        self.choose("4")
        program.type("there it hangs")
        program.keys("ctrl+Return")
        program.press(program.find("push button", "See It on the Tree"))
        program.wait_closed("Harvest")
        program.find("label", lambda name: "the body" in name)

    def test_a_harvest_can_be_undone(self):
        program = self.program
        self.choose("2")
        # An empty text is never harvested by this key.
        program.keys(*["ctrl+Return"] * 3)
        program.press(program.find("push button", "Harvest Without Words"))
        program.find("push button", "Continue \u201cBach\u201d\u2026")
        program.find_text("Prelude")
        program.close("Harvest")
        self.assertEqual(self.trunkctl("list")["sprouts"][0]["state"], "completed")
        program.keys("ctrl+z")
        program.find("push button", "Harvest \u201cPrelude\u201d")
        self.assertEqual(self.trunkctl("list")["sprouts"][0]["state"], "active")
        self.assertEqual(self.trunkctl("status")["soil"], {"available": 8.05, "capacity": 10})


if __name__ == "__main__":
    unittest.main()
