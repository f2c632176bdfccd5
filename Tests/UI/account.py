"""A window and the sync server that it signs in to."""

import subprocess

from program import ProgramTestCase, text_of
from server import Server

EMAIL = "ada@example.org"


def setUpModule():
    """Unlocks the keyring on the tests' own bus. Each module whose programs sign in needs it under this name."""
    done = subprocess.run(["gnome-keyring-daemon", "--unlock", "--components=secrets"], input="secret\n", text=True,
                          capture_output=True)
    assert done.returncode == 0, done.stderr


def ask_for_code(program, email):
    """Requests a code, with mouse and keyboard."""
    opener = program.find("push button", lambda name: name in ("Account", "I Have a Garden Already\u2026"))
    if opener.name == "Account":
        program.open(opener, "Sign In")
    else:  # the first window, without a greeting
        program.open(opener, "I Have a Garden Already")
        program.activate(program.find("list item", lambda name: name.startswith("Sign In")))
        program.dialog("Sign In")
    program.check_names()
    field = program.find("text", "Email address")
    program.focus("Sign In")  # where the field has the focus; the row it is in does not report it
    program.type(email)
    program.wait("the address", lambda: text_of(field) == email)
    program.keys("Return")


def open_account(program):
    """Opens the account by the menu, which every window has, and returns the dialog."""
    program.keys("F10")
    program.press(program.find("menu item", "Account and Sync\u2026"))
    return program.dialog("Account")


def enter_code(program, code):
    """Signs in with the code from the mail."""
    program.wait_focus(program.find("text", "Code from the email"))
    program.type(code)
    wait_sync(program, "")
    program.wait_closed("Sign In")


def wait_sync(program, state):
    """Waits until the indicator shows a state, such as `synced`."""
    program.find("push button", lambda name: name.startswith("Sync: " + state))


def wait_local(program):
    """Waits until the window shows a garden that is kept on this computer only."""
    program.wait_gone("push button", lambda name: name.startswith("Sync: "))
    program.find("push button", lambda name: name in ("Kept on this computer only", "I Have a Garden Already\u2026"))


class ServerTestCase(ProgramTestCase):
    """A test with a new program in self.program and a new server in self.server."""

    backend = "supabase"

    def prepare(self):
        self.server = Server()
        self.addCleanup(self.server.stop)
        self.env = self.server.env | {"TRUNK_BACKEND": self.backend}

    def sign_in(self, email=EMAIL):
        ask_for_code(self.program, email)
        enter_code(self.program, self.server.code(email))

    def upload_garden(self):
        """Uploads the entries from before the sign-in."""
        title = "Add your earlier entries to this account?"
        question = self.program.dialog(title)
        self.program.press(self.program.find("push button", lambda name: name.startswith("Upload"), question))
        self.program.wait_closed(title)

    def close_note(self):
        """Closes the message after signing out."""
        message = self.program.find("dialog", lambda name: name.startswith("Signed out"))
        self.program.press(self.program.find("push button", lambda name: name.startswith("Close"), message))

    def wait_state(self, state):
        wait_sync(self.program, state)

    def wait_server(self, device, what, condition):
        return self.program.wait(what, lambda: condition(device.events()))
