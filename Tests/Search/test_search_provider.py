"""The desktop's search. The tests call it over D-Bus, as GNOME Shell and KRunner do."""

import hashlib
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import time
import unittest

from gi.repository import Gio, GLib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "UI"))
import events  # noqa: E402

PROGRAMS = pathlib.Path(os.environ["PROGRAMS"])
DATA = pathlib.Path(os.environ["XDG_DATA_HOME"])
CONFIG = pathlib.Path(os.environ["XDG_CONFIG_HOME"])
NAME, PATH = "garden.trunk.trunk.Search", "/garden/trunk/trunk/Search"
GNOME, KRUNNER = "org.gnome.Shell.SearchProvider2", "org.kde.krunner1"
# In milliseconds. Tests don't measure speed: the computer may be busy.
CALL_LIMIT = 60_000

BUS = Gio.bus_get_sync(Gio.BusType.SESSION)


class Window:
    """Owns the D-Bus name of the window's program and records what it is asked to open."""

    INTERFACE = Gio.DBusNodeInfo.new_for_xml("""
        <node><interface name="org.freedesktop.Application"><method name="Open">
          <arg type="as" direction="in"/><arg type="a{sv}" direction="in"/>
        </method></interface></node>""").interfaces[0]

    def __init__(self):
        self.opened = []
        BUS.register_object("/garden/trunk/trunk", self.INTERFACE, self._call, None, None)
        Gio.bus_own_name_on_connection(BUS, "garden.trunk.trunk", Gio.BusNameOwnerFlags.NONE, None, None)

    def _call(self, _bus, _sender, _path, _interface, _method, arguments, invocation):
        self.opened.append(arguments.unpack())
        invocation.return_value(None)

    def wait(self):
        """Returns the addresses and the platform data of the next call."""
        wait("a call of Open", lambda: self.opened)
        return self.opened.pop(0)


WINDOW = Window()


def wait(what, condition, seconds=60):
    """Waits for events of the bus until the condition is true."""
    context, end = GLib.MainContext.default(), time.monotonic() + seconds
    tick = GLib.timeout_add(50, lambda: True)
    try:
        while not condition():
            assert time.monotonic() < end, f"waited for {what}"
            context.iteration(True)
    finally:
        GLib.source_remove(tick)


def call(interface, method, signature, *arguments):
    reply = BUS.call_sync(NAME, PATH, interface, method, GLib.Variant(signature, arguments), None,
                          Gio.DBusCallFlags.NONE, CALL_LIMIT)
    return reply.unpack()[0] if reply.n_children() else None


def has_owner():
    return BUS.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
                         GLib.Variant("(s)", (NAME,)), None, Gio.DBusCallFlags.NONE, CALL_LIMIT).unpack()[0]


def trunkctl(*arguments):
    subprocess.run([PROGRAMS / "trunkctl", *arguments], check=True, stdout=subprocess.DEVNULL, timeout=120)


def snapshot(folder):
    """Returns the path, the time of the last change and the content of everything in a folder."""
    return {path: (path.stat().st_mtime_ns, path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest())
            for path in [folder, *folder.rglob("*")]}


class SearchTestCase(unittest.TestCase):
    def setUp(self):
        # The program may still have the garden of the previous test in memory. The results must not depend on it.
        for folder in (DATA, CONFIG):
            shutil.rmtree(folder, ignore_errors=True)
        self.folder = DATA / "trunk/local"

    def plant(self):
        self.cello, made = events.planted("River cello", events.days_ago(9), leaf="Music by the river")
        made += events.planted("Run", events.days_ago(8))[1]
        made.append(events.watered(self.cello, events.days_ago(1), "The river was quiet. I played for an hour."))
        path = DATA / "garden.json"
        path.parent.mkdir(exist_ok=True)
        trunkctl("import", str(events.write(path, made)))
        trunkctl("seed", "A boat on the river", "--twig", "core/movement")

    def allow_entries(self):
        CONFIG.joinpath("trunk").mkdir(parents=True, exist_ok=True)
        CONFIG.joinpath("trunk/trunk.conf").write_text("[search]\ndesktop-entries=true\n", encoding="utf-8")

    def search(self, *words):
        return call(GNOME, "GetInitialResultSet", "(as)", list(words))

    def details(self, ids):
        return call(GNOME, "GetResultMetas", "(as)", ids)

    def titles(self, *words):
        return [detail["name"] for detail in self.details(self.search(*words))]


