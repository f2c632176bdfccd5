#include "shim.h"

// Lays out two children beside each other where there is room, else the second one below the first. If the first one
// scrolls, it does so only beside the other one; below each other, it has the height of its content.

#define TRUNK_TYPE_BESIDE (trunk_beside_get_type())
G_DECLARE_FINAL_TYPE(TrunkBeside, trunk_beside, TRUNK, BESIDE, GtkLayoutManager)

struct _TrunkBeside {
  GtkLayoutManager parent;
  int width;        // from which they are beside each other
  int first_width;  // the most that the first one gets beside the other
  int height;       // the least height beside each other
};

G_DEFINE_TYPE(TrunkBeside, trunk_beside, GTK_TYPE_LAYOUT_MANAGER)

static GtkSizeRequestMode trunk_beside_request_mode(GtkLayoutManager *manager, GtkWidget *widget) {
  (void)manager;
  (void)widget;
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/// The part of the width that the first child gets; all of it if they are below each other.
static int first_width(TrunkBeside *beside, GtkWidget *widget, int width) {
  GtkWidget *first = gtk_widget_get_first_child(widget), *second = gtk_widget_get_next_sibling(first);
  if (width < beside->width || !gtk_widget_should_layout(second)) return width;
  int least, least_second;
  gtk_widget_measure(first, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  gtk_widget_measure(second, GTK_ORIENTATION_HORIZONTAL, -1, &least_second, NULL, NULL, NULL);
  if (least + least_second > width) return width;
  int share = MAX(least, MIN(width * 46 / 100, beside->first_width));
  return MIN(share, width - least_second);
}

/// The natural height of a child, or of what it scrolls.
static int content_height(GtkWidget *child, int width) {
  GtkWidget *content = child;
  if (GTK_IS_SCROLLED_WINDOW(child)) {
    content = gtk_scrolled_window_get_child(GTK_SCROLLED_WINDOW(child));
    if (GTK_IS_VIEWPORT(content)) content = gtk_viewport_get_child(GTK_VIEWPORT(content));
  }
  int natural;
  gtk_widget_measure(content, GTK_ORIENTATION_VERTICAL, width, NULL, &natural, NULL, NULL);
  return natural;
}

static int natural_height(GtkWidget *child, int width) {
  if (!gtk_widget_should_layout(child)) return 0;
  int natural;
  gtk_widget_measure(child, GTK_ORIENTATION_VERTICAL, width, NULL, &natural, NULL, NULL);
  return natural;
}

static void trunk_beside_measure(GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation,
                                 int for_size, int *minimum, int *natural, int *minimum_baseline,
                                 int *natural_baseline) {
  TrunkBeside *beside = TRUNK_BESIDE(manager);
  GtkWidget *first = gtk_widget_get_first_child(widget), *second = gtk_widget_get_next_sibling(first);
  *minimum_baseline = *natural_baseline = -1;
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    int least, least_second = 0, wanted;
    gtk_widget_measure(first, GTK_ORIENTATION_HORIZONTAL, -1, &least, &wanted, NULL, NULL);
    if (gtk_widget_should_layout(second)) {
      gtk_widget_measure(second, GTK_ORIENTATION_HORIZONTAL, -1, &least_second, NULL, NULL, NULL);
    }
    *minimum = MAX(least, least_second);
    *natural = MAX(*minimum, beside->width);
    return;
  }
  int width = for_size < 0 ? beside->width : for_size;
  int share = first_width(beside, widget, width);
  if (share < width) {
    *minimum = *natural = MAX(beside->height, natural_height(second, width - share));
  } else {
    *minimum = *natural = content_height(first, width) + natural_height(second, width);
  }
}

static void trunk_beside_allocate(GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline) {
  TrunkBeside *beside = TRUNK_BESIDE(manager);
  GtkWidget *first = gtk_widget_get_first_child(widget), *second = gtk_widget_get_next_sibling(first);
  gboolean is_mirrored = gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL;
  (void)baseline;
  int share = first_width(beside, widget, width);
  if (share < width) {
    int rest = width - share;
    gtk_widget_size_allocate(first, &(GtkAllocation){is_mirrored ? rest : 0, 0, share, height}, -1);
    gtk_widget_size_allocate(second, &(GtkAllocation){is_mirrored ? 0 : share, 0, rest, height}, -1);
    return;
  }
  int top = gtk_widget_should_layout(second) ? MIN(content_height(first, width), height) : height;
  gtk_widget_size_allocate(first, &(GtkAllocation){0, 0, width, top}, -1);
  if (gtk_widget_should_layout(second)) {
    int rest = MAX(height - top, natural_height(second, width));
    gtk_widget_size_allocate(second, &(GtkAllocation){0, top, width, rest}, -1);
  }
}

static void trunk_beside_class_init(TrunkBesideClass *class) {
  GTK_LAYOUT_MANAGER_CLASS(class)->get_request_mode = trunk_beside_request_mode;
  GTK_LAYOUT_MANAGER_CLASS(class)->measure = trunk_beside_measure;
  GTK_LAYOUT_MANAGER_CLASS(class)->allocate = trunk_beside_allocate;
}

static void trunk_beside_init(TrunkBeside *beside) { (void)beside; }

void trunk_lay_out_beside(GtkWidget *widget, int width, int first_width, int height) {
  TrunkBeside *beside = g_object_new(TRUNK_TYPE_BESIDE, NULL);
  beside->width = width;
  beside->first_width = first_width;
  beside->height = height;
  gtk_widget_set_layout_manager(widget, GTK_LAYOUT_MANAGER(beside));
}
