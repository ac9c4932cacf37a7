// Joints and forces (symbols.h). Points and axes are given in world coordinates at the start: `Bond` carries
// them along with their bodies. A joint without a drawing of its own shows its points as balls and its axes
// as pins, which is read off its description.
#include "render/symbols.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include "geometry/aabb.h"
#include "impuls/scene.h"
#include "math/spline.h"
#include "render/camera.h"

namespace impuls {

namespace {

using std::numbers::pi;

constexpr Vec3 kSign{0.95, 0.5, 0.08}, kRail{0.35, 0.4, 0.5}, kRod{0.45, 0.47, 0.5}, kSpring{0.3, 0.5, 0.35},
    kRope{0.45, 0.33, 0.2}, kArrow{0.8, 0.12, 0.12};
constexpr std::size_t kMostSigns = 400;  // beyond that they would hide the scene

using Places = std::unordered_map<std::string, std::size_t>;

Places places_of(const Scene& structure) {
    Places places;
    for (std::size_t k = 0; k < structure.bodies.size(); ++k) places.emplace(structure.bodies[k].name, k);
    return places;
}

// Where a body was at the start, and is now; both the same for the world.
struct Bond {
    Pose start{}, now{};
    double size = 0;  // of its body, 0: the world

    Vec3 point(const Vec3& p) const { return now * (inverse(start) * p); }
    Vec3 axis(const Vec3& d) const { return rotate(now.orientation, rotate_inverse(start.orientation, d)); }
};

Bond bond(const Frame& frame, const Places& places, const std::string& name,
          const std::optional<Placement>& place = {}) {
    const auto found = places.find(name);
    if (found == places.end() || found->second >= frame.positions.size()) return {};
    const std::size_t k = found->second;
    const BodyDesc& body = frame.structure->bodies[k];
    Bond out;
    out.start = {body.position, normalized(body.orientation)};
    if (place) out.start = {place->position, normalized(place->orientation)};
    out.now = {frame.positions[k], frame.orientations[k]};
    if (!std::holds_alternative<Plane>(body.shape) && !std::holds_alternative<Point>(body.shape))
        out.size = size_of(bounds(body.shape, {}));
    return out;
}

struct Pair {
    Bond a, b;
    double size;      // of a sign, m
    double thinnest;  // radius of a line, m
    double reach;     // of what has no end: half of the scene's size, m
};

std::vector<Vec3> coil(const Vec3& from, const Vec3& to, double radius, int turns) {
    const Vec3 way = to - from, u = square_to(way), v = normalized(cross(way, u));
    std::vector<Vec3> points{from};
    const int steps = 12 * turns;
    for (int k = 0; k <= steps; ++k) {
        const double t = 0.1 + 0.8 * k / steps, angle = 2 * pi * turns * k / steps;
        points.push_back(from + t * way + radius * (std::cos(angle) * u + std::sin(angle) * v));
    }
    points.push_back(to);
    return points;
}

std::vector<Vec3> circle(const Vec3& center, const Vec3& u, const Vec3& v) {
    std::vector<Vec3> points;
    for (int k = 0; k <= 48; ++k)
        points.push_back(center + std::cos(2 * pi * k / 48) * u + std::sin(2 * pi * k / 48) * v);
    return points;
}

// ---- joints

class JointDrawing {
  public:
    JointDrawing(const Pair& pair, std::vector<Link>& out) : pair_(pair), out_(out), s_(pair.size) {}

