"""Imported text can contain anything: it is shown unchanged and breaks nothing."""

import re
import unittest

import events
from program import ProgramTestCase

TEXTS = [
    "plain & simple", "<b>bold</b>", "<span size='500000'>huge</span>", "</span>", "<", "&", "&amp;", "&#x41;", "&nosuch;",
    "<script>alert(1)</script>", "'; DROP TABLE events; --", '" OR 1=1 --', "%s%s%n%d %100$s", "{n} {title} {count}",
    "_under_scores_", "__", "100 % _certain_ (50%)", "\\u0041\\n\\t", "$(reboot) `reboot` ${HOME}", "../../etc/passwd",
    "line one\nline two\r\nline three", "\ttabs\tand  spaces  ", "\u2028line\u2029paragraph\u0085next", "\u202egnirts desrever",
    "\u2066isolated\u2069 \u200ejoined\u200f", "zero\u200bwidth\u200djoin\ufeffer", "e\u0301\u0302\u0303\u0304\u0305 combined",
    "Z" + "\u0335\u0321\u0489" * 60 + "algo", "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 family \U0001f1e9\U0001f1ea",
    "\U0001f331" * 80, "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd", "\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645",
    "\u65e5\u672c\u8a9e\u306e\u9577\u3044\u984c\u540d" * 10, "\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22", "bell\u0007 escape\u001b[31m",
    "\U0010ffff\ufffe private \ue000", "W" * 300, "no-break\u00a0" * 40, "a" * 500_000, "\u0301 begins with an accent",
]
# The maximum length of a label's text; see GtkKit's Text.
ONE_LINE, WORD = 400, 2_000
LINE_END = re.compile("[\n\r\u000b\u000c\u0085\u2028\u2029]")


def shown(text, limit):
    return text if len(text) <= limit else text[:limit] + "\u2026"


def one_line(text):
    return LINE_END.sub(" ", shown(text, ONE_LINE))


class HostileTest(ProgramTestCase):
    def prepare(self):
        self.assertEqual(len(TEXTS), 40)
        made, start = [], events.days_ago(10)
        for text in TEXTS:
            # Spread over many twigs and with no soil cost, because there isn't enough soil for forty.
            made += events.planted(text, start, twig=f"branch-{len(made) % 8}-twig-1", cost=0, bloomWither=text)[1]
        sprout, planted = events.planted("All of them", start, cost=0)
        made += planted
        made += [events.watered(sprout, events.days_ago(9 - i / 10), text, text) for i, text in enumerate(TEXTS)]
        self.trunkctl("import", str(events.write(self.home / "garden.json", made)))

    def names(self, role):
        return {node.name for node in self.program.find_all(role)}

    def test_titles_and_texts_are_shown_unchanged(self):
        program = self.program
        program.find("list item", lambda name: name.startswith("plain & simple, "))
        labels = self.names("label")
        self.assertEqual([text for text in TEXTS if one_line(text) not in labels], [])
        program.narrow()

        program.keys("ctrl+3")
        # In a narrow window, the search is shown on request.
        program.press(program.find("push button", "Search and Sort"))
        program.wait_focus(program.find("entry", "Search sprouts and leaves"))
        program.type("all of them")
        program.wait("the sprout alone", lambda: [
            row.name[:13] for row in program.find_all("list item", within=program.find("list", "Sprouts"))
        ] == ["All of them, "])
        program.tab_to("All of them, ")
        program.keys("Return")
        more = program.find("push button", "Earlier entries")
        program.narrow()
        program.press(more)
        program.wait_gone("push button", "Earlier entries")
        labels = self.names("label")
        self.assertEqual([text for text in TEXTS if shown(text, WORD) not in labels], [])
        program.narrow()

    def test_the_water_dialog_shows_them_unchanged(self):
        program = self.program
        for text in ("<span size='500000'>huge</span>", "_under_scores_"):
            program.press(program.find("push button", f"Water \u201c{text}\u201d"))
            dialog = program.dialog("Water")
            area = program.find("text", f"Entry about {text}", within=dialog)
            program.wait_focus(area)
            program.find("label", text, within=dialog)
            program.type("fine")
            program.keys("ctrl+Return")
            program.wait_store("the entry", lambda: [entry["content"] for entry in program.entries(text)] == ["fine"])
            program.close("Water")
            program.find_message(f"Watered \u201c{text}\u201d")


if __name__ == "__main__":
    unittest.main()
