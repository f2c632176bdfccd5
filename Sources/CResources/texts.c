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

static const unsigned char words_de[] = {
#embed "../../data/words/de.txt"
};
const TrunkResource trunk_resource_words_de = {words_de, sizeof words_de};

static const unsigned char words_en[] = {
#embed "../../data/words/en.txt"
};
const TrunkResource trunk_resource_words_en = {words_en, sizeof words_en};

static const unsigned char words_es[] = {
#embed "../../data/words/es.txt"
};
const TrunkResource trunk_resource_words_es = {words_es, sizeof words_es};

static const unsigned char words_fr[] = {
#embed "../../data/words/fr.txt"
};
const TrunkResource trunk_resource_words_fr = {words_fr, sizeof words_fr};
