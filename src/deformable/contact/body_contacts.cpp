// Finding and solving contacts with rigid bodies (body_contacts.h). Candidates are found with a margin and
// kept until nodes and bodies together have moved by it: a neutral list in the order of numbers, so that
// neither its margin nor the moment of finding changes a bit of the result. Sides are those at the start of
// the substep.
#include "deformable/contact/body_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "deformable/contact/closest.h"
#include "math/rotation.h"

namespace impuls::deformable {
namespace {

// Radius of the shape about the body's frame; infinite for a half-space.
double reach_of(const ContactBody& body) {
    switch (body.shape) {
        case ContactShape::Sphere:
            return body.radius;
        case ContactShape::Capsule:
            return body.half.y + body.radius;
        case ContactShape::Box:
            return length(body.half);
        default:
            return 0;
    }
}

Vec3 corner_of(const ContactBody& body, int i) {
    return {i & 1 ? body.half.x : -body.half.x, i & 2 ? body.half.y : -body.half.y,
            i & 4 ? body.half.z : -body.half.z};
}

double largest_move(const Substep& s, std::span<const std::uint32_t> nodes) {
    double most = 0;
    for (const std::uint32_t i : nodes)
        most = std::max({most, std::fabs(s.p.x[i] - s.x.x[i]), std::fabs(s.p.y[i] - s.x.y[i]),
                         std::fabs(s.p.z[i] - s.x.z[i])});
    return most * 1.7320508075688774;
}

}  // namespace

ShapeDistance distance_to(const ContactBody& body, const Vec3& p) {
    const auto from_point = [](const Vec3& d, double radius) {
        const double size = length(d);
        return ShapeDistance{size - radius, size > 0 ? d / size : Vec3{0, 1, 0}};
    };
    if (body.shape == ContactShape::HalfSpace) return {p.y, {0, 1, 0}};
    if (body.shape == ContactShape::Sphere) return from_point(p, body.radius);
    if (body.shape == ContactShape::Capsule)
        return from_point(p - Vec3{0, std::clamp(p.y, -body.half.y, body.half.y), 0}, body.radius);
    const Vec3 inside{std::clamp(p.x, -body.half.x, body.half.x), std::clamp(p.y, -body.half.y, body.half.y),
                      std::clamp(p.z, -body.half.z, body.half.z)};
    if (!(inside == p)) return from_point(p - inside, 0);
    int axis = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i)
        if (std::fabs(p[i]) - body.half[i] > most) most = std::fabs(p[i]) - body.half[i], axis = i;
    Vec3 n{};
    n[axis] = p[axis] < 0 ? -1 : 1;
    return {most, n};
}

BodyContacts::BodyContacts(const Surface& surface, double thickness, double recovery,
                           std::vector<ContactBody> bodies)
    : surface_(&surface),
      thickness_(thickness),
      recovery_(recovery),
      bodies_(std::move(bodies)),
      preview_(bodies_.size()),
      near_nodes_(bodies_.size()),
      near_triangles_(bodies_.size()) {
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        if (bodies_[b].shape == ContactShape::None) continue;
        near_nodes_[b].reserve(surface.nodes.size());
        near_triangles_[b].reserve(surface.triangles.size());
    }
}

void BodyContacts::begin_step() {
    if (preview_.size() < bodies_.size()) {
        preview_.resize(bodies_.size());
        near_nodes_.resize(bodies_.size());
        near_triangles_.resize(bodies_.size());
    }
    for (ContactBody& body : bodies_) body.node.impulse = body.node.spin = {};
    margin_ = -1;
}

void BodyContacts::begin(double h) {
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        ContactBody& body = bodies_[b];
        if (body.node.inv_mass > 0) body.node.v += body.acceleration * h;
        const Mat3 before = to_matrix(body.pose.orientation);
        const Vec3 spin = before * (body.inertia * (transpose(before) * body.node.w)) + body.torque * h;
        preview_[b] = {body.pose.position + body.node.v * h, turned(body.pose.orientation, body.node.w * h)};
        body.node.center = preview_[b].position;
        body.node.shift = body.node.turn = {};
        const Mat3 R = to_matrix(preview_[b].orientation);
        body.node.inv_inertia = R * body.inv_inertia * transpose(R);
        if (!(body.inertia == Mat3{{}, {}, {}}))
            body.node.w = body.node.inv_inertia * spin;  // L is kept, w is not
    }
}

