"""GNOME's notification service, which shows nothing and remembers what it is given."""

from gi.repository import Gio, GLib

INTERFACE = """<node><interface name="org.gtk.Notifications">
<method name="AddNotification"><arg type="s" direction="in"/><arg type="s" direction="in"/>
<arg type="a{sv}" direction="in"/></method>
<method name="RemoveNotification"><arg type="s" direction="in"/><arg type="s" direction="in"/></method>
</interface></node>"""


class Notifications:
    def __init__(self, connection):
        # The notifications that were added, as (title, buttons), what a press on each does, and the number of those removed.
        self.shown, self.defaults, self.removed = [], [], 0
        offer(connection, "org.gtk.Notifications", "/org/gtk/Notifications", INTERFACE, self._called)

    def _called(self, method, arguments, invocation):
        if method == "AddNotification":
            content = arguments[2]
            buttons = [(button["label"], button["action"], button.get("target")) for button in content["buttons"]]
            self.shown.append((content["title"], buttons))
            self.defaults.append((content.get("default-action"), content.get("default-action-target")))
        else:
            self.removed += 1
        invocation.return_value(None)


def offer(connection, name, path, interface, answer):
    """Owns a name and answers calls with `answer(method, arguments, invocation)`."""
    def called(_connection, _sender, _path, _interface, method, arguments, invocation):
        answer(method, arguments.unpack(), invocation)

    description = Gio.DBusNodeInfo.new_for_xml(interface).interfaces[0]
    connection.register_object(path, description, called, None, None)
    ask_bus(connection, "RequestName", GLib.Variant("(su)", (name, 0)))


def ask_bus(connection, method, arguments):
    return connection.call_sync(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method, arguments, None,
        Gio.DBusCallFlags.NONE, -1, None).unpack()[0]
