// Box on box in a settled wall, against the old way of finding contacts (Erleben 2005, 6.3): the axis of
// least overlap of all 15, an edge axis giving one point, a face axis the corners of the clipped face.
// Compared are the geometry, how contacts answer to tiny motions of the wall's own poses, and the speeds of
// bricks in a world that finds its contacts the old way. The world has one generator only: the linker puts
// the old one in its place (--wrap), where files are compiled alone.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "base/rng.h"
#include "collision/make_colliders.h"
#include "collision/narrow/narrow.h"
#include "collision/narrow/pairs.h"
#include "collision/shape_cache.h"
#include "impuls/settings.h"
#include "running.h"
#include "support/full_size.h"

namespace impuls {
namespace {

constexpr double kSide = 0.5, kHalf = 0.5 * kSide;

Vec3 axis(const Pose& X, int i) {
    Vec3 e;
    e[i] = 1;
    return rotate(X.orientation, e);
}

double reach(const Pose& X, const Vec3& n) {
    double r = 0;
    for (int i = 0; i < 3; ++i) r += kHalf * std::abs(dot(axis(X, i), n));
    return r;
}

struct Touch {
    bool is_edge = false;
    std::vector<Vec3> points{};
    Vec3 normal{};          // from A to B
    double separation = 0;  // of the boxes along it
    int axis = -1;          // of the 15
};

// Corner of the box farthest along n.
Vec3 farthest(const Pose& X, const Vec3& n) {
    Vec3 p = X.position;
    for (int i = 0; i < 3; ++i) p += axis(X, i) * (dot(axis(X, i), n) > 0 ? kHalf : -kHalf);
    return p;
}

// Nearest points of the edges along u through p and along v through q: their mean.
Vec3 between(const Vec3& p, const Vec3& u, const Vec3& q, const Vec3& v) {
    const double uv = dot(u, v), d = 1 - uv * uv;
    if (!(d > 0)) return 0.5 * (p + q);
    const Vec3 r = q - p;
    const double s = (dot(r, u) - uv * dot(r, v)) / d, t = (uv * dot(r, u) - dot(r, v)) / d;
    return 0.5 * (p + u * s + q + v * t);
}

// The face of `other` that looks against n, clipped by the four sides of the reference face.
std::vector<Vec3> clipped(const Pose& reference, int face, const Pose& other, const Vec3& n) {
    int best = 0;
    for (int i = 1; i < 3; ++i)
        if (std::abs(dot(axis(other, i), n)) > std::abs(dot(axis(other, best), n))) best = i;
    const Vec3 out = axis(other, best) * (dot(axis(other, best), n) > 0 ? -kHalf : kHalf);
    const Vec3 u = axis(other, (best + 1) % 3) * kHalf, v = axis(other, (best + 2) % 3) * kHalf;
    const Vec3 c = other.position + out;
    std::vector<Vec3> polygon{c + u + v, c - u + v, c - u - v, c + u - v};
    for (int k = 0; k < 4; ++k) {
        const Vec3 side = axis(reference, (face + 1 + k / 2) % 3) * (k % 2 ? 1 : -1);
        std::vector<Vec3> kept;
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            const Vec3 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
            const double a = dot(side, p - reference.position) - kHalf,
                         b = dot(side, q - reference.position) - kHalf;
            if (a <= 0) kept.push_back(p);
            if ((a <= 0) != (b <= 0)) kept.push_back(p + (q - p) * (a / (a - b)));
        }
        polygon = kept;
    }
    return polygon;
}

Touch old_way(const Pose& A, const Pose& B, double envelope) {
    const Vec3 t = B.position - A.position;
    double best = -1e9;
    int code = -1;
    Vec3 normal;
    for (int k = 0; k < 15; ++k) {
        Vec3 n = k < 3   ? axis(A, k)
                 : k < 6 ? axis(B, k - 3)
                         : cross(axis(A, (k - 6) / 3), axis(B, (k - 6) % 3));
        if (!(length(n) > 1e-12)) continue;
        n = normalized(n);
        const double s = std::abs(dot(n, t)) - reach(A, n) - reach(B, n);
        if (s > envelope) return {};
        if (s > best) best = s, code = k, normal = dot(n, t) < 0 ? -n : n;
    }
    if (code >= 6)
        return {true,
                {between(farthest(A, normal), axis(A, (code - 6) / 3), farthest(B, -normal),
                         axis(B, (code - 6) % 3))},
                normal,
                best,
                code};
    return {false, code < 3 ? clipped(A, code, B, normal) : clipped(B, code - 3, A, -normal), normal, best,
            code};
}

Touch new_way(const Collider& box, const Pose& A, const Pose& B, double envelope) {
    std::vector<Manifold> found;
    collide(box, A, box, B, envelope, found);
    Touch touch;
    for (const Manifold& m : found) {
        for (int k = 0; k < m.count; ++k)
            touch.points.push_back(m.points[static_cast<std::size_t>(k)].position);
        touch.is_edge = m.count == 1;
    }
    return touch;
}

// How far points are from those before: the largest distance to the nearest.
double jump(const Touch& before, const Touch& after) {
    double farthest_of_all = 0;
    for (const auto* from : {&before, &after})
        for (const Vec3& p : from->points) {
            double nearest = kSide;
            for (const Vec3& q : (from == &before ? after : before).points)
                nearest = std::min(nearest, length(p - q));
            farthest_of_all = std::max(farthest_of_all, nearest);
        }
    return farthest_of_all;
}

struct Quality {
    double edges = 0, squares = 0, count = 0;
    void add(const Touch& before, const Touch& after) {
        edges += after.is_edge, squares += jump(before, after) * jump(before, after), ++count;
    }
    double rms() const { return std::sqrt(squares / count); }
};

Scene wall(int columns, int rows) {
    Scene scene = scene_with_floor();
    scene.settings.dt = 0.01;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            scene.bodies.push_back(some_body("b" + std::to_string(scene.bodies.size() - 1),
                                             Box{{kSide, kSide, kSide}},
                                             kSide * Vec3{1.02 * column + 0.4 * (row % 2), row + 0.5, 0}));
    return scene;
}

TEST(SpecShock, T28_contacts_of_a_settled_wall_do_not_jump) {
    const int columns = is_long() ? 20 : 8, rows = is_long() ? 10 : 5;
    World world(wall(columns, rows));
    for (int k = 0; k < (is_long() ? 3000 : 300); ++k) ASSERT_TRUE(world.step().ok);

    ShapeCache cache;
    std::vector<Collider> box;
    make_colliders(Box{{kSide, kSide, kSide}}, {}, true, cache, box);
    std::vector<Pose> poses;
    for (int k = 0; k < rows * columns; ++k)
        poses.push_back(world.pose(world.find_body("b" + std::to_string(k))));
    const double envelope = 0.02 * kSide, motion = 1e-6;
    Rng rng(28, 1);
    const auto moved = [&](const Pose& X) {
        const auto some = [&] { return motion * rng.uniform(-1, 1); };
        const Quat q = normalized(Quat{1, some(), some(), some()});
        return Pose{X.position + Vec3{some(), some(), some()} * kSide, q * X.orientation};
    };
    Quality old_one, new_one;
    for (std::size_t a = 0; a < poses.size(); ++a)
        for (std::size_t b = a + 1; b < poses.size(); ++b) {
            const Vec3 d = poses[b].position - poses[a].position;
            if (std::abs(d.y) < 0.9 * kSide || std::abs(d.y) > 1.1 * kSide || std::abs(d.x) > 0.9 * kSide)
                continue;
            for (int k = 0; k < 20; ++k) {
                const Pose A = moved(poses[a]), B = moved(poses[b]), A2 = moved(A), B2 = moved(B);
                old_one.add(old_way(A, B, envelope), old_way(A2, B2, envelope));
                new_one.add(new_way(box[0], A, B, envelope), new_way(box[0], A2, B2, envelope));
            }
        }
    ASSERT_GT(new_one.count, 20.0 * (rows - 1) * columns);
    EXPECT_EQ(new_one.edges, 0);
    EXPECT_GT(old_one.edges, 0.1 * old_one.count);
    EXPECT_LT(10 * new_one.rms(), old_one.rms());
}

#ifdef IMPULS_WRAPPED_BOX_BOX

bool finds_the_old_way = false;

}  // namespace

