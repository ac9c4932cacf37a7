// Shape matching of surfaces (matching.h). Each region has a virtual point beside its vertex, at the mean
// distance l of its members from their centre along the normal, so that flat regions have a rotation; it has
// the region's mean mass.
#include "deformable/shape/matching.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "deformable/solid/polar.h"
#include "impuls/errors.h"

namespace impuls::deformable {
namespace {

void check_closed(std::size_t vertices, const std::vector<Triangle>& triangles) {
    std::map<std::array<std::uint32_t, 2>, int> edges;
    for (const Triangle& t : triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            if (t[k] >= vertices)
                throw InputError("a triangle of a surface names a vertex that it does not have");
            ++edges[{t[k], t[(k + 1) % 3]}];
        }
    for (const auto& [edge, count] : edges) {
        const auto back = edges.find({edge[1], edge[0]});
        if (count != 1 || back == edges.end() || back->second != 1)
            throw InputError(
                "shape matching needs a closed surface: an edge does not have two triangles that run through "
                "it in opposite directions");
    }
}

}  // namespace

ShapeMatching::ShapeMatching(std::vector<Vec3> vertices, std::vector<Triangle> triangles, double mass,
                             int rings)
    : rest_(std::move(vertices)), state_(rest_.size()), p_(rest_.size()) {
    if (!(mass > 0) || rings < 1)
        throw InputError("shape matching needs a positive mass and at least one ring");
    check_closed(rest_.size(), triangles);
    surface_.triangles = std::move(triangles);
    const std::size_t n = rest_.size();
    const double each = mass / static_cast<double>(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        surface_.nodes.push_back(i);
        state_.x.set(i, rest_[i]);
        state_.k[i] = 1 / each;
    }
    rest_volume_ = volume_of(state_.x);
    if (!(rest_volume_ > 0)) throw InputError("the surface of a shape-matched body is inside out");
    regions_ = make_regions(rest_, surface_.triangles, rings);
    find_normals(state_.x);
    for (std::size_t i = 0; i < n; ++i) {
        rest_normals_.push_back(normalized(normals_[i]));
        const auto members = regions_.of(i);
        Vec3 center{};
        for (const std::uint32_t m : members) center += rest_[m];
        center *= 1 / static_cast<double>(members.size());
        double sum = 0;
        for (const std::uint32_t m : members) sum += length(rest_[m] - center);
        reach_.push_back(sum / static_cast<double>(members.size()));
        region_mass_.push_back(each * static_cast<double>(members.size()));
        const double all = static_cast<double>(members.size()) + 1;
        region_rest_.push_back((center * (all - 1) + rest_[i] + rest_normals_[i] * reach_[i]) * (1 / all));
    }
    values_.resize(n);
    goals_.resize(n);
    moved_.resize(n);
    weights_.resize(n);
    ones_.assign(n, 1.0);
}

double ShapeMatching::volume_of(const Columns& x) const {
    double sum = 0;
    for (const Triangle& t : surface_.triangles) sum += dot(x.at(t[0]), cross(x.at(t[1]), x.at(t[2])));
    return sum / 6;
}

void ShapeMatching::find_normals(const Columns& x) {
    normals_.assign(rest_.size(), Vec3{});
    for (const Triangle& t : surface_.triangles) {
        const Vec3 area = cross(x.at(t[1]) - x.at(t[0]), x.at(t[2]) - x.at(t[0])) * 0.5;
        for (const std::uint32_t k : t) normals_[k] += area;
    }
}

void ShapeMatching::find_goals(const Columns& x, std::vector<Vec3>& goals) {
    const std::size_t n = rest_.size();
    const double mass = 1 / *std::max_element(state_.k.begin(), state_.k.end());
    for (std::size_t i = 0; i < n; ++i) {  // m x and m x x0^T
        const Vec3 at = x.at(i) * mass, rest = rest_[i];
        values_[i] = {at.x,          at.y,          at.z,          at.x * rest.x,
                      at.x * rest.y, at.x * rest.z, at.y * rest.x, at.y * rest.y,
                      at.y * rest.z, at.z * rest.x, at.z * rest.y, at.z * rest.z};
    }
    sum_regions<12>(regions_, values_, prefix_, sums_);
    find_normals(x);
    for (std::size_t i = 0; i < n; ++i) {
        auto& s = sums_[i];
        // With the virtual point: its mass m, at x_i + l n_i.
        const Vec3 point = x.at(i) + normalized(normals_[i]) * reach_[i],
                   rest = rest_[i] + rest_normals_[i] * reach_[i];
        const double all = region_mass_[i] + mass;
        const Vec3 sum = Vec3{s[0], s[1], s[2]} + point * mass, center = sum * (1 / all), r = region_rest_[i];
        // Columns of A = sum m x x0^T - M t t0^T.
        const Vec3 mp = point * mass;
        const Mat3 a{Vec3{s[3], s[6], s[9]} + mp * rest.x - sum * r.x,
                     Vec3{s[4], s[7], s[10]} + mp * rest.y - sum * r.y,
                     Vec3{s[5], s[8], s[11]} + mp * rest.z - sum * r.z};
        const Mat3 R = nearest_rotation(a);
        const Vec3 shift = center - R * r;
        values_[i] = {shift.x, shift.y, shift.z, R.c0.x, R.c0.y, R.c0.z,
                      R.c1.x,  R.c1.y,  R.c1.z,  R.c2.x, R.c2.y, R.c2.z};
    }
    sum_regions<12>(regions_, values_, prefix_,
                    sums_);  // regions are symmetric: i is in j's when j is in i's
    for (std::size_t i = 0; i < n; ++i) {
        const auto& s = sums_[i];
        const double part = 1 / static_cast<double>(regions_.of(i).size());
        const Vec3 r = rest_[i];
        goals[i] = (Vec3{s[0], s[1], s[2]} + Vec3{s[3], s[4], s[5]} * r.x + Vec3{s[6], s[7], s[8]} * r.y +
                    Vec3{s[9], s[10], s[11]} * r.z) *
                   part;
    }
}

double ShapeMatching::project_volume(Columns& x, std::span<const double> weights) {
    find_normals(x);
    const double c = 3 * (volume_of(x) - rest_volume_);
    double sum = 0;
    for (std::size_t i = 0; i < normals_.size(); ++i) sum += weights[i] * length_squared(normals_[i]);
    if (sum > 0)
        for (std::size_t i = 0; i < normals_.size(); ++i) x.add(i, normals_[i] * (-weights[i] * c / sum));
    return c / (3 * rest_volume_);
}

void ShapeMatching::project_rate(const Columns& x, Columns& v, std::span<const double> weights) {
    find_normals(x);
    double rate = 0, sum = 0;
    for (std::size_t i = 0; i < normals_.size(); ++i) {
        rate += dot(v.at(i), normals_[i]);
        sum += weights[i] * length_squared(normals_[i]);
    }
    if (!(sum > 0)) return;
    for (std::size_t i = 0; i < normals_.size(); ++i) v.add(i, normals_[i] * (-weights[i] * rate / sum));
}

void ShapeMatching::advance(double h, const MatchingSettings& settings, const Vec3& gravity,
                            std::span<Contacts* const> contacts) {
    const std::size_t n = rest_.size();
    const double keep = 1 / (1 + h * settings.drag);
    for (std::size_t i = 0; i < n; ++i) {
        if (state_.k[i] > 0) state_.v.set(i, (state_.v.at(i) + h * gravity) * keep);
        p_.set(i, state_.x.at(i) + h * state_.v.at(i));
    }
    find_goals(p_, goals_);
    double moved = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 d = (goals_[i] - p_.at(i)) * (state_.k[i] > 0 ? settings.stiffness : 0);
        p_.add(i, d);
        weights_[i] = length(d);
        moved += weights_[i];
        moved_[i] = p_.at(i);
    }
    for (Contacts* c : contacts) {
        c->begin(h);
        c->solve({state_.x, p_, state_.k, h});
        c->end(h);
    }
    const double alpha = moved > 0 ? settings.global : 1;
    for (std::size_t i = 0; i < n; ++i) {
        if (state_.k[i] > 0) state_.v.set(i, (p_.at(i) - state_.x.at(i)) * (1 / h));
        weights_[i] = alpha / static_cast<double>(n) + (moved > 0 ? (1 - alpha) * weights_[i] / moved : 0);
        if (!(state_.k[i] > 0)) weights_[i] = ones_[i] = 0;
        if (!(p_.at(i) == moved_[i])) weights_[i] = 0;  // something touches
    }
    if (settings.keeps_volume &&
        volume_of(p_) > 0.5 * rest_volume_) {  // flattened or inverted, the shape comes first
        project_volume(p_, weights_);
        project_rate(p_, state_.v, ones_);
    }
    std::swap(state_.x, p_);
}

}  // namespace impuls::deformable
