#include "resources.h"

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

static const unsigned char water_questions[] = {
#embed "../../data/questions/water.txt"
};
const TrunkResource trunk_resource_water_questions = {water_questions, sizeof water_questions};

static const unsigned char sun_questions[] = {
#embed "../../data/questions/sun.txt"
};
const TrunkResource trunk_resource_sun_questions = {sun_questions, sizeof sun_questions};

static const unsigned char twig_questions[] = {
#embed "../../data/questions/sun-twigs.txt"
};
const TrunkResource trunk_resource_twig_questions = {twig_questions, sizeof twig_questions};

static const unsigned char tree[] = {
#embed "../../data/texts/tree.txt"
};
const TrunkResource trunk_resource_tree = {tree, sizeof tree};
