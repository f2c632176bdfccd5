"""A program's accessibility tree at one moment, read in a few calls instead of several for each node."""

import functools

from gi.repository import Atspi, Gio, GLib

ACCESSIBLE = "org.a11y.atspi.Accessible"
COMPONENT = "org.a11y.atspi.Component"
ROOT = "/org/a11y/atspi/accessible/root"
NOTHING = "/org/a11y/atspi/null"
# at-spi2-core has used shorter names for some roles since version 2.52 (Debian 13).
RENAMED_ROLES = {"button": "push button"}
# The time limit for one call, in milliseconds. A program is slowest during the busiest test.
CALL_LIMIT = 60_000


class Tree:
    """The nodes of a program. Raises GLib.Error or LookupError if the program changes while it is read."""

    def __init__(self, application):
        self.application = application
        self._nodes = {}
        # For each node, the paths of its children by position; the children report their positions.
        self._told = {}
        self._read()

    def walk(self, within=None, showing=True):
        """Yields the nodes from `within` on in the order of a screen reader. If `showing`, skips the descendants of
        invisible nodes."""
        start = self._find([within.path])[0] if within else self._nodes[ROOT]
        start.accessible = within or self.application
        start.is_showing = True
        stack = [start]
        while stack:
            node = stack.pop()
            if showing and node is not start and not node.has_state(Atspi.StateType.VISIBLE):
                continue
            yield node
            # The cached item of the root has no child count.
            positions = self._children(node.path, None if node.path == ROOT else node.child_count)
            children = self._find(positions.values())
            for position, child in zip(positions, children):
                child.parent, child.position = node, position
            stack += reversed(children)

    def call(self, path, interface, method, arguments=None):
        """Makes one call and returns its result."""
        bus_name = self.application.app.bus_name
        answer = bus().call_sync(
            bus_name, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, CALL_LIMIT, None)
        return answer.unpack()[0]

    def _read(self):
        """Reads all nodes that the program has exported to any client so far."""
        self._told = {}
        for item in self.call("/org/a11y/atspi/cache", "org.a11y.atspi.Cache", "GetItems"):
            node = Node(self, item)
            self._nodes.setdefault(node.path, node)
            _, _, (_, parent), position, *_ = item
            self._told.setdefault(parent, []).append((position, node.path))

    def _find(self, paths):
        """Returns the nodes with these paths. The program exports unknown nodes when it is asked for their children."""
        unknown = [path for path in paths if path not in self._nodes]
        if unknown:
            while unknown:
                unknown += [path for path in self._children(unknown.pop()).values() if path not in self._nodes]
            self._read()
        return [self._nodes[path] for path in paths]

    def _children(self, path, count=None):
        """Returns the paths of the children by their positions."""
        told = sorted(self._told.get(path, ()))
        told_all = count is not None and [position for position, _ in told] == list(range(count))
        if told_all and not self._may_hide_children(path):
            return dict(told)
        # The pages of a stack report wrong positions, and some children are unknown. Requests these one by one, because in
        # GTK 4.8, GetChildren returns wrong paths for a stack.
        if count is None:
            properties = "org.freedesktop.DBus.Properties"
            count = self.call(path, properties, "Get", GLib.Variant("(ss)", (ACCESSIBLE, "ChildCount")))
        children = {
            position: self.call(path, ACCESSIBLE, "GetChildAtIndex", GLib.Variant("(i)", (position,)))[1]
            for position in range(count)}
        # A window that is being closed leaves a gap.
        return {position: child for position, child in children.items() if child != NOTHING}

    def _may_hide_children(self, path):
        """Whether a node may have children that aren't counted, such as the last page or message, while the new one isn't
        exported yet."""
        node = self._nodes[path]
        return node.role == "panel" or node.name in ("AdwLeaflet", "GtkOverlay")


class Node:
    """A node with its role and name as strings."""

    def __init__(self, tree, item):
        (_, self.path), _, _, _, self.child_count, self._interfaces, self.name, role, _, self._states = item
        self.role = role_name(role)
        self._tree = tree
        self.parent = None
        self.position = None

    @functools.cached_property
    def accessible(self):
        """The pyatspi object of this node, for actions."""
        parent = self.parent.accessible
        for _ in range(2):
            found = parent.getChildAtIndex(self.position)
            if found is not None and found.path == self.path:
                return found
            parent.clear_cache()  # pyatspi caches children, and not all changes cause an event
        raise LookupError(f"{self.role} {self.name!r} has moved")

    @functools.cached_property
    def is_showing(self):
        """Whether the node and all its ancestors are on the screen. GTK 4.8 sets "showing" only for windows; a node
        that was never allocated has no size."""
        if not self.parent.is_showing or not self.has_state(Atspi.StateType.VISIBLE):
            return False
        if COMPONENT not in self._interfaces:
            return True
        place = GLib.Variant("(u)", (Atspi.CoordType.WINDOW,))
        _, _, width, height = self._tree.call(self.path, COMPONENT, "GetExtents", place)
        return width > 0 and height > 0

    def has_state(self, state):
        word, bit = divmod(int(state), 32)
        return bool(self._states[word] >> bit & 1)


@functools.cache
def role_name(role):
    name = Atspi.role_get_name(Atspi.Role(role))
    return RENAMED_ROLES.get(name, name)


@functools.cache
def bus():
    """The accessibility bus, which connects programs and screen readers."""
    session = Gio.bus_get_sync(Gio.BusType.SESSION)
    [address] = session.call_sync(
        "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, Gio.DBusCallFlags.NONE, CALL_LIMIT, None)
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    return Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
