#!/usr/bin/python3
"""Measures the desktop's search over D-Bus, with trunk-search not yet running and running.

As a program, this is the client: it prints both times in milliseconds, and needs a bus that starts trunk-search.
"""

import json
import os
import pathlib
import signal
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME, PATH = "garden.trunk.trunk.Search", "/garden/trunk/trunk/Search"
RUNS = 7
# What a user types, key by key.
TEXTS = ["riv", "rive", "river", "river w", "the", "the m", "mor", "morn", "morning"]


def measure(release, home):
    """Returns the medians of the first search, which starts the program, and of the following ones, in milliseconds.

    home: the variables of a garden, as NAME=VALUE."""
    environment = os.environ | dict(pair.split("=", 1) for pair in home)
    settings = pathlib.Path(environment["XDG_CONFIG_HOME"], "trunk", "trunk.conf")
    settings.parent.mkdir(exist_ok=True)
    settings.write_text("[search]\ndesktop-entries=true\n", encoding="utf-8")
    with tempfile.NamedTemporaryFile("w", suffix=".service") as service:
        service.write((ROOT / "data/garden.trunk.trunk.Search.service.in").read_text().replace("@libexecdir@", str(release)))
        service.flush()
        output = subprocess.run([ROOT / "scripts/private-bus", service.name, "--", "/usr/bin/python3", __file__], check=True,
                              stdout=subprocess.PIPE, text=True, timeout=300, env=environment).stdout
    settings.unlink()
    return json.loads(output)


def client():
    from gi.repository import Gio, GLib  # the system's Python has it

    bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def ask(name, path, interface, method, arguments):
        return bus.call_sync(name, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, 60_000).unpack()[0]

    def ask_bus(method):
        return ask("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method, GLib.Variant("(s)", (NAME,)))

    def search(text):
        """Returns the milliseconds until the results for a text have arrived, with their titles and descriptions."""
        start = time.perf_counter()
        interface = "org.gnome.Shell.SearchProvider2"
        ids = ask(NAME, PATH, interface, "GetInitialResultSet", GLib.Variant("(as)", (text.split(),)))
        ask(NAME, PATH, interface, "GetResultMetas", GLib.Variant("(as)", (ids,)))
        assert ids, f"nothing was found for {text}"
        return (time.perf_counter() - start) * 1000

    cold, warm = [], []
    for _ in range(RUNS):
        if ask_bus("NameHasOwner"):
            os.kill(ask_bus("GetConnectionUnixProcessID"), signal.SIGTERM)
            limit = time.monotonic() + 10
            while ask_bus("NameHasOwner"):
                assert time.monotonic() < limit, "trunk-search did not end"
                time.sleep(0.01)  # between two questions to the bus, which the time measured below doesn't include
        cold.append(search("river"))
        warm += [search(text) for text in TEXTS]
    print(json.dumps([statistics.median(cold), statistics.median(warm)]))


if __name__ == "__main__":
    client()
