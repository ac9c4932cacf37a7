// Bodies that slide and spin on a face, against quadrature of uniform pressure on it (Farkas et al., Phys.
// Rev. Lett. 90, 248302, 2003): slip and spin end together.
#include <cmath>
#include <string>
#include <vector>

#include "physics/contact_scenes.h"

namespace impuls {
namespace {

constexpr double kFaceMu = 0.3;

struct FaceMotion {
    double v = 0, w = 0;
};

// Of a rectangle a x b (b = 0: a disk of radius a) with I = k m, by steps of Euler; v along x.
FaceMotion by_quadrature(double a, double b, double k, FaceMotion m, double time) {
    constexpr int kCells = 20, kSteps = 400;
    std::vector<Vec3> cells;
    for (int i = 0; i < kCells; ++i)
        for (int j = 0; j < kCells; ++j) {
            const double x = (i + 0.5) / kCells, y = (j + 0.5) / kCells, r = a * std::sqrt(x);
            cells.push_back(b > 0 ? Vec3{a * (x - 0.5), b * (y - 0.5), 0}
                                  : Vec3{r * std::cos(2 * kPi * y), r * std::sin(2 * kPi * y), 0});
        }
    double turned = 0, vy = 0;
    for (int step = 0; step < kSteps; ++step) {
        const double h = time / kSteps, c = std::cos(turned), s = std::sin(turned);
        double fx = 0, fy = 0, moment = 0;
        for (const Vec3& cell : cells) {
            const double x = c * cell.x - s * cell.y, y = s * cell.x + c * cell.y;
            const double ux = m.v - m.w * y, uy = vy + m.w * x, u = std::hypot(ux, uy);
            fx += ux / u, fy += uy / u, moment += (x * uy - y * ux) / u;
        }
        const double p = kFaceMu * kG * h / static_cast<double>(cells.size());
        m.v -= p * fx, vy -= p * fy, m.w -= p * moment / k;
        turned += h * m.w;
    }
    return {std::hypot(m.v, vy), m.w};
}

void expect_face(const char* preset, const Shape& shape, double a, double b, double k, double bar) {
    MaterialDesc material;
    material.friction = kFaceMu;
    Scene scene = scene_of(material, true);
    scene.settings.method = parse_method(preset);
    scene.settings.dt = 0.005;
    const FaceMotion start{1, 5};
    scene.bodies.push_back(body_of("b", shape, {0, 0.01, 0}));
    scene.bodies.back().velocity = {start.v, 0, 0};
    scene.bodies.back().angular_velocity = {0, start.w, 0};
    World world(scene);
    run(world, 0.25);
    const FaceMotion expected = by_quadrature(a, b, k, start, 0.25);
    const double v = length(velocity_of(world, "b")), w = spin_of(world, "b").y;
    EXPECT_NEAR(v, expected.v, bar * start.v) << preset;
    EXPECT_NEAR(w, expected.w, bar * start.w) << preset;
}

TEST(FaceFriction, slip_and_spin_go_as_uniform_pressure_has_it) {
    for (const auto& [preset, bar] : {std::pair{"default", 0.01}, {"accurate", 0.01}, {"fast", 0.03}}) {
        expect_face(preset, Cylinder{0.2, 0.02}, 0.2, 0, 0.02, bar);
        expect_face(preset, Box{{0.4, 0.02, 0.4}}, 0.4, 0.4, 0.32 / 12, bar);
        expect_face(preset, Box{{0.4, 0.02, 0.2}}, 0.4, 0.2, 0.2 / 12, bar);
    }
}

}  // namespace
}  // namespace impuls
