#include "resources.h"

#pragma clang diagnostic ignored "-Wc23-extensions"  // #embed, which this clang has in every mode

static const unsigned char style[] = {
#embed "../../data/style.css"
};
const TrunkResource trunk_resource_style = {style, sizeof style};
