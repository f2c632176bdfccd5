"""Every state of the keyring whenever it is needed: each has its own message and a way to continue, and the garden can
always be used."""

import time
import unittest

from account import EMAIL, ServerTestCase, open_account, wait_local
from computer import Computer
from keyring import PASSWORD, Bus
from program import temporary_folder
from server import Device, Server

# The message for each state.
MESSAGES = {
    "none": "This desktop has no keyring that can store your sign-in.",
    "empty": "There is no keyring yet.",
    "locked": "Your keyring is locked.",
    "deny": "The keyring refused access.",
    "hang": "The keyring does not answer.",
}
# What the indicator says.
STATES = {
    "none": "there is no keyring",
    "empty": "there is no keyring",
    "locked": "the keyring is locked",
    "deny": "the keyring can\u2019t be used",
    "hang": "the keyring can\u2019t be used",
}


class KeyringTestCase(ServerTestCase):
    """A garden with a sprout, and a keyring that can be replaced."""

    def prepare(self):
        super().prepare()
        self.bus = Bus()
        self.addCleanup(self.bus.stop)
        self.env = self.env | self.bus.env
        self.trunkctl("plant", "Cello", "--twig", "voice/practice", "--season", "2w")

    def start_with(self, keyring):
        """Restarts the program with another keyring."""
        self.program.stop()
        self.bus.become(keyring)
        self.program = self.start()

    def sign_in_with_garden(self):
        """Signs in and uploads the local garden."""
        self.sign_in()
        self.upload_garden()
        self.wait_state("synced")

    def sign_in_without(self):
        self.sign_in()
        title = "Add your earlier entries to this account?"
        question = self.program.dialog(title)
        self.program.press(self.program.find("push button", lambda name: name.startswith("Keep on This Computer"), question))
        self.program.wait_closed(title)

    def sign_out(self):
        """Signs out, up to the last answer."""
        program = self.program
        open_account(program)
        program.press(program.find("push button", "Sign Out\u2026"))
        question = program.find("dialog", lambda name: "Sign out?" in name)
        program.press(program.find("push button", lambda name: name.startswith("Sign Out"), question))

    def is_signed_out(self):
        wait_local(self.program)
        message = self.program.find("dialog", lambda name: name.startswith("Signed out"))
        self.program.press(self.program.find("push button", lambda name: name.startswith("Close"), message))
        # The local garden is shown again.
        self.assertEqual([sprout["title"] for sprout in self.trunkctl("list")["sprouts"]], ["Cello"])


