"""The parts of a desktop that reminders need: a shell that shows notifications, and systemd with its timers."""

from gi.repository import Gio, GLib

from keyring import Bus

APPLICATION = "garden.trunk.trunk"
NOTIFICATIONS = """<node><interface name="org.gtk.Notifications">
<method name="AddNotification"><arg type="s" direction="in"/><arg type="s" direction="in"/>
<arg type="a{sv}" direction="in"/></method>
<method name="RemoveNotification"><arg type="s" direction="in"/><arg type="s" direction="in"/></method>
</interface></node>"""
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
<method name="StopUnit"><arg type="s" direction="in"/><arg type="s" direction="in"/>
<arg type="o" direction="out"/></method>
</interface></node>"""


class Shell:
    """A session of a desktop with its own bus. systemd: `ok`; `missing`, the timer isn't installed; `hang`, it never
    responds; None, no systemd. is_gnome: whether the desktop starts the program when a notification's button is pressed."""

    def __init__(self, systemd="ok", is_gnome=True):
        self.bus = Bus("none")
        self.env = self.bus.env
        # The notifications that were added, as (title, buttons), and the number of those removed.
        self.shown, self.removed = [], 0
        self.systemd, self.units = systemd, []
        self.connection = Gio.DBusConnection.new_for_address_sync(
            self.bus.address,
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
        self.is_gnome = is_gnome
        if is_gnome:
            self._offer("org.gtk.Notifications", "/org/gtk/Notifications", NOTIFICATIONS, self._notified)
        else:
            self._offer(
                "org.freedesktop.Notifications", "/org/freedesktop/Notifications", FREEDESKTOP, self._freedesktop)
        if systemd:
            self._offer("org.freedesktop.systemd1", "/org/freedesktop/systemd1", MANAGER, self._managed)

    def _offer(self, name, path, interface, answer):
        def called(_connection, _sender, _path, _interface, method, arguments, invocation):
            answer(method, arguments.unpack(), invocation)

        description = Gio.DBusNodeInfo.new_for_xml(interface).interfaces[0]
        self.connection.register_object(path, description, called, None, None)
        self._ask_bus("RequestName", GLib.Variant("(su)", (name, 0)))

    def _notified(self, method, arguments, invocation):
        if method == "AddNotification":
            content = arguments[2]
            buttons = [(button["label"], button["action"], button.get("target")) for button in content["buttons"]]
            self.shown.append((content["title"], buttons))
        else:
            self.removed += 1
        invocation.return_value(None)

    def _freedesktop(self, method, arguments, invocation):
        if method == "Notify":
            title, actions = arguments[3], arguments[5]
            self.shown.append((title, [(label, action, None) for action, label in zip(actions[::2], actions[1::2])]))
            invocation.return_value(GLib.Variant("(u)", (len(self.shown),)))
        elif method == "GetCapabilities":
            invocation.return_value(GLib.Variant("(as)", (["actions", "body"],)))
        else:
            self.removed += 1
            invocation.return_value(None)

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
            "DisableUnitFiles": GLib.Variant("(a(sss))", ([],)),
        }.get(method, GLib.Variant("(o)", ("/org/freedesktop/systemd1/job/1",))))

    def _ask_bus(self, method, arguments):
        return self.connection.call_sync(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method, arguments, None,
            Gio.DBusCallFlags.NONE, -1, None).unpack()[0]

    def has_program(self):
        """Whether the program is on the bus and can be called."""
        return self._ask_bus("NameHasOwner", GLib.Variant("(s)", (APPLICATION,)))

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

    def close(self):
        self.connection.close_sync(None)
        self.bus.stop()
