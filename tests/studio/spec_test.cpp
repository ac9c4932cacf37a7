// What spec/workbench.md asks of time travel, by the names of its tests: sync points, cuts, scrubbing. What a
// person does in the page (T23, T24, T25) is in editor.mjs and travel.mjs.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>

#include "impuls/scene_file.h"
#include "studio/branches.h"
#include "studio/packets.h"

namespace impuls::studio {
namespace {

// Balls and boxes that fall upon each other, with a joint and a spring, so that there is much to be restored.
Scene heap() {
    return parse_scene(R"({
        "impuls": 1,
        "settings": {"dt": 0.01},
        "materials": [{"name": "m", "restitution": 0.5, "friction": 0.4}],
        "bodies": [
            {"name": "floor", "kind": "static", "shape": {"type": "plane"}, "material": "m"},
            {"name": "box", "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}, "position": [0, 0.3, 0], "material": "m",
             "repeat": {"count": [2, 2, 1], "spacing": [0.25, 0.3, 0], "jitter": 0.02}},
            {"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "position": [0.1, 1.2, 0], "material": "m"},
            {"name": "arm", "shape": {"type": "box", "size": [0.5, 0.05, 0.05]}, "position": [1, 1, 0], "material": "m"}
        ],
        "joints": [{"type": "hinge", "b": "arm", "anchor": [0.75, 1, 0], "axis": [0, 0, 1]}],
        "forces": [{"type": "spring", "a": "ball", "b": "box[3]", "stiffness": 20, "damping": 1}]
    })");
}

class Folder {
  public:
    explicit Folder(const char* name)
        : path_(std::filesystem::temp_directory_path() / fmt::format("impuls_studio_{}_{}", name, getpid())) {
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string operator/(const std::string& name) const { return (path_ / name).string(); }
    std::string path() const { return path_.string(); }

  private:
    std::filesystem::path path_;
};

void run(Timeline& timeline, int steps) {
    for (int k = 0; k < steps; ++k) ASSERT_TRUE(timeline.step().ok);
}

int in_full(int brief, int full) {
    return std::getenv("IMPULS_LONG") ? full : brief;
}

// Restored at many places and run again, every later frame has the same hash.
TEST(SpecWorkbench, T18_sync_points_are_restored_bit_by_bit) {
    const Folder folder("t18");
    const int steps = in_full(120, 1000), points = in_full(4, 20);
    Timeline timeline;
    timeline.start(heap(), folder / "a.impuls");
    run(timeline, steps);
    for (int p = 0; p < points; ++p) {
        const auto k = static_cast<std::size_t>(p * steps / points + 7);
        Timeline again;
        again.start_from(timeline, k, folder / "b.impuls");
        run(again, steps - static_cast<int>(k));
        for (std::size_t j = k; j <= static_cast<std::size_t>(steps); ++j)
            ASSERT_EQ(again.state_hash(j), timeline.state_hash(j)) << "from " << k << " at " << j;
    }
}

// Frames before a cut stay; a run with the same command at the same time is the branch.
TEST(SpecWorkbench, T19_a_cut_and_a_branch) {
    const Folder folder("t19");
    Branches branches;
    branches.start(heap(), folder / "a.impuls");
    run(branches.now(), 100);
    std::vector<std::uint64_t> before;
    for (std::size_t k = 0; k <= 60; ++k) before.push_back(branches.now().state_hash(k));
    branches.cut(60, folder / "b.impuls");
    const Command kick = ApplyImpulse{"ball", {1, 2, 0}, {}, {}};
    branches.now().apply(kick);
    run(branches.now(), 40);
    for (std::size_t k = 0; k <= 60; ++k) {
        ASSERT_EQ(branches.now().state_hash(k), before[k]);
        ASSERT_EQ(branches.at(0).timeline.state_hash(k), before[k]);
    }
    EXPECT_NE(branches.now().state_hash(), branches.at(0).timeline.state_hash());
    Timeline single;
    single.start(heap(), folder / "c.impuls");
    run(single, 60);
    single.apply(kick);
    run(single, 40);
    EXPECT_EQ(single.state_hash(), branches.now().state_hash());
}

// Any of 10 000 frames, from disk, is a packet within 50 ms of computing time.
TEST(SpecWorkbench, T20_scrubbing_over_ten_thousand_frames) {
    const Folder folder("t20");
    const int steps = in_full(1000, 10000);
    {
        Timeline timeline;
        timeline.start(heap(), folder / "a.impuls");
        run(timeline, steps);
    }
    Timeline timeline;
    timeline.show(folder / "a.impuls");
    ASSERT_EQ(timeline.size(), static_cast<std::size_t>(steps) + 1);
    double worst = 0;
    for (std::size_t n = 0; n < 100; ++n) {
        const std::size_t k = n * 7919 % timeline.size();
        const std::clock_t began = std::clock();
        const std::string packet = frame_packet(*timeline.frame(k), {1, k, false, true, {}, false});
        worst = std::max(worst, static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC);
        ASSERT_GT(packet.size(), 7u * 20);
    }
    EXPECT_LT(worst, 0.05);
}

}  // namespace
}  // namespace impuls::studio
