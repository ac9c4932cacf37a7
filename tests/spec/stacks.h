// The stacks of Erleben 2005, section 6.1.7 and 6.4, with h = 0.01 s, mu = 0.25, density 10 kg/m^3.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "impuls/settings.h"
#include "impuls/world.h"
#include "support/full_size.h"

namespace impuls {

inline BodyDesc some_body(const std::string& name, const Shape& shape, const Vec3& at,
                          BodyKind kind = BodyKind::Dynamic) {
    BodyDesc b;
    b.name = name, b.shape = shape, b.position = at, b.kind = kind, b.material = "stone";
    return b;
}

inline Scene stone_floor(const std::string& method, double restitution = 0.25, double friction = 0.25) {
    Scene scene;
    scene.settings.dt = 0.01;
    scene.settings.method = parse_method(method);
    MaterialDesc m;
    m.name = "stone", m.density = 10, m.friction = friction, m.restitution = restitution;
    scene.materials.push_back(m);
    scene.bodies.push_back(some_body("floor", Plane{}, {}, BodyKind::Static));
    return scene;
}

inline std::string numbered(const char* name, int k) {
    return name + std::to_string(k);
}

// n cubes of 1 m on top of each other.
inline Scene box_stack(int n, const std::string& method, double restitution = 0.25) {
    Scene scene = stone_floor(method, restitution);
    for (int k = 0; k < n; ++k)
        scene.bodies.push_back(some_body(numbered("b", k), Box{{1, 1, 1}}, {0, 0.5 + k, 0}));
    return scene;
}

// n x n x n balls of radius 0.5 m as a grid, sunk into each other and into the floor by `overlap`.
inline Scene ball_grid(int n, const std::string& method, double overlap = 0) {
    Scene scene = stone_floor(method);
    const double pitch = 1 - overlap;
    for (int y = 0; y < n; ++y)
        for (int z = 0; z < n; ++z)
            for (int x = 0; x < n; ++x)
                scene.bodies.push_back(some_body(numbered("b", (y * n + z) * n + x), Sphere{0.5},
                                                 {1.0 * x, 0.5 - overlap + pitch * y, 1.0 * z}));
    return scene;
}

// Cubes of 1 m in rows, every other row shifted so that the cube at its end overhangs, but stands by itself.
inline Scene brick_wall(int columns, int rows, const std::string& method, double restitution = 0.25) {
    Scene scene = stone_floor(method, restitution);
    int k = 0;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            scene.bodies.push_back(some_body(numbered("b", k++), Box{{1, 1, 1}},
                                             {1.02 * column + 0.4 * (row % 2), 0.5 + row, 0}));
    return scene;
}

// Rings of sixteen bricks 1.5 x 0.5 x 0.5 m (long side along the ring), every other ring turned by half a
// brick.
inline Scene brick_tower(int rings, const std::string& method, double restitution = 0.1, int around = 16) {
    Scene scene = stone_floor(method, restitution);
    const double pi = 3.14159265358979323846, radius = 0.25 + 0.76 / std::tan(pi / around);
    int k = 0;
    for (int ring = 0; ring < rings; ++ring)
        for (int i = 0; i < around; ++i) {
            const double angle = 2 * pi * (i + 0.5 * (ring % 2)) / around;
            BodyDesc b = some_body(numbered("b", k++), Box{{0.5, 0.5, 1.5}},
                                   {radius * std::cos(angle), 0.25 + 0.5 * ring, radius * std::sin(angle)});
            b.orientation = from_axis_angle({0, 1, 0}, -angle);
            scene.bodies.push_back(b);
        }
    return scene;
}

// n balls on a table, and a blade that a script drives through them in a narrowing spiral (Erleben 2005,
// figure 3.8).
inline Scene swept_balls(int n, const std::string& method) {
    Scene scene = stone_floor(method);
    const int side = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(n))));
    for (int k = 0; k < n; ++k)
        scene.bodies.push_back(
            some_body(numbered("b", k), Sphere{0.25},
                      {0.55 * (k % side - 0.5 * side), 0.25, 0.55 * (k / side - 0.5 * side)}));
    const double radius = 0.275 * side + 1;
    scene.bodies.push_back(some_body("blade", Box{{1, 1, 3}}, {radius, 0.51, 0}, BodyKind::Kinematic));
    return scene;
}
// The blade's velocity at time t: 5 m/s around, 0.2 m/s inwards.
inline SetBody blade_motion(const World& world) {
    const Pose pose = world.pose(world.find_body("blade"));
    Vec3 out = pose.position;
    out.y = 0;
    const double r = std::max(1.0, length(out));
    SetBody command;
    command.body = "blade";
    command.velocity = cross(Vec3{0, 5 / r, 0}, out) - out * (0.2 / r);
    command.angular_velocity = Vec3{0, 5 / r, 0};
    return command;
}

