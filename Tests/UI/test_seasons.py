"""Sun and harvest: the screen and the store agree."""

import unittest

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
        program.open("h", "Harvest")
        program.check_names()
        program.find_text("\u201cno sound\u201d")
        program.find_text("\u201cit sings\u201d")
        program.wait_focus(program.find("radio button", "1 Withered"))
        # Nothing is chosen before the user does; then the group is one stop of the Tab key.
        program.keys("Left")
        program.tab_to("What will you take with you from this?")
        program.type("slow is fast")
        program.keys("ctrl+Return")
        program.find_text("It took 15 days")
        program.find_text("Your soil is deeper now. There is room again for a sprout of 6 months.")
        event = self.latest("sprout_harvested")
        self.assertEqual((event["result"], event["reflection"]), (5, "slow is fast"))
        self.assertAlmostEqual(event["capacityGained"], 0.26 * 1.1 * (1 - 10 / 120) ** 1.5)
        soil = self.trunkctl("status")["soil"]
        self.assertAlmostEqual(soil["capacity"], 10.25, 2)
        self.assertAlmostEqual(soil["available"], 10.05)
        program.find("push button", "Soil: 10 of 10.2 free")

        program.open(program.find("push button", "Continue \u201cBach\u201d"), "Plant a Sprout")
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

    def test_a_harvest_can_be_undone(self):
        program = self.program
        program.open("h", "Harvest")
        program.wait_focus(program.find("radio button", "1 Withered"))
        program.keys("Right")
        program.press(program.find("push button", "Harvest", within=program.top_level("Harvest")))
        program.find("push button", "Continue \u201cBach\u201d")
        program.close("Harvest")
        self.assertEqual(self.trunkctl("list")["sprouts"][0]["state"], "completed")
        program.keys("ctrl+z")
        program.find("push button", "Harvest \u201cPrelude\u201d")
        self.assertEqual(self.trunkctl("list")["sprouts"][0]["state"], "active")
        self.assertEqual(self.trunkctl("status")["soil"], {"available": 8.05, "capacity": 10})


if __name__ == "__main__":
    unittest.main()
