// The growing polytope (polytope.h); border walk after van den Bergen (2001).
#include "collision/convex/polytope.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "math/cross.h"

namespace impuls {
namespace {

constexpr double kThin = 1e-13;     // height of a triangle relative to the size below which it has no normal
constexpr double kVisible = 1e-15;  // height over a face, relative to the size, from which it is seen

}  // namespace

Polytope::Polytope(const std::array<MinkowskiPoint, 4>& corners, double scale) : scale_(scale) {
    for (const MinkowskiPoint& p : corners) points_[static_cast<std::size_t>(point_count_++)] = p;
    const Vec3 &p0 = corners[0].w, e1 = corners[1].w - p0, e2 = corners[2].w - p0, e3 = corners[3].w - p0;
    if (dot(cross(e1, e2), e3) < 0) std::swap(points_[1], points_[2]);
    constexpr int kFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    for (const auto& f : kFaces) add_face(f[0], f[1], f[2], nullptr);
    for (int f = 0; f < 4; ++f)
        for (int g = 0; g < 4; ++g)
            for (int k = 0; k < 9; ++k)
                if (f != g && kFaces[f][k / 3] == kFaces[g][(k + 1) % 3] &&
                    kFaces[f][(k / 3 + 1) % 3] == kFaces[g][k % 3])
                    link(f, k / 3, g, k % 3);
}

int Polytope::add_face(int i, int j, int k, const Face* plane_if_thin) {
    const int f = free_count_ > 0 ? free_[static_cast<std::size_t>(--free_count_)] : face_count_++;
    IMPULS_ASSERT_INDEX(f, kMaxFaces);
    IMPULS_ASSERT(i < point_count_ + 1 && j < point_count_ + 1 && k < point_count_ + 1);
    Face& out = face(f);
    out = {};
    out.corner = {i, j, k};
    out.alive = true;
    const Vec3& a = point(i).w;
    const Vec3 d = point(j).w - a, e = point(k).w - a;
    const Vec3 n = accurate_cross(d, e);
    const double area = length(n);
    const double edge = std::sqrt(std::max({dot(d, d), dot(e, e), length_squared(e - d)}));
    out.thin = !(area > kThin * scale_ * edge);
    if (out.thin && plane_if_thin) {
        out.normal = plane_if_thin->normal, out.offset = plane_if_thin->offset;
    } else {
        out.normal = area > 0 ? n / area : Vec3{};
        out.offset = dot(out.normal, a);
    }
    return f;
}

void Polytope::link(int f, int edge, int g, int back) {
    face(f).neighbor[static_cast<std::size_t>(edge)] = g, face(f).back[static_cast<std::size_t>(edge)] = back;
    face(g).neighbor[static_cast<std::size_t>(back)] = f, face(g).back[static_cast<std::size_t>(back)] = edge;
}

const Polytope::Face& Polytope::nearest_face() const {
    const Face* best = nullptr;
    for (int f = 0; f < face_count_; ++f) {
        const Face& candidate = faces_[static_cast<std::size_t>(f)];
        if (candidate.alive && !candidate.thin && (!best || candidate.offset < best->offset))
            best = &candidate;
    }
    return best ? *best : faces_[0];
}

// Depth first, entering face f across its edge: the border comes out in order, counter-clockwise.
void Polytope::collect(int f, int edge, const Vec3& w) {
    Face& here = face(f);
    if (!here.alive) return;
    if (dot(here.normal, w) - here.offset <= kVisible * scale_) {
        border_[static_cast<std::size_t>(border_count_++)] = {f, edge};
        return;
    }
    here.alive = false;
    free_[static_cast<std::size_t>(free_count_++)] = f;
    for (int k = 1; k <= 2; ++k) {
        const auto e = static_cast<std::size_t>((edge + k) % 3);
        collect(here.neighbor[e], here.back[e], w);
    }
}

bool Polytope::close(int apex) {
    int first = -1, previous = -1;
    for (int k = 0; k < border_count_; ++k) {
        const Border b = border_[static_cast<std::size_t>(k)];
        const Face outside = face(b.face);
        const int from = outside.corner[static_cast<std::size_t>((b.edge + 1) % 3)];
        const int to = outside.corner[static_cast<std::size_t>(b.edge)];
        if (previous >= 0 && face(previous).corner[1] != from) return false;
        const int f = add_face(from, to, apex, &outside);
        link(f, 0, b.face, b.edge);
        if (previous >= 0) link(previous, 1, f, 2);
        if (first < 0) first = f;
        previous = f;
    }
    if (border_count_ < 3 || face(previous).corner[1] != face(first).corner[0]) return false;
    link(previous, 1, first, 2);
    return true;
}

bool Polytope::expand(const Face& seen, const MinkowskiPoint& p) {
    IMPULS_ASSERT(!is_full());
    points_[static_cast<std::size_t>(point_count_)] = p;
    border_count_ = 0;
    const int f = static_cast<int>(&seen - faces_.data());
    IMPULS_ASSERT_INDEX(f, face_count_);
    const Face start = seen;
    face(f).alive = false;
    free_[static_cast<std::size_t>(free_count_++)] = f;
    for (std::size_t k = 0; k < 3; ++k) collect(start.neighbor[k], start.back[k], p.w);
    return close(point_count_++);
}

std::array<double, 3> Polytope::weights(const Face& f) const {
    const Vec3& a = point(f.corner[0]).w;
    const Vec3 d = point(f.corner[1]).w - a, e = point(f.corner[2]).w - a;
    const Vec3 n = cross(d, e);
    const double nn = dot(n, n);
    const double wj = std::max(dot(n, cross(e, a)), 0.0), wk = std::max(dot(n, cross(a, d)), 0.0);
    const double wi = std::max(nn - wj - wk, 0.0), sum = wi + wj + wk;
    return {wi / sum, wj / sum, wk / sum};
}

}  // namespace impuls
