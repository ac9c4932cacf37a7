// The scenes of the comparison (catalog.h).
#include "bench/catalog.h"

#include <cmath>

#include "impuls/errors.h"

namespace impuls::bench {

const std::vector<CatalogScene>& catalog() {
    using enum SceneKind;
    const auto n = [](const char* value) {
        return std::pair<std::string, std::string>{"variables.n", value};
    };
    const auto seconds = [](const char* s) {
        return std::pair<std::string, std::string>{"settings.duration", s};
    };
    const std::pair<std::string, std::string> heavy{"variables.top", "100"};
    static const std::vector<CatalogScene> scenes{
        {"pyramid20", "pyramid.json", Rest, {n("20")}, {n("8"), seconds("1")}},
        {"pyramid50", "pyramid.json", Rest, {n("50")}, {n("12"), seconds("1")}},
        {"stack10", "stack.json", Rest, {n("10")}, {n("5"), seconds("1")}},
        {"stack20", "stack.json", Rest, {n("20")}, {n("10"), seconds("1")}},
        {"stack10h", "stack.json", Rest, {n("10"), heavy}, {n("5"), heavy, seconds("1")}},
        {"stack20h", "stack.json", Rest, {n("20"), heavy}, {n("10"), heavy, seconds("1")}},
        {"funnel", "funnel.json", Pile, {n("10")}, {n("4"), seconds("1")}},
        {"polys", "polys.json", Pile, {n("5000")}, {n("256"), seconds("1")}},
        {"spheres", "spheres.json", Pile, {n("10000")}, {n("968"), seconds("1")}},
        {"drum", "drum.json", Pile, {}, {n("3"), seconds("1")}},
        {"ragdolls", "ragdolls.json", Pile, {n("4")}, {n("2"), seconds("1")}},
        {"chain25", "chain.json", Joints, {n("25")}, {n("10"), seconds("1")}},
        {"chain100", "chain.json", Joints, {n("100")}, {n("20"), seconds("1")}},
        {"chain1000", "chain.json", Joints, {n("1000")}, {n("50"), seconds("1")}},
        {"tree", "tree.json", Joints, {}, {seconds("1")}},
        {"joint-grid", "joint-grid.json", Joints, {n("20")}, {n("4"), seconds("1")}},
    };
    return scenes;
}

const CatalogScene& find_scene(const std::string& name) {
    std::vector<std::string> known;
    for (const CatalogScene& scene : catalog()) {
        if (scene.name == name) return scene;
        known.push_back(scene.name);
    }
    throw InputError("there is no scene '" + name + "'" + did_you_mean(name, known));
}

Scene load(const CatalogScene& entry, bool is_quick, const Overrides& changes) {
    Overrides all = is_quick ? entry.quick : entry.size;
    all.insert(all.end(), changes.begin(), changes.end());
    return load_scene(std::string(IMPULS_SOURCE_DIR) + "/scenes/bench/" + entry.file, all);
}

int step_count(const Scene& scene) {
    return static_cast<int>(std::lround(scene.settings.duration / scene.settings.dt));
}

}  // namespace impuls::bench