    void operator()(const BallJoint& j) { append_ball(sign(), pair_.b.point(j.anchor), 0.3 * s_); }
    void operator()(const HingeJoint& j) { pin(j.anchor, j.axis); }
    void operator()(const SliderJoint& j) { way(j.anchor, j.axis); }
    void operator()(const CylindricalJoint& j) {
        pin(j.anchor, j.axis);
        way(j.anchor, j.axis);
    }
    void operator()(const UniversalJoint& j) {
        pin(j.anchor, j.first_axis, true);
        pin(j.anchor, j.second_axis);
    }
    void operator()(const Hinge2Joint& j) {
        pin(j.anchor, j.steer_axis, true);
        pin(j.anchor, j.spin_axis);
    }
    void operator()(const FixedJoint& j) {
        append_box(sign(), pair_.b.point(j.anchor), pair_.b.now.orientation, {0.4 * s_, 0.4 * s_, 0.4 * s_});
    }
    void operator()(const PlanarJoint& j) { disc(j.anchor, j.normal); }
    void operator()(const PointOnPlaneJoint& j) {
        disc(j.anchor, j.normal);
        append_ball(sign(), pair_.b.point(j.anchor), 0.2 * s_);
    }
    void operator()(const DistanceJoint& j) {
        const Vec3 a = pair_.a.point(j.anchor_a), b = pair_.b.point(j.anchor_b);
        const bool is_spring = j.length && j.length->stiffness > 0;
        const bool is_rope = j.length && !is_spring;
        append_tube(thing(is_spring ? kSpring
                          : is_rope ? kRope
                                    : kRod),
                    is_spring ? coil(a, b, 0.2 * s_, 8) : std::vector<Vec3>{a, b},
                    thick(is_spring ? 0.04 : 0.07));
    }
    void operator()(const PointOnLineJoint& j) {
        const Vec3 p = pair_.b.point(j.anchor), d = pair_.reach * normalized(pair_.a.axis(j.axis));
        append_tube(thing(kRail), {p - d, p + d}, thick(0.06));
        append_ball(sign(), p, 0.2 * s_);
    }
    void operator()(const ScrewJoint& j) {
        const Vec3 p = pair_.b.point(j.anchor), d = s_ * normalized(pair_.b.axis(j.axis));
        append_tube(sign(), coil(p - d, p + d, 0.2 * s_, 5), thick(0.05), 6);
        append_tube(out_.back().facets, {p - d, p + d}, thick(0.06));
    }
    void operator()(const PulleyJoint& j) {
        append_tube(thing(kRope), {pair_.a.point(j.anchor_a), j.wheel_a}, thick(0.05));
        append_tube(out_.back().facets, {j.wheel_a, j.wheel_b}, thick(0.05));
        append_tube(out_.back().facets, {j.wheel_b, pair_.b.point(j.anchor_b)}, thick(0.05));
        append_ball(sign(), j.wheel_a, 0.2 * s_);
        append_ball(out_.back().facets, j.wheel_b, 0.2 * s_);
    }
    void operator()(const RailJoint& j) {
        std::vector<Vec3> all = j.points;
        for (Vec3& p : all) p -= j.points.front();
        const Spline curve(all, j.closed, j.anchor - j.points.front());
        std::vector<Vec3> points;
        const auto knots = curve.knots();
        for (std::size_t k = 0; k + 1 < knots.size(); ++k)
            for (int i = 0; i <= 8; ++i) {
                const double t = knots[k] + (knots[k + 1] - knots[k]) * i / 8;
                points.push_back(pair_.a.point(j.points.front() + curve.at(t).position));
            }
        append_tube(thing(kRail), points, thick(0.06), 8);
        append_ball(sign(), pair_.b.point(j.anchor), 0.2 * s_);
    }
    void operator()(const PointOnEllipsoidJoint& j) {
        const Vec3 x = normalized(j.x_axis), y = normalized(j.y_axis - dot(j.y_axis, x) * x), z = cross(x, y);
        const double far = 4 * s_;
        const Vec3 rx = pair_.a.axis(j.radius_x.value_or(far) * x),
                   ry = pair_.a.axis(j.radius_y.value_or(far) * y),
                   rz = pair_.a.axis(j.radius_z.value_or(far) * z), c = pair_.a.point(j.center);
        Facets& lines = thing(kRail);
        append_tube(lines, circle(c, rx, ry), thick(0.03), 6);
        append_tube(lines, circle(c, ry, rz), thick(0.03), 6);
        append_tube(lines, circle(c, rz, rx), thick(0.03), 6);
        append_ball(sign(), pair_.b.point(j.anchor), 0.2 * s_);
    }
    void operator()(const PointOnTorusJoint& j) {
        const Vec3 axis = normalized(pair_.a.axis(j.axis)), u = square_to(axis), v = cross(axis, u);
        const Vec3 c = pair_.a.point(j.center);
        Facets& lines = thing(kRail);
        for (const double side : {-1.0, 1.0}) {
            append_tube(lines, circle(c, (j.radius + side * j.tube) * u, (j.radius + side * j.tube) * v),
                        thick(0.03), 6);
            append_tube(lines, circle(c + side * j.tube * axis, j.radius * u, j.radius * v), thick(0.03), 6);
        }
        for (int k = 0; k < 12; ++k) {
            const Vec3 out = std::cos(pi / 6 * k) * u + std::sin(pi / 6 * k) * v;
            append_tube(lines, circle(c + j.radius * out, j.tube * out, j.tube * axis), thick(0.03), 6);
        }
        append_ball(sign(), pair_.b.point(j.anchor), 0.2 * s_);
    }
    // What holds orientations alone: the axes, through both bodies.
    void operator()(const Rotation1Joint& j) {
        axis_through(pair_.a, j.axis_a);
        axis_through(pair_.b, j.axis_b);
    }
    void operator()(const Rotation2Joint& j) {
        axis_through(pair_.a, j.axis);
        axis_through(pair_.b, j.axis);
    }
    void operator()(const Rotation3Joint&) {
        for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
            axis_through(pair_.a, axis);
            axis_through(pair_.b, axis);
        }
    }
    void operator()(const FollowerJoint& j) {
        if (pair_.a.size > 0)
            append_arrow(thing(kArrow), pair_.b.point(j.anchor), pair_.a.now.position, thick(0.04));
        append_ball(sign(), pair_.b.point(j.anchor), 0.25 * s_);
    }
    void operator()(const DragJoint& j) {
        append_arrow(thing(kArrow), pair_.b.point(j.anchor_b), pair_.a.point(j.anchor_a), thick(0.06));
    }
    // Balls at its points, pins along its axes: where there is no point, through the origin of b.
    template <class AnyJoint>
    void operator()(const AnyJoint& joint) {
        Vec3 p = pair_.b.now.position;
        AnyJoint::visit_fields([&](const char*, auto member, const Field& field) {
            if constexpr (std::is_same_v<std::decay_t<decltype(joint.*member)>, Vec3>) {
                if (std::string_view(field.unit) != "m") return;
                p = pair_.b.point(joint.*member);
                append_ball(sign(), p, 0.25 * s_);
            }
        });
        AnyJoint::visit_fields([&](const char*, auto member, const Field& field) {
            if constexpr (std::is_same_v<std::decay_t<decltype(joint.*member)>, Vec3>) {
                if (std::string_view(field.unit) == "m") return;
                append_cylinder(sign(), p, pair_.b.axis(joint.*member), 0.12 * s_, 1.6 * s_);
            }
        });
    }

