#include "shim.h"

// Lays out children side by side, like words, and continues on the next line at the right edge. Children that expand
// share the spare width of their line.

#define TRUNK_TYPE_WRAP (trunk_wrap_get_type())
G_DECLARE_FINAL_TYPE(TrunkWrap, trunk_wrap, TRUNK, WRAP, GtkLayoutManager)

struct _TrunkWrap {
  GtkLayoutManager parent;
  int spacing;       // between children
  int line_spacing;
  int reserve;  // the least width of a child that expands, for breaking lines
};

G_DEFINE_TYPE(TrunkWrap, trunk_wrap, GTK_TYPE_LAYOUT_MANAGER)

/// The children of one line, from `first` up to but not including `end`.
typedef struct {
  GtkWidget *first;
  GtkWidget *end;
  int width;
  int height;
  int expanding;
} Line;

static void measure_child(TrunkWrap *wrap, GtkWidget *child, int *minimum, int *natural) {
  gtk_widget_measure(child, GTK_ORIENTATION_HORIZONTAL, -1, minimum, natural, NULL, NULL);
  if (gtk_widget_compute_expand(child, GTK_ORIENTATION_HORIZONTAL)) *natural = MAX(*natural, wrap->reserve);
}

static int natural_width(TrunkWrap *wrap, GtkWidget *child, int most) {
  int minimum, natural;
  measure_child(wrap, child, &minimum, &natural);
  return MAX(minimum, MIN(natural, most));
}

static int natural_height(GtkWidget *child, int width) {
  int natural;
  gtk_widget_measure(child, GTK_ORIENTATION_VERTICAL, width, NULL, &natural, NULL, NULL);
  return natural;
}

/// The width of a child in a line of at most `most` pixels: its natural width plus its share of `spare`, which the
/// `waiting` expanding children divide.
static int take_width(TrunkWrap *wrap, GtkWidget *child, int most, int *spare, int *waiting) {
  int own = natural_width(wrap, child, most);
  if (gtk_widget_compute_expand(child, GTK_ORIENTATION_HORIZONTAL)) {
    int share = *spare / (*waiting)--;
    own += share;
    *spare -= share;
  }
  return own;
}

static Line next_line(TrunkWrap *wrap, GtkWidget *child, int most) {
  Line line = {child, NULL, 0, 0, 0};
  gboolean has_one = FALSE;
  for (; child; child = gtk_widget_get_next_sibling(child)) {
    if (!gtk_widget_should_layout(child)) continue;
    int width = natural_width(wrap, child, most);
    if (has_one && line.width + wrap->spacing + width > most) break;
    line.width += (has_one ? wrap->spacing : 0) + width;
    line.expanding += gtk_widget_compute_expand(child, GTK_ORIENTATION_HORIZONTAL) ? 1 : 0;
    has_one = TRUE;
  }
  line.end = child;
  int spare = MAX(0, most - line.width), waiting = line.expanding;
  for (child = line.first; child != line.end; child = gtk_widget_get_next_sibling(child)) {
    if (!gtk_widget_should_layout(child)) continue;
    int height = natural_height(child, take_width(wrap, child, most, &spare, &waiting));
    line.height = MAX(line.height, height);
  }
  return line;
}

static GtkSizeRequestMode trunk_wrap_request_mode(GtkLayoutManager *manager, GtkWidget *widget) {
  (void)manager;
  (void)widget;
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void measure_width(TrunkWrap *wrap, GtkWidget *widget, int *minimum, int *natural) {
  int count = 0;
  *minimum = *natural = 0;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child)) {
    if (!gtk_widget_should_layout(child)) continue;
    int child_minimum, child_natural;
    measure_child(wrap, child, &child_minimum, &child_natural);
    *minimum = MAX(*minimum, child_minimum);
    *natural += child_natural + (count++ > 0 ? wrap->spacing : 0);
  }
}

static void trunk_wrap_measure(GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation, int for_size,
                               int *minimum, int *natural, int *minimum_baseline, int *natural_baseline) {
  TrunkWrap *wrap = TRUNK_WRAP(manager);
  *minimum_baseline = *natural_baseline = -1;
  int narrowest, one_line;
  measure_width(wrap, widget, &narrowest, &one_line);
  *minimum = narrowest;
  *natural = one_line;
  if (orientation == GTK_ORIENTATION_HORIZONTAL) return;
  *natural = 0;
  int lines = 0;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child;) {
    Line line = next_line(wrap, child, for_size < 0 ? one_line : for_size);
    *natural += line.height + (line.height > 0 && lines > 0 ? wrap->line_spacing : 0);
    lines += line.height > 0 ? 1 : 0;
    child = line.end;
  }
  *minimum = *natural;
}

static void trunk_wrap_allocate(GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline) {
  TrunkWrap *wrap = TRUNK_WRAP(manager);
  gboolean is_mirrored = gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL;
  (void)height;
  (void)baseline;
  int y = 0;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child;) {
    Line line = next_line(wrap, child, width);
    int x = 0, spare = MAX(0, width - line.width), waiting = line.expanding;
    for (; child != line.end; child = gtk_widget_get_next_sibling(child)) {
      if (!gtk_widget_should_layout(child)) continue;
      int own = take_width(wrap, child, width, &spare, &waiting);
      gtk_widget_size_allocate(child, &(GtkAllocation){is_mirrored ? width - x - own : x, y, own, line.height}, -1);
      x += own + wrap->spacing;
    }
    y += line.height > 0 ? line.height + wrap->line_spacing : 0;
  }
}

static void trunk_wrap_class_init(TrunkWrapClass *class) {
  GTK_LAYOUT_MANAGER_CLASS(class)->get_request_mode = trunk_wrap_request_mode;
  GTK_LAYOUT_MANAGER_CLASS(class)->measure = trunk_wrap_measure;
  GTK_LAYOUT_MANAGER_CLASS(class)->allocate = trunk_wrap_allocate;
}

static void trunk_wrap_init(TrunkWrap *wrap) { (void)wrap; }

void trunk_wrap_children(GtkWidget *widget, int spacing, int line_spacing, int reserve) {
  TrunkWrap *wrap = g_object_new(TRUNK_TYPE_WRAP, NULL);
  wrap->spacing = spacing;
  wrap->line_spacing = line_spacing;
  wrap->reserve = reserve;
  gtk_widget_set_layout_manager(widget, GTK_LAYOUT_MANAGER(wrap));
}