void BodyContacts::detect(const Substep& s) {
    double fastest = 0;
    for (const ContactBody& body : bodies_)
        fastest = std::max(fastest, s.h * (length(body.node.v) + length(body.node.w) * reach_of(body)));
    const double move = largest_move(s, surface_->nodes) + fastest;
    moved_ += move;
    if (moved_ <= margin_) return;
    margin_ = std::max(thickness_, 10 * move);
    moved_ = move;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        const ContactBody& body = bodies_[b];
        if (body.shape == ContactShape::None) continue;
        near_nodes_[b].clear();
        near_triangles_[b].clear();
        const double near = thickness_ + margin_;
        for (const std::uint32_t i : surface_->nodes)
            if (distance_to(body, inverse(body.pose) * s.x.at(i)).gap < near) near_nodes_[b].push_back(i);
        if (body.shape == ContactShape::HalfSpace) continue;
        for (std::uint32_t t = 0; t < surface_->triangles.size(); ++t) {
            const auto& [i, j, k] = surface_->triangles[t];
            const Vec3 a = s.x.at(i), center = (a + s.x.at(j) + s.x.at(k)) / 3;
            const double radius =
                std::max({length(a - center), length(s.x.at(j) - center), length(s.x.at(k) - center)});
            if (distance_to(body, inverse(body.pose) * center).gap < near + radius)
                near_triangles_[b].push_back(t);
        }
    }
}

// Less than the thickness at the start is mended at the speed of recovery, not at once.
void BodyContacts::touch(const Substep& s, ContactPoint point, double gap_before, ContactBody& body) {
    point.target = gap_before >= thickness_ ? thickness_ : std::min(thickness_, gap_before + recovery_ * s.h);
    point.friction = body.friction;
    deepest_ = std::min(deepest_, gap_before - thickness_);
    if (solve_row(s, point, body.node) > 0) ++touching_;
}

void BodyContacts::touch_node(const Substep& s, std::uint32_t node, ContactBody& body) {
    const Pose& preview = preview_[static_cast<std::size_t>(&body - bodies_.data())];
    const ShapeDistance now = distance_to(body, inverse(preview) * s.p.at(node));
    if (now.gap >= thickness_) return;
    ContactPoint point;
    point.node[0] = node;
    point.n = rotate(preview.orientation, now.n);
    point.gap = now.gap;
    touch(s, point, distance_to(body, inverse(body.pose) * s.x.at(node)).gap, body);
}

