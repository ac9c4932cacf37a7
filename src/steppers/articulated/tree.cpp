// Islands as trees of links, and the rows of their joints (tree.h).
#include "steppers/articulated/tree.h"

#include <algorithm>
#include <variant>

#include "steppers/joint_size.h"

namespace impuls::articulated {
namespace {

// The principal axis of a symmetric top; 3: all moments are equal, 4: no two are.
std::uint8_t symmetry_axis_of(const Vec3& inertia) {
    if (inertia.x == inertia.y && inertia.y == inertia.z) return 3;
    if (inertia.y == inertia.z) return 0;
    if (inertia.x == inertia.z) return 1;
    return inertia.x == inertia.y ? 2 : 4;
}

// A point is held at its own place, so that no force turns it, whatever its inertia: one of the island's size
// keeps the factors regular.
void stand_in_inertia(double size, TreeBody& body) {
    const double moment = body.mass * size * size;
    body.inertia = {moment, moment, moment};
    body.inv_inertia = {1 / moment, 1 / moment, 1 / moment};
    body.is_point = true;
}

void add_body(const WorldView& view, const Island& island, std::uint32_t n, Mechanism& m) {
    const IslandNode& node = island.nodes[n];
    TreeBody body{};
    body.node = n;
    body.pose = node.pose;
    body.v = node.v;
    body.w = node.w;
    if (n < island.dynamic_count) {
        const BodySet& all = view.bodies;
        const std::uint32_t k = node.body;
        body.mass = all.mass[k];
        body.inv_mass = node.inv_mass;
        body.inertia = all.inertia[k];
        body.inv_inertia = all.inv_inertia[k];
        if (body.inv_inertia == Vec3{}) stand_in_inertia(m.size, body);
        body.symmetry_axis = symmetry_axis_of(body.inertia);
        body.acceleration = node.acceleration;
        body.torque = body.is_point ? Vec3{} : all.torque[k];
        body.damping = all.damping(k);
        m.is_damped = m.is_damped || body.damping.acts();
        const Quat& q = body.pose.orientation;
        body.l = rotate(q, scale(body.inertia, rotate_inverse(q, body.w)));
        body.next_v = body.v;
        body.next_l = body.l;
    }
    m.bodies.push_back(body);
}

// Spanning trees of the joints between two bodies. A joint with a frame has three, so it is never a link's.
void find_tree(const WorldView& view, const Island& island, Mechanism& m) {
    const auto end = [&](std::uint32_t node) { return node < island.dynamic_count ? node : kNone; };
    m.edges.clear();
    for (const IslandJoint& joint : island.joints) {
        SpanningTree::Edge edge{};
        if (!has_frame(view.joints.joint[joint.joint])) edge = {end(joint.a), end(joint.b)};
        m.edges.push_back(edge);
    }
    m.spanning.find(island.dynamic_count, m.edges);
}

void add_links(const WorldView& view, const Island& island, Mechanism& m) {
    using Kind = ArticulatedTree::Kind;
    for (const SpanningTree::Link& link : m.spanning.links()) {
        Kind kind = Kind::Free;
        if (link.edge != kNone) {
            const Joint& joint = view.joints.joint[island.joints[link.edge].joint];
            kind = std::holds_alternative<BallJoint>(joint) ? Kind::Ball : Kind::Rows;
        }
        m.tree.add(kind, link.parent);
        add_body(view, island, link.node, m);
        m.tree.links().back().mass = m.bodies.back().mass;
    }
}

// Joint `number` of the island as seen from its child, whose link it holds, or (kNone) as one that closes a
// loop.
void add_joint(const WorldView& view, const Island& island, std::uint32_t number, std::uint32_t child,
               std::uint32_t link, Mechanism& m) {
    const IslandJoint& in = island.joints[number];
    const auto body_of = [&](std::uint32_t node) {
        return node < island.dynamic_count ? m.spanning.link_of(node) : node;
    };
    const Vec3 &point_a = view.joints.X_AJ[in.joint].position, &point_b = view.joints.X_BJ[in.joint].position;
    TreeJoint joint{};
    joint.joint = in.joint;
    joint.number = number;
    joint.a = body_of(in.a);
    joint.b = body_of(in.b);
    joint.c = body_of(in.c);
    joint.child = child;
    joint.parent = child == joint.b ? joint.a : joint.b;
    joint.link = link;
    joint.is_ball = link != kNone && m.tree.links()[link].kind == ArticulatedTree::Kind::Ball;
    joint.r_child = child == joint.b ? point_b : point_a;
    joint.r_parent = child == joint.b ? point_a : point_b;
    joint.first_row = in.first_row;
    if (!joint.is_ball) joint.row_count = static_cast<std::uint32_t>(island.row_end(number)) - in.first_row;
    joint.first_angle = in.first_angle;
    joint.angle_count = static_cast<std::uint32_t>(view.joints.angle.of(in.joint).size());
    m.has_rows = m.has_rows || !joint.is_ball;
    m.has_loops = m.has_loops || link == kNone;
    m.joints.push_back(joint);
}

void add_joints(const WorldView& view, const Island& island, Mechanism& m) {
    const auto links = m.spanning.links();
    for (std::uint32_t k = 0; k < links.size(); ++k)
        if (links[k].edge != kNone) add_joint(view, island, links[k].edge, k, k, m);
    for (const std::uint32_t number : m.spanning.others()) {
        const auto [a, b] = std::pair{island.joints[number].a, island.joints[number].b};
        const std::uint32_t child = b < island.dynamic_count ? b : a;
        const bool is_link = child < island.dynamic_count;
        add_joint(view, island, number, is_link ? m.spanning.link_of(child) : child, kNone, m);
    }
}

// What a joint's file works with, empty.
JointRows rows_for(Mechanism& m, const TreeJoint& joint, double h, bool keeps_angles) {
    m.rows.clear();
    JointRows out{m.rows, joint.a, joint.b, joint.c, Phase::Velocity, h};
    out.angles = std::span(m.angles).subspan(joint.first_angle, joint.angle_count);
    out.nodes = &m.nodes;
    out.size = m.size;
    out.keeps_angles = keeps_angles;
    return out;
}

}  // namespace

void build(const WorldView& view, const Island& island, Mechanism& m) {
    m.tree.clear();
    m.bodies.clear();
    m.joints.clear();
    m.has_rows = false;
    m.has_loops = false;
    m.is_damped = false;
    m.size = smallest_size(view, island);
    find_tree(view, island, m);
    add_links(view, island, m);
    m.moving = m.bodies.size();
    // All nodes that are not dynamic follow, so that each has the number of its node.
    for (std::size_t n = m.moving; n < island.nodes.size(); ++n)
        add_body(view, island, static_cast<std::uint32_t>(n), m);
    add_joints(view, island, m);
    m.angles = island.memory.angles;
    m.nodes.v.resize(m.bodies.size());
    m.nodes.w.resize(m.bodies.size());
}

std::size_t count_loop_rows(const Mechanism& m) {
    std::size_t count = 0;
    for (const TreeJoint& joint : m.joints)
        if (joint.link == kNone) count += joint.row_count;
    return count;
}

double make_joint_rows(const WorldView& view, Mechanism& m, const TreeJoint& joint, Poses poses, double h,
                       bool keeps_angles) {
    const auto pose = [&](std::uint32_t k) {
        return poses == Poses::Next ? m.bodies[k].next : m.bodies[k].pose;
    };
    JointRows out = rows_for(m, joint, h, keeps_angles);
    make_rows(view.joints, joint.joint, {pose(joint.a), pose(joint.b), pose(joint.c)}, out);
    return out.bend;
}

void count_ball_angle(const WorldView& view, Mechanism& m, const TreeJoint& joint, double h) {
    const auto pose = [&](std::uint32_t k) { return m.bodies[k].pose; };
    JointRows out = rows_for(m, joint, h, true);
    turn_about_x(out, geometry_of(view.joints, joint.joint, {pose(joint.a), pose(joint.b), pose(joint.c)}));
    IMPULS_ASSERT(out.angle_count == joint.angle_count);
}

void update_nodes(Mechanism& m) {
    for (std::size_t k = 0; k < m.bodies.size(); ++k) {
        const TreeBody& body = m.bodies[k];
        m.nodes.v[k] = k < m.moving ? body.next_v : body.v;
        m.nodes.w[k] = k < m.moving ? body.inv_inertia_W * body.next_l : body.w;
    }
}

double velocity_of(const Mechanism& m, const Row& row) {
    double sum = 0;
    for (const RowPart& part : m.rows.parts_of(row))
        sum += dot(part.linear, m.bodies[part.node].v) + dot(part.angular, m.bodies[part.node].w);
    return sum;
}

void copy_rows_to_tree(Mechanism& m, TreeJoint& joint) {
    const auto part_of = [&](const RowPart& part) {
        return ArticulatedTree::Part{part.node < m.moving ? part.node : kNone, part.linear, part.angular};
    };
    if (joint.link == kNone) {
        joint.first_loop_row = static_cast<std::uint32_t>(m.tree.loops().size());
        for (const Row& row : m.rows.rows) {
            m.tree.add_loop_row();
            for (const RowPart& part : m.rows.parts_of(row))
                if (part.node < m.moving) m.tree.add_loop_part(part_of(part));
        }
        return;
    }
    ArticulatedTree::JointRows& rows = m.tree.rows_of(joint.link);
    rows.count = static_cast<int>(m.rows.rows.size());
    for (std::size_t r = 0; r < m.rows.rows.size(); ++r) {
        rows.child[r] = {joint.child, {}, {}};
        rows.parent[r] = {joint.parent < m.moving ? joint.parent : kNone, {}, {}};
        for (const RowPart& part : m.rows.parts_of(m.rows.rows[r]))
            (part.node == joint.child ? rows.child : rows.parent)[r] = part_of(part);
    }
}

double& target_of(Mechanism& m, const TreeJoint& joint, std::size_t r) {
    return joint.link == kNone ? m.tree.loops()[joint.first_loop_row + r].c : m.tree.rows_of(joint.link).c[r];
}

double& impulse_of(Mechanism& m, const TreeJoint& joint, std::size_t r) {
    return joint.link == kNone ? m.tree.loops()[joint.first_loop_row + r].impulse
                               : m.tree.rows_of(joint.link).impulse[r];
}

}  // namespace impuls::articulated