class ResultTest(SearchTestCase):
    def setUp(self):
        super().setUp()
        self.plant()

    def test_sprouts_leaves_and_seedlings_are_found(self):
        self.assertEqual(self.titles("river"), ["River cello", "Music by the river", "A boat on the river"])
        self.assertEqual(self.titles("river", "cel"), ["River cello"])
        ids = self.search("river")
        self.assertEqual(call(GNOME, "GetSubsearchResultSet", "(asas)", ids, ["river", "boat"]), ids[2:])
        detail = self.details(ids[:1])[0]
        self.assertEqual((detail["id"], detail["description"], detail["gicon"]),
                         (ids[0], "Core · movement", "garden.trunk.trunk"))
        self.assertEqual(self.search("nothing of this kind"), [])

    def test_entries_are_found_only_if_the_user_allows_it(self):
        self.assertEqual(self.search("quiet"), [])
        self.allow_entries()
        ids = self.search("quiet")
        detail, = self.details(ids)
        self.assertEqual(detail["name"], "River cello")
        self.assertIn("The river was quiet.", detail["description"])
        CONFIG.joinpath("trunk/trunk.conf").unlink()
        self.assertEqual(self.search("quiet"), [])
        self.assertEqual(self.details(ids), [])

    def test_earlier_pages_are_found_like_entries(self):
        path = DATA / "journal.txt"
        path.write_text("[2014-11-21 21:30] Lisbon\nThe last ferry left.\n", encoding="utf-8")
        trunkctl("pages", "import", path)
        self.assertEqual(self.search("ferry"), [])
        self.allow_entries()
        ids = self.search("ferry")
        detail, = self.details(ids)
        self.assertEqual(detail["name"], "Earlier page · jrnl")
        self.assertIn("The last ferry left.", detail["description"])
        call(GNOME, "ActivateResult", "(sasu)", ids[0], ["ferry"], 1234)
        self.assertRegex(WINDOW.wait()[0][0], r"^trunk://page/\d+$")
        CONFIG.joinpath("trunk/trunk.conf").unlink()
        self.assertEqual(self.details(ids), [])

    def test_new_events_are_found(self):
        self.assertEqual(self.titles("swim"), [])
        trunkctl("plant", "Swim", "--twig", "core/movement", "--season", "2w")
        self.assertEqual(self.titles("swim"), ["Swim", "Swim"])  # the sprout and its leaf

    def test_results_open_their_pages(self):
        self.allow_entries()
        for id in self.search("river"):
            call(GNOME, "ActivateResult", "(sasu)", id, ["river"], 1234)
        call(GNOME, "LaunchSearch", "(asu)", ["river", "walk"], 0)
        opened = [WINDOW.wait() for _ in range(5)]
        addresses = [addresses for addresses, _ in opened]
        self.assertEqual(addresses[0], [f"trunk://sprout/{self.cello}"])
        self.assertRegex(addresses[1][0], "^trunk://leaf/leaf-")
        self.assertRegex(addresses[2][0], "^trunk://seedling/seedling-")
        self.assertRegex(addresses[3][0], r"^trunk://entry/\d+$")
        self.assertEqual(addresses[4], ["trunk://search/river%20walk"])
        self.assertTrue(opened[0][1]["desktop-startup-id"].endswith("_TIME1234"))
        self.assertEqual(opened[4][1], {})

    def test_krunner_finds_and_opens(self):
        matches = call(KRUNNER, "Match", "(s)", "river")
        self.assertEqual([match[1] for match in matches], ["River cello", "Music by the river", "A boat on the river"])
        self.assertEqual(matches[0][2:4], ("garden.trunk.trunk", 30))
        self.assertEqual(matches[0][5], {"subtext": "Core · movement"})
        self.assertEqual(sorted(matches, key=lambda match: -match[4]), matches)
        self.assertEqual(call(KRUNNER, "Actions", "()"), [])
        call(KRUNNER, "Run", "(ss)", matches[0][0], "")
        self.assertEqual(WINDOW.wait(), ([f"trunk://sprout/{self.cello}"], {}))

    def test_an_unknown_result_opens_nothing(self):
        for id in ("", "sprout", "entry/x", "uproot/1"):
            call(GNOME, "ActivateResult", "(sasu)", id, [], 0)
        call(GNOME, "LaunchSearch", "(asu)", ["last"], 0)
        self.assertEqual(WINDOW.wait()[0], ["trunk://search/last"])

    def test_the_garden_of_the_account_is_searched(self):
        self.folder.rename(DATA / "trunk/4711")
        account = DATA / "trunk/account.conf"
        account.write_text("[account]\nbackend=supabase\nserver=https://example.org\nkey=k\nuser=4711\n")
        self.assertEqual(self.titles("cello"), ["River cello"])
        account.write_text("[account]\nuser=../x\n")
        self.assertEqual(self.titles("cello"), [])