void BodyContacts::touch_triangle(const Substep& s, const Triangle& t, ContactBody& body) {
    const Pose& preview = preview_[static_cast<std::size_t>(&body - bodies_.data())];
    const std::array<Vec3, 3> x{s.x.at(t[0]), s.x.at(t[1]), s.x.at(t[2])},
        p{s.p.at(t[0]), s.p.at(t[1]), s.p.at(t[2])};
    ContactPoint point;
    point.node = t;
    point.nodes = 3;
    // A point of the body (at its frame's start and preview) against the triangle; only inside, nodes do the
    // rest.
    const auto meet = [&](const Vec3& before, const Vec3& now, double radius, const Vec3& outward) {
        const std::array<double, 3> w = closest_on_triangle(before, x[0], x[1], x[2]);
        if (!(w[0] > 0 && w[1] > 0) && !(w[1] > 0 && w[2] > 0) && !(w[2] > 0 && w[0] > 0)) return;
        const Vec3 d = x[0] * w[0] + x[1] * w[1] + x[2] * w[2] - before;
        const double size = length(d);
        if (size > radius + thickness_ + margin_ || !(size > 0)) return;
        point.n = d / size;
        double gap = size - radius;
        if (dot(point.n, outward) < 0 && radius == 0) point.n = -point.n, gap = -gap;
        if (gap < -thickness_) return;  // beyond it: that corner is on the other side of another triangle
        point.weight = w;
        point.gap = dot(point.n, p[0] * w[0] + p[1] * w[1] + p[2] * w[2] - now) - radius;
        touch(s, point, gap, body);
    };
    if (body.shape == ContactShape::Sphere) {
        meet(body.pose.position, preview.position, body.radius, {});
    } else if (body.shape == ContactShape::Capsule) {
        for (const double y : {-body.half.y, body.half.y})
            meet(body.pose * Vec3{0, y, 0}, preview * Vec3{0, y, 0}, body.radius, {});
    } else if (body.shape == ContactShape::Box) {
        for (int i = 0; i < 8; ++i) {
            const Vec3 corner = corner_of(body, i), before = body.pose * corner;
            meet(before, preview * corner, 0, before - body.pose.position);
        }
    }
    // Edges of boxes, and the line of a capsule, against the edges of the triangle, each of which belongs to
    // it alone here.
    const auto cross_edges = [&](const Vec3& b0, const Vec3& b1, double radius) {
        const std::array<Vec3, 2> before{body.pose * b0, body.pose * b1}, now{preview * b0, preview * b1};
        for (std::size_t e = 0; e < 3; ++e) {
            const std::size_t i = e, j = (e + 1) % 3;
            const auto [u, v] = closest_of_segments(x[i], x[j], before[0], before[1]);
            if (!(u > 0 && u < 1 && v > 0 && v < 1)) continue;
            const Vec3 at = before[0] * (1 - v) + before[1] * v, d = x[i] * (1 - u) + x[j] * u - at;
            const double size = length(d);
            if (size > radius + thickness_ + margin_ || !(size > 0)) continue;
            point.n = d / size;
            double gap = size - radius;
            if (radius == 0 && dot(point.n, at - body.pose.position) < 0) point.n = -point.n, gap = -gap;
            if (gap < -thickness_) continue;
            point.weight = {0, 0, 0};
            point.weight[i] = 1 - u, point.weight[j] = u;
            point.gap = dot(point.n, p[i] * (1 - u) + p[j] * u - (now[0] * (1 - v) + now[1] * v)) - radius;
            touch(s, point, gap, body);
        }
    };
    if (body.shape == ContactShape::Capsule && body.half.y > 0)
        cross_edges({0, -body.half.y, 0}, {0, body.half.y, 0}, body.radius);
    if (body.shape != ContactShape::Box) return;
    for (int i = 0; i < 8; ++i)
        for (const int bit : {1, 2, 4})
            if (!(i & bit)) cross_edges(corner_of(body, i), corner_of(body, i | bit), 0);
}

void BodyContacts::solve(const Substep& s) {
    detect(s);
    deepest_ = 0;
    touching_ = 0;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        for (const std::uint32_t i : near_nodes_[b]) touch_node(s, i, bodies_[b]);
        for (const std::uint32_t t : near_triangles_[b])
            touch_triangle(s, surface_->triangles[t], bodies_[b]);
    }
    for (PlaneContact& plane : planes_) {
        ContactBody& body = bodies_[plane.body];
        const Pose& preview = preview_[plane.body];
        ContactPoint point;
        point.node = plane.node, point.weight = plane.weight, point.nodes = plane.nodes;
        point.n = rotate(preview.orientation, plane.normal);
        point.gap = dot(point.n, point_of(s.p, point) - preview.position) - plane.offset;
        const double before =
            dot(rotate(body.pose.orientation, plane.normal), point_of(s.x, point) - body.pose.position);
        body.friction = plane.friction;
        const Vec3 impulse = body.node.impulse;
        touch(s, point, before - plane.offset, body);
        plane.impulse += body.node.impulse - impulse;
    }
}

void BodyContacts::end(double h) {
    for (ContactBody& body : bodies_)
        body.pose = {body.pose.position + body.node.v * h, turned(body.pose.orientation, body.node.w * h)};
}

}  // namespace impuls::deformable
