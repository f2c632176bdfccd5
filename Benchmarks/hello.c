// The reference for the window: a minimal libadwaita program. Prints the milliseconds from the start of the
// process to its first painted frame and exits. The caller puts the start time into TRUNK_BENCH_START.
#include <adwaita.h>
#include <time.h>

static double since_start(void) {
  const char *start = g_getenv("TRUNK_BENCH_START");
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return start ? (now.tv_sec + now.tv_nsec / 1e9 - g_ascii_strtod(start, NULL)) * 1e3 : -1;
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
