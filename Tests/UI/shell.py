"""The parts of a desktop that reminders need: a shell that shows notifications, and systemd with its timers."""

import sys

from gi.repository import Gio, GLib

from keyring import Bus
from program import ROOT

sys.path.append(str(ROOT / "Tests/Support"))
from notifications import Notifications, ask_bus, offer  # noqa: E402

APPLICATION = "garden.trunk.trunk"
# The interface for notifications on desktops other than GNOME.
FREEDESKTOP = """<node><interface name="org.freedesktop.Notifications">
<method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
<arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
<arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/></method>
<method name="CloseNotification"><arg type="u" direction="in"/></method>
<method name="GetCapabilities"><arg type="as" direction="out"/></method>
<signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
</interface></node>"""
MANAGER = """<node><interface name="org.freedesktop.systemd1.Manager">
<method name="EnableUnitFiles"><arg type="as" direction="in"/><arg type="b" direction="in"/>
<arg type="b" direction="in"/><arg type="b" direction="out"/><arg type="a(sss)" direction="out"/></method>
<method name="DisableUnitFiles"><arg type="as" direction="in"/><arg type="b" direction="in"/>
<arg type="a(sss)" direction="out"/></method>
<method name="StartUnit"><arg type="s" direction="in"/><arg type="s" direction="in"/>
<arg type="o" direction="out"/></method>
<method name="RestartUnit"><arg type="s" direction="in"/><arg type="s" direction="in"/>
<arg type="o" direction="out"/></method>
<method name="Reload"/>
<method name="StopUnit"><arg type="s" direction="in"/><arg type="s" direction="in"/>
<arg type="o" direction="out"/></method>
</interface></node>"""


class OtherDesktop:
    """The notification service of a desktop other than GNOME."""

    def __init__(self, connection):
        self.shown, self.removed = [], 0
        offer(connection, "org.freedesktop.Notifications", "/org/freedesktop/Notifications", FREEDESKTOP, self._called)

    def _called(self, method, arguments, invocation):
        if method == "Notify":
            title, actions = arguments[3], arguments[5]
            self.shown.append((title, [(label, action, None) for action, label in zip(actions[::2], actions[1::2])]))
            invocation.return_value(GLib.Variant("(u)", (len(self.shown),)))
        elif method == "GetCapabilities":
            invocation.return_value(GLib.Variant("(as)", (["actions", "body"],)))
        else:
            self.removed += 1
            invocation.return_value(None)


class Shell:
    """A session of a desktop with its own bus. systemd: `ok`; `missing`, the timer isn't installed; `hang`, no answer;
    None, no systemd. is_gnome: whether it starts a program for a press on a button. keyring: see `Bus`."""

    def __init__(self, systemd="ok", is_gnome=True, keyring="none"):
        self.bus = Bus(keyring)
        self.env = self.bus.env
        self.systemd, self.units = systemd, []
        self.connection = Gio.DBusConnection.new_for_address_sync(
            self.bus.address,
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
        self.is_gnome = is_gnome
        self.desktop = Notifications(self.connection) if is_gnome else OtherDesktop(self.connection)
        if systemd:
            offer(self.connection, "org.freedesktop.systemd1", "/org/freedesktop/systemd1", MANAGER, self._managed)

    @property
    def shown(self):
        """The notifications that were added, as (title, buttons)."""
        return self.desktop.shown

    @property
    def removed(self):
        return self.desktop.removed

    def _managed(self, method, arguments, invocation):
        if self.systemd == "hang":
            return
        if self.systemd == "missing":
            invocation.return_dbus_error(
                "org.freedesktop.systemd1.NoSuchUnit", "Unit file trunk-reminder.timer does not exist.")
            return
        self.units.append((method, *arguments))
        invocation.return_value({
            "EnableUnitFiles": GLib.Variant("(ba(sss))", (True, [])),
            "DisableUnitFiles": GLib.Variant("(a(sss))", ([],)), "Reload": None,
        }.get(method, GLib.Variant("(o)", ("/org/freedesktop/systemd1/job/1",))))

    def has_program(self):
        """Whether the program is on the bus and can be called."""
        return ask_bus(self.connection, "NameHasOwner", GLib.Variant("(s)", (APPLICATION,)))

    def activate(self, action, target=None):
        """Invokes a command of the program, as a timer and a notification's button do."""
        arguments = [] if target is None else [GLib.Variant("s", target)]
        self.connection.call(
            APPLICATION, "/" + APPLICATION.replace(".", "/"), "org.freedesktop.Application", "ActivateAction",
            GLib.Variant("(sava{sv})", (action, arguments, {})), None, Gio.DBusCallFlags.NO_AUTO_START, -1, None, None)

    def press(self, label):
        """Presses a button of the last notification."""
        [(action, target)] = [(action, target) for text, action, target in self.shown[-1][1] if text == label]
        if not self.is_gnome:
            path = "/org/freedesktop/Notifications"
            signal = GLib.Variant("(us)", (len(self.shown), action))
            self.connection.emit_signal(None, path, "org.freedesktop.Notifications", "ActionInvoked", signal)
            return
        self.activate(action.removeprefix("app."), target)

    def press_notification(self):
        """Presses the last notification beside its buttons, on GNOME."""
        action, target = self.desktop.defaults[-1]
        self.activate(action.removeprefix("app."), target)

    def close(self):
        self.connection.close_sync(None)
        self.bus.stop()