  private:
    Facets& sign() { return out_.emplace_back(Link{{}, kSign, true}).facets; }
    Facets& thing(const Vec3& color) { return out_.emplace_back(Link{{}, color, false}).facets; }
    void pin(const Vec3& anchor, const Vec3& axis, bool of_a = false) {
        append_cylinder(sign(), pair_.b.point(anchor), (of_a ? pair_.a : pair_.b).axis(axis), 0.16 * s_,
                        1.6 * s_);
    }
    void axis_through(const Bond& body, const Vec3& axis) {
        if (body.size > 0)
            append_cylinder(sign(), body.now.position, body.axis(axis), 0.1 * s_, 0.9 * body.size);
    }
    // Two arrows along an axis of a.
    void way(const Vec3& anchor, const Vec3& axis) {
        const Vec3 p = pair_.b.point(anchor), d = 1.3 * s_ * normalized(pair_.a.axis(axis));
        append_arrow(sign(), p, p + d, thick(0.08));
        append_arrow(out_.back().facets, p, p - d, thick(0.08));
    }
    void disc(const Vec3& anchor, const Vec3& normal) {
        append_cylinder(sign(), pair_.b.point(anchor), pair_.a.axis(normal), 1.1 * s_, 0.05 * s_);
    }

    // A line must not fall between the samples of a picture.
    double thick(double share) const { return std::max(share * s_, pair_.thinnest); }

