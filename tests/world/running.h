// A world with its insides open, and short ways to make scenes for it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "impuls/world.h"
#include "world/state.h"

namespace impuls {

struct Running {
    WorldState s{};
    explicit Running(const Scene& scene) {
        s.executor = std::make_shared<Executor>(1);
        build(s, std::make_shared<Scene>(expand(scene)));
    }
    void step(int times = 1) {
        for (; times > 0; --times) step_world(s);
    }
    std::uint32_t number(const std::string& name) const { return s.body_ids.dense(s.body_ids.find(name)); }
    // The island that holds a body; -1 when none does.
    int island_of(const std::string& name) const {
        for (std::size_t i = 0; i < s.islands.groups.size(); ++i)
            for (auto k = s.islands.groups.body_start[i]; k < s.islands.groups.body_start[i + 1]; ++k)
                if (s.islands.groups.bodies[k] == number(name)) return static_cast<int>(i);
        return -1;
    }
};

inline BodyDesc some_body(const std::string& name, const Shape& shape, const Vec3& at,
                          BodyKind kind = BodyKind::Dynamic) {
    BodyDesc b;
    b.name = name, b.shape = shape, b.position = at, b.kind = kind;
    return b;
}

inline Scene scene_with_floor() {
    Scene scene;
    scene.bodies.push_back(some_body("floor", Plane{}, {}, BodyKind::Static));
    return scene;
}

// Boxes dropped into a shaft as wide as the pile is high, so damped that they come to rest.
inline Scene damped_pile(int count) {
    Scene scene = scene_with_floor();
    int side = 4;
    while ((side + 1) * (side + 1) * (side + 1) <= count) ++side;
    for (int k = 0; k < 4; ++k) {
        const double d = 0.5 * 0.5 * side + 0.35, x = k < 2 ? (k ? d : -d) : 0,
                     z = k < 2 ? 0 : (k == 2 ? d : -d);
        scene.bodies.push_back(
            some_body("wall" + std::to_string(k),
                      Box{k < 2 ? Vec3{0.5, 90, 0.5 * side + 2} : Vec3{0.5 * side + 2, 90, 0.5}}, {x, 44, z},
                      BodyKind::Static));
    }
    for (int k = 0; k < count; ++k) {
        const int x = k % side, z = k / side % side, y = k / side / side;
        BodyDesc b = some_body(
            "b" + std::to_string(k), Box{{0.4, 0.3, 0.35}},
            {0.5 * (x - 0.5 * (side - 1)) + 0.013 * (k % 3), 0.25 + 0.4 * y, 0.5 * (z - 0.5 * (side - 1))});
        if (k % 3 == 0) b.shape = Box{{0.3, 0.35, 0.3}};
        b.linear_damping = b.angular_damping = 20;
        scene.bodies.push_back(b);
    }
    return scene;
}

}  // namespace impuls
