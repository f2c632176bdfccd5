"""One garden on four different devices through random events: two windows on separate desktops, the command line, and a
program that uses Supabase's own client."""

import collections
import json
import os
import pathlib
import subprocess
import unittest

from account import EMAIL, setUpModule  # noqa: F401
from computer import Computer
from program import BUILD, ROOT, temporary_folder, trunkctl
from remote import Remote
from server import KEY, Server
from window import open_window

HERE = pathlib.Path(__file__).parent


class TogetherTest(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.stop)

    def sign_in(self, device):
        device.ask_for_code(EMAIL)
        device.enter_code(self.server.code(EMAIL))
        return device

    def window(self, home, backend):
        """Signs in each window, through one of the server's two interfaces each."""
        window = open_window(home, self.server.env | {"TRUNK_BACKEND": backend})
        self.addCleanup(window.end)
        window.start()
        return self.sign_in(window)

    def supabase(self):
        """Starts the device that uses Supabase's own client."""
        made = subprocess.run([ROOT / "Tests/Server/venv"], env=os.environ | {"BUILD_DIR": str(BUILD)},
                              capture_output=True, text=True)
        if made.returncode != 0:
            self.skipTest(f"there is no client of Supabase for Python, and it can't be installed: {made.stderr}")
        device = Remote(made.stdout.strip(), str(HERE / "supabase_device.py"), self.server.url, KEY)
        self.addCleanup(device.end)
        return self.sign_in(device)

    def exported(self, home):
        """Returns the events in the garden of a home."""
        path = home / "garden.json"
        trunkctl(home, "export", "--force", str(path))
        return by_name(json.loads(path.read_text())["events"])

    def test_all_devices_have_the_same_garden_in_the_end(self):
        script = self.supabase()
        homes = [temporary_folder(self.addCleanup) for _ in range(2)]
        one, other = (self.window(home, backend) for home, backend in zip(homes, ("supabase", "trunk")))
        terminal = Computer(self.server, temporary_folder(self.addCleanup))
        terminal.login()

        # A sprout planted on one device appears on all.
        one.plant("Cello", is_first=True)
        other.wait_unwatered("Cello")
        self.assertEqual(script.titles(), ["Cello"])
        # Both windows show other devices' entries without user action.
        script.water("Cello", "by a script")
        for window in (one, other):
            window.wait_unwatered()
            window.wait_water(left=2)
        terminal.json("sync")
        terminal.json("plant", "Draw", "--twig", "hands/design", "--season", "2w")
        terminal.json("water", "draw", "-m", "by the command line")
        terminal.json("sync")
        for window in (one, other):
            window.wait_water(left=1)

        # The server is disconnected during a write.
        self.server.kill()
        other.plant("Run")
        other.wait_state("offline; 2 entries wait")
        self.server.start()
        for window in (other, one):
            window.wait_unwatered("Run")
            window.wait_state("synced")
        self.assertEqual(script.titles(), ["Cello", "Draw", "Run"])

        # A window is killed right after it has confirmed an entry.
        one.water("Run", "by a window")
        one.kill()
        one.start()
        one.wait_unwatered()
        other.wait_water(left=0)
        for window in (one, other):
            window.wait_state("synced")

        # All devices have the same texts, each of them once.
        terminal.json("sync")
        rows = script.rows()
        expected = by_name(row["payload"] for row in rows)
        self.assertEqual([row["client_id"] for row in sorted(rows, key=name_of)], [name_of(event) for event in expected])
        self.assertEqual(len({name_of(event) for event in expected}), 9)
        self.assertEqual(collections.Counter(event["type"] for event in expected),
                         {"leaf_created": 3, "sprout_planted": 3, "sprout_watered": 3})
        self.assertEqual(sorted(event["content"] for event in expected if "content" in event),
                         ["by a script", "by a window", "by the command line"])
        for home in (*homes, terminal.home):
            self.assertEqual(self.exported(home), expected)


def name_of(event):
    return event["client_id"]


def by_name(events):
    """Returns the events in an order that doesn't depend on their arrival."""
    return sorted(events, key=name_of)


if __name__ == "__main__":
    unittest.main()
