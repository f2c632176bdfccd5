// What Swift cannot import from GTK: cast macros, type macros and variadic functions, as typed functions.
#ifndef TRUNK_SHIM_H
#define TRUNK_SHIM_H

#include <adwaita.h>
#include <glib-unix.h>
#include <malloc.h>

// The functions with which libdispatch lets another main loop run its main queue. It exports them without a header.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *);

/// A GObject that carries one value of another language through a GListModel.
#define TRUNK_TYPE_BOX (trunk_box_get_type())
G_DECLARE_FINAL_TYPE(TrunkBox, trunk_box, TRUNK, BOX, GObject)

/// Takes ownership of `content` and passes it to `release` when the last reference is dropped. Transfer full.
TrunkBox *trunk_box_new(void *content, void (*release)(void *));
void *trunk_box_content(TrunkBox *box);

static inline GType trunk_type_box(void) { return TRUNK_TYPE_BOX; }

/// Sets the accessible name. Removes the label relation first: a row would otherwise repeat its title after the name.
static inline void trunk_accessible_label(GtkWidget *widget, const char *text) {
  gtk_accessible_reset_relation(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

/// Has no effect after assistive technology has first asked for the widget.
static inline void trunk_accessible_role(GtkWidget *widget, GtkAccessibleRole role) {
  g_object_set(widget, "accessible-role", role, NULL);
}

static inline void trunk_accessible_description(GtkWidget *widget, const char *text) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

static inline void trunk_accessible_labelled_by(GtkWidget *widget, GtkWidget *label) {
  gtk_accessible_update_relation(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY, label, NULL,
                                 -1);
}

static inline void trunk_accessible_invalid(GtkWidget *widget, gboolean invalid) {
  gtk_accessible_update_state(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_INVALID,
                              invalid ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

static inline void trunk_accessible_hidden(GtkWidget *widget, gboolean hidden) {
  gtk_accessible_update_state(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_HIDDEN, hidden, -1);
}

static inline void trunk_accessible_expanded(GtkWidget *widget, gboolean expanded) {
  gtk_accessible_update_state(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_EXPANDED, expanded, -1);
}

static inline void trunk_accessible_selected(GtkWidget *widget, gboolean selected) {
  gtk_accessible_update_state(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_SELECTED, selected, -1);
}

static inline void trunk_accessible_checked(GtkWidget *widget, gboolean checked) {
  gtk_accessible_update_state(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_CHECKED,
                              checked ? GTK_ACCESSIBLE_TRISTATE_TRUE : GTK_ACCESSIBLE_TRISTATE_FALSE, -1);
}

static inline void trunk_accessible_value(GtkWidget *widget, double value, double most, const char *text) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, 0.0,
                                 GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, most, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, value,
                                 GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

/// GTK accepts the role only at construction.
static inline GtkWidget *trunk_drawing_area_new(GtkAccessibleRole role) {
  return g_object_new(GTK_TYPE_DRAWING_AREA, "accessible-role", role, NULL);
}

static inline GtkWidget *trunk_group_new(int spacing) {
  return g_object_new(GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, "orientation",
                      GTK_ORIENTATION_VERTICAL, "spacing", spacing, NULL);
}

static inline GtkWidget *trunk_radio_group_new(void) {
  return g_object_new(GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_RADIO_GROUP, NULL);
}

static inline GtkWidget *trunk_alert_new(int spacing) {
  return g_object_new(GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_ALERT, "spacing", spacing, NULL);
}

/// Sets the role explicitly. GTK 4.8 otherwise derives it from the class, and a window with some drop-downs loses it.
static inline GtkWidget *trunk_dialog_new(void) {
  return g_object_new(ADW_TYPE_WINDOW, "accessible-role", GTK_ACCESSIBLE_ROLE_DIALOG, NULL);
}

/// The same for a window that isn't shown yet.
static inline void trunk_set_dialog_role(GtkWidget *window) {
  g_object_set(window, "accessible-role", GTK_ACCESSIBLE_ROLE_DIALOG, NULL);
}

/// Sets the role explicitly for the same reason, for the window that replaces another one after a sign-in.
static inline GtkWidget *trunk_application_window_new(GtkApplication *application) {
  return g_object_new(ADW_TYPE_APPLICATION_WINDOW, "application", application, "accessible-role",
                      GTK_ACCESSIBLE_ROLE_WINDOW, NULL);
}

static inline GtkWidget *trunk_image_new(GtkAccessibleRole role) {
  return g_object_new(GTK_TYPE_IMAGE, "accessible-role", role, NULL);
}

static inline GtkWidget *trunk_progress_bar_new(GtkAccessibleRole role) {
  return g_object_new(GTK_TYPE_PROGRESS_BAR, "accessible-role", role, NULL);
}

/// GTK 4.8 has the property but no setter for it.
static inline void trunk_placeholder(GtkWidget *search_entry, const char *text) {
  g_object_set(search_entry, "placeholder-text", text, NULL);
}

/// Keeps selectable labels from selecting their text when they get the focus.
static inline void trunk_label_focus_selects_nothing(GdkDisplay *display) {
  g_object_set(gtk_settings_get_for_display(display), "gtk-label-select-on-focus", FALSE, NULL);
}

/// A wavy underline for misspelt words.
static inline GtkTextTag *trunk_spelling_tag_new(void) {
  return g_object_new(GTK_TYPE_TEXT_TAG, "underline", PANGO_UNDERLINE_ERROR, NULL);
}

static inline void trunk_tag_underline_color(GtkTextTag *tag, float red, float green, float blue) {
  GdkRGBA color = {red, green, blue, 1};
  g_object_set(tag, "underline-rgba", &color, NULL);
}

/// Lays out the children of a box in lines, like words. The box's orientation and spacing have no effect afterwards.
/// Where a line breaks, a child that expands counts as at least `reserve` pixels wide.
void trunk_wrap_children(GtkWidget *box, int spacing, int line_spacing, int reserve);

/// Lays out the two children of a box beside each other from this width, else the second one below the first. Beside
/// each other, the first one is at most `first_width` wide and the box at least `height` high. A first child that
/// scrolls has the height of its content while it is above the second one.
void trunk_lay_out_beside(GtkWidget *box, int width, int first_width, int height);

/// Returns a box around a list that is one stop of the Tab key; the arrow keys move inside it.
GtkWidget *trunk_tab_stop_new(GtkWidget *list);

// Wall clock timers, which Swift's Glibc module does not import.

/// Returns a descriptor that becomes readable when the time of `trunk_timer_set` comes; -1 if that fails.
int trunk_timer_new(void);

/// Sets the time, in milliseconds since 1970. The descriptor also becomes readable when the clock is set or the
/// computer wakes up.
void trunk_timer_set(int timer, int64_t milliseconds);

#endif
