"""Drives the built program from outside, through AT-SPI and the keyboard."""

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

import events  # noqa: E402
import tokens  # noqa: E402
from tree import RENAMED_ROLES, Tree  # noqa: E402

_role_name = Atspi.Accessible.getRoleName
Atspi.Accessible.getRoleName = lambda node: RENAMED_ROLES.get(name := _role_name(node), name)

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BUILD_DIR", ROOT / ".build")).resolve()
CONFIG = os.environ.get("CONFIG", "debug")

# In text of any direction, signed numbers are enclosed in invisible isolates.
ISOLATED = re.compile("\u2066[^\u2066\u2069]*\u2069")
SIGNED = re.compile(r"[+−]\d|\d / \d|\d → \d")
# The roles of focusable widgets that are only for reading or writing.
TO_READ = {"entry", "image", "label", "list", "slider", "text"}
# The actions of buttons, switches and our rows.
PRESSES = {"click", "toggle", "row.activate"}
# The depth of messages below the window in the AT-SPI tree: 8 with GTK 4.18, which also has the boxes around them.
MESSAGE_DEPTH = 8
# GTK's own actions of rows, which lists have with GTK 4.18.
LIST_ACTIONS = "listitem."
# The number of attempts to read a tree that changes during reading.
READ_ATTEMPTS = 5
# The time limit in seconds for a command that should return immediately.
COMMAND_LIMIT = 120
# The roles of nodes that a screen reader reads although they never have the focus.
READ_ROLES = {"label", "progress bar"}
# A line of buttons is lower than this, in pixels, and everything else that scrolls is higher.
LINE_HEIGHT = 100
# The names that GTK gives to widgets without an accessible name.
TYPE_NAME = re.compile(r"^(Gtk|Adw)[A-Z]")
WARNING = re.compile(
    r"(Gtk|Gdk|Gsk|Adwaita|Pango|GLib[A-Za-z-]*)-(WARNING|CRITICAL|ERROR) \*\*|Theme parser|Fatal error"
)


