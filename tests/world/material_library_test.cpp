// Materials by name: a scene that describes none of them just works, and its own win.
#include "scene/material_library.h"

#include <gtest/gtest.h>

#include <cmath>

#include "impuls/impuls.h"
#include "impuls/scene_file.h"
#include "scene/check.h"

namespace impuls {
namespace {

Scene scene_with(const std::string& material, const std::string& more = "") {
    return parse_scene(
        R"({"impuls": 1, "bodies": [{"name": "b", "material": ")" + material +
            R"(", "shape": {"type": "box"}}, {"name": "o", "material": "ice", "shape": {"type": "box"}, "position": [5, 0, 0]}])" +
            more + "}",
        "test.json");
}

TEST(MaterialLibrary, EntriesAreSoundAndHaveSources) {
    EXPECT_GE(material_library().size(), 11u);
    for (const char* name : {"steel", "iron", "aluminium", "oak", "rubber", "glass", "ice", "stone",
                             "plastic", "sand", "leather"})
        EXPECT_NE(find_library_material(name), nullptr) << name;
    for (const LibraryMaterial& entry : material_library()) {
        const MaterialDesc& m = entry.material;
        const std::string& source = entry.source;
        EXPECT_TRUE(check_material(m, [&](const std::string& path, const std::string& text) {
            ADD_FAILURE() << m.name << path << ": " << text;
        }));
        EXPECT_TRUE(m.youngs_modulus.has_value()) << m.name;
        EXPECT_FALSE(source.empty()) << m.name;
        EXPECT_FALSE(entry.friction_source.empty()) << m.name;
    }
    for (const LibraryPair& pair : library_pairs()) {
        EXPECT_NE(find_library_material(pair.a), nullptr) << pair.a;
        EXPECT_NE(find_library_material(pair.b), nullptr) << pair.b;
        EXPECT_GE(pair.static_friction, pair.friction) << pair.a << ' ' << pair.b;
        EXPECT_STRNE(pair.source, "");
    }
}

TEST(MaterialLibrary, ANameIsEnough) {
    World world(scene_with("steel"));
    EXPECT_NEAR(world.mass(world.find_body("b")), 7850, 1e-9);
    const Scene& structure = *world.structure();
    ASSERT_EQ(structure.materials.size(), 2u);
    ASSERT_EQ(structure.contacts.size(), 1u);
    EXPECT_EQ(structure.contacts[0].friction, 0.03);
    // By the energies that the two store: ice is the softer.
    const double steel = 0.7, ice = 0.5;
    EXPECT_NEAR(*structure.contacts[0].restitution,
                std::sqrt((steel * steel * 9.3e9 + ice * ice * 210e9) / (210e9 + 9.3e9)), 1e-15);
}

TEST(MaterialLibrary, OnesOwnWin) {
    const Scene own = expand(scene_with("steel", R"(, "materials": [{"name": "steel", "density": 1}],
        "contacts": [{"a": "steel", "b": "ice", "friction": 0.5}])"));
    ASSERT_EQ(own.contacts.size(), 1u);
    EXPECT_EQ(own.contacts[0].friction, 0.5);
    for (const MaterialDesc& m : own.materials)
        if (m.name == "steel") {
            EXPECT_EQ(m.density, 1);
        }
}

TEST(MaterialLibrary, UnknownNamesAreRefusedWithASuggestion) {
    try {
        scene_with("steal");
        ADD_FAILURE();
    } catch (const InputError& error) {
        EXPECT_EQ(error.issues().front().path, "/bodies/0/material");
        EXPECT_NE(error.issues().front().message.find("steel"), std::string::npos) << error.what();
    }
}

TEST(MaterialLibrary, CommandsUseItToo) {
    World world(scene_with("steel"));
    world.apply(parse_command(
        R"({"type": "add_body", "body": {"name": "c", "material": "lead", "shape": {"type": "box"}, "position": [9, 9, 9]}})"));
    ASSERT_TRUE(world.step().ok);
    EXPECT_NEAR(world.mass(world.find_body("c")), 11340, 1e-9);
    EXPECT_EQ(world.structure()->contacts.size(), 3u);
}

}  // namespace
}  // namespace impuls
