// What frames hold beside bodies, as the page gets it: blocks known by the columns of their groups.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>

#include "impuls/scene_file.h"
#include "impuls/world.h"
#include "studio/matter.h"
#include "studio/structure.h"

namespace impuls::studio {
namespace {

struct Read {
    BlockKind kind{};
    std::uint32_t count = 0;
    std::string entries{};
    template <class T>
    T at(std::size_t byte) const {
        T value;
        std::memcpy(&value, entries.data() + byte, sizeof value);
        return value;
    }
};

std::size_t size_of_entry(BlockKind kind) {
    return kind == BlockKind::Points ? 12 : kind == BlockKind::Poses ? 28 : 40;
}

std::map<std::string, Read> blocks_of(const Frame& frame) {
    std::string bytes;
    append_matter(frame, bytes);
    std::map<std::string, Read> blocks;
    for (std::size_t at = 0; at < bytes.size();) {
        Read block;
        block.kind = static_cast<BlockKind>(bytes[at]);
        const auto letters = static_cast<std::size_t>(static_cast<unsigned char>(bytes[at + 1]));
        std::memcpy(&block.count, bytes.data() + at + 4, 4);
        const std::string name = bytes.substr(at + 8, letters);
        at += 8 + (letters + 3) / 4 * 4;
        block.entries = bytes.substr(at, block.count * size_of_entry(block.kind));
        at += block.count * size_of_entry(block.kind);
        blocks[name] = block;
    }
    return blocks;
}

TEST(StudioMatter, particles_are_points_and_their_body_says_what_lies_between_them) {
    const Scene scene = parse_scene(R"({"impuls": 1, "bodies": [
        {"name": "rope", "shape": {"type": "rope", "from": [0, 1, 0], "to": [2, 1, 0], "pieces": 4, "pins": [0]}},
        {"name": "cloth", "shape": {"type": "sheet", "columns": 2, "rows": 1}, "position": [0, 3, 0]}]})");
    World world(scene);
    for (int k = 0; k < 10; ++k) ASSERT_TRUE(world.step().ok);
    const Frame frame = world.frame();
    const auto blocks = blocks_of(frame);
    ASSERT_EQ(blocks.size(), 1u);
    const Read& points = blocks.at("particles");
    ASSERT_EQ(points.kind, BlockKind::Points);
    ASSERT_EQ(points.count, 5u + 6u);
    for (std::size_t k = 0; k < points.count; ++k) {
        EXPECT_EQ(points.at<float>(12 * k), static_cast<float>(frame.particles[k].position.x)) << k;
        EXPECT_EQ(points.at<float>(12 * k + 4), static_cast<float>(frame.particles[k].position.y)) << k;
    }
    EXPECT_EQ(points.at<float>(4), 1.0f);            // the pin holds
    EXPECT_LT(points.at<float>(4 * 12 + 4), 0.99f);  // the other end falls
    const Structure structure = describe_structure(expand(scene), &scene);
    EXPECT_TRUE(structure.surfaces.empty());
    const Json::Value& rope = structure.json["bodies"][0]["shape"]["particles"];
    EXPECT_EQ(rope["count"].asInt(), 5);
    EXPECT_EQ(rope["links"].size(), 8u);
    EXPECT_EQ(rope["triangles"].size(), 0u);
    EXPECT_EQ(structure.json["bodies"][1]["shape"]["particles"]["triangles"].size(), 3u * 4u);
}

TEST(StudioMatter, grains_are_poses_of_kinds_with_surfaces) {
    const Scene scene = parse_scene(R"({"impuls": 1,
        "materials": [{"name": "red", "color": [1, 0, 0]}],
        "bodies": [{"name": "floor", "kind": "static", "shape": {"type": "plane"}}],
        "grains": [{"name": "sand", "count": 3, "material": "red", "shape": {"type": "sphere", "radius": 0.02},
            "place": {"type": "block", "lower": [0, 0.1, 0], "upper": [0.2, 0.3, 0.2]}}]})");
    World world(scene);
    const auto blocks = blocks_of(world.frame());
    const Read& grains = blocks.at("grains");
    ASSERT_EQ(grains.kind, BlockKind::Poses);
    ASSERT_EQ(grains.count, 3u);
    const Structure structure = describe_structure(expand(scene), &scene);
    const Json::Value& kinds = structure.json["kinds"]["grains"];
    ASSERT_EQ(structure.meshes.size(), kinds.size());
    for (std::size_t k = 0; k < grains.count; ++k) {
        EXPECT_GT(grains.at<float>(28 * k + 4), 0.1f);   // y
        EXPECT_EQ(grains.at<float>(28 * k + 12), 1.0f);  // size
        double norm = 0;
        for (std::size_t part = 0; part < 4; ++part)
            norm += std::pow(grains.at<std::int16_t>(28 * k + 16 + 2 * part) / 32767.0, 2);
        EXPECT_NEAR(norm, 1, 1e-3);
        ASSERT_LT(grains.at<std::uint32_t>(28 * k + 24), kinds.size());
    }
    EXPECT_EQ(kinds[0]["color"][0].asDouble(), 1);
    EXPECT_EQ(kinds[0]["surface"].asInt(), 0);
    EXPECT_EQ(kinds[0]["radius"].asDouble(), 0.02);
}

TEST(StudioMatter, pressed_areas_are_triangles_with_a_number) {
    Frame frame;
    frame.pressed.push_back({0, 1500, {0, 0, 0}, {1, 0, 0}, {0, 0, 2}});
    const auto blocks = blocks_of(frame);
    const Read& area = blocks.at("pressed");
    ASSERT_EQ(area.kind, BlockKind::Triangles);
    ASSERT_EQ(area.count, 1u);
    EXPECT_EQ(area.at<float>(12), 1.0f);
    EXPECT_EQ(area.at<float>(32), 2.0f);
    EXPECT_EQ(area.at<float>(36), 1500.0f);
    for (const FrameGroup& group : frame_groups()) {
        const ColumnDesc* number = number_of_triangles(group);
        EXPECT_EQ(number != nullptr, std::string(group.name) == "pressed") << group.name;
        EXPECT_EQ(number ? number->unit : "Pa", "Pa");
    }
}

TEST(StudioMatter, groups_of_programs_are_known_by_their_columns) {
    Frame frame;
    GroupDesc dots{"dots", "", {DrawnAs::Points}, {vector_column("position", "m")}};
    GroupDesc faces{
        "faces", "", {DrawnAs::Triangles, "dots"}, {index_column("corners", 3), scalar_column("heat", "K")}};
    GroupDesc numbers{"numbers", "", {}, {scalar_column("a")}};
    for (const GroupDesc& desc : {dots, faces, numbers}) frame.groups.emplace_back(desc);
    frame.groups[0].resize(4);
    frame.groups[0].set("position", 3, Vec3{7, 8, 9});
    frame.groups[1].resize(2);
    for (std::uint32_t part = 0; part < 3; ++part)
        frame.groups[1].column(std::size_t{0})[3 + part] = 3 - part;
    frame.groups[1].set("heat", 1, 300);
    frame.groups[2].resize(5);
    const auto blocks = blocks_of(frame);
    ASSERT_EQ(blocks.size(), 2u);
    EXPECT_EQ(blocks.at("dots").count, 4u);
    EXPECT_EQ(blocks.at("faces").kind, BlockKind::Triangles);
    EXPECT_EQ(blocks.at("faces").at<float>(40), 7.0f);  // corner 3 first
    EXPECT_EQ(blocks.at("faces").at<float>(40 + 36), 300.0f);
}

}  // namespace
}  // namespace impuls::studio