    const Pair& pair_;
    std::vector<Link>& out_;
    double s_;
};

// A quarter of the smaller body, within what can be seen well in the scene.
double sign_size(const Bond& a, const Bond& b, double scene) {
    double body = std::max(a.size, b.size);
    if (a.size > 0 && b.size > 0) body = std::min(a.size, b.size);
    return std::clamp(0.25 * body, 0.025 * scene, 0.1 * scene);
}

// ---- forces

class ForceDrawing {
  public:
    ForceDrawing(const Pair& pair, std::vector<Link>& out) : pair_(pair), out_(out), s_(pair.size) {}

    void operator()(const SpringForce& f) {
        append_tube(thing(kSpring), coil(a(f.anchor_a), b(f.anchor_b), 0.22 * s_, 8), thick(0.045), 8);
    }
    void operator()(const DamperForce& f) {
        const Vec3 from = a(f.anchor_a), to = b(f.anchor_b);
        append_tube(thing(kRod), {from, to}, thick(0.05));
        append_cylinder(thing(kRod), from + 0.4 * (to - from), to - from, 0.18 * s_,
                        0.45 * length(to - from));
    }
    void operator()(const RodForce& f) {
        append_tube(thing(kRod), {a(f.anchor_a), b(f.anchor_b)}, thick(0.07));
    }
    void operator()(const CableForce& f) {
        std::vector<Vec3> points{a(f.anchor_a)};
        points.insert(points.end(), f.eyes.begin(), f.eyes.end());
        points.push_back(b(f.anchor_b));
        append_tube(thing(kRope), points, thick(0.05));
    }
    void operator()(const ConstantForce& f) {
        if (!(length_squared(f.force) > 0)) return;
        const Vec3 d = f.axes == ForceAxes::World ? f.force : pair_.b.axis(f.force);
        append_arrow(thing(kArrow), b(f.anchor), b(f.anchor) + 2.5 * s_ * normalized(d), thick(0.08));
    }
    void operator()(const TorqueForce& f) {
        if (!(length_squared(f.torque) > 0)) return;
        const Vec3 axis = normalized(f.axes == ForceAxes::World ? f.torque : pair_.b.axis(f.torque));
        ring(pair_.b.now.position, axis);
    }
    void operator()(const TorsionSpringForce& f) {
        ring(pair_.b.now.position, normalized(pair_.a.axis(f.axis)));
    }
    void operator()(const PullForce& f) {
        append_arrow(thing(kArrow), b(f.anchor_b), a(f.anchor_a), thick(0.05));
    }
    void operator()(const DragForce& f) {
        if (!(length_squared(f.wind) > 0)) return;
        const Vec3 p = pair_.b.now.position - (2 * s_ + pair_.b.size / 2) * normalized(f.wind);
        append_arrow(thing(kArrow), p, p + 2 * s_ * normalized(f.wind), thick(0.06));
    }
    void operator()(const AttractionForce&) {
        const Vec3 way = pair_.a.now.position - pair_.b.now.position;
        if (!(length_squared(way) > 0)) return;
        const Vec3 d = normalized(way), from_b = pair_.b.now.position + pair_.b.size / 2 * d,
                   from_a = pair_.a.now.position - pair_.a.size / 2 * d;
        append_arrow(thing(kArrow), from_b, from_b + 2 * s_ * d, thick(0.05));
        append_arrow(out_.back().facets, from_a, from_a - 2 * s_ * d, thick(0.05));
    }

