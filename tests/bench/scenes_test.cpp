// The scenes of the comparison load, expand to the stated sizes, and begin as they should.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "bench/catalog.h"
#include "bench/make_scenes.h"
#include "bench/quality.h"
#include "bench/trajectory.h"
#include "impuls/errors.h"
#include "impuls/scene_file.h"
#include "impuls/world.h"
#include "support/places.h"

namespace impuls::bench {
namespace {

Model model_of(const char* name, bool is_quick = false) {
    return make_model(load(find_scene(name), is_quick));
}

TEST(BenchScenes, sizes_are_those_of_the_list) {
    const std::pair<const char*, std::size_t> sizes[] = {
        {"pyramid20", 210}, {"pyramid50", 1275}, {"stack10", 10},   {"stack20", 20},
        {"stack10h", 10},   {"stack20h", 20},    {"funnel", 1000},  {"polys", 5000},
        {"spheres", 10000}, {"drum", 125},       {"ragdolls", 768}, {"chain25", 25},
        {"chain100", 100},  {"chain1000", 1000}, {"tree", 127},     {"joint-grid", 400}};
    ASSERT_EQ(std::size(sizes), catalog().size());
    for (const auto& [name, bodies] : sizes) {
        const Model model = model_of(name);
        EXPECT_EQ(model.dynamic_count(), bodies) << name;
        EXPECT_EQ(model.dt, 1.0 / 60) << name;
        const bool has_joints = find_scene(name).kind == SceneKind::Joints || std::string(name) == "ragdolls";
        EXPECT_EQ(model.joints.empty(), !has_joints) << name;
    }
}

TEST(BenchScenes, quick_sizes_load_too) {
    for (const CatalogScene& scene : catalog()) EXPECT_EQ(step_count(load(scene, true)), 60) << scene.name;
}

TEST(BenchScenes, springs_are_those_of_the_scene) {
    const Model model = make_model(load_scene(in_project("scenes/bench/springs.json")));
    ASSERT_EQ(model.springs.size(), 5u);
    EXPECT_EQ(model.dynamic_count(), 5u);
    EXPECT_TRUE(model.joints.empty());
    for (std::size_t k = 0; k < model.springs.size(); ++k) {
        const ModelSpring& spring = model.springs[k];
        EXPECT_EQ(spring.a, static_cast<int>(k) - 1);
        EXPECT_EQ(spring.b, static_cast<int>(k));
        EXPECT_LT(length(spring.p_A) + length(spring.p_B), 1e-15);  // centres, and the origin
        EXPECT_NEAR(spring.length, 0.5, 1e-15);
        EXPECT_EQ(spring.stiffness, 1e8);
    }
}

TEST(BenchScenes, unknown_names_are_refused) {
    EXPECT_THROW(find_scene("pyramid30"), InputError);
}

TEST(BenchScenes, heavy_top) {
    const Model model = model_of("stack10h");
    EXPECT_NEAR(model.bodies.back().mass, 1e5, 1e-6);
    EXPECT_NEAR(model.bodies[1].mass, 1e3, 1e-9);
}

// Nothing overlaps at the start; pyramid and stack touch exactly: n(n-1) pairs between the rows and n on the
// floor.
TEST(BenchScenes, start_without_overlap) {
    for (const char* name : {"pyramid20", "stack20", "funnel", "polys", "spheres", "drum"}) {
        const Model model = model_of(name, std::string(name) == "polys");
        const OverlapReport report = check_overlaps(model, start_states(model));
        EXPECT_LT(report.max, 1e-12) << name;
        if (std::string(name) == "pyramid20") {
            EXPECT_EQ(report.touching, 400u);
        }
        if (std::string(name) == "stack20") {
            EXPECT_EQ(report.touching, 20u);
        }
    }
}

// The drum turns by 3 rad/s: our engine has its parts where the others are told to put them.
TEST(BenchScenes, driven_parts_are_where_they_are_told_to_be) {
    const Model model = model_of("drum", true);
    EXPECT_TRUE(model.has_driven());
    World world(model.scene);
    for (int k = 0; k < 10; ++k) ASSERT_TRUE(world.step().ok);
    const Frame& frame = world.frame();
    int driven = 0;
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        const ModelBody& body = model.bodies[k];
        if (!body.is_driven()) continue;
        ++driven;
        const Pose ours = Pose{frame.positions[body.number], frame.orientations[body.number]} * body.X_BP;
        const Pose X = body.driven_to(10.0 / 60).X_WP, before = body.driven_to(10.0 / 60 - 1e-5).X_WP;
        EXPECT_LT(length(ours.position - X.position), 1e-12) << k;
        EXPECT_LT(length(X.position - before.position - body.driven_to(10.0 / 60).v * 1e-5), 1e-9) << k;
        // A quarter of a turn takes pi/6 s.
        const Vec3 p = body.X_WP.position, q = body.driven_to(3.14159265358979 / 6).X_WP.position;
        EXPECT_LT(length(q - Vec3{-p.y, p.x, p.z}), 1e-12) << k;
    }
    EXPECT_EQ(driven, 15);
}

TEST(BenchScenes, joints_are_closed_at_the_start) {
    EXPECT_LT(joint_gap(model_of("joint-grid"), start_states(model_of("joint-grid"))), 1e-12);
    EXPECT_EQ(model_of("joint-grid").joints.size(), 4u + 2u * 20 * 19);
    EXPECT_TRUE(model_of("joint-grid").has_loops());
    for (const char* name : {"chain25", "tree"}) {
        const Model model = model_of(name);
        EXPECT_LT(joint_gap(model, start_states(model)), 2e-9) << name;
        EXPECT_EQ(model.joints.size(), model.bodies.size()) << name;
        EXPECT_FALSE(model.has_loops()) << name;
    }
}

// One rod on a peg, by its equation I q'' = m g l/2 cos q in small steps; nets have no reference.
TEST(BenchScenes, reference_trajectory_of_a_rod) {
    Model model = model_of("chain25");
    model.bodies.resize(1), model.joints.resize(1);
    const double l = 0.5, d = 0.1, inertia = (l * l + d * d) / 12 + l * l / 4, h = 1e-5;
    double q = 0, w = 0;  // from the horizontal, down
    for (int k = 0; k < 100000; ++k) {
        w += 0.5 * h * 9.81 * 0.5 * l * std::cos(q) / inertia;
        q += h * w;
        w += 0.5 * h * 9.81 * 0.5 * l * std::cos(q) / inertia;
    }
    const std::vector<Vec3> centres = reference_centres(model);
    ASSERT_EQ(centres.size(), 1u);
    EXPECT_LT(length(centres[0] - Vec3{std::cos(q), -std::sin(q), 0} * (0.5 * l)), 1e-7);
    EXPECT_TRUE(reference_centres(model_of("joint-grid", true)).empty());
}

// The inner faces of the plates run from half width 1.0 at y = 3.0 to 2.3 at y = 4.3.
TEST(BenchScenes, funnel_plates_lead_inwards) {
    const Model model = model_of("funnel");
    int plates = 0;
    for (const ModelBody& body : model.bodies) {
        if (body.name.rfind("plates", 0) != 0) continue;
        ++plates;
        const double half_length = body.solid.half.x - 0.1;  // without what is added at both ends
        const Vec3 low = body.X_WP * Vec3{-half_length, body.solid.half.y, 0};
        const Vec3 high = body.X_WP * Vec3{half_length, body.solid.half.y, 0};
        EXPECT_NEAR(std::max(std::abs(low.x), std::abs(low.z)), 1.0, 1e-12);
        EXPECT_NEAR(low.y, 3.0, 1e-12);
        EXPECT_NEAR(std::max(std::abs(high.x), std::abs(high.z)), 2.3, 1e-12);
        EXPECT_NEAR(high.y, 4.3, 1e-12);
    }
    EXPECT_EQ(plates, 4);
}

TEST(BenchScenes, polyhedra_have_12_to_20_vertices) {
    const Model model = model_of("polys", true);
    std::size_t least = 100, most = 0;
    for (const ModelBody& body : model.bodies) {
        if (body.solid.kind != SolidKind::Hull) continue;
        least = std::min(least, body.solid.hull->vertices.size());
        most = std::max(most, body.solid.hull->vertices.size());
    }
    EXPECT_EQ(least, 12u);
    EXPECT_EQ(most, 20u);
}

std::string text_of(const std::string& file) {
    std::ifstream in(in_project("scenes/bench/" + file));
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(BenchScenes, written_files_are_what_the_generator_writes) {
    EXPECT_TRUE(text_of("polys.json") == polys_scene());
    EXPECT_TRUE(text_of("tree.json") == tree_scene());
}

}  // namespace
}  // namespace impuls::bench
