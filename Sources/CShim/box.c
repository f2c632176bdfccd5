#include "shim.h"

struct _TrunkBox {
  GObject parent;
  void *content;
  void (*release)(void *);
};

G_DEFINE_TYPE(TrunkBox, trunk_box, G_TYPE_OBJECT)

static void trunk_box_finalize(GObject *object) {
  TrunkBox *box = TRUNK_BOX(object);
  box->release(box->content);
  G_OBJECT_CLASS(trunk_box_parent_class)->finalize(object);
}

static void trunk_box_class_init(TrunkBoxClass *class) { G_OBJECT_CLASS(class)->finalize = trunk_box_finalize; }

static void trunk_box_init(TrunkBox *box) { (void)box; }

TrunkBox *trunk_box_new(void *content, void (*release)(void *)) {
  TrunkBox *box = g_object_new(TRUNK_TYPE_BOX, NULL);
  box->content = content;
  box->release = release;
  return box;
}

void *trunk_box_content(TrunkBox *box) { return box->content; }
