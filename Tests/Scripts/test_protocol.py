"""docs/protocol.md: each departure names its tests, and these exist."""

import functools
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/protocol.md"
# `Suite.test` in Swift, `module.Class.test` in Python.
NAME = re.compile(r"`([A-Z]\w+Tests|test_\w+\.\w+)\.(\w+)`")


@functools.cache
def sources(extension):
    return {path: path.read_text(encoding="utf-8") for path in (ROOT / "Tests").rglob(f"*.{extension}")
            if "venv" not in path.parts}


def exists(suite, test):
    """Whether a file has the suite and the test."""
    module, _, class_name = suite.rpartition(".")
    if not module:
        return any(re.search(rf"\b(?:struct|class|extension) {suite}\b", text) and re.search(rf"\bfunc {test}\(", text)
                   for text in sources("swift").values())
    return any(path.stem == module and re.search(rf"^class {class_name}\b.*?^    def {test}\(", text, re.M | re.S)
               for path, text in sources("py").items())


class ProtocolTest(unittest.TestCase):
    def test_each_named_test_exists(self):
        names = NAME.findall(PAGE.read_text(encoding="utf-8"))
        self.assertGreater(len(names), 50)
        self.assertEqual([f"{suite}.{test}" for suite, test in names if not exists(suite, test)], [])

    def test_each_departure_has_all_four_parts(self):
        for departure in PAGE.read_text(encoding="utf-8").split("\n### ")[1:]:
            title, _, text = departure.partition("\n")
            parts = re.findall(r"^\* \*\*(\w+)\*\*: ", text.partition("\n## ")[0], re.M)
            self.assertEqual(parts, ["Protocol", "Here", "Why", "Tests"], title)
            self.assertTrue(NAME.search(text.partition("**Tests**")[2]), f"{title} names no test")

    def test_a_missing_test_is_found(self):
        self.assertTrue(exists("DerivationTests", "aSproutCanEndOnlyOnce"))
        self.assertFalse(exists("DerivationTests", "aSproutCanEndTwice"))
        self.assertFalse(exists("EventOrderTests", "aSproutCanEndOnlyOnce"))
        self.assertTrue(exists("test_protocol.ProtocolTest", "test_a_missing_test_is_found"))
        self.assertFalse(exists("test_protocol.Other", "test_a_missing_test_is_found"))


if __name__ == "__main__":
    unittest.main()
