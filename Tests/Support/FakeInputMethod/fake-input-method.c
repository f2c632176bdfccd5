// An input method for tests: it composes what a test tells it to.
#include "fake-input-method.h"

typedef struct {
  GtkIMContext parent;
  GtkWidget *field;
  char *text;
  char *dropped;
} FakeInput;

typedef struct {
  GtkIMContextClass parent;
} FakeInputClass;

G_DEFINE_TYPE(FakeInput, fake_input, GTK_TYPE_IM_CONTEXT)

static FakeInputEnd ending;
static GList *all;

static void set_text(FakeInput *self, const char *text) {
  if (g_strcmp0(self->text, text) == 0) return;
  gboolean began = *self->text == 0, ends = *text == 0;
  g_free(self->text);
  self->text = g_strdup(text);
  if (began) g_signal_emit_by_name(self, "preedit-start");
  g_signal_emit_by_name(self, "preedit-changed");
  if (ends) g_signal_emit_by_name(self, "preedit-end");
}

static void end(GtkIMContext *context) {
  FakeInput *self = (FakeInput *)context;
  if (*self->text == 0) return;
  char *text = g_strdup(self->text);
  set_text(self, "");
  g_clear_pointer(&self->dropped, g_free);
  if (ending == FAKE_INPUT_COMMITS) {
    g_signal_emit_by_name(self, "commit", text);
    g_free(text);
  } else {
    self->dropped = text;
  }
}

static void get_preedit_string(GtkIMContext *context, char **text, PangoAttrList **attributes, int *cursor) {
  FakeInput *self = (FakeInput *)context;
  if (text) *text = g_strdup(self->text);
  if (attributes) *attributes = pango_attr_list_new();
  if (cursor) *cursor = (int)g_utf8_strlen(self->text, -1);
}

static void set_client_widget(GtkIMContext *context, GtkWidget *field) { ((FakeInput *)context)->field = field; }

static void finalize(GObject *object) {
  FakeInput *self = (FakeInput *)object;
  all = g_list_remove(all, self);
  g_free(self->text);
  g_free(self->dropped);
  G_OBJECT_CLASS(fake_input_parent_class)->finalize(object);
}

static void fake_input_init(FakeInput *self) {
  self->text = g_strdup("");
  all = g_list_prepend(all, self);
}

static void fake_input_class_init(FakeInputClass *class) {
  GtkIMContextClass *context = GTK_IM_CONTEXT_CLASS(class);
  context->set_client_widget = set_client_widget;
  context->get_preedit_string = get_preedit_string;
  context->reset = end;
  context->focus_out = end;
  G_OBJECT_CLASS(class)->finalize = finalize;
}

void fake_input_use(FakeInputEnd new_ending) {
  ending = new_ending;
  g_io_extension_point_implement("gtk-im-module", fake_input_get_type(), "trunk-fake", 0);
  g_object_set(gtk_settings_get_default(), "gtk-im-module", "trunk-fake", NULL);
}

// Without a name, GTK might choose the fake one again: it can't be unregistered.
void fake_input_stop_using(void) {
  g_object_set(gtk_settings_get_default(), "gtk-im-module", "gtk-im-context-simple", NULL);
}

static FakeInput *of(GtkWidget *field) {
  for (GList *each = all; each; each = each->next) {
    FakeInput *input = each->data;
    if (input->field == field) return input;
  }
  return NULL;
}

gboolean fake_input_compose(GtkWidget *field, const char *text) {
  FakeInput *input = of(field);
  if (input) set_text(input, text);
  return input != NULL;
}

void fake_input_commit(GtkWidget *field, const char *text) {
  FakeInput *input = of(field);
  if (!input) return;
  g_signal_emit_by_name(input, "commit", text);
  set_text(input, "");
}

void fake_input_commit_late(GtkWidget *field) {
  FakeInput *input = of(field);
  if (!input || !input->dropped) return;
  char *text = g_steal_pointer(&input->dropped);
  g_signal_emit_by_name(input, "commit", text);
  g_free(text);
}
