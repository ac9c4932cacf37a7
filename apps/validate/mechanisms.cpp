// Mechanisms without friction keep their energy: a long chain, and benchmarks of the IFToMM library of
// computational multibody dynamics (Gonzalez, Dopico, Lugris, Cuadrado 2006): N four-bar linkages, which pass
// through a singular configuration twice a turn, and Bricard's mechanism, which moves although counting its
// constraints says that it cannot.
#include <algorithm>
#include <cmath>

#include "validate/law_files.h"

namespace impuls {
namespace {

// A thin rod of 1 kg from one point to another, both 1 m apart along an axis of the world.
BodyDesc rod(const std::string& name, const Vec3& from, const Vec3& to) {
    const Vec3 along = to - from;
    const double width = 0.02;
    const auto extent = [&](double x) { return std::max(width, std::abs(x)); };
    BodyDesc body =
        law_body(name, Box{{extent(along.x), extent(along.y), extent(along.z)}}, (from + to) * 0.5);
    body.mass = 1;
    body.collides = false;
    return body;
}

// The largest change of energy in a run, with the energy that `scale` stands for as 1.
std::vector<LawResult> energy_kept(const std::string& name, const Scene& scene, double seconds, double scale,
                                   double bound) {
    World world(scene);
    const double first = world.frame().energy.total;
    double worst = 0, gap = 0;
    while (world.time() < seconds - 0.5 * world.dt()) {
        if (!world.step().ok) return {law_result(name, 1, 0, bound, world.dt(), "stopped")};
        const double change = (world.frame().energy.total - first) / scale;
        if (std::abs(change) > std::abs(worst)) worst = change;
        gap = std::max(gap, world.frame().max_joint_error);
    }
    return {law_result(name + ": energy", 1, 1 + worst, bound, world.dt(), "of m g l, largest change"),
            law_result(name + ": joints closed", 1, 1 + gap, 1e-5, world.dt(), "m, largest gap")};
}

}  // namespace

std::vector<LawResult> check_chain() {
    constexpr int n = 25;
    Scene scene = law_scene(1.0 / 60);
    double scale = 0;
    for (int k = 0; k < n; ++k) {
        const std::string name = "rod" + std::to_string(k);
        BodyDesc body = law_body(name, Box{{0.5, 0.1, 0.1}}, {0.5 * k + 0.25, 0, 0});
        body.mass = 5;
        body.collides = false;
        scale += 5 * kGravity * body.position.x;
        scene.bodies.push_back(body);
        scene.joints.push_back(
            law_joint(k == 0 ? "" : "rod" + std::to_string(k - 1), name, BallJoint{{0.5 * k, 0, 0}}));
    }
    return energy_kept("chain of 25 rods, 10 s", scene, 10, scale, 0.003);
}

// N windows of rods of 1 m and 1 kg, upright, the top going at 1 m/s.
std::vector<LawResult> check_four_bars() {
    constexpr int n = 2;
    Scene scene = law_scene(0.01);
    const auto bottom = [](int k) { return Vec3{static_cast<double>(k), 0, 0}; };
    const auto top = [](int k) { return Vec3{static_cast<double>(k), 1, 0}; };
    const auto upright = [](int k) { return "upright" + std::to_string(k); };
    for (int k = 0; k <= n; ++k) {
        scene.bodies.push_back(rod(upright(k), bottom(k), top(k)));
        scene.bodies.back().angular_velocity = {0, 0, -1};
        scene.bodies.back().velocity = {0.5, 0, 0};
        scene.joints.push_back(law_joint("", upright(k), HingeJoint{bottom(k), {0, 0, 1}, {}}));
        if (k == 0) continue;
        const std::string coupler = "coupler" + std::to_string(k);
        scene.bodies.push_back(rod(coupler, top(k - 1), top(k)));
        scene.bodies.back().velocity = {1, 0, 0};
        scene.joints.push_back(law_joint(upright(k - 1), coupler, HingeJoint{top(k - 1), {0, 0, 1}, {}}));
        scene.joints.push_back(law_joint(coupler, upright(k), HingeJoint{top(k), {0, 0, 1}, {}}));
    }
    return energy_kept("two four-bar linkages, 10 s", scene, 10, (0.5 * (n + 1) + n) * kGravity, 0.003);
}

// Five rods along the edges of a cube, the sixth edge is the ground; each hinge is square to its two edges.
std::vector<LawResult> check_bricard() {
    const Vec3 corner[6] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
    const Vec3 axis[6] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
    Scene scene = law_scene(0.01);
    for (int k = 0; k < 5; ++k)
        scene.bodies.push_back(rod("rod" + std::to_string(k), corner[k], corner[k + 1]));
    for (int k = 0; k < 6; ++k)
        scene.joints.push_back(law_joint(k == 0 || k == 5 ? "" : "rod" + std::to_string(k - 1),
                                         "rod" + std::to_string(std::min(k, 4)),
                                         HingeJoint{corner[k], axis[k], {}}));
    return energy_kept("Bricard's mechanism, 10 s", scene, 10, 5 * kGravity, 0.003);
}

}  // namespace impuls
