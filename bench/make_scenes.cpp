// Points of the hulls: directions drawn at random (xorshift64, Marsaglia 2003; uniform on the sphere by
// rejection) with angles of at least 1.6/sqrt(vertices) between them, on ellipsoids with semi-axes 0.08 to
// 0.12 m, written in tenths of a millimetre. Positions, jitter and orientation of the bodies are generators
// of the scene format.
#include "bench/make_scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

#include "impuls/vec.h"

namespace impuls::bench {
namespace {

class XorShift {
  public:
    double uniform() {
        state_ ^= state_ << 13, state_ ^= state_ >> 7, state_ ^= state_ << 17;
        return static_cast<double>(state_ >> 11) * 0x1p-53;
    }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    Vec3 direction() {
        for (;;) {
            const double x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
            const Vec3 p{x, y, z};
            const double s = length_squared(p);
            if (s > 0.01 && s < 1) return p / std::sqrt(s);
        }
    }

  private:
    std::uint64_t state_ = 12345 * 0x9E3779B97F4A7C15u + 1;
};

constexpr int kHulls = 64;
constexpr int kTries = 10000;  // then all directions are drawn anew

std::vector<Vec3> directions(XorShift& random, std::size_t count) {
    const double closest = std::cos(1.6 / std::sqrt(static_cast<double>(count)));
    std::vector<Vec3> out;
    for (int tries = 0; out.size() < count; ++tries) {
        if (tries > kTries) out.clear(), tries = 0;
        const Vec3 d = random.direction();
        if (std::all_of(out.begin(), out.end(), [&](const Vec3& other) { return dot(d, other) < closest; }))
            out.push_back(d);
    }
    return out;
}

std::string hull_points(XorShift& random, std::size_t count) {
    const double a = random.uniform(0.08, 0.12), b = random.uniform(0.08, 0.12),
                 c = random.uniform(0.08, 0.12);
    std::string text;
    for (const Vec3& d : directions(random, count))
        text += fmt::format("{}[{:.4f},{:.4f},{:.4f}]", text.empty() ? "" : ",", a * d.x, b * d.y, c * d.z);
    return text;
}

constexpr const char* kPolysHead =
    R"json(// n convex hulls of 64 shapes fall into an open box of inner half width 2.5. Written by `impuls-bench make-scenes`
// (bench/make_scenes.cpp): body number 64 i + k has shape k and stands in layers of w x w.
{
  "impuls": 1,
  "title": "Convex polyhedra in a box",
  "description": "n polyhedra of 12 to 20 vertices fall into an open box and come to rest.",
  "variables": {"n": 5000, "w": 16, "pitch": 0.3, "rise": 0.28, "half": 2.5, "tall": 12},
  "settings": {"dt": "1/60", "duration": 5},
  "materials": [{"name": "rock", "density": 1000, "friction": 0.5}],
  "bodies": [
    {"name": "floor", "kind": "static", "material": "rock", "shape": {"type": "box", "size": [10, 1, 10]}, "position": [0, -0.5, 0]},
    {"name": "walls", "kind": "static", "material": "rock", "shape": {"type": "box", "size": [1, "tall", "2*half + 2"]},
     "position": ["(half + 0.5)*round(cos(i*pi/2))", "tall/2", "(half + 0.5)*round(sin(i*pi/2))"],
     "orientation": {"axis": [0, 1, 0], "angle": "i*pi/2"}, "repeat": {"count": [4, 1, 1]}})json";

constexpr const char* kTreeHead =
    R"json(// Rods on ball joints as a binary tree in the horizontal plane, held at the origin and let go. Written by
// `impuls-bench make-scenes` (bench/make_scenes.cpp): a child turns by 0.7/level rad from its parent, to either side.
{
  "impuls": 1,
  "title": "Tree of rods",
  "description": "A binary tree of rods falls from the horizontal; joint gap and change of energy are errors.",
  "settings": {"dt": "1/60", "duration": 10},
  "materials": [{"name": "steel", "density": 1000}],
  "bodies": [
)json";

}  // namespace

std::string polys_scene() {
    std::string text = kPolysHead;
    XorShift random;
    for (int k = 0; k < kHulls; ++k)
        fmt::format_to(
            std::back_inserter(text),
            ",\n    {{\"name\": \"poly{0}\", \"material\": \"rock\", \"shape\": {{\"type\": \"convex\", "
            "\"points\": [{1}]}},\n"
            "     \"position\": [\"((64*i + {0}) % w - (w-1)/2)*pitch\", \"0.3 + floor((64*i + "
            "{0})/(w*w))*rise\", "
            "\"(floor((64*i + {0})/w) % w - (w-1)/2)*pitch\"],\n"
            "     \"repeat\": {{\"count\": [\"max(1, ceil((n - {0})/64))\", 1, 1], \"jitter\": 0.02, "
            "\"random_orientation\": true, \"seed\": {0}, \"where\": \"64*i + {0} < n\"}}}}",
            k, hull_points(random, static_cast<std::size_t>(12 + k % 9)));
    return text + "\n  ]\n}\n";
}

std::string tree_scene(int levels) {
    constexpr double kLength = 0.5;
    struct Rod {
        double x, z, heading;  // of its beginning
    };
    std::vector<Rod> rods{{0, 0, 0}};
    const int count = (1 << levels) - 1;
    std::string bodies, joints;
    for (int k = 0; k < count; ++k) {
        const int parent = (k - 1) / 2, level = static_cast<int>(std::log2(k + 1));
        if (k > 0) {
            const Rod p = rods[static_cast<std::size_t>(parent)];
            rods.push_back({p.x + kLength * std::cos(p.heading), p.z - kLength * std::sin(p.heading),
                            p.heading + (k % 2 ? 0.7 : -0.7) / level});
        }
        const Rod& r = rods.back();
        const double x = r.x + kLength / 2 * std::cos(r.heading), z = r.z - kLength / 2 * std::sin(r.heading);
        fmt::format_to(std::back_inserter(bodies),
                       "{0}    {{\"name\": \"rod{1}\", \"material\": \"steel\", \"collides\": false, "
                       "\"shape\": {{\"type\": "
                       "\"box\", \"size\": [{2}, 0.1, 0.1]}}, \"position\": [{3:.9f}, 0, {4:.9f}], "
                       "\"orientation\": {{\"axis\": "
                       "[0, 1, 0], \"angle\": {5:.9f}}}}}",
                       k ? ",\n" : "", k, kLength, x, z, r.heading);
        fmt::format_to(
            std::back_inserter(joints),
            "{0}    {{\"type\": \"ball\", {1}\"b\": \"rod{2}\", \"anchor\": [{3:.9f}, 0, {4:.9f}]}}",
            k ? ",\n" : "", k ? fmt::format("\"a\": \"rod{}\", ", parent) : "", k, r.x, r.z);
    }
    return kTreeHead + bodies + "\n  ],\n  \"joints\": [\n" + joints + "\n  ]\n}\n";
}

}  // namespace impuls::bench
