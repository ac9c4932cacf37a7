// closest_features_study [--json]: the closest-feature study alone.
#include <string_view>

#include "closest_features.h"

int main(int argc, char** argv) {
    return impuls::closest_feature_study(argc > 1 && std::string_view(argv[1]) == "--json");
}
