// Text files embedded in the programs, so that a binary works from any folder.
#ifndef TRUNK_RESOURCES_H
#define TRUNK_RESOURCES_H

#include <stddef.h>

/// One embedded file: UTF-8 bytes, not terminated by a zero.
typedef struct {
  const unsigned char *bytes;
  size_t length;
} TrunkResource;

// The sources repeat the same lines for each file, because a macro can't contain #embed.
// Not visible to other libraries, so that the linker can leave out what a program doesn't use.
#pragma GCC visibility push(hidden)

// The style sheet, and the sheets added to it for a dark desktop, for high contrast, and for both.
extern const TrunkResource trunk_resource_style;
extern const TrunkResource trunk_resource_style_dark;
extern const TrunkResource trunk_resource_style_contrast;
extern const TrunkResource trunk_resource_style_dark_contrast;

/// The icons as a GResource bundle, aligned as GIO requires. After registration, GTK finds them by name
/// ("trunk-drop-symbolic"), because GtkApplication looks below "/garden/trunk/trunk/icons".
extern const TrunkResource trunk_resource_icons;

// The questions in data/questions and the tree’s descriptions in data/texts: see the first lines of each file.
extern const TrunkResource trunk_resource_water_questions;
extern const TrunkResource trunk_resource_sun_questions;
extern const TrunkResource trunk_resource_twig_questions;
extern const TrunkResource trunk_resource_tree;

// The words by which the form for planting finds twigs, in data/words.
extern const TrunkResource trunk_resource_words_de;
extern const TrunkResource trunk_resource_words_en;
extern const TrunkResource trunk_resource_words_es;
extern const TrunkResource trunk_resource_words_fr;

#pragma GCC visibility pop

#endif
