"""What the keyring can be, each with its own words and a way on; the garden is there in any case."""

import os
import subprocess
import tempfile
import unittest

from gi.repository import Gio, GLib

from program import ROOT, ProgramTestCase
from test_sync import SyncTest, setUpModule  # noqa: F401

CONFIGURATION = """<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>"""
FAKE = ROOT / "Tests" / "Support" / "PrivateBus" / "fake-secrets"


class Bus:
    """A message bus that starts nothing by itself, with one misbehaving keyring or none."""

    def __init__(self, keyring=None):
        with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
            file.write(CONFIGURATION)
            file.flush()
            self.daemon = subprocess.Popen(
                ["dbus-daemon", "--nofork", "--print-address", "--config-file", file.name], stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True)
            self.address = self.daemon.stdout.readline().strip()
        self.fake = None
        if keyring:
            self.fake = subprocess.Popen(
                [FAKE, keyring], env=os.environ | {"DBUS_SESSION_BUS_ADDRESS": self.address}, stdout=subprocess.PIPE)
            self.fake.stdout.readline()  # it says when it is there

    @property
    def env(self):
        """Where the bus is, and where the screen reader listens all the same."""
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        answer = bus.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None,
                               GLib.VariantType("(s)"), Gio.DBusCallFlags.NONE, -1, None)
        return {"DBUS_SESSION_BUS_ADDRESS": self.address, "AT_SPI_BUS_ADDRESS": answer.unpack()[0]}

    def stop(self):
        for process in (self.fake, self.daemon):
            if process:
                process.kill()
                process.wait()
                process.stdout.close()


class KeyringTest(ProgramTestCase):
    backend = "supabase"
    sign_in = SyncTest.sign_in
    wait_state = SyncTest.wait_state

    def prepare(self):
        SyncTest.prepare(self)
        self.trunkctl("plant", "Cello", "--twig", "voice/practice", "--season", "2w")

    def start_with(self, keyring):
        """Starts the program once more, on another bus."""
        self.program.stop()
        bus = Bus(keyring)
        self.addCleanup(bus.stop)
        self.env = self.env | bus.env
        self.program = self.start()

    def close_question(self):
        title = "Bring your garden along?"
        self.program.dialog(title)
        self.program.keys("Escape")
        self.program.wait_closed(title)

    def test_no_keyring_keeps_the_session_for_this_run(self):
        self.start_with(None)
        self.sign_in()
        self.close_question()
        self.wait_state("synced")
        self.program.find_text("You stay signed in until Trunk is closed.")
        # The next start finds the account's garden, and asks to sign in again.
        self.program.stop()
        self.program = self.start()
        self.wait_state("offline")
        self.program.find_text("This desktop offers no keyring to keep the sign-in in.")
        self.program.open(self.program.find("push button", "Sign In"), "Sign In")

    def test_a_keyring_that_denies_says_so(self):
        self.start_with("deny")
        self.sign_in()
        self.close_question()
        self.wait_state("synced")
        self.program.find_text("The keyring refused access.")

    def test_a_locked_keyring_can_be_unlocked(self):
        self.sign_in()
        self.close_question()
        self.wait_state("synced")
        self.start_with("dismiss")
        self.program.find_text("Your keyring is locked.")
        self.wait_state("offline")
        self.program.press(self.program.find("push button", "Unlock"))
        self.program.find_text("The keyring refused access.")

    def test_a_keyring_that_hangs_holds_up_nothing(self):
        self.sign_in()
        self.close_question()
        self.wait_state("synced")
        self.trunkctl("plant", "Run", "--twig", "core/movement", "--season", "2w")
        self.start_with("hang")
        program = self.program
        program.deadline = 30
        # While it is waited for, the garden is there and can be written in.
        program.open("w", "Water")
        program.type("Written while the keyring hangs.")
        program.keys("ctrl+Return")
        program.wait_closed("Water")
        self.assertEqual(len(program.entries("run")), 1)
        self.assertFalse(program.find_all("label", lambda name: "does not answer" in name), "it has given up already")
        program.find_text("The keyring does not answer.")
        self.wait_state("offline")


if __name__ == "__main__":
    unittest.main()
