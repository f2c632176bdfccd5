// The yardstick of the window: the least a libadwaita program can do. Prints the milliseconds from the start of the
// process to its first painted frame (in steps of a clock tick, as the kernel notes starts) and exits.
#include <adwaita.h>
#include <time.h>
#include <unistd.h>

static double since_start(void) {
  g_autofree char *stat = NULL;
  if (!g_file_get_contents("/proc/self/stat", &stat, NULL, NULL)) return -1;
  // The name in brackets may hold anything; the start time is the 20th field after it.
  g_auto(GStrv) fields = g_strsplit(strrchr(stat, ')') + 2, " ", -1);
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  double ticks = g_ascii_strtod(fields[19], NULL);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6 - ticks * 1e3 / sysconf(_SC_CLK_TCK);
}

static void painted(GdkFrameClock *clock, gpointer application) {
  (void)clock;
  g_print("%.0f\n", since_start());
  g_application_quit(application);
}

static void activate(GtkApplication *application) {
  GtkWidget *window = adw_application_window_new(application);
  GtkWidget *page = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append(GTK_BOX(page), adw_header_bar_new());
  gtk_box_append(GTK_BOX(page), gtk_label_new("Hello"));
  adw_application_window_set_content(ADW_APPLICATION_WINDOW(window), page);
  gtk_window_set_default_size(GTK_WINDOW(window), 900, 700);
  gtk_window_present(GTK_WINDOW(window));
  g_signal_connect(gtk_widget_get_frame_clock(window), "after-paint", G_CALLBACK(painted), application);
}

int main(int count, char **arguments) {
  g_autoptr(AdwApplication) application = adw_application_new("garden.trunk.hello", G_APPLICATION_NON_UNIQUE);
  g_signal_connect(application, "activate", G_CALLBACK(activate), NULL);
  return g_application_run(G_APPLICATION(application), count, arguments);
}
