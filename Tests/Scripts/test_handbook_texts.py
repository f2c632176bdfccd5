"""The handbook in each language: the same sections and pictures, and the words that the program uses."""

import ast
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs/handbook"
# The languages of the handbook. The program may have more.
LANGUAGES = sorted(path.suffixes[0][1:] for path in FOLDER.glob("index.*.html"))


def page(language):
    name = "index.html" if language == "en" else f"index.{language}.html"
    return (FOLDER / name).read_text(encoding="utf-8")


def texts(language):
    """Yields the texts of the program as triples: context, English text and translation. The template has no
    translations, and English needs none."""
    po = ROOT / "po" / ("trunk.pot" if language == "en" else f"{language}.po")
    text = re.sub(r"^#.*\n", "", po.read_text(encoding="utf-8"), flags=re.M)
    for message in text.split("\n\n"):
        fields = {key: "".join(ast.literal_eval(line) for line in lines.split("\n") if line)
                  for key, lines in re.findall(r'^(msg\w+) ((?:".*"\n?)+)', message, re.M)}
        if "msgid" in fields:
            english = fields["msgid"]
            yield fields.get("msgctxt"), english, english if language == "en" else fields.get("msgstr", "")


def labels(html):
    """Returns the words in <em>, which is only for labels of the program. "Preferences › Rest" has two."""
    return [" ".join(label.split()) for path in re.findall(r"<em>(.*?)</em>", html, re.S) for label in path.split("›")]


class HandbookTest(unittest.TestCase):
    def test_catalogues_name_their_pages(self):
        for po in (ROOT / "po").glob("*.po"):
            with self.subTest(po.stem):
                name = next(translation for context, english, translation in texts(po.stem)
                            if (context, english) == ("handbook", "index.html"))
                self.assertEqual(name, f"index.{po.stem}.html" if po.stem in LANGUAGES else "index.html")
        for language in ["en", *LANGUAGES]:
            self.assertIn(f'<html lang="{language}">', page(language))

    def test_labels_are_those_of_the_program(self):
        for language in ["en", *LANGUAGES]:
            # The handbook names a year where the program inserts one.
            known = {translation.replace("{year}", "2026") for _, _, translation in texts(language)}
            self.assertGreater(len(labels(page(language))), 15)
            for label in labels(page(language)):
                with self.subTest(language, label=label):
                    self.assertTrue(label in known, f"the program has no such label in {language}")

    def test_sections_and_figures_are_the_same(self):
        def parts(html):
            """The ids of the sections, with the name of each picture in them."""
            return re.findall(r'<h2 id="(\w+)"|screenshots/([a-z-]+)-[a-z]+\.png', html)

        for language in LANGUAGES:
            with self.subTest(language):
                self.assertEqual(parts(page(language)), parts(page("en")))
                self.assertEqual(page(language).count("<kbd>"), page("en").count("<kbd>"))

    def test_links_and_pictures_exist(self):
        for path in FOLDER.glob("*.html"):
            html = path.read_text(encoding="utf-8")
            for link in re.findall(r'(?:href|src)="([^"]*)"', html):
                with self.subTest(path.name, link=link):
                    if link.startswith("#"):
                        self.assertIn(f'id="{link[1:]}"', html)
                    else:
                        self.assertTrue((FOLDER / link).is_file())
            self.assertEqual(re.findall(r'href="#(\w+)"', html), re.findall(r'<h2 id="(\w+)"', html))


if __name__ == "__main__":
    unittest.main()
