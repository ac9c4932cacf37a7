// Branches, marks and events of the studio: what a cut keeps, and what is told to have happened.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "impuls/scene_file.h"
#include "studio/branches.h"
#include "studio/columns.h"

namespace impuls::studio {
namespace {

// A ball that falls 0.2 m on the ground: it arrives at sqrt(2 h / g).
Scene drop() {
    return parse_scene(R"({
        "impuls": 1,
        "settings": {"dt": 0.002},
        "materials": [{"name": "m", "restitution": 0.8}],
        "bodies": [
            {"name": "floor", "kind": "static", "shape": {"type": "plane"}, "material": "m"},
            {"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 0.3, 0], "material": "m"}
        ]
    })");
}

class StudioBranches : public ::testing::Test {
  protected:
    void SetUp() override { std::filesystem::create_directories(folder_); }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::string file(const char* name) const { return (folder_ / name).string(); }
    static void run(Timeline& timeline, int steps) {
        for (int k = 0; k < steps; ++k) ASSERT_TRUE(timeline.step().ok);
    }
    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / fmt::format("impuls_studio_branches_{}", getpid());
};

// Frames before the cut are the same, bit for bit, and the branch is what a run
// with the same change is.
TEST_F(StudioBranches, T19_a_cut_changes_nothing_before_it) {
    Branches branches;
    branches.start(drop(), file("a.impuls"));
    run(branches.now(), 150);
    const std::uint64_t end = branches.now().state_hash();
    branches.cut(50, file("b.impuls"));
    EXPECT_EQ(branches.current(), 1u);
    for (std::size_t k = 0; k <= 50; ++k)
        ASSERT_EQ(branches.now().state_hash(k), branches.at(0).timeline.state_hash(k)) << k;
    branches.now().apply(SetSettings{.gravity = Vec3{1, -9.81, 0}});
    run(branches.now(), 100);
    EXPECT_NE(branches.now().state_hash(), end);
    EXPECT_EQ(branches.at(0).timeline.state_hash(), end);
    World world(drop());
    for (int k = 0; k < 150; ++k) {
        if (k == 50) world.apply(SetSettings{.gravity = Vec3{1, -9.81, 0}});
        ASSERT_TRUE(world.step().ok);
    }
    EXPECT_EQ(branches.now().state_hash(), world.state_hash());
    EXPECT_THROW(branches.drop(1), InputError) << "it is shown";
    branches.go_to(0);
    EXPECT_THROW(branches.drop(0), InputError);
    branches.drop(1);
    EXPECT_EQ(branches.size(), 1u);
    EXPECT_FALSE(std::filesystem::exists(file("b.impuls")));
}

TEST_F(StudioBranches, are_taken_up_with_their_marks) {
    Json::Value saved;
    std::uint64_t hash = 0;
    {
        Branches branches;
        branches.start(drop(), file("a.impuls"));
        run(branches.now(), 60);
        branches.cut(20, file("b.impuls"));
        run(branches.now(), 30);
        branches.mark("here", 10);
        hash = branches.now().state_hash();
        saved = branches.describe();
    }
    Branches again;
    again.take_up(saved, folder_.string());
    EXPECT_EQ(again.size(), 2u);
    EXPECT_EQ(again.current(), 1u);
    EXPECT_EQ(again.now().state_hash(), hash);
    EXPECT_EQ(again.describe(), saved);
    EXPECT_THROW(again.mark("beyond", 1000), InputError);
}

TEST_F(StudioBranches, say_when_bodies_hit_and_part) {
    Branches branches;
    branches.start(drop(), file("a.impuls"));
    run(branches.now(), 160);
    Branch& branch = branches.at(0);
    const std::vector<Happening>& list = branch.happenings.look(branch.timeline);
    ASSERT_GE(list.size(), 2u);
    EXPECT_STREQ(list[0].kind, "impact");
    EXPECT_NEAR(list[0].time, std::sqrt(2 * 0.2 / 9.81), 0.0041);
    EXPECT_EQ(list[0].a, "ball");
    EXPECT_EQ(list[0].b, "floor");
    EXPECT_STREQ(list[1].kind, "separation");
    const std::size_t count = list.size();
    EXPECT_EQ(branch.happenings.look(branch.timeline).size(), count) << "each once";
}

// Two boxes that push each other are one island; a third, far away, is another; the ground is none.
TEST(StudioColumns, tell_islands_and_what_frames_hold) {
    World world(parse_scene(R"({
        "impuls": 1,
        "bodies": [
            {"name": "floor", "kind": "static", "shape": {"type": "plane"}},
            {"name": "a", "shape": {"type": "box"}, "position": [0, 0.5, 0]},
            {"name": "b", "shape": {"type": "box"}, "position": [0, 1.5, 0]},
            {"name": "far", "shape": {"type": "box"}, "position": [9, 5, 0], "velocity": [1, 2, 3]}
        ]
    })"));
    std::vector<float> islands, velocity;
    const Frame first = world.frame();
    read_body_column(first, find_body_column("velocity"), velocity);
    ASSERT_EQ(velocity.size(), 12u);
    EXPECT_EQ(velocity[9], 1.0f);
    EXPECT_EQ(velocity[11], 3.0f);
    for (int k = 0; k < 3; ++k) ASSERT_TRUE(world.step().ok);
    read_body_column(world.frame(), find_body_column("island"), islands);
    ASSERT_EQ(islands.size(), 4u);
    EXPECT_EQ(islands[0], -1.0f);
    EXPECT_EQ(islands[1], islands[2]);
    EXPECT_NE(islands[1], islands[3]);
    EXPECT_EQ(find_body_column("nonsense"), -1);
}

}  // namespace
}  // namespace impuls::studio
