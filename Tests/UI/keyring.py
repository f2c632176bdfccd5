"""A message bus without service activation, and a keyring on it that can be replaced while a program runs."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from gi.repository import Gio, GLib

from program import COMMAND_LIMIT, ROOT, output, xdotool

CONFIGURATION = """<busconfig><type>session</type><listen>unix:dir={folder}</listen>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>"""
FAKE = ROOT / "Tests" / "Support" / "PrivateBus" / "fake-secrets"
PASSWORD = "secret"
SERVICE = "org.freedesktop.secrets"
PROMPTER = "org.gnome.keyring.SystemPrompter"


class Bus:
    """A bus with one of these keyrings: `ok`; `locked`, the same keyring but locked; `hang`, the same keyring but it never
    responds; `new`, the same service before it has a keyring; `none`, no service; or a mode of Tests/Support/PrivateBus/fake-secrets."""

    def __init__(self, keyring="ok"):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="trunk-bus-"))
        configuration = self.home / "bus.conf"
        configuration.write_text(CONFIGURATION.format(folder=self.home))
        self.daemon = subprocess.Popen(
            ["dbus-daemon", "--nofork", "--print-address", "--config-file", configuration], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.address = self.daemon.stdout.readline().strip()
        self.service = self.prompter = None
        self.become(keyring)

    @property
    def env(self):
        """The environment variables for this bus and for the usual accessibility bus."""
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        answer = bus.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None,
                               GLib.VariantType("(s)"), Gio.DBusCallFlags.NONE, -1, None)
        return {"DBUS_SESSION_BUS_ADDRESS": self.address, "AT_SPI_BUS_ADDRESS": answer.unpack()[0]}

    def become(self, keyring):
        """Replaces the keyring."""
        if keyring in ("locked", "hang"):
            self.become("ok")
        else:
            self._end()
        if keyring == "ok":
            self.service = self._start(
                ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"], stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.service.stdin.write(PASSWORD.encode())
            self.service.stdin.close()
            self.run("gdbus", "wait", "--session", "--timeout", "60", SERVICE)
        elif keyring == "new":
            shutil.rmtree(self.home / "data" / "keyrings", ignore_errors=True)
            self.service = self._start(
                ["gnome-keyring-daemon", "--foreground", "--components=secrets"], stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
            self.run("gdbus", "wait", "--session", "--timeout", "60", SERVICE)
        elif keyring == "locked":
            self.run("gdbus", "call", "--session", "--dest", SERVICE, "--object-path", "/org/freedesktop/secrets",
                     "--method", "org.freedesktop.Secret.Service.Lock",
                     "['/org/freedesktop/secrets/collection/login']")
        elif keyring == "hang":
            self.service.send_signal(signal.SIGSTOP)
        elif keyring != "none":
            self.service = self._start([FAKE, keyring], stdout=subprocess.PIPE)
            self.service.stdout.readline()  # it prints a line when it is ready

    def start_prompter(self):
        """Starts the desktop's password prompt, as bus activation would."""
        service = next(pathlib.Path(folder, "dbus-1/services", PROMPTER + ".service")
                       for folder in ("/usr/share", "/usr/local/share")
                       if pathlib.Path(folder, "dbus-1/services", PROMPTER + ".service").exists())
        command = next(line for line in service.read_text().splitlines() if line.startswith("Exec="))
        self.prompter = self._start(command.removeprefix("Exec=").split(), stderr=subprocess.DEVNULL)
        self.run("gdbus", "wait", "--session", "--timeout", "60", PROMPTER)

    def answer_prompt(self, *keys):
        """Waits for the password prompt and presses keys in it."""
        window = output("xdotool", "search", "--sync", "--onlyvisible", "--pid", str(self.prompter.pid)).split()[-1]
        xdotool("windowfocus", "--sync", window)
        xdotool("key", "--clearmodifiers", *keys)

    def secrets(self):
        """Returns Trunk's items in the keyring as text."""
        return self.run("secret-tool", "search", "--all", "xdg:schema", "garden.trunk.trunk.Session")

    def run(self, *command):
        """Returns the output of a program on this bus."""
        done = subprocess.run(command, env=self._env(), capture_output=True, text=True, timeout=COMMAND_LIMIT)
        # secret-tool fails if it finds no item.
        assert done.returncode == 0 or not done.stderr, done.stderr
        return done.stdout

    def stop(self):
        self._end()
        if self.prompter:
            self.prompter.kill()
            self.prompter.wait()
        self.daemon.kill()
        self.daemon.wait()
        self.daemon.stdout.close()
        shutil.rmtree(self.home)

    def _env(self):
        return os.environ | {"DBUS_SESSION_BUS_ADDRESS": self.address, "HOME": str(self.home),
                             "XDG_DATA_HOME": str(self.home / "data"), "XDG_RUNTIME_DIR": str(self.home)}

    def _start(self, command, **streams):
        return subprocess.Popen(command, env=self._env(), **streams)

    def _end(self):
        if self.service is None:
            return
        self.service.kill()
        self.service.wait()
        for stream in (self.service.stdin, self.service.stdout):
            if stream:
                stream.close()
        self.service = None
