// Bodies of an island in the block solver (bodies.h).
#include "steppers/blocks/bodies.h"

#include <algorithm>
#include <cmath>

#include "math/free_rotation.h"
#include "math/rotation.h"
#include "steppers/blocks/context.h"
#include "steppers/blocks/rolling.h"
#include "steppers/blocks/tuning.h"

namespace impuls::blocks {
namespace {

bool is_kinematic(const IslandNode& node) {
    return !node.is_dynamic && node.moves();
}

void set_rim_speed(Context& c, std::size_t k) {
    const IslandNode& node = c.island.nodes[k];
    BlockNode& own = c.bodies.nodes[k];
    own.rim_speed = own.is_round ? 0 : length(node.w) * c.view.bodies.radius[node.body];
}

bool is_ball(const Context& c, const IslandNode& node) {
    if (!node.is_dynamic) return !node.moves();
    const auto& first = c.view.colliders.first;
    const auto outlines =
        c.view.colliders.outline.subspan(first[node.body], first[node.body + 1] - first[node.body]);
    return is_isotropic(c.view.bodies.inv_inertia[node.body]) &&
           std::all_of(outlines.begin(), outlines.end(), [&](const Outline& ball) {
               return ball.radius > 0 && ball.centre == node.pose.position;
           });
}

// Units: a power of two near the largest mass, so that roots of inertia, too, scale with lengths by powers of
// two.
void choose_units(Context& c) {
    const BodySet& bodies = c.view.bodies;
    double largest = 0, heaviest = 0;
    for (const IslandNode& node : c.island.dynamic_nodes()) {
        const Vec3& inertia = bodies.inertia[node.body];
        largest = std::max({largest, inertia.x, inertia.y, inertia.z});
        heaviest = std::max(heaviest, bodies.mass[node.body]);
    }
    c.bodies.mass_unit = heaviest > 0 ? std::exp2(std::ilogb(heaviest)) : 1;
    c.bodies.kinematic_root = kKinematicRoot * std::sqrt(largest / c.bodies.mass_unit);
}

Vec3 roots_of(const Vec3& x) {
    return {std::sqrt(x.x), std::sqrt(x.y), std::sqrt(x.z)};
}

void load_node(Context& c, std::size_t k) {
    const BodySet& bodies = c.view.bodies;
    const IslandNode& node = c.island.nodes[k];
    c.bodies.nodes[k].is_touched = node.is_joined;
    if (node.has_surface)
        c.bodies.surfaces[k] = rotate(node.pose.orientation, bodies.surface_velocity[node.body]);
    if (!node.is_dynamic) return;
    const double unit = c.bodies.mass_unit;
    const Vec3 i = bodies.inertia[node.body] / unit, inv = bodies.inv_inertia[node.body] * unit;
    RootInertia& inertia = c.bodies.inertias[k];
    inertia.inverse_root = turned_diagonal(node.pose.orientation, roots_of(inv));
    inertia.root = turned_diagonal(node.pose.orientation, inv == Vec3{} ? Vec3{} : roots_of(i));
    const Vec3 spin = inertia.root * node.w;
    inertia.gyration = is_isotropic(inv) ? Vec3{} : cross(inertia.root * spin, node.w);
    c.solver.set_body(static_cast<std::uint32_t>(k + 1), node.inv_mass * unit, inertia.inverse_root, node.v,
                      spin, node.acceleration,
                      inertia.inverse_root * (bodies.torque[node.body] / unit + inertia.gyration));
}

void set_ends(Context& c, std::size_t manifold, std::uint32_t a, std::uint32_t b) {
    const BlockManifold& m = c.contacts.manifolds[manifold];
    c.solver.set_manifold(manifold, a, b, m.count, m.is_round);
}

void load_manifolds(Context& c) {
    const auto& nodes = c.island.nodes;
    const auto& manifolds = c.contacts.manifolds;
    const auto plain_number = [&](std::uint32_t node) { return nodes[node].is_dynamic ? node + 1 : 0; };
    c.view.executor.parallel_for(manifolds.size(), 512, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
            set_ends(c, k, plain_number(manifolds[k].a), plain_number(manifolds[k].b));
    });
    if (std::none_of(nodes.begin() + static_cast<std::ptrdiff_t>(c.island.dynamic_count), nodes.end(),
                     is_kinematic))
        return;
    for (std::size_t k = 0; k < manifolds.size(); ++k) {
        const auto [a, b] = std::pair(manifolds[k].a, manifolds[k].b);
        if (!is_kinematic(nodes[a]) && !is_kinematic(nodes[b])) continue;
        const std::uint32_t number_a = number_of(c, a);
        set_ends(c, k, number_a, number_of(c, b));
    }
}

// A body that contacts pushed or joints hold. Angular momentum is what stays while it rotates: what the
// solver added for its rotation, with inertia frozen, is taken back.
void move_touched(Context& c, std::size_t k) {
    const BodySet& bodies = c.view.bodies;
    IslandNode& node = c.island.nodes[k];
    const RootInertia& inertia = c.bodies.inertias[k];
    const auto number = static_cast<std::uint32_t>(k + 1);
    node.pose.position += c.bodies.displaced[k].shift;
    node.v = c.solver.velocity(number);
    const Vec3 spin = c.solver.spin(number);
    rotate_node(c, k, c.bodies.displaced[k].turn);
    const Vec3& inv = bodies.inv_inertia[node.body];
    node.w = is_isotropic(inv)
                 ? inertia.inverse_root * spin
                 : turned_diagonal(node.pose.orientation, inv) *
                       ((inertia.root * spin - inertia.gyration * c.pass.time) * c.bodies.mass_unit);
    const Damping damping = bodies.damping(node.body);
    node.v *= damping.left_of_v(c.pass.time);
    node.w *= damping.left_of_w(c.pass.time);
}

}  // namespace

