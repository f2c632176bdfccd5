"""Drives the built program from outside: as a screen reader sees it and as a keyboard reaches it."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402
import pyatspi  # noqa: E402

import tokens  # noqa: E402
from tree import RENAMED_ROLES, Tree  # noqa: E402

_role_name = Atspi.Accessible.getRoleName
Atspi.Accessible.getRoleName = lambda node: RENAMED_ROLES.get(name := _role_name(node), name)

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BUILD_DIR", ROOT / ".build")).resolve()
CONFIG = os.environ.get("CONFIG", "debug")

# For text in any direction, numbers with signs stand between marks that cannot be seen.
ISOLATED = re.compile("\u2066[^\u2066\u2069]*\u2069")
SIGNED = re.compile(r"[+−]\d|\d / \d|\d → \d")
# Widgets that the keyboard reaches for reading or writing.
TO_READ = {"entry", "image", "label", "list", "text"}
# The actions of buttons, of switches and of our rows.
PRESSES = {"click", "toggle", "row.activate"}
# How far below its window the program shows a toast.
TOAST_DEPTH = 4
# Seconds for a command that should answer at once.
COMMAND_LIMIT = 120
# The names that GTK gives to widgets without a name.
TYPE_NAME = re.compile(r"^(Gtk|Adw)[A-Z]")
COMPLAINT = re.compile(
    r"(Gtk|Gdk|Gsk|Adwaita|Pango|GLib[A-Za-z-]*)-(WARNING|CRITICAL|ERROR) \*\*|Theme parser|Fatal error"
)


class Program:
    """One running program with a separate home. Use it as a context manager: leaving it ends the program."""

    def __init__(self, *arguments, home=None, env=None, under=(), deadline=60):
        """home: a folder to keep between starts; env: more or other variables, None takes one away; under: a command
        that executes the program."""
        self.deadline = deadline
        self._own_home = None if home else tempfile.mkdtemp(prefix="trunk-ui-")
        self.home = pathlib.Path(home or self._own_home)
        self.env = env or {}
        self._log = tempfile.TemporaryFile()
        self._application = None
        pyatspi.Registry.registerEventListener(self._changed, *EVENTS)
        self.process = subprocess.Popen(
            [*under, BUILD / CONFIG / "trunk", *arguments],
            env=variables(self.home, self.env),
            stdout=self._log,
            stderr=self._log,
        )

    def __enter__(self):
        self.window = self.find("frame")
        self.focus()
        return self

    def __exit__(self, kind, error, trace):
        self.stop()

    # Waiting

    def _changed(self, event):
        """Events only wake the loop; the tests then query the state."""

    def wait(self, what, condition):
        """Returns what the condition returns as soon as that is true; asks again after every event."""
        end = time.monotonic() + self.deadline
        while True:
            try:
                result = condition()
            except (GLib.Error, LookupError, SystemError, ValueError):
                # The node disappeared during the call; the binding doesn't always report this.
                result = None
            if result:
                return result
            if time.monotonic() > end:
                raise AssertionError(f"waited for {what}\n{self.describe()}\n{self.log()}")
            self._turn()

    def read(self, body):
        """Returns what the body returns; calls it again if a node disappears while it reads the tree."""
        return self.wait("a tree that stays while it is read", lambda: (body(),))[0]

    def _turn(self):
        """Waits for the next event; some changes come without one, so it also returns by itself. What changed at the same
        time is taken in one go: every look at the tree costs the program hundreds of answers."""
        context = GLib.MainContext.default()
        tick = GLib.timeout_add(50, lambda: True)
        try:
            context.iteration(True)
        finally:
            GLib.source_remove(tick)
        while context.pending():
            context.iteration(False)

    # Finding

    def application(self):
        """The program as AT-SPI lists it, or None while it is starting."""
        if self._application is None:
            self._application = next((
                application for application in pyatspi.Registry.getDesktop(0)
                if application is not None and application.get_process_id() == self.process.pid), None)
        return self._application

    def top_level(self, title):
        """The window or dialog with that title, or None."""
        return next((window for window in self.application() or () if window and window.name == title), None)

    def nodes(self, within=None, showing=True):
        """All nodes in the order of the screen reader."""
        return (node.accessible for node in self._walk(within, showing) if not showing or node.is_showing)

    def find_all(self, role=None, name=None, within=None, showing=True):
        """All nodes of that role and with that name: a text, or a function that tells."""
        # Whether a node is on the screen is asked last: that takes a call to the program for it and for all it is in.
        return [node.accessible for node in self._walk(within, showing)
                if is_match(node, role, name) and (not showing or node.is_showing)]

    def _walk(self, within, showing):
        """The nodes as Tree has them; none while the program is starting."""
        application = self.application()
        return Tree(application).walk(within, showing) if application else ()

    def find(self, role=None, name=None, within=None):
        """The first such node; waits for it."""
        found = self.wait(f"{role or 'node'} {name or ''}", lambda: self.find_all(role, name, within))
        return found[0]

    def wait_gone(self, role=None, name=None, within=None):
        """Waits until the program, still running, shows no such node."""
        self.wait(f"no {role or 'node'} {name or ''}", lambda: not self.find_all(role, name, within))
        assert self.process.poll() is None, f"the program has ended\n{self.log()}"

    def selected(self, role, within=None):
        """The names of the selected nodes of that role."""
        found = self.find_all(role, within=within)
        return [node.name for node in found if has_state(node, pyatspi.STATE_SELECTED)]

    def find_text(self, text, role="label"):
        """The first node whose name holds that text; waits for it."""
        return self.find(role, lambda name: text in name)

    def find_toast(self, text):
        """The toast that shows that text; waits for it. Looks only where toasts are: on a slow computer, a walk through a
        large garden takes longer than a toast lives."""
        def shown():
            level = list(self.application() or ())
            for _ in range(TOAST_DEPTH):
                level = [child for node in level if node for child in node if child]
                for node in level:
                    if node.getRoleName() == "alert" and any(child.name == text for child in node if child):
                        return node
            return None

        return self.wait(f"the toast {text}", shown)

    def wait_focus(self, node):
        """Waits until the keyboard writes there."""
        self.wait_state(node, pyatspi.STATE_FOCUSED)

    def wait_state(self, node, state):
        def has_it():
            node.clear_cache()  # the query may have come just before the change was reported
            return has_state(node, state)

        self.wait(f"{pyatspi.stateToString(state)} on {describe(node)}", has_it)

    def focused(self):
        """The node with the focus, or None."""
        focused = (node for node in self._walk(None, True) if node.has_state(pyatspi.STATE_FOCUSED) and node.is_showing)
        return next((node.accessible for node in focused), None)

    # The store

    def trunkctl(self, *arguments):
        """What the command line answers about the same garden."""
        return trunkctl(self.home, *arguments, env=self.env)

    def wait_store(self, what, condition):
        """Returns what the condition returns as soon as the store makes that true."""
        end = time.monotonic() + self.deadline
        while not (result := condition()):
            assert time.monotonic() < end, f"waited for {what} in the store\n{self.describe()}\n{self.log()}"
        return result

    def entries(self, title):
        """The waterings of a sprout in the store, oldest first."""
        return self.trunkctl("show", title)["entries"]

    # Doing

    def dialog(self, title):
        """Waits for a dialog, which a screen reader must tell as one, and gives it the keyboard."""
        dialog = self.wait(f"the dialog {title}", lambda: self.top_level(title))
        assert dialog.getRoleName() == "dialog", describe(dialog)
        self.focus(title)
        return dialog

    def wait_closed(self, title):
        """Waits until a dialog is gone, and gives the keyboard back to the window."""
        self.wait(f"the dialog {title} to close", lambda: not self.top_level(title))
        self.focus()

    def press(self, node):
        """Does what a click on the node does."""
        assert node.queryAction().doAction(0), f"{describe(node)} does nothing"

    def activate(self, row):
        """Does what a click on a row does."""
        actions = row.queryAction()
        names = [actions.getName(index) for index in range(actions.nActions)]
        assert "row.activate" in names, f"{describe(row)} can't be pressed: {names}"
        assert actions.doAction(names.index("row.activate")), f"{describe(row)} does nothing"

    def take(self, choice):
        """Takes one of several choices; a click that comes from outside has its effect a moment later."""
        self.press(choice)
        self.wait_state(choice, pyatspi.STATE_PRESSED)

    def window_id(self, title=None):
        """The X window with that title, or the program's newest one."""
        search = ["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)]
        if title:
            search += ["--name", f"^{re.escape(title)}$"]
        return self.wait("an X window", lambda: output(*search).split())[-1]

    def focus(self, title=None):
        """Focuses a window: there is no window manager to do it."""
        xdotool("windowfocus", "--sync", self.window_id(title))

    def open(self, opener, title):
        """Opens a dialog, by a key or by a node that is pressed, and gives it the keyboard."""
        if isinstance(opener, str):
            self.keys(opener)
        else:
            self.press(opener)
        return self.dialog(title)

    def close(self, title):
        """Closes a dialog by Esc."""
        self.keys("Escape")
        self.wait_closed(title)

    def walk(self, limit=80):
        """What Tab reaches, in order, until it comes round; a trap is a walk that is too short."""
        with self._met() as met:
            for _ in range(limit):
                if self._tab(met) and met[-1] in met[:-1]:
                    return [name for name, _ in met[:-1]]
        raise AssertionError(f"Tab does not come round: {met}")

    def tab_to(self, start, limit=80):
        """Presses Tab until that has the keyboard whose name begins so, and returns its name."""
        with self._met() as met:
            for _ in range(limit):
                if self._tab(met):
                    if met[-1][0].startswith(start):
                        return met[-1][0]
                    if met[-1] in met[:-1]:
                        break
        raise AssertionError(f"Tab does not reach {start}, only {[name for name, _ in met]}")

    @contextlib.contextmanager
    def _met(self):
        """A list to which all is added that takes the keyboard: its name and, as several may have the same, where AT-SPI
        knows it by."""
        met = []

        def note(event):
            if event.detail1:
                try:
                    met.append((event.source.name, event.source.path))
                except GLib.Error:
                    pass  # It has disappeared: the next Tab continues from there.

        pyatspi.Registry.registerEventListener(note, "object:state-changed:focused")
        try:
            yield met
        finally:
            pyatspi.Registry.deregisterEventListener(note, "object:state-changed:focused")

    def _tab(self, met):
        """Presses Tab; returns whether a node reported the focus."""
        count = len(met)
        self.keys("Tab")
        # Some widgets get the focus without an event: the next Tab continues from there.
        end = time.monotonic() + 1
        while len(met) == count and time.monotonic() < end:
            self._turn()
        return len(met) > count

    def keys(self, *keys):
        """Presses keys such as ctrl+q one after the other."""
        xdotool("key", "--clearmodifiers", *keys)

    def type(self, text):
        """Types a text into the focused field."""
        give_keys(text)
        xdotool("type", "--clearmodifiers", text)

    def resize(self, width, height, title=None):
        """Gives the window that many pixels."""
        xdotool("windowsize", self.window_id(title), str(width), str(height))

    def narrow(self, title=None):
        """Makes a window 360 pixels wide. Without a window manager, it must hear that once more when what it shows
        needs less width than before."""
        def is_narrow():
            # What the screen gives and what the program makes of it: a window that needs more takes more.
            window = self.top_level(title or "Trunk")
            inside = window.queryComponent().getExtents(pyatspi.WINDOW_COORDS).width
            if self.size(title)[0] == 360 and inside <= 360:
                return True
            self.resize(360, 640, title)
            return False

        self.wait("a window of 360 pixels", is_narrow)

    def size(self, title=None):
        """Width and height of the window."""
        command = ["xdotool", "getwindowgeometry", "--shell", self.window_id(title)]
        geometry = dict(line.split("=") for line in output(*command).split())
        return int(geometry["WIDTH"]), int(geometry["HEIGHT"])

    def screenshot(self, path, title=None):
        """Writes a picture of a window."""
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["import", "-window", self.window_id(title), str(path)], check=True)

    # Ending

    def kill(self):
        """Kills the program, as in a power failure."""
        self.process.kill()
        self.process.wait()

    def wait_exit(self):
        """Waits until the program ends by itself, and returns its exit code."""
        return self.process.wait(self.deadline)

    def stop(self):
        """Ends the program and fails when the toolkit complained about it, or when it left a token somewhere. A second call
        does nothing."""
        if self._log.closed:
            return
        tokens.check_process(self.process.pid)
        pyatspi.Registry.deregisterEventListener(self._changed, *EVENTS)
        ignored = False
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(self.deadline)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                ignored = True
        log = self.log()
        self._log.close()
        assert not ignored, f"the program does not end on SIGTERM\n{log}"
        tokens.check_text("the log", log)
        tokens.check_folder(self.home)
        if self._own_home:
            shutil.rmtree(self._own_home)
        assert not COMPLAINT.search(log), log

    # Looking

    def log(self):
        """The program's output so far."""
        self._log.seek(0)
        return self._log.read().decode(errors="replace")

    def check_log(self, when=""):
        """Fails when the toolkit complained so far."""
        assert not COMPLAINT.search(self.log()), f"{when}{self.log()}"

    def describe(self):
        """What is showing as text, for a failed test."""
        nodes = [node for node in self._walk(None, True) if node.name and node.is_showing]
        return "\n".join(
            f"{node.role} {node.name!r}{' focusable' if node.has_state(pyatspi.STATE_FOCUSABLE) else ''}"
            for node in nodes) or "no program"

    def check_names(self):
        """Fails when something that takes the focus has no name, or only that of its type, and when two buttons of a
        dialog have the same."""
        nameless = self.read(
            lambda: [path_of(node) for node in self.nodes() if is_focusable(node) and not is_named(node)])
        assert not nameless, "without a name: " + "; ".join(nameless)
        for title, names in self.read(self._button_names):
            # The toolkit's own questions have their answers twice, each with its name said twice: "Keep Keep".
            names = [name for name in names if " ".join([name[: len(name) // 2]] * 2) != name]
            assert len(names) == len(set(names)), f"buttons of one name in {title}: {names}"

    def _button_names(self):
        """For each dialog its name, and the names of its buttons."""
        return [
            (dialog.name, [
                node.name for node in self.find_all("push button", within=dialog) if is_focusable(node)
            ])
            for dialog in self.find_all("dialog")
        ]

    def check_actions(self):
        """Fails when something that the keyboard reaches can't be used by a screen reader."""
        useless = self.read(
            lambda: [path_of(node) for node in self.nodes() if is_focusable(node) and not is_usable(node)])
        assert not useless, "without an action: " + "; ".join(useless)


    def check_numbers(self):
        """Fails when a sign or an arrow could come to stand on the wrong side of its number."""
        loose = self.read(
            lambda: [node.name for node in self.nodes() if SIGNED.search(ISOLATED.sub("", node.name))])
        assert not loose, f"not isolated: {loose}"


class ProgramTestCase(unittest.TestCase):
    """A test with a freshly started program in self.program."""

    arguments = ()
    env = None
    under = ()

    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="trunk-ui-"))
        self.addCleanup(shutil.rmtree, self.home)
        self.prepare()
        self.program = self.start()

    def prepare(self):
        """What the garden holds before the program starts."""

    def trunkctl(self, *arguments):
        return trunkctl(self.home, *arguments, env=self.env)

    def start(self):
        """Starts the program; also again, after it has ended."""
        program = Program(*self.arguments, home=self.home, env=self.env, under=self.under)
        self.addCleanup(program.stop)
        return program.__enter__()


EVENTS = ("object:children-changed", "object:state-changed", "object:property-change", "window:activate")


def home_variables(home):
    """The environment that confines a program to a folder."""
    home = pathlib.Path(home)
    variables = {"HOME": str(home)}
    for name, folder in {"CONFIG": "config", "DATA": "data", "STATE": "state", "CACHE": "cache"}.items():
        variables[f"XDG_{name}_HOME"] = str(home / folder)
    return variables


@contextlib.contextmanager
def desktop(**settings):
    """What the desktop tells programs, as Xft__DPI=196608 for text of double size."""
    with tempfile.NamedTemporaryFile("w") as file:
        for name, value in settings.items():
            file.write(f"{name.replace('__', '/')} {value}\n")
        file.flush()
        daemon = subprocess.Popen(["xsettingsd", "-c", file.name], stderr=subprocess.PIPE, text=True)
        try:
            # It says so when it owns the selection and has told its settings.
            took = next((line for line in daemon.stderr if "Took ownership" in line), None)
            assert took, "xsettingsd has ended"
            yield
        finally:
            daemon.terminate()
            daemon.wait()
            daemon.stderr.close()


def variables(home, env):
    """The environment of a program with that home: env has more or other variables, None takes one away."""
    changed = os.environ | home_variables(home) | (env or {})
    return {name: value for name, value in changed.items() if value is not None}


def trunkctl(home, *arguments, env=None):
    """Runs the command line on the garden of a home and returns what it answers as JSON."""
    # Below a preloaded library a Swift program does not see its arguments: a fake clock is for the window only.
    env = variables(home, (env or {}) | {"LD_PRELOAD": None})
    command = [BUILD / CONFIG / "trunkctl", *arguments, *([] if arguments[0] == "derive" else ["--json"])]
    result = subprocess.run(command, env=env, capture_output=True, text=True, timeout=COMMAND_LIMIT)
    tokens.check_text("what trunkctl says", result.stdout + result.stderr)
    assert result.returncode == 0, f"trunkctl {arguments}: exit code {result.returncode}\n{result.stderr}"
    return json.loads(result.stdout)


def has_state(node, state):
    return node.getState().contains(state)


def is_focusable(node):
    return has_state(node, pyatspi.STATE_FOCUSABLE)


def text_of(node):
    """The text of a field."""
    text = node.queryText()
    return text.getText(0, text.characterCount)


def is_usable(node):
    """Whether it is there to be read or written in, or it, or a part of a row, can be pressed."""
    if node.getRoleName() in TO_READ or PRESSES & set(actions_of(node)):
        return True
    return node.getRoleName() == "list item" and any(PRESSES & set(actions_of(part)) for part in node if part)


def actions_of(node):
    """The names of its actions."""
    try:
        actions = node.queryAction()
    except NotImplementedError:
        return []
    return [actions.getName(index) for index in range(actions.nActions)]


def is_named(node):
    return bool(node.name) and not TYPE_NAME.match(node.name)


def is_match(node, role, name):
    """Whether a node of a Tree has that role and that name: a text, or a function that tells."""
    if role is not None and node.role != role:
        return False
    if name is None:
        return True
    return bool(name(node.name)) if callable(name) else node.name == name


def describe(node):
    """Role, name and whether the keyboard reaches it."""
    return f"{node.getRoleName()} {node.name!r}{' focusable' if is_focusable(node) else ''}"


def path_of(node):
    """The node and what it is in, as far as that has a name."""
    path = [describe(node)]
    while node := node.parent:
        if is_named(node):
            path.append(node.name)
    return " in ".join(path)


def xdotool(*arguments):
    subprocess.run(["xdotool", *arguments], check=True, stdout=subprocess.DEVNULL, timeout=COMMAND_LIMIT)


def give_keys(text):
    """Puts characters that the keyboard lacks on free keys. xdotool does so too, but takes them off at once: a busy
    program looks later what a key means."""
    for character in sorted({c for c in text if ord(c) > 126}):
        keys = [line.split()[1:] for line in output("xmodmap", "-pke").splitlines()]
        symbol = f"U{ord(character):04X}"
        if (os.environ["DISPLAY"], symbol) not in given:
            free = [key[0] for key in keys if len(key) == 2]
            subprocess.run(["xmodmap", "-e", f"keycode {free[-1]} = {symbol}"], check=True)
            given.add((os.environ["DISPLAY"], symbol))


given = set()


def output(*command):
    """What a command prints; nothing when it finds nothing."""
    return subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_LIMIT).stdout
