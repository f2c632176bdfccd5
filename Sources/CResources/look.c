#include "resources.h"

// Separate from the texts, so that the linker leaves it out of programs without a window.

#pragma clang diagnostic ignored "-Wc23-extensions"  // #embed, which this clang has in every mode

static const unsigned char style[] = {
#embed "../../data/style.css"
};
const TrunkResource trunk_resource_style = {style, sizeof style};

static const unsigned char style_dark[] = {
#embed "../../data/style-dark.css"
};
const TrunkResource trunk_resource_style_dark = {style_dark, sizeof style_dark};

static const unsigned char style_contrast[] = {
#embed "../../data/style-contrast.css"
};
const TrunkResource trunk_resource_style_contrast = {style_contrast, sizeof style_contrast};

static const unsigned char style_dark_contrast[] = {
#embed "../../data/style-dark-contrast.css"
};
const TrunkResource trunk_resource_style_dark_contrast = {style_dark_contrast, sizeof style_dark_contrast};

static const _Alignas(8) unsigned char icons[] = {
#embed "../../data/trunk.gresource"
};
const TrunkResource trunk_resource_icons = {icons, sizeof icons};
