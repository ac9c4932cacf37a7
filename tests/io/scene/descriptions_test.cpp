// Descriptions that are made again, against the scene expanded as a whole.
#include "scene/descriptions.h"

#include <gtest/gtest.h>

#include <array>

#include "impuls/scene_file.h"
#include "scene/described.h"

namespace impuls {
namespace {

// Single bodies and generators in turn, with expressions, filters, random places, names of all kinds, and an
// included scene twice.
std::shared_ptr<const Scene> mixed() {
    auto part = std::make_shared<Scene>(parse_scene(R"({"impuls": 1, "variables": {"r": 0.25}, "bodies": [
        {"name": "post", "kind": "static", "shape": {"type": "box", "size": [1, 1, 1]}},
        {"name": "bead", "shape": {"type": "sphere", "radius": "r + 0.01 * i"},
         "repeat": {"count": [3, 2, 1], "spacing": [2, 2, 2], "where": "i != 2"}}]})"));
    auto scene = std::make_shared<Scene>(parse_scene(R"({"impuls": 1, "settings": {"seed": 3}, "bodies": [
        {"shape": {"type": "sphere"}},
        {"name": "b", "shape": {"type": "sphere"}, "position": [9, 0, 0], "material": "m"},
        {"name": "c", "shape": {"type": "box"}, "mass": 3,
         "repeat": {"count": [2, 3, 2], "spacing": [3, 3, 3], "jitter": 0.2, "random_orientation": true}},
        {"name": "named_{i}_{iy}", "shape": {"type": "sphere", "radius": "0.1 + 0.1 * iz"},
         "repeat": {"count": [1, 2, 3], "spacing": [0, 5, 5]}},
        {"shape": {"type": "box"}, "repeat": {"count": [2, 1, 1], "spacing": [0, 0, 40]}},
        {"name": "last", "shape": {"type": "sphere"}, "position": [0, 90, 0]}],
        "materials": [{"name": "m", "density": 10}]})"));
    for (const char* name : {"left", "right"})
        scene->include.push_back({"part.json", name, {0, 0, *name == 'l' ? 50.0 : -50.0}, {}, part});
    return scene;
}

TEST(Descriptions, of_every_body_are_those_of_the_expanded_scene) {
    const auto given = mixed();
    const Scene expected = expand(*given);
    std::size_t seen = 0;
    const Descriptions described(given, [&](const BodyDesc& body, const Scene& parts) {
        ASSERT_LT(seen, expected.bodies.size());
        EXPECT_TRUE(same(body, expected.bodies[seen++]));
        EXPECT_EQ(parts.materials.size(), expected.materials.size());
    });
    ASSERT_EQ(seen, expected.bodies.size());
    ASSERT_GT(seen, 30u);
    for (std::size_t k = 0; k < seen; ++k)
        EXPECT_TRUE(same(described.body(k + 1), expected.bodies[k])) << expected.bodies[k].name;
    std::vector<std::uint64_t> all(seen);
    for (std::size_t k = 0; k < seen; ++k) all[k] = k + 1;
    EXPECT_TRUE(same(*described.scene(all), expected));
    EXPECT_TRUE(same(*described.first_scene(), expected));
}

TEST(Descriptions, follow_what_comes_goes_and_changes) {
    const auto given = mixed();
    Scene expected = expand(*given);
    Descriptions described(given, [](const BodyDesc&, const Scene&) {});
    std::vector<std::uint64_t> uids(expected.bodies.size());
    for (std::size_t k = 0; k < uids.size(); ++k) uids[k] = k + 1;
    const SceneRef before = described.scene(uids);
    const auto remove = [&](std::size_t k) {
        described.remove_bodies(std::array<std::uint64_t, 1>{uids[k]});
        uids.erase(uids.begin() + static_cast<std::ptrdiff_t>(k));
        expected.bodies.erase(expected.bodies.begin() + static_cast<std::ptrdiff_t>(k));
    };
    BodyDesc more;
    more.name = "more", more.material = "m";
    for (const std::uint64_t uid : {100u, 101u}) {
        described.set_body(uid, more);
        uids.push_back(uid);
        expected.bodies.push_back(more);
    }
    remove(5);
    remove(0);
    expected.bodies[3].surface_velocity = {1, 0, 0};
    described.set_body(uids[3], expected.bodies[3]);
    remove(expected.bodies.size() - 2);
    described.change_parts().materials[0].density = 5;
    expected.materials[0].density = 5;
    const SceneRef after = described.scene(uids);
    EXPECT_TRUE(same(*after, expected));
    EXPECT_TRUE(same(*before, expand(*given))) << "what was handed out stays as it was";
    for (std::size_t k = 0; k < uids.size(); ++k)
        EXPECT_TRUE(same(described.body(uids[k]), expected.bodies[k]));
}

TEST(SceneRef, makes_its_scene_when_somebody_looks) {
    int made = 0;
    const SceneRef late([&made] {
        ++made;
        return std::make_shared<const Scene>();
    });
    const SceneRef copy = late, other(std::make_shared<const Scene>());
    EXPECT_TRUE(copy == late && !(copy == other) && !(copy == SceneRef{}) && copy);
    EXPECT_FALSE(late.is_made());
    EXPECT_EQ(made, 0) << "comparing is not looking";
    EXPECT_TRUE(late->bodies.empty());
    const std::shared_ptr<const Scene> shared = copy;
    EXPECT_EQ(shared.get(), &*late);
    EXPECT_EQ(made, 1);
    EXPECT_TRUE(SceneRef(shared) == late);
    EXPECT_FALSE(SceneRef{});
}

}  // namespace
}  // namespace impuls