    void operator()(const GrabForce& f) { append_arrow(thing(kArrow), b(f.anchor), f.target, thick(0.05)); }
    // One without a drawing of its own.
    template <class AnyForce>
    void operator()(const AnyForce&) {}

  private:
    Vec3 a(const Vec3& p) const { return pair_.a.point(p); }
    Vec3 b(const Vec3& p) const { return pair_.b.point(p); }
    Facets& thing(const Vec3& color) { return out_.emplace_back(Link{{}, color, false}).facets; }
    // Three quarters of a circle with a head.
    void ring(const Vec3& center, const Vec3& axis) {
        const Vec3 u = square_to(axis), v = cross(axis, u);
        const double r = std::max(1.2 * s_, 0.6 * pair_.b.size);  // around the body
        std::vector<Vec3> points;
        for (int k = 0; k <= 36; ++k)
            points.push_back(center +
                             r * (std::cos(1.5 * pi * k / 36) * u + std::sin(1.5 * pi * k / 36) * v));
        append_tube(thing(kArrow), points, thick(0.06), 8);
        append_cone(out_.back().facets, points.back(), points.back() + 0.4 * s_ * u, 0.16 * s_);
    }

    // A line must not fall between the samples of a picture.
    double thick(double share) const { return std::max(share * s_, pair_.thinnest); }

    const Pair& pair_;
    std::vector<Link>& out_;
    double s_;
};

bool acts(const ForceDesc& force, double time) {
    return force.enabled && time >= force.from && (!force.until || time < *force.until);
}

}  // namespace

std::vector<Link> solids_of_joints(const Frame& frame, double size, double thinnest) {
    std::vector<Link> out;
    const Scene& structure = *frame.structure;
    const Places places = places_of(structure);
    for (const JointDesc& joint : structure.joints) {
        if (!joint.enabled) continue;
        Pair pair{bond(frame, places, joint.a, joint.at_a), bond(frame, places, joint.b, joint.at_b), 0,
                  thinnest, 0.5 * size};
        pair.size = sign_size(pair.a, pair.b, size);
        std::visit(JointDrawing(pair, out), joint.joint);
    }
    if (structure.joints.size() > kMostSigns)
        std::erase_if(out, [](const Link& solid) { return solid.is_sign; });
    return out;
}

std::vector<Link> solids_of_forces(const Frame& frame, double size, double thinnest) {
    std::vector<Link> out;
    const Places places = places_of(*frame.structure);
    for (const ForceDesc& force : frame.structure->forces) {
        if (!acts(force, frame.time)) continue;
        Pair pair{bond(frame, places, force.a), bond(frame, places, force.b), 0, thinnest, 0.5 * size};
        pair.size = sign_size(pair.a, pair.b, size);
        std::visit(ForceDrawing(pair, out), force.force);
    }
    return out;
}

void grow_extent_by_links(Aabb& extent, const Frame& frame) {
    constexpr std::size_t kMostLinks = 64;
    const Scene& structure = *frame.structure;
    if (is_empty(extent) || structure.joints.size() + structure.forces.size() > kMostLinks) return;
    const double size = size_of(extent);
    for (const auto& all : {solids_of_joints(frame, size, 0), solids_of_forces(frame, size, 0)})
        for (const Link& solid : all) {
            if (solid.is_sign) continue;
            for (const Facet& facet : solid.facets)
                for (const Vec3& p : facet.p)
                    for (int k = 0; k < 3; ++k) {
                        extent.min[k] = std::min(extent.min[k], p[k]);
                        extent.max[k] = std::max(extent.max[k], p[k]);
                    }
        }
}

}  // namespace impuls
