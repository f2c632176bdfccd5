#include <gtk/gtk.h>
#include <pango/pangocairo.h>
#include <adwaita.h>
#include <glib-unix.h>