narrow::PairFunction wrapped_box_box __asm__("__wrap_" IMPULS_WRAPPED_BOX_BOX);
narrow::PairFunction real_box_box __asm__("__real_" IMPULS_WRAPPED_BOX_BOX);

bool wrapped_box_box(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
                     Manifold& out) {
    if (!finds_the_old_way) return real_box_box(a, X_WA, b, X_WB, margin, out);
    const Touch touch = old_way(X_WA, X_WB, margin);
    out.normal = touch.normal;
    for (const Vec3& p : touch.points) {
        // Corners of the clipped face lie on the incident box; their height over the reference face counts.
        double height = touch.separation;
        Vec3 at = p;
        if (!touch.is_edge) {
            const bool on_a = touch.axis < 3;
            const Pose& reference = on_a ? X_WA : X_WB;
            const Vec3 outward = on_a ? touch.normal : -touch.normal;
            height = dot(outward, p - reference.position) - kHalf;
            at = p - outward * (0.5 * height);
        }
        if (height <= margin)
            narrow::add_point(out, at, height, static_cast<std::uint32_t>(16 * out.count + touch.axis));
    }
    return out.count > 0;
}

namespace {

// Root of the mean square speed of bricks in the second half of the run, the turning of their faces included.
// By the source's own method: the default one damps what the old contacts do down to rounding.
double rms_speed(bool the_old_way, int columns, int rows, double seconds) {
    finds_the_old_way = the_old_way;
    Scene scene = wall(columns, rows);
    scene.settings.method = parse_method("erleben+sleep=off");
    World world(scene);
    const int steps = static_cast<int>(std::lround(seconds / scene.settings.dt));
    double squares = 0;
    int count = 0;
    for (int k = 0; k < steps; ++k) {
        EXPECT_TRUE(world.step().ok);
        if (k < steps / 2) continue;
        for (int i = 0; i < rows * columns; ++i) {
            const auto body = world.find_body("b" + std::to_string(i));
            squares += length_squared(world.velocity(body)) +
                       kHalf * kHalf * length_squared(world.angular_velocity(body));
            ++count;
        }
    }
    finds_the_old_way = false;
    return std::sqrt(squares / count);
}

TEST(SpecShock, T28_bricks_of_a_wall_are_ten_times_calmer) {
    const int columns = is_long() ? 20 : 8, rows = is_long() ? 10 : 5;
    const double seconds = is_long() ? 30 : 2;
    const double old_one = rms_speed(true, columns, rows, seconds),
                 new_one = rms_speed(false, columns, rows, seconds);
    EXPECT_LT(10 * new_one, old_one);
}

#endif

}  // namespace
}  // namespace impuls
