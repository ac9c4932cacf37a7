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
                                   double bound, double closed = 1e-5) {
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
            law_result(name + ": joints closed", 1, 1 + gap, closed, world.dt(), "m, largest gap")};
}

// N windows of rods of 1 m and 1 kg, upright, the top going at 1 m/s.
std::vector<LawResult> four_bars(int n, double closed) {
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
    return energy_kept(std::to_string(n) + " four-bar linkages, 10 s", scene, 10,
                       (0.5 * (n + 1) + n) * kGravity, 0.003, closed);
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

// A mass on a rod of 1 m, let go from the horizontal: I q'' = -m g l sin q in small steps.
std::vector<LawResult> check_pendulum_path() {
    const double radius = 0.01, inertia = 1 + 0.4 * radius * radius, seconds = 10;
    Scene scene = law_scene(0.002);
    scene.bodies.push_back(law_body("bob", Sphere{radius}, {1, 0, 0}));
    scene.bodies.back().mass = 1;
    scene.joints.push_back(law_joint("", "bob", HingeJoint{{}, {0, 0, 1}, {}}));
    World world(scene);
    const double first = world.frame().energy.total;
    double worst = 0;
    while (world.time() < seconds - 0.5 * world.dt()) {
        if (!world.step().ok) break;
        worst = std::max(worst, std::abs(world.frame().energy.total - first));
    }
    constexpr int kSteps = 200000;
    const double h = seconds / kSteps;
    double q = std::acos(-1.0) / 2, w = 0;
    const auto pull = [&](double angle) { return -kGravity / inertia * std::sin(angle); };
    for (int k = 0; k < kSteps; ++k) {  // Runge-Kutta
        const double a1 = pull(q), a2 = pull(q + h / 2 * w), a3 = pull(q + h / 2 * (w + h / 2 * a1)),
                     a4 = pull(q + h * (w + h / 2 * a2));
        q += h * w + h * h / 6 * (a1 + a2 + a3);
        w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    const Vec3 exact{std::sin(q), -std::cos(q), 0};
    const Vec3 off = world.pose(world.find_body("bob")).position - exact;
    return {
        law_result("pendulum from the horizontal: way off", 0, length(off), 1e-3, world.dt(), "m, 10 s", 1),
        law_result("pendulum from the horizontal: energy", 0, worst, 1e-4, world.dt(), "J, largest change",
                   kGravity)};
}

std::vector<LawResult> check_four_bars() {
    return four_bars(2, 1e-5);
}

// 120 redundant rows, more than the articulated step closes: rows of the sparse solver, and their gaps.
std::vector<LawResult> check_forty_four_bars() {
    return four_bars(40, 1e-4);
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
