// The document of the studio: edits, undo, and what saving keeps of how a scene was written.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "studio/document.h"

namespace impuls::studio {
namespace {

const char* const kText = R"({
    "impuls": 1,
    "variables": {"r": 0.5},
    "bodies": [
        // the first
        {"name": "a", "shape": {"type": "sphere", "radius": "r"}, "position": [0, "2*r", 0]},
        // many
        {"name": "row", "shape": {"type": "box"}, "repeat": {"count": [3, 1, 1], "spacing": ["3*r", 0, 0]}},
        // the last
        {"name": "b", "shape": {"type": "sphere", "radius": "r"}, "position": ["4*r", 0, 0]}
    ],
    "joints": [{"name": "j", "type": "ball", "a": "a", "b": "b", "anchor": ["r", 0, 0]}]
})";

Document opened() {
    Document document;
    document.open_text(kText, "test");
    return document;
}

TEST(StudioDocument, an_edit_leaves_the_rest_as_it_was_written) {
    Document document = opened();
    document.edit({{"bodies.0.velocity", "[1, 0, \"r\"]"}}, "Velocity");
    EXPECT_EQ(document.scene().bodies[0].velocity, (Vec3{1, 0, 0.5}));
    for (const char* kept :
         {"// the first", "// many", "// the last", "\"2*r\"", "\"3*r\"", "\"4*r\"", "\"repeat\""})
        EXPECT_NE(document.text().find(kept), std::string::npos) << kept;
    document.edit({{"variables.r", "0.25"}}, "r");
    EXPECT_EQ(document.scene().bodies[0].velocity.z, 0.25);
    EXPECT_EQ(expand(document.scene()).bodies.size(), 5u);
}

TEST(StudioDocument, undo_and_redo_fifty_edits) {
    Document document = opened();
    const std::string start = document.text();
    for (int k = 1; k <= 50; ++k)
        document.edit({{"bodies.0.position", "[" + std::to_string(k) + ", 0, 0]"}},
                      "Move " + std::to_string(k));
    const std::string end = document.text();
    EXPECT_EQ(document.undo_label(), "Move 50");
    for (int k = 0; k < 50; ++k) EXPECT_TRUE(document.undo());
    EXPECT_FALSE(document.undo());
    EXPECT_EQ(document.text(), start);
    EXPECT_FALSE(document.is_changed() && !document.file().empty());
    EXPECT_EQ(document.redo_label(), "Move 1");
    for (int k = 0; k < 50; ++k) EXPECT_TRUE(document.redo());
    EXPECT_EQ(document.text(), end);
    document.undo();
    document.edit({{"bodies.0.mass", "3"}}, "Mass");
    EXPECT_FALSE(document.can_redo());
}

TEST(StudioDocument, what_is_wrong_changes_nothing) {
    Document document = opened();
    const std::string before = document.text();
    try {
        document.edit({{"bodies.0.mass", "-1"}}, "Mass");
        FAIL();
    } catch (const InputError& error) {
        ASSERT_FALSE(error.issues().empty());
        EXPECT_EQ(error.issues()[0].path, "/bodies/0/mass");
    }
    EXPECT_THROW(document.edit({{"bodies.9.mass", "1"}}, "Mass"), InputError);
    EXPECT_THROW(document.edit({{"bodies.0.shape", "{\"type\": \"ball\"}"}}, "Shape"), InputError);
    EXPECT_THROW(document.edit({{}, {}, {{"bodies", "{\"name\": \"c\"}"}}, "Add"}), InputError);
    EXPECT_THROW(document.edit({{}, {}, {{"bodies", "{}] , \"x\": ["}}, "Add"}), InputError);
    EXPECT_THROW(document.edit({{}, {{"bodies", 7}}, {}, "Delete"}), InputError);
    EXPECT_THROW(document.edit({{}, {{"measures", 0}}, {}, "Delete"}), InputError);
    EXPECT_EQ(document.text(), before);
    EXPECT_FALSE(document.can_undo());
}

TEST(StudioDocument, removing_a_body_takes_its_joints_and_its_comment_along) {
    Document document = opened();
    document.edit({{}, {{"bodies", 0}}, {}, "Delete"});
    ASSERT_EQ(document.scene().bodies.size(), 2u);
    EXPECT_TRUE(document.scene().joints.empty());
    EXPECT_EQ(document.text().find("// the first"), std::string::npos);
    const std::size_t many = document.text().find("// many"), last = document.text().find("// the last");
    EXPECT_LT(many, document.text().find("\"row\""));
    EXPECT_LT(document.text().find("\"row\""), last);
    EXPECT_LT(last, document.text().find("\"b\""));
    EXPECT_EQ(document.scene().bodies[1].position.x, 2);
    EXPECT_NE(document.text().find("\"4*r\""), std::string::npos);
    document.undo();
    EXPECT_EQ(document.scene().joints.size(), 1u);
}

TEST(StudioDocument, what_is_added_is_written_as_it_was_given) {
    Document document = opened();
    document.edit(
        {{},
         {},
         {{"bodies",
           R"({"name": "c", "shape": {"type": "sphere", "radius": "r"}, "position": ["8*r", 0, 0]})"},
          {"forces", R"({"name": "s", "type": "spring", "a": "a", "b": "c", "stiffness": 100})"}},
         "Add"});
    ASSERT_EQ(document.scene().bodies.size(), 4u);
    EXPECT_EQ(document.scene().bodies[3].position.x, 4);
    ASSERT_EQ(document.scene().forces.size(), 1u);
    for (const char* kept : {"// the first", "// many", "// the last", "\"8*r\""})
        EXPECT_NE(document.text().find(kept), std::string::npos) << kept;
    document.edit({{"variables.r", "1"}}, "r");
    EXPECT_EQ(document.scene().bodies[3].position.x, 8);
    document.edit({{{"bodies.0.mass", "2"}}, {{"bodies", 3}}, {}, "Several at once"});
    EXPECT_TRUE(document.scene().forces.empty()) << "what held the body is gone with it";
    EXPECT_EQ(document.scene().bodies[0].mass, 2);
    document.undo();
    EXPECT_EQ(document.scene().forces.size(), 1u);
    EXPECT_FALSE(document.scene().bodies[0].mass.has_value());
}

TEST(StudioDocument, saves_over_its_own_file_alone) {
    const auto folder = std::filesystem::temp_directory_path() / "impuls_studio_document";
    std::filesystem::create_directories(folder);
    const std::string own = (folder / "own.json").string(), other = (folder / "other.json").string();
    std::filesystem::remove(own);
    std::ofstream(other) << "mine";
    Document document = opened();
    document.save(own, false);
    EXPECT_FALSE(document.is_changed());
    document.edit({{"bodies.0.mass", "3"}}, "Mass");
    EXPECT_TRUE(document.is_changed());
    document.save(own, false);
    EXPECT_THROW(document.save(other, false), FileError);
    std::stringstream text;
    text << std::ifstream(other).rdbuf();
    EXPECT_EQ(text.str(), "mine");
    Document again;
    again.open(own);
    EXPECT_EQ(again.text(), document.text());
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace impuls::studio