class Program:
    """A running program with a separate home. Use it as a context manager, which ends the program."""

    def __init__(self, *arguments, home, env=None, under=(), deadline=60):
        """home: a folder, which is kept between starts; env: additional or changed environment variables, None removes one;
        under: a command that executes the program; deadline: the limit of each wait, in seconds."""
        self.deadline = deadline
        self.home = pathlib.Path(home)
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
        """Does nothing: the event itself wakes the loop, and the waiting condition then queries the state."""

    def wait(self, what, condition):
        """Returns the condition's first true result. Checks it again after every event."""
        end = time.monotonic() + self.deadline
        while True:
            problem = None
            try:
                result = condition()
            except (GLib.Error, LookupError, SystemError, ValueError) as error:
                # The node disappeared during the call; the binding doesn't always report this.
                result, problem = None, error
            if result:
                return result
            if time.monotonic() > end:
                raise AssertionError(f"waited for {what}\n{self.describe()}\n{self.log()}") from problem
            self._handle_events()

    def read(self, body):
        """Returns the body's result. Calls it again if a node disappears while it reads the tree."""
        return self.wait("a tree that doesn't change while it is read", lambda: (body(),))[0]

    def _handle_events(self):
        """Waits for the next event, or 50 ms, because some changes cause no event. Handles all pending events together,
        because reading the tree after each of them would cost the program hundreds of calls."""
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
        """The program's AT-SPI application, or None while it is starting."""
        if self._application is None:
            self._application = next((
                application for application in pyatspi.Registry.getDesktop(0)
                if application is not None and application.get_process_id() == self.process.pid), None)
        return self._application

    def top_level(self, title):
        """Returns the window or dialog with that title, or None."""
        return next((window for window in self.application() or () if window and window.name == title), None)

    def nodes(self, within=None, showing=True):
        """Returns all nodes in the order of a screen reader."""
        return (node.accessible for node in self._walk(within, showing) if not showing or node.is_showing)

    def find_all(self, role=None, name=None, within=None, showing=True):
        """Returns all nodes with this role and name. name: a text, or a function that returns whether a name
        matches. Reads the tree again if it changes while it is read."""
        for _ in range(READ_ATTEMPTS - 1):
            with contextlib.suppress(GLib.Error, LookupError):
                return self._find_all(role, name, within, showing)
        return self._find_all(role, name, within, showing)

    def _find_all(self, role, name, within, showing):
        # Check last whether a node is on the screen: that takes calls to the program for the node and its ancestors.
        return [node.accessible for node in self._walk(within, showing)
                if is_match(node, role, name) and (not showing or node.is_showing)]

    def _walk(self, within, showing):
        """Returns the nodes of a new Tree; none while the program is starting."""
        application = self.application()
        return Tree(application).walk(within, showing) if application else ()

    def find(self, role=None, name=None, within=None):
        """Waits for the first such node and returns it."""
        found = self.wait(f"{role or 'node'} {name or ''}", lambda: self.find_all(role, name, within))
        return found[0]

    def wait_gone(self, role=None, name=None, within=None):
        """Waits until the program shows no such node. The program must still be running."""
        self.wait(f"no {role or 'node'} {name or ''}", lambda: not self.find_all(role, name, within))
        assert self.process.poll() is None, f"the program has ended\n{self.log()}"

    def selected(self, role, within=None):
        """Returns the names of the selected nodes with this role."""
        found = self.find_all(role, within=within)
        return [node.name for node in found if has_state(node, pyatspi.STATE_SELECTED)]

    def find_text(self, text, role="label"):
        """Waits for the first node whose name contains the text and returns it."""
        return self.find(role, lambda name: text in name)

    def find_message(self, text):
        """Waits for the message with this text and returns it. Searches only where messages are: on a slow computer,
        reading a large garden takes longer than a message is shown."""
        def shown():
            level = list(self.application() or ())
            for _ in range(MESSAGE_DEPTH):
                level = [child for node in level if node for child in node if child]
                for node in level:
                    if node.getRoleName() == "alert" and any(child.name == text for child in node if child):
                        return node
            return None

        return self.wait(f"the message {text}", shown)

    def press_in_message(self, text, button):
        """Presses a button of the message with this text. Searches only there, as find_message does."""
        self.press(self.find("push button", button, self.find_message(text)))

    def wait_focus(self, node):
        """Waits until the node has the focus."""
        self.wait_state(node, pyatspi.STATE_FOCUSED)

    def wait_state(self, node, state):
        def has_it():
            node.clear_cache()  # the cached state may be from before the change
            return has_state(node, state)

        self.wait(f"{pyatspi.stateToString(state)} on {describe(node)}", has_it)

    def focused(self):
        """Returns the node with the focus, or None."""
        focused = (node for node in self._walk(None, True) if node.has_state(pyatspi.STATE_FOCUSED) and node.is_showing)
        return next((node.accessible for node in focused), None)

    # The store

    def trunkctl(self, *arguments):
        """Returns the command line's JSON output for the same garden."""
        return trunkctl(self.home, *arguments, env=self.env)

    def wait_store(self, what, condition):
        """Returns the condition's first true result. Checks it in a loop, because the store sends no events."""
        end = time.monotonic() + self.deadline
        while not (result := condition()):
            assert time.monotonic() < end, f"waited for {what} in the store\n{self.describe()}\n{self.log()}"
        return result

    def entries(self, title):
        """Returns a sprout's waterings in the store, oldest first."""
        return self.trunkctl("show", title)["entries"]

    # Doing

    def dialog(self, title):
        """Waits for a dialog, checks that it has the role "dialog" and focuses it."""
        dialog = self.wait(f"the dialog {title}", lambda: self.top_level(title))
        assert dialog.getRoleName() == "dialog", describe(dialog)
        self.focus(title)
        return dialog

    def wait_closed(self, title):
        """Waits until a dialog is closed, and focuses the window."""
        self.wait(f"the dialog {title} to close", lambda: not self.top_level(title))
        self.focus()

    def close_after_act(self, title):
        """Closes a dialog by Enter when it ends on the user's words."""
        self.wait_focus(self.find("push button", "Close", within=self.top_level(title)))
        self.keys("Return")
        self.wait_closed(title)

    def press(self, node):
        """Performs the node's first action, as a click does."""
        assert node.queryAction().doAction(0), f"{describe(node)} does nothing"

    def activate(self, row):
        """Activates a row, as a click does."""
        actions = row.queryAction()
        names = [actions.getName(index) for index in range(actions.nActions)]
        assert "row.activate" in names, f"{describe(row)} can't be pressed: {names}"
        assert actions.doAction(names.index("row.activate")), f"{describe(row)} does nothing"

    def choose(self, choice):
        """Presses one of several choices and waits until it is selected, which takes a moment."""
        self.press(choice)
        is_radio = choice.getRoleName() == "radio button"
        self.wait_state(choice, pyatspi.STATE_CHECKED if is_radio else pyatspi.STATE_PRESSED)

    def plant(self, title, is_first=False):
        """Plants a sprout in the dialog or, if it is the first one, in the form that is all of Today."""
        dialog = None if is_first else self.open("n", "Plant a Sprout")
        field = self.find("text", "What will you grow?", dialog)
        self.wait_focus(field)
        self.type(title)
        self.wait("the title", lambda: text_of(field) == title)
        self.choose_place()
        self.keys("ctrl+Return")
        if is_first:
            self.wait_gone("text", "What will you grow?")
        else:
            self.wait_closed("Plant a Sprout")

    def choose_place(self, words="movement", place="Core \u00b7 movement"):
        """Chooses the twig that the form for planting finds by these words, with its focus in the title."""
        field = self.find("text", "Where", within=self.top_level("Plant a Sprout"))
        self.keys("Tab")
        self.wait_focus(field)
        self.type(words)
        self.find("list item", lambda name: name.startswith(place))
        self.keys("Return")
        self.wait("the place", lambda: text_of(field) == place)

    def save_as(self, path, button="Save"):
        """Enters a path in GTK's dialog for saving and presses its button, whose name GTK 4.8 repeats: "Save Save"."""
        field = self.find("text", "Name:")
        field.queryEditableText().setTextContents(str(path))
        dialog = field
        while dialog.parent.getRoleName() != "application":
            dialog = dialog.parent
        self.press(self.find("push button", lambda name: name.split(" ")[-1] == button, dialog))

    def window_id(self, title=None):
        """Returns the ID of the X window with this title, or of the program's newest one."""
        conditions = ["--name", f"^{re.escape(title)}$"] if title else []
        return self.wait("an X window", lambda: self._windows(*conditions))[-1]

    def focus(self, title=None):
        """Focuses a window, because there is no window manager to do it."""
        xdotool("windowfocus", "--sync", self.window_id(title))

    def open(self, opener, title):
        """Opens a dialog with a key or by pressing a node, and focuses it."""
        if isinstance(opener, str):
            self.keys(opener)
        else:
            self.press(opener)
        return self.dialog(title)

    def preferences(self, page):
        """Opens the preferences at a page."""
        dialog = self.open("ctrl+comma", "Preferences")
        self.show_page(page, dialog)
        return dialog

    def show_page(self, page, dialog):
        """Shows a page of the preferences."""
        self.press(self.find("page tab", page, dialog))
        self.wait(f"the page {page}", lambda: page in self.selected("page tab"))

    def close(self, title):
        """Closes a dialog with Escape."""
        self.keys("Escape")
        self.wait_closed(title)

    def walk(self, limit=80):
        """Returns the names of the nodes that Tab reaches, in order, until it reaches one again. A focus trap makes the
        list too short."""
        with self._focused_nodes() as nodes:
            for _ in range(limit):
                if self._tab(nodes) and nodes[-1] in nodes[:-1]:
                    return [name for name, _ in nodes[:-1]]
        raise AssertionError(f"Tab reaches no node a second time: {nodes}")

    def tab_to(self, start, limit=80, key="Tab"):
        """Presses Tab, or shift+Tab, until a node whose name starts with `start` has the focus, and returns its name."""
        with self._focused_nodes() as nodes:
            for _ in range(limit):
                if self._tab(nodes, key):
                    if nodes[-1][0].startswith(start):
                        return nodes[-1][0]
                    if nodes[-1] in nodes[:-1]:
                        break
        raise AssertionError(f"Tab does not reach {start}, only {[name for name, _ in nodes]}")

    @contextlib.contextmanager
    def _focused_nodes(self):
        """Yields a list to which each node that gets the focus is added: its name and its AT-SPI path. Several nodes may
        have the same name."""
        nodes = []

        def add(event):
            if event.detail1:
                try:
                    nodes.append((event.source.name, event.source.path))
                except GLib.Error:
                    pass  # The node has disappeared. The next Tab continues from its place.

        pyatspi.Registry.registerEventListener(add, "object:state-changed:focused")
        try:
            yield nodes
        finally:
            pyatspi.Registry.deregisterEventListener(add, "object:state-changed:focused")

    def _tab(self, nodes, key="Tab"):
        """Presses the key and returns whether a node reported the focus."""
        count = len(nodes)
        self.keys(key)
        # Some widgets get the focus without an event. The next Tab continues from there.
        end = time.monotonic() + 1
        while len(nodes) == count and time.monotonic() < end:
            self._handle_events()
        if len(nodes) == count:
            # A busy program may not have handled the key yet. It answers the second call in a later turn of its main loop
            # than the first one, and so after it has handled the key.
            for _ in range(2):
                self.read(lambda: Tree(self.application()))
            self._handle_events()
        return len(nodes) > count

    def keys(self, *keys):
        """Presses keys such as ctrl+q, one after the other, as soon as no popover is open: a key that arrives while one
        closes is lost."""
        self.wait("the popovers to close", lambda: self._popovers() <= 0)
        xdotool("key", "--clearmodifiers", *keys)

    def popover_keys(self, *keys):
        """Presses keys in a menu, a drop-down list or another popover, as soon as it is open."""
        self.wait("a popover", lambda: self._popovers() > 0)
        xdotool("key", "--clearmodifiers", *keys)

    def _popovers(self):
        """Returns the number of open popovers. A popover that closes keeps its X window, and with it the keys, longer than
        its node in the accessibility tree. Tooltips, which get no keys, have X windows of the same type."""
        count = sum(window_type(window) == "_NET_WM_WINDOW_TYPE_MENU" for window in self._windows())
        return count and count - sum(node.is_showing for node in self._walk(None, True) if is_tooltip(node))

    def _windows(self, *conditions):
        """Returns the IDs of the program's visible X windows, the newest last."""
        return output("xdotool", "search", "--onlyvisible", "--all", "--pid", str(self.process.pid), *conditions).split()

    def type(self, text):
        """Types a text into the focused field, as soon as no popover is open."""
        self.wait("the popovers to close", lambda: self._popovers() <= 0)
        give_keys(text)
        xdotool("type", "--clearmodifiers", text)

    def point_at(self, node, title=None):
        """Moves the pointer to the middle of a node in a window."""
        place = node.queryComponent().getExtents(pyatspi.WINDOW_COORDS)
        middle = place.x + place.width // 2, place.y + place.height // 2
        xdotool("mousemove", "--window", self.window_id(title), *map(str, middle))

    def turn_wheel_over(self, node, title=None):
        """Turns the wheel down by one step, with the pointer over a node in a window."""
        self.point_at(node, title)
        xdotool("click", "5")

    def resize(self, width, height, title=None):
        """Resizes a window, in pixels."""
        xdotool("windowsize", self.window_id(title), str(width), str(height))

    def narrow(self, title=None):
        """Makes a window 360 pixels wide. Without a window manager, the size must be set again when the content becomes
        narrower."""
        def is_narrow():
            # Compares the size on the screen with the program's own: a window that needs more takes more.
            window = self.top_level(title or "Trunk")
            inside = window.queryComponent().getExtents(pyatspi.WINDOW_COORDS).width
            if self.size(title)[0] == 360 and inside <= 360:
                return True
            self.resize(360, 640, title)
            return False

        self.wait("a window of 360 pixels", is_narrow)

    def size(self, title=None):
        """Returns a window's width and height in pixels."""
        command = ["xdotool", "getwindowgeometry", "--shell", self.window_id(title)]
        geometry = dict(line.split("=") for line in output(*command).split())
        return int(geometry["WIDTH"]), int(geometry["HEIGHT"])

    def screenshot(self, path, title=None):
        """Saves a screenshot of a window."""
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
        """Ends the program. Fails if the toolkit logged a warning or the program left a token somewhere. A second call does
        nothing."""
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
        assert not WARNING.search(log), log

    # Looking

    def log(self):
        """Returns the program's output so far."""
        self._log.seek(0)
        return self._log.read().decode(errors="replace")

    def check_log(self, when=""):
        """Fails if the toolkit has logged a warning so far."""
        assert not WARNING.search(self.log()), f"{when}{self.log()}"

    def describe(self):
        """Returns the visible nodes as text, for the message of a failed test."""
        try:
            nodes = [node for node in self._walk(None, True) if node.name and node.is_showing]
        except (GLib.Error, AttributeError) as error:  # the program has ended; its log says more
            return f"no program: {error}"
        return "\n".join(
            f"{node.role} {node.name!r}{' focusable' if node.has_state(pyatspi.STATE_FOCUSABLE) else ''}"
            for node in nodes) or "no program"

    def check_names(self):
        """Fails if a focusable node has no name, if a text has only the name of its type, or if two buttons of a
        dialog have the same name."""
        nameless = self.read(
            lambda: [path_of(node) for node in self.nodes()
                     if not is_named(node) and (is_focusable(node) or node.getRoleName() in READ_ROLES)])
        assert not nameless, "without a name: " + "; ".join(nameless)
        for title, names in self.read(self._button_names):
            # GTK's own alert dialogs contain each button twice, with its name repeated: "Keep Keep".
            names = [name for name in names if " ".join([name[: len(name) // 2]] * 2) != name]
            assert len(names) == len(set(names)), f"buttons with the same name in {title}: {names}"

    def _button_names(self):
        """Returns the name of each dialog with the names of its buttons."""
        return [
            (dialog.name, [
                node.name for node in self.find_all("push button", within=dialog) if is_focusable(node)
            ])
            for dialog in self.find_all("dialog")
        ]

    def check_actions(self):
        """Fails if a screen reader can't use a focusable node."""
        useless = self.read(
            lambda: [path_of(node) for node in self.nodes() if is_focusable(node) and not is_usable(node)])
        assert not useless, "without an action: " + "; ".join(useless)

    def check_width(self, width):
        """Fails if a button extends beyond an edge of its window. If the page in a window needs more than its width, the
        window doesn't become wider, and the page is cut."""
        def extents(node):
            return node.queryComponent().getExtents(pyatspi.WINDOW_COORDS)

        def is_cut(node):
            box = extents(node)
            return box.x < 0 or box.x + box.width > width

        def scrolls_sideways(node):
            """Whether it is in a line of buttons that scrolls."""
            while node := node.parent:
                if node.getRoleName() == "scroll pane":
                    return extents(node).height < LINE_HEIGHT
            return False

        cut = self.read(lambda: [describe(node) for node in self.find_all("push button")
                                 if is_cut(node) and not scrolls_sideways(node)])
        assert not cut, f"beyond {width} pixels: " + "; ".join(cut)

    def check_numbers(self):
        """Fails if a sign or an arrow could appear on the wrong side of its number, in text of another direction."""
        loose = self.read(
            lambda: [node.name for node in self.nodes() if SIGNED.search(ISOLATED.sub("", node.name))])
        assert not loose, f"signed numbers without isolates: {loose}"


class ProgramTestCase(unittest.TestCase):
    """A test with a new program in self.program."""

    arguments = ()
    env = None
    under = ()

    def setUp(self):
        self.home = temporary_folder(self.addCleanup)
        self.prepare()
        self.program = self.start()

    def prepare(self):
        """Prepares the garden before the program starts."""

    def trunkctl(self, *arguments):
        return trunkctl(self.home, *arguments, env=self.env)

    def plant_earlier(self, title, twig="branch-2-twig-0", days=3, **more):
        """Plants a sprout some days ago: on a garden's first days Today shows less. Returns its id."""
        sprout, made = events.planted(title, events.days_ago(days), twig=twig, **more)
        self.trunkctl("import", str(events.write(self.home / "earlier.json", made)))
        return sprout

    def start(self):
        """Starts the program. Can be called again after it has ended."""
        program = Program(*self.arguments, home=self.home, env=self.env, under=self.under)
        self.addCleanup(program.stop)
        return program.__enter__()

    def launch(self, *arguments):
        """Starts the program a second time, which passes its arguments to the first one."""
        second = Program(*arguments, home=self.home)
        self.addCleanup(second.stop)
        self.assertEqual(second.wait_exit(), 0)
        self.assertEqual(second.log(), "")


EVENTS = ("object:children-changed", "object:state-changed", "object:property-change", "window:activate")


def temporary_folder(add_cleanup):
    """Returns a new folder, which is searched for tokens and removed at the end. add_cleanup: `addCleanup` of a test."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="trunk-ui-"))
    add_cleanup(shutil.rmtree, folder)
    add_cleanup(tokens.check_folder, folder)
    return folder


def home_variables(home):
    """Returns the environment variables that confine a program to a folder."""
    home = pathlib.Path(home)
    variables = {"HOME": str(home)}
    for name, folder in {"CONFIG": "config", "DATA": "data", "STATE": "state", "CACHE": "cache"}.items():
        variables[f"XDG_{name}_HOME"] = str(home / folder)
    return variables


@contextlib.contextmanager
def desktop(**settings):
    """Runs xsettingsd with desktop settings, such as Xft__DPI=196608 for text of double size."""
    with tempfile.NamedTemporaryFile("w") as file:
        for name, value in settings.items():
            file.write(f"{name.replace('__', '/')} {value}\n")
        file.flush()
        daemon = subprocess.Popen(["xsettingsd", "-c", file.name], stderr=subprocess.PIPE, text=True)
        try:
            # xsettingsd prints this after it has taken the selection and published its settings.
            took = next((line for line in daemon.stderr if "Took ownership" in line), None)
            assert took, "xsettingsd has ended"
            yield
        finally:
            daemon.terminate()
            daemon.wait()
            daemon.stderr.close()


def variables(home, env):
    """Returns the environment of a program with this home. env: additional or changed variables, None removes one."""
    changed = os.environ | home_variables(home) | (env or {})
    return {name: value for name, value in changed.items() if value is not None}


def trunkctl(home, *arguments, env=None):
    """Runs the command line on the garden of a home and returns its JSON output."""
    # The fake clock needs a preloaded library, with which a Swift program doesn't see its arguments. So only the window
    # gets a fake clock.
    env = variables(home, (env or {}) | {"LD_PRELOAD": None})
    command = [BUILD / CONFIG / "trunkctl", *arguments, *([] if arguments[0] == "derive" else ["--json"])]
    result = subprocess.run(command, env=env, capture_output=True, text=True, timeout=COMMAND_LIMIT)
    tokens.check_text("the output of trunkctl", result.stdout + result.stderr)
    assert result.returncode == 0, f"trunkctl {arguments}: exit code {result.returncode}\n{result.stderr}"
    return json.loads(result.stdout)


def has_state(node, state):
    return node.getState().contains(state)


def is_focusable(node):
    return has_state(node, pyatspi.STATE_FOCUSABLE)


def text_of(node):
    """Returns the text of a field."""
    text = node.queryText()
    return text.getText(0, text.characterCount)


def is_usable(node):
    """Whether the node is for reading or writing, or whether the node or a part of its row can be pressed."""
    if node.getRoleName() in TO_READ or PRESSES & set(actions_of(node)):
        return True
    return node.getRoleName() == "list item" and any(PRESSES & set(actions_of(part)) for part in node if part)


def actions_of(node):
    """Returns the names of the node's actions."""
    try:
        actions = node.queryAction()
    except NotImplementedError:
        return []
    names = [actions.getName(index) for index in range(actions.nActions)]
    return [name for name in names if not name.startswith(LIST_ACTIONS)]


def is_named(node):
    """Whether the node has a name, and not just its type's. A label without a text needs none: it isn't read."""
    return bool(node.name or node.getRoleName() == "label") and not TYPE_NAME.match(node.name)


def is_match(node, role, name):
    """Whether a node of a Tree has this role and name. name: a text, or a function that returns whether a name
    matches."""
    if role is not None and node.role != role:
        return False
    if name is None:
        return True
    return bool(name(node.name)) if callable(name) else node.name == name


def describe(node):
    """Returns the node's role and name, and whether it is focusable."""
    return f"{node.getRoleName()} {node.name!r}{' focusable' if is_focusable(node) else ''}"


def path_of(node):
    """Returns a description of the node and the names of its ancestors."""
    path = [describe(node)]
    while node := node.parent:
        if is_named(node):
            path.append(node.name)
    return " in ".join(path)


def xdotool(*arguments):
    subprocess.run(["xdotool", *arguments], check=True, stdout=subprocess.DEVNULL, timeout=COMMAND_LIMIT)


def is_tooltip(node):
    """Whether a node of a Tree is a tooltip, which has no role of its own in GTK 4.8."""
    return node.role == "tool tip" or node.name == "GtkTooltipWindow"


def window_type(window):
    """Returns the type of an X window; an empty text if it has none, or no longer exists."""
    return output("xprop", "-id", window, "-notype", "_NET_WM_WINDOW_TYPE").rpartition(" = ")[2].strip()


def give_keys(text):
    """Maps characters that the keyboard lacks to free keys. xdotool does so too, but removes the mapping before a busy
    program has read it."""
    for character in sorted({c for c in text if ord(c) > 126}):
        keys = [line.split()[1:] for line in output("xmodmap", "-pke").splitlines()]
        symbol = f"U{ord(character):04X}"
        if (os.environ["DISPLAY"], symbol) not in given:
            free = [key[0] for key in keys if len(key) == 2]
            subprocess.run(["xmodmap", "-e", f"keycode {free[-1]} = {symbol}"], check=True)
            given.add((os.environ["DISPLAY"], symbol))


given = set()


def output(*command):
    """Returns a command's standard output and ignores its exit code."""
    return subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_LIMIT).stdout