void aim_scripted(Context& c, double elapsed, double h) {
    for (std::size_t k = c.island.dynamic_count; k < c.island.nodes.size(); ++k) {
        IslandNode& node = c.island.nodes[k];
        if (node.body == kNoBody || !c.view.bodies.script[node.body]) continue;
        const Motion m = scripted_chord(c.view.bodies, node.body, c.view.time + elapsed, h);
        node.pose = m.pose;
        node.v = m.v;
        node.w = m.w;
    }
}

void prepare_nodes(Context& c) {
    c.bodies.nodes.resize(c.island.nodes.size());
    for_nodes(c, [&](std::size_t k) {
        const IslandNode& node = c.island.nodes[k];
        c.bodies.nodes[k] = {};
        if (node.body == kNoBody) return;
        c.bodies.nodes[k].is_round = is_ball(c, node);
        set_rim_speed(c, k);
    });
}

// Nodes that move have the numbers from 1 on, what stands is the world. A kinematic body rotates as its law
// says: it is given such an inertia that no impulse shows in it, and each of its contacts a copy of it, so
// that none sees another's impulses.
std::uint32_t number_of(Context& c, std::uint32_t k) {
    const IslandNode& node = c.island.nodes[k];
    if (node.is_dynamic) return k + 1;
    if (!node.moves()) return 0;
    const double root = c.bodies.kinematic_root;
    return c.solver.add_body(0, diagonal(root > 0 ? Vec3{1, 1, 1} / root : Vec3{}), node.v, node.w * root, {},
                             {});
}

void load_solver(Context& c) {
    const std::size_t count = c.island.nodes.size();
    choose_units(c);
    c.solver.clear(c.island.dynamic_count, c.contacts.manifolds.size());
    c.bodies.inertias.resize(count);
    c.bodies.surfaces.resize(count);
    c.bodies.displaced.resize(count);
    for_nodes(c, [&](std::size_t k) { load_node(c, k); });
    load_manifolds(c);
    find_rolling(c);
}

void measure_displacements(Context& c) {
    for_nodes(c, [&](std::size_t k) {
        if (k >= c.island.dynamic_count) return;
        const auto number = static_cast<std::uint32_t>(k + 1);
        const RootInertia& inertia = c.bodies.inertias[k];
        Vec3 shift = c.solver.shift(number), turn = c.solver.turn(number);
        if (c.bodies.nodes[k].is_rolling) {
            const IslandNode& node = c.island.nodes[k];
            const double half = 0.5 * c.pass.substep();
            shift -= (c.solver.velocity(number) - node.v) * half;
            turn -= (c.solver.spin(number) - inertia.root * node.w) * half;
        }
        c.bodies.displaced[k] = {shift, inertia.inverse_root * turn};
    });
}

void rotate_node(Context& c, std::size_t k, const Vec3& angle) {
    IslandNode& node = c.island.nodes[k];
    const Vec3& axis = c.view.bodies.spin_axis[node.body];
    const Quat old = node.pose.orientation;
    node.pose.orientation = axis == Vec3{} ? turned(old, angle) : turned_apart(old, angle, rotate(old, axis));
}

// Bodies that nothing pushed fly on exactly.
void move_nodes(Context& c) {
    for (const BlockManifold& m : c.contacts.manifolds)
        if (m.is_pushed) c.bodies.nodes[m.a].is_touched = c.bodies.nodes[m.b].is_touched = true;
    for_nodes(c, [&](std::size_t k) {
        IslandNode& node = c.island.nodes[k];
        if (node.body == kNoBody) return;
        if (c.bodies.nodes[k].is_touched && node.is_dynamic) {
            move_touched(c, k);
        } else {
            const Motion m = fly(c.view.bodies, node.body, {node.pose, node.v, node.w}, c.view.gravity,
                                 c.view.method.integrator, c.pass.time);
            node.pose = m.pose;
            node.v = m.v;
            node.w = m.w;
        }
        set_rim_speed(c, k);
    });
}

}  // namespace impuls::blocks
