// Welzl's recursion: the ball of the points so far is kept until a point is outside; then that point is on
// the boundary of the ball of those before it. At most four points are on the boundary.
// Called by sphere trees.
#include "geometry/smallest_ball.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace impuls {

namespace {

struct Boundary {
    Vec3 points[4];
    int count = 0;
};

// Centre a + x with x in the span of the edges e_i = p_i - a and 2 e_i . x = |e_i|^2: by Gram-Schmidt, a
// direction at a time; points in the span of those before are on the ball already.
Ball ball_through(const Boundary& b) {
    if (b.count == 0) return {{}, -1};
    const Vec3 a = b.points[0];
    Vec3 x, basis[3];
    int n = 0;
    for (int i = 1; i < b.count; ++i) {
        const Vec3 e = b.points[i] - a;
        Vec3 u = e;
        for (int pass = 0; pass < 2; ++pass)
            for (int k = 0; k < n; ++k) u -= basis[k] * dot(basis[k], u);
        const double l = length(u);
        if (!(l > 1e-10 * length(e))) continue;
        basis[n++] = u / l;
        x += basis[n - 1] * ((0.5 * length_squared(e) - dot(e, x)) / dot(e, basis[n - 1]));
    }
    return {a + x, length(x)};
}

bool is_outside(const Ball& ball, const Vec3& p) {
    return ball.radius < 0 || length(p - ball.center) > ball.radius * (1 + 1e-12);
}

Ball welzl(std::span<Vec3> points, Boundary boundary) {
    Ball ball = ball_through(boundary);
    if (boundary.count == 4) return ball;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!is_outside(ball, points[i])) continue;
        Boundary with = boundary;
        with.points[with.count++] = points[i];
        ball = welzl(points.first(i), with);
        std::rotate(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(i),
                    points.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
    return ball;
}

}  // namespace

Ball smallest_ball(std::span<Vec3> points) {
    if (points.empty()) return {};
    // A fixed shuffle: sorted input would make every point the farthest so far.
    std::uint64_t state = 1;
    for (std::size_t i = points.size() - 1; i > 0; --i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        std::swap(points[i], points[(state >> 33) % (i + 1)]);
    }
    Ball ball = welzl(points, {});
    double farthest = 0;
    for (const Vec3& p : points) farthest = std::max(farthest, length_squared(p - ball.center));
    ball.radius = std::sqrt(farthest);
    return ball;
}

}  // namespace impuls