// n balls in a silo: four walls of a shaft, `across` balls wide.
inline Scene silo(int n, const std::string& method, int across = 12) {
    Scene scene = stone_floor(method);
    const double inner = across * 0.52, wall = 1, height = 40;
    for (int k = 0; k < 4; ++k) {
        const bool is_x = k < 2;
        const double at = (k % 2 ? -0.5 : 0.5) * (inner + wall);
        scene.bodies.push_back(some_body(numbered("wall", k),
                                         Box{is_x ? Vec3{wall, height, inner} : Vec3{inner, height, wall}},
                                         {is_x ? at : 0, 0.5 * height, is_x ? 0 : at}, BodyKind::Static));
    }
    for (int k = 0; k < n; ++k) {
        const int layer = k / (across * across);
        const auto place = [&](int column) { return 0.52 * (column - 0.5 * (across - 1)); };
        scene.bodies.push_back(some_body(
            numbered("b", k), Sphere{0.25},
            {place(k % across) + 0.005 * (layer % 3), 0.3 + 0.55 * layer, place(k / across % across)}));
    }
    return scene;
}
// Heights count from the nearest fixed body, here the walls: layers go inwards, not upwards, and hold
// nothing. So without.
inline const char* const kSiloMethod = "erleben+shock=off+warm_start=1";

// Two balls, the upper 8000 times as heavy, without friction.
inline Scene two_balls(const std::string& method) {
    Scene scene = stone_floor(method, 0, 0);
    BodyDesc lower = some_body("lower", Sphere{0.5}, {0, 0.5, 0});
    BodyDesc upper = some_body("upper", Sphere{1}, {0, 2, 0});
    lower.density = 1, upper.density = 1000;
    scene.bodies.push_back(lower), scene.bodies.push_back(upper);
    return scene;
}

// What became of a scene: how far the worst body is from where it began, its tilt, depths, speeds.
struct StackResult {
    double displacement = 0, tilt = 0, depth = 0, speed = 0;
    double at = 0;  // s, when it ended: displacement beyond the limit, or the whole time
};

class Watch {
  public:
    explicit Watch(const Scene& scene) : world(scene) {
        const Frame& f = world.frame();
        first_ = f.positions, first_q_ = f.orientations;
    }
    // Runs until `seconds` have passed or a body is farther than `limit` from its first place.
    StackResult run(double seconds, double limit = 1e9) {
        while (world.time() < seconds - 1e-9 && now.displacement < limit) {
            status = world.step();
            if (!status.ok) break;
            look();
        }
        now.at = world.time();
        return now;
    }
    void look() {
        const Frame& f = world.frame();
        for (std::size_t k = 0; k < first_.size(); ++k) {
            now.displacement = std::max(now.displacement, length(f.positions[k] - first_[k]));
            const Quat q = f.orientations[k] * conjugate(first_q_[k]);
            const double sine = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
            now.tilt = std::max(now.tilt, 2 * std::asin(std::min(1.0, sine)));
            now.speed = std::max(now.speed, length(f.velocities[k]));
        }
        now.depth = std::max(now.depth, f.max_penetration);
    }
    World world;
    StackResult now{};
    StepStatus status{};

  private:
    std::vector<Vec3> first_{};
    std::vector<Quat> first_q_{};
};

}  // namespace impuls