class DiskTest(SearchTestCase):
    """The program reads the garden and changes nothing on the disk."""

    def assert_unchanged(self, results):
        before = snapshot(DATA)
        self.assertEqual(self.titles("river"), results)
        self.assertEqual(snapshot(DATA), before)

    def test_a_closed_garden(self):
        self.plant()
        self.assert_unchanged(["River cello", "Music by the river", "A boat on the river"])

    def test_a_garden_that_another_program_has_open(self):
        self.plant()
        with sqlite3.connect(self.folder / "garden.db") as database:
            # The write-ahead log has a table that the main file lacks.
            database.execute("CREATE TABLE other (x)")
            database.commit()
            self.assert_unchanged(["River cello", "Music by the river", "A boat on the river"])

    def test_no_garden(self):
        DATA.mkdir()
        self.assert_unchanged([])

    def test_a_damaged_garden(self):
        self.plant()
        with open(self.folder / "garden.db", "r+b") as file:
            file.write(bytes(range(256)) * 64)
        self.assert_unchanged([])

    def test_gardens_of_other_versions(self):
        self.plant()
        path = self.folder / "garden.db"
        with sqlite3.connect(path) as database:
            version = database.execute("PRAGMA user_version").fetchone()[0]
        for other in (version - 1, version + 1):
            with sqlite3.connect(path) as database:
                database.execute(f"PRAGMA user_version = {other}")
            database.close()
            self.assert_unchanged([])


class ProgramTest(SearchTestCase):
    def test_it_ends_ten_seconds_after_the_last_query(self):
        self.search("river")
        self.search("river")
        start = time.monotonic()
        wait("the end of the program", lambda: not has_owner())
        self.assertGreaterEqual(time.monotonic() - start, 9)

    def test_a_crash_writes_no_copy_of_its_memory(self):
        """It would contain journal texts."""
        self.search("river")
        pid, = BUS.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                             "GetConnectionUnixProcessID", GLib.Variant("(s)", (NAME,)), None,
                             Gio.DBusCallFlags.NONE, CALL_LIMIT).unpack()
        limits = pathlib.Path(f"/proc/{pid}/limits").read_text(encoding="utf-8")
        self.assertRegex(limits, r"Max core file size +0 +0 ")

    def test_it_links_neither_network_nor_keyring_nor_toolkit(self):
        libraries = subprocess.run(["ldd", PROGRAMS / "trunk-search"], check=True, capture_output=True, text=True).stdout
        self.assertFalse(re.findall(r"lib(?:curl|soup|secret|gtk|gdk|adwaita|cairo|pango|enchant)\S*", libraries))

    def test_the_version_is_printed_without_a_bus(self):
        result = subprocess.run([PROGRAMS / "trunk-search", "--version"], capture_output=True, text=True, timeout=60,
                                env=os.environ | {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"})
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"\Atrunk-search \d+\.\d+\.\d+\n\Z")

    def test_it_fails_without_a_bus(self):
        result = subprocess.run([PROGRAMS / "trunk-search"], capture_output=True, text=True, timeout=60,
                                env=os.environ | {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"})
        self.assertEqual((result.returncode, result.stderr), (69, "trunk-search: there is no session bus\n"))


if __name__ == "__main__":
    unittest.main()
