#include "shim.h"

// A box around a list that is one stop of the Tab key. The arrow keys move between the rows of the list and into them.

#define TRUNK_TYPE_TAB_STOP (trunk_tab_stop_get_type())
G_DECLARE_FINAL_TYPE(TrunkTabStop, trunk_tab_stop, TRUNK, TAB_STOP, GtkBox)

struct _TrunkTabStop {
  GtkBox parent;
  /// The row that had the focus when Tab left the list.
  GtkWidget *last;
};

G_DEFINE_TYPE(TrunkTabStop, trunk_tab_stop, GTK_TYPE_BOX)

/// The row of the list that contains a widget, or is it.
static GtkWidget *row_with(GtkWidget *list, GtkWidget *widget) {
  while (widget && gtk_widget_get_parent(widget) != list) widget = gtk_widget_get_parent(widget);
  return widget;
}

/// Moves the focus from a button or link of a row to the row itself. A list view enters its rows at their first button.
static void focus_row_with(GtkWidget *widget) {
  for (GtkWidget *parent; widget && (parent = gtk_widget_get_parent(widget)); widget = parent) {
    if (!GTK_IS_LIST_VIEW(parent)) continue;
    gtk_widget_grab_focus(widget);
    return;
  }
}

/// Moves the focus to the first row of a list view that takes it.
static gboolean focus_first_row(GtkWidget *widget) {
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child)) {
    gboolean is_row = GTK_IS_LIST_VIEW(widget);
    if (is_row ? gtk_widget_get_focusable(child) && gtk_widget_grab_focus(child) : focus_first_row(child)) return TRUE;
  }
  return FALSE;
}

static gboolean trunk_tab_stop_focus(GtkWidget *widget, GtkDirectionType direction) {
  TrunkTabStop *box = TRUNK_TAB_STOP(widget);
  GtkWidgetClass *parent = GTK_WIDGET_CLASS(trunk_tab_stop_parent_class);
  if (direction != GTK_DIR_TAB_FORWARD && direction != GTK_DIR_TAB_BACKWARD) return parent->focus(widget, direction);
  // A page that is being left has no window any more.
  GtkRoot *root = gtk_widget_get_root(widget);
  if (!root) return FALSE;
  GtkWidget *list = gtk_widget_get_first_child(widget), *focused = gtk_root_get_focus(root);
  if (focused && gtk_widget_is_ancestor(focused, widget)) {
    g_set_weak_pointer(&box->last, row_with(list, focused));
    return FALSE;
  }
  gboolean is_there = box->last && gtk_widget_get_parent(box->last) == list && gtk_widget_get_mapped(box->last);
  if (is_there && gtk_widget_grab_focus(box->last)) return TRUE;
  // Backwards, GTK would enter the last row at its end.
  parent->focus(widget, GTK_DIR_TAB_FORWARD);
  focused = gtk_root_get_focus(root);
  // GTK enters a list view only at one row. If this is a heading, which doesn't take the focus, the focus doesn't move.
  if (!focused || !gtk_widget_is_ancestor(focused, widget)) return focus_first_row(widget);
  focus_row_with(focused);
  return TRUE;
}

static void trunk_tab_stop_dispose(GObject *object) {
  g_clear_weak_pointer(&TRUNK_TAB_STOP(object)->last);
  G_OBJECT_CLASS(trunk_tab_stop_parent_class)->dispose(object);
}

static void trunk_tab_stop_class_init(TrunkTabStopClass *class) {
  GTK_WIDGET_CLASS(class)->focus = trunk_tab_stop_focus;
  G_OBJECT_CLASS(class)->dispose = trunk_tab_stop_dispose;
}

static void trunk_tab_stop_init(TrunkTabStop *box) { (void)box; }

GtkWidget *trunk_tab_stop_new(GtkWidget *list) {
  GtkWidget *box = g_object_new(TRUNK_TYPE_TAB_STOP, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  gtk_box_append(GTK_BOX(box), list);
  return box;
}
