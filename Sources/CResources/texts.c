#include "resources.h"

#pragma clang diagnostic ignored "-Wc23-extensions"  // #embed, which this clang has in every mode

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