class KeyringTest(KeyringTestCase):
    def test_starting_reports_the_keyrings_state(self):
        self.sign_in_with_garden()
        for keyring, message in MESSAGES.items():
            with self.subTest(keyring):
                self.start_with(keyring)
                program = self.program
                program.find("push button", "Water \u201cCello\u201d")
                program.find_text(message)
                self.wait_state(STATES[keyring])
        self.start_with("ok")
        self.wait_state("synced")

    def test_starting_offers_a_way_to_continue(self):
        self.sign_in_with_garden()
        self.start_with("none")
        self.program.open(self.program.find("push button", "Sign In"), "Sign In")
        self.start_with("dismiss")
        self.program.find_text(MESSAGES["locked"])
        self.program.press(self.program.find("push button", "Unlock"))
        self.program.find_text(MESSAGES["deny"])

    def test_unlocking_the_keyring_resumes_syncing(self):
        self.sign_in_without()
        self.wait_state("synced")
        self.start_with("locked")
        self.bus.start_prompter()
        self.program.find_text(MESSAGES["locked"])
        self.program.press(self.program.find("push button", "Unlock"))
        self.bus.answer_prompt("Escape")
        # The message is above the button.
        self.program.press_in_message(MESSAGES["deny"], "Dismiss")
        self.program.press(self.program.find("push button", "Unlock"))
        self.bus.answer_prompt(*PASSWORD, "Return")
        self.wait_state("synced")
        self.program.wait_gone("push button", "Unlock")

    def test_a_keyring_that_hangs_does_not_block_the_window(self):
        self.sign_in_without()
        self.wait_state("synced")
        self.trunkctl("plant", "Run", "--twig", "core/movement", "--season", "2w")
        begin = time.monotonic()
        self.start_with("hang")
        program = self.program
        # While the program waits for the keyring, the garden is shown and can be changed.
        program.open("w", "Water")
        program.type("Written while the keyring hangs.")
        program.keys("ctrl+Return")
        program.close_after_act("Water")
        self.assertEqual(len(program.entries("run")), 1)
        ended = program.find_all("label", lambda name: "does not answer" in name)
        # The program waits for 10 s. On a busy computer, they may have passed.
        self.assertFalse(ended and time.monotonic() - begin < 10, "the wait ended too early")
        program.find_text(MESSAGES["hang"])
        self.wait_state(STATES["hang"])

    def test_signing_in_works_without_the_keyring(self):
        # The answer about earlier entries is kept, so the question comes once.
        sign_in = self.sign_in_without
        for keyring, message in MESSAGES.items():
            with self.subTest(keyring):
                self.bus.become(keyring)
                sign_in()
                sign_in = self.sign_in
                self.wait_state("synced")
                self.program.find_text(message)
                self.program.find_text("You stay signed in until Trunk is closed.")
                self.sign_out()
                self.is_signed_out()
        # The next start finds no session and reports it.
        self.bus.become("none")
        self.sign_in()
        self.start_with("none")
        self.wait_state(STATES["none"])
        self.program.find_text(MESSAGES["none"])

    def test_creating_a_keyring_stores_the_sign_in(self):
        self.bus.become("new")
        self.bus.start_prompter()
        self.sign_in_without()
        program = self.program
        program.find_text("You stay signed in until Trunk is closed.")
        program.press(program.find("push button", "Create a Keyring\u2026"))
        self.bus.answer_prompt(*PASSWORD, "Tab", *PASSWORD, "Return")
        program.wait_gone("label", lambda name: "until Trunk is closed" in name)
        self.assertIn("access_token", self.bus.secrets())
        self.program.stop()
        self.program = self.start()
        self.wait_state("synced")

    def test_a_keyring_that_appears_later_stores_the_sign_in(self):
        self.bus.become("none")
        self.sign_in_without()
        program = self.program
        program.find_text("You stay signed in until Trunk is closed.")
        self.bus.become("ok")
        program.wait_gone("label", lambda name: "until Trunk is closed" in name)
        self.assertIn("access_token", self.bus.secrets())
        # Renewed tokens are stored too.
        before = self.bus.secrets()
        self.server.forget_key()
        program.keys("F5")
        program.wait("new tokens", lambda: self.bus.secrets() not in ("", before))
        self.start_with("ok")
        self.wait_state("synced")

    def test_signing_out_removes_the_tokens_or_changes_nothing(self):
        self.sign_in_with_garden()
        # If the keyring doesn't remove the tokens, signing out stops and nothing changes.
        for keyring, message in [("hang", MESSAGES["hang"]), ("deny", MESSAGES["deny"]), ("locked", "The keyring")]:
            with self.subTest(keyring):
                self.bus.become(keyring)
                self.sign_out()
                self.program.find_text(message)
                self.program.close("Account")
                self.program.find("push button", lambda name: name.startswith("Sync: "))
                self.program.find("push button", "Water \u201cCello\u201d")
        self.bus.become("ok")
        self.assertIn("access_token", self.bus.secrets())
        # If there is a keyring, the tokens are removed from it, even without the server.
        self.server.kill()
        self.sign_out()
        self.is_signed_out()
        self.assertEqual(self.bus.secrets(), "")
        self.server.start()
        # If there is no keyring, nothing needs to be removed.
        for keyring in ("none", "empty"):
            with self.subTest(keyring):
                self.sign_in()
                self.wait_state("synced")
                self.bus.become(keyring)
                self.sign_out()
                self.is_signed_out()
                self.bus.become("ok")

    def test_tokens_are_renewed_only_if_they_can_be_stored(self):
        self.sign_in_with_garden()
        program = self.program
        for keyring, message in MESSAGES.items():
            with self.subTest(keyring):
                before = self.bus.secrets()
                self.bus.become(keyring)
                # From now on the server rejects the program's token. A new one must be stored in the keyring before it
                # is used, so the program doesn't request one.
                self.server.forget_key()
                self.trunkctl("seed", keyring, "--twig", "heart/adventure")
                program.find_text(message)
                self.wait_state(STATES[keyring] + "; 1 entry waits")
                self.bus.become("ok")
                self.assertEqual(self.bus.secrets(), before)
                program.keys("F5")
                program.wait_gone("label", lambda name: message in name)
                self.wait_state("synced")
                self.assertNotIn(self.bus.secrets(), ("", before))
        device = Device(self.server, EMAIL)
        titles = [event["title"] for event in device.events() if event["type"] == "seedling_created"]
        self.assertEqual(titles, list(MESSAGES))
        self.start_with("ok")
        self.wait_state("synced")


class TerminalTest(unittest.TestCase):
    """The command line ends with its command, so it can't keep a session in memory."""

    def setUp(self):
        self.server, self.bus = Server(), Bus()
        self.addCleanup(self.server.stop)
        self.addCleanup(self.bus.stop)
        self.computer = Computer(
            self.server, temporary_folder(self.addCleanup), DBUS_SESSION_BUS_ADDRESS=self.bus.address)

    def test_no_code_is_sent_if_the_session_could_not_be_stored(self):
        # No password prompt can be shown.
        for keyring, message in (MESSAGES | {"locked": "The keyring", "guard": "The keyring refused access."}).items():
            with self.subTest(keyring):
                self.bus.become(keyring)
                code, stdout, stderr = self.computer.run("login", EMAIL, given="123456\n")
                self.assertEqual((code, stdout), (6, ""))
                self.assertIn(message, stderr)
                self.assertNotIn("A code was sent", stderr)
        self.bus.become("ok")
        # The server has sent no code before, so this sign-in gets the first one.
        self.computer.login()
        self.assertIn("access_token", self.bus.secrets())
        self.assertNotIn("nobody", self.bus.secrets())

    def test_a_locked_keyring_is_unlocked_before_a_code_is_sent(self):
        self.bus.become("locked")
        self.bus.start_prompter()
        self.computer.login(before=lambda: self.bus.answer_prompt(*PASSWORD, "Return"))
        self.assertIn("access_token", self.bus.secrets())


if __name__ == "__main__":
    unittest.main()
