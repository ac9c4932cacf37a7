// Broad phases with memory against brute force: motion, boxes that come and go, ties, planes; and queries of
// the tree.
#include <gtest/gtest.h>

#include <algorithm>

#include "collision/broad/box_tree.h"
#include "collision/broad/broad.h"
#include "collision/moving_grains.h"

namespace impuls {
namespace {

constexpr BroadPhaseKind kKinds[]{BroadPhaseKind::Tree, BroadPhaseKind::SweepAndPrune, BroadPhaseKind::Grid};

const double kInf = std::numeric_limits<double>::infinity();

TEST(BroadCoherence, BoxesThatMoveComeAndGo) {
    for (const BroadPhaseKind kind : kKinds) {
        for (const double speed : {0.001, 0.03, 0.6}) {
            Rng rng(5, 1);
            Executor executor(2);
            const auto phase = make_broad_phase(kind);
            MovingGrains grains(400, 8, 8, speed, 3);
            std::vector<std::uint8_t> is_there(400, 1);
            std::vector<Pair> out, expected;
            std::size_t pairs = 0;
            for (int step = 0; step < 150; ++step) {
                grains.step();
                const int changes = step % 50 == 49 ? 200 : step % 3;  // many at once, and a few
                for (int k = 0; k < changes; ++k) is_there[rng.next() % 400] ^= 1;
                std::vector<Aabb> boxes{{{-kInf, -kInf, -kInf}, {kInf, 2, kInf}}};
                std::vector<std::uint64_t> ids{0};
                for (std::size_t i = 0; i < 400; ++i) {
                    if (!is_there[i]) continue;
                    // Some are empty for a while, or sit on whole numbers where many ends are equal.
                    const bool is_gone = (i + static_cast<std::size_t>(step) / 20) % 17 == 0;
                    Aabb box = is_gone ? Aabb{{1, 1, 1}, {-1, 1, 1}} : grains.boxes[i];
                    if (i % 5 == 0 && !is_gone)
                        for (int k = 0; k < 3; ++k)
                            box.min[k] = std::floor(box.min[k]), box.max[k] = box.min[k] + 1;
                    boxes.push_back(box), ids.push_back(i + 1);
                }
                phase->find_pairs(boxes, ids, executor, out);
                find_pairs_brute_force(boxes, expected);
                ASSERT_EQ(out, expected) << static_cast<int>(kind) << " " << speed << " " << step;
                pairs += expected.size();
            }
            EXPECT_GT(pairs, 50000u);
        }
    }
}

TEST(BroadCoherence, ThreadsMakeNoDifference) {
    for (const BroadPhaseKind kind : kKinds) {
        std::vector<std::vector<Pair>> last;
        for (const int threads : {1, 2, 3}) {
            Executor executor(threads);
            const auto phase = make_broad_phase(kind);
            MovingGrains grains(3000, 15, 15, 0.02, 4);
            std::vector<Pair> out;
            for (int step = 0; step < 20; ++step)
                grains.step(), phase->find_pairs(grains.boxes, grains.ids, executor, out);
            last.push_back(out);
        }
        EXPECT_GT(last[0].size(), 3000u);
        EXPECT_EQ(last[1], last[0]);
        EXPECT_EQ(last[2], last[0]);
    }
}

TEST(BoxTree, FindsWhatABoxOverlapsAfterBuildAndRefit) {
    Executor executor(1);
    for (const int n : {0, 1, 3, 4, 5, 17, 700}) {
        MovingGrains grains(n, 9, 9, 0.4, 11);
        std::vector<Aabb> boxes = grains.boxes;
        if (n > 4) boxes[2] = {{-kInf, 0, -kInf}, {kInf, 1, kInf}}, boxes[3] = Aabb{};
        BoxTree tree;
        tree.build(boxes, executor);
        const auto check = [&] {
            for (const double half : {0.1, 2.0, kInf}) {
                const Aabb query{{3 - half, 4 - half, 1 - half}, {3 + half, 4 + half, 1 + half}};
                std::vector<std::uint32_t> found, expected;
                tree.visit_overlaps(query, [&](std::uint32_t i) { found.push_back(i); });
                for (std::uint32_t i = 0; i < boxes.size(); ++i)
                    if (overlaps(query, boxes[i]) && !is_empty(boxes[i])) expected.push_back(i);
                std::sort(found.begin(), found.end());
                ASSERT_EQ(found, expected) << n;
            }
        };
        check();
        grains.step();
        boxes = grains.boxes;
        for (std::uint32_t i = 0; i < boxes.size(); ++i) tree.mark(i);
        tree.refit(boxes, executor);
        check();
        for (const std::uint32_t stride : {3u, 50u}) {  // single boxes, others of a node staying
            tree.unmark_all();
            for (std::uint32_t i = 0; i < boxes.size(); i += stride) {
                boxes[i] = i % 2 ? Aabb{} : Aabb{{2, 2, 2}, {4, 5, 6}};
                tree.mark(i);
            }
            tree.refit(boxes, executor);
            check();
        }
    }
}

// Independent of slabs: the segment meets a box when some point of a fine division is inside; boxes that the
// segment only grazes are left open.
TEST(BoxTree, FindsWhatASegmentMeets) {
    Executor executor(1);
    const MovingGrains grains(500, 8, 8, 0.1, 12);
    BoxTree tree;
    tree.build(grains.boxes, executor);
    Rng rng(9, 9);
    int hits = 0;
    for (int k = 0; k < 60; ++k) {
        const Vec3 from{rng.uniform(-3, 11), rng.uniform(-3, 11), rng.uniform(-3, 11)};
        Vec3 way = Vec3{rng.uniform(0, 8), rng.uniform(0, 8), rng.uniform(0, 8)} - from;
        if (k % 4 == 0) way = {0, way.y, k % 8 == 0 ? 0 : way.z};
        std::vector<double> entered(grains.boxes.size(), -1);
        tree.visit_segment(from, way, 1, [&](std::uint32_t i, double t) { return entered[i] = t, 1.0; });
        double nearest = 2;
        for (std::size_t i = 0; i < grains.boxes.size(); ++i) {
            int inside = 0, first = -1;
            for (int s = 0; s <= 2000; ++s) {
                const Vec3 p = from + way * (s / 2000.0);
                if (!overlaps(grains.boxes[i], {p, p})) continue;
                ++inside;
                if (first < 0) first = s;
            }
            if (inside > 0) {
                EXPECT_NEAR(entered[i], first / 2000.0, 1 / 2000.0);
                ++hits;
            } else if (entered[i] >= 0) {  // grazed between two points
                const Vec3 p = from + way * entered[i];
                for (int c = 0; c < 3; ++c) {
                    EXPECT_GE(p[c], grains.boxes[i].min[c] - 1e-12);
                    EXPECT_LE(p[c], grains.boxes[i].max[c] + 1e-12);
                }
            }
            if (entered[i] >= 0) nearest = std::min(nearest, entered[i]);
        }
        double best = 1;
        tree.visit_segment(from, way, 1, [&](std::uint32_t, double t) { return best = std::min(best, t); });
        EXPECT_EQ(best, std::min(nearest, 1.0));
    }
    EXPECT_GT(hits, 300);
}

}  // namespace
}  // namespace impuls
