#ifndef FAKE_INPUT_METHOD_H
#define FAKE_INPUT_METHOD_H

#include <gtk/gtk.h>

/// How the input method ends a composition when it is reset or loses the focus.
typedef enum {
  /// It drops the text, as IBus does with most engines.
  FAKE_INPUT_DROPS,
  /// It commits the text immediately.
  FAKE_INPUT_COMMITS,
  /// It drops the text and commits it when `fake_input_commit_late` is called, as an engine in another process does.
  FAKE_INPUT_COMMITS_LATE,
} FakeInputEnd;

/// Makes the text fields that are created from now on use this input method, instead of the display's.
void fake_input_use(FakeInputEnd end);

/// Makes the text fields that are created from now on use the usual input method for a keyboard again.
void fake_input_stop_using(void);

/// Shows a text as composed in a `GtkTextView` or `GtkText` that is mapped; an empty text ends the composition.
/// Returns whether the field uses the input method.
gboolean fake_input_compose(GtkWidget *field, const char *text);

/// Commits a text as the user's choice: the composition ends.
void fake_input_commit(GtkWidget *field, const char *text);

/// Commits the text that was dropped last in the field.
void fake_input_commit_late(GtkWidget *field);

#endif
