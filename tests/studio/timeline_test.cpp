// The timeline of the studio: frames, branches that are the same bit for bit, recordings that others can
// read.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "impuls/scene_file.h"
#include "studio/timeline.h"

namespace impuls::studio {
namespace {

// Boxes that fall upon each other, so that there is history to be restored.
Scene pile() {
    return parse_scene(R"({
        "impuls": 1,
        "bodies": [
            {"name": "floor", "kind": "static", "shape": {"type": "plane"}},
            {"name": "box", "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}, "position": [0, 0.15, 0],
             "repeat": {"count": [2, 3, 1], "spacing": [0.21, 0.22, 0], "jitter": 0.02}}
        ]
    })");
}

class StudioTimeline : public ::testing::Test {
  protected:
    void SetUp() override { std::filesystem::create_directories(folder_); }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::string file(const char* name) const { return (folder_ / name).string(); }
    static void run(Timeline& timeline, int steps) {
        for (int k = 0; k < steps; ++k) ASSERT_TRUE(timeline.step().ok);
    }
    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / fmt::format("impuls_studio_timeline_{}", getpid());
};

TEST_F(StudioTimeline, a_branch_without_a_change_is_the_same_world) {
    Timeline timeline;
    timeline.start(pile(), file("a.impuls"));
    run(timeline, 130);
    timeline.apply(ApplyImpulse{"box[5]", {0.5, 0, 0}, {}, {}});
    run(timeline, 20);
    const std::uint64_t hash = timeline.state_hash();
    const Vec3 place = timeline.frame(120)->positions[3];
    for (const std::size_t k : {std::size_t{140}, std::size_t{100}, std::size_t{131}, std::size_t{130}}) {
        Timeline branch;
        branch.start_from(timeline, k, file("c.impuls"));
        EXPECT_EQ(branch.size(), k + 1);
        if (k <= 130) {
            run(branch, static_cast<int>(130 - k));
            branch.apply(ApplyImpulse{"box[5]", {0.5, 0, 0}, {}, {}});
            run(branch, 20);
        } else {
            run(branch, static_cast<int>(150 - k));
        }
        EXPECT_EQ(branch.state_hash(), hash) << "cut at " << k;
        EXPECT_EQ(branch.frame(120)->positions[3], place);
        EXPECT_EQ(branch.state_hash(k), timeline.state_hash(k));
    }
    EXPECT_EQ(timeline.size(), 151u) << "what it began in goes on by itself";
}

TEST_F(StudioTimeline, a_branch_with_a_change_goes_elsewhere) {
    Timeline timeline;
    timeline.start(pile(), file("a.impuls"));
    run(timeline, 60);
    const std::uint64_t hash = timeline.state_hash();
    const Vec3 before = timeline.frame(30)->positions[4];
    Timeline branch;
    branch.start_from(timeline, 30, file("b.impuls"));
    EXPECT_EQ(branch.frame(30)->positions[4], before);
    branch.apply(SetBody{"box[5]", Vec3{0, 2, 0}, {}, Vec3{}, {}, {}});
    run(branch, 30);
    EXPECT_NE(branch.state_hash(), hash);
    EXPECT_GT(branch.frame(31)->positions[6].y, 1.9);
    EXPECT_EQ(timeline.state_hash(), hash);
}

TEST_F(StudioTimeline, its_recording_is_one_that_replays) {
    {
        Timeline timeline;
        timeline.start(pile(), file("a.impuls"));
        run(timeline, 40);
        Timeline branch;
        branch.start_from(timeline, 25, file("b.impuls"));
        branch.apply(SetSettings{.gravity = Vec3{1, -9, 0}});
        run(branch, 10);
    }
    const Recording recording(file("b.impuls"));
    EXPECT_EQ(recording.frame_steps().size(), 36u);
    ASSERT_EQ(recording.commands().size(), 1u);
    EXPECT_EQ(recording.commands()[0].first, 25);
    World world(recording.scene());
    for (const auto& [step, hash] : recording.hashes()) {
        while (world.steps() < step) {
            if (world.steps() == 25) world.apply(recording.commands()[0].second);
            ASSERT_TRUE(world.step().ok);
        }
        ASSERT_EQ(world.state_hash(), hash) << "step " << step;
    }
    EXPECT_EQ(world.steps(), 35);
}

// A copy of the files, taken in mid-run, is what a kill leaves.
TEST_F(StudioTimeline, goes_on_after_a_kill_as_if_there_had_been_none) {
    Timeline timeline;
    timeline.start(pile(), file("a.impuls"));
    run(timeline, 120);
    timeline.apply(ApplyImpulse{"box[5]", {0.5, 0, 0}, {}, {}});
    run(timeline, 7);
    timeline.commit();
    for (const char* end : {"", "-wal", "-shm"})
        if (std::filesystem::exists(file("a.impuls") + end))
            std::filesystem::copy_file(file("a.impuls") + end, file("killed.impuls") + end);
    Timeline again;
    again.take_up(file("killed.impuls"));
    ASSERT_EQ(again.size(), 128u);
    EXPECT_EQ(again.state_hash(), timeline.state_hash());
    EXPECT_EQ(again.frame(60)->positions[3], timeline.frame(60)->positions[3]);
    run(timeline, 40);
    run(again, 40);
    EXPECT_EQ(again.state_hash(), timeline.state_hash());
    Timeline branch;
    branch.start_from(again, 110, file("b.impuls"));
    EXPECT_EQ(branch.state_hash(), timeline.state_hash(110));
}

TEST_F(StudioTimeline, shows_a_recording_and_does_not_change_it) {
    {
        Timeline timeline;
        timeline.start(pile(), file("a.impuls"));
        run(timeline, 12);
    }
    Timeline shown;
    shown.show(file("a.impuls"));
    EXPECT_TRUE(shown.is_recording());
    EXPECT_EQ(shown.size(), 13u);
    EXPECT_NEAR(shown.frame(12)->time, 0.12, 1e-12);
    EXPECT_FALSE(shown.step().ok);
    EXPECT_THROW(shown.apply(SetSettings{.gravity = Vec3{}}), InputError);
    EXPECT_THROW(Timeline().start_from(shown, 3, file("b.impuls")), InputError);
    EXPECT_THROW(shown.frame(13), InputError);
}

}  // namespace
}  // namespace impuls::studio
