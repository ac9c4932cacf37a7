// The set of joints: frames carried by bodies, rows of a joint, reactions (joint.h).
#include "dynamics/joint.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/assert.h"
#include "base/compact.h"
#include "math/course.h"

namespace impuls {

void JointNumbers::add(std::size_t count) {
    start.push_back(start.back() + static_cast<std::uint32_t>(count));
    value.resize(start.back());
}

void JointNumbers::remove(std::span<const std::uint8_t> is_dead) {
    std::size_t kept = 0, to = 0;
    for (std::size_t j = 0; j + 1 < start.size(); ++j) {
        if (j < is_dead.size() && is_dead[j]) continue;
        const std::size_t begin = start[j], end = start[j + 1];
        start[kept++] = static_cast<std::uint32_t>(to);
        for (std::size_t k = begin; k < end; ++k) value[to++] = value[k];
    }
    start.resize(kept + 1);
    start[kept] = static_cast<std::uint32_t>(to);
    value.resize(to);
}

void JointNumbers::reset(std::size_t j, std::size_t count) {
    IMPULS_ASSERT(j + 1 < start.size() && start.back() == value.size());
    const auto old = start[j + 1] - start[j];
    value.erase(value.begin() + start[j], value.begin() + start[j + 1]);
    value.insert(value.begin() + start[j], count, 0.0);
    for (std::size_t k = j + 1; k < start.size(); ++k) start[k] += static_cast<std::uint32_t>(count) - old;
}

namespace {

// Calls f with every array that has one entry a joint.
template <class Set, class F>
void for_each_joint_array(Set& s, F&& f) {
    const auto each = [&](auto&... lists) { (f(lists), ...); };
    each(s.uid, s.uid_a, s.uid_b, s.uid_c, s.a, s.b, s.c, s.part_a, s.part_b);
    each(s.X_AJ, s.X_BJ, s.X_CA, s.X_CB, s.curve, s.collide_connected, s.break_force, s.break_torque);
    each(s.is_curved, s.joint, s.is_plain, s.is_passive, s.is_timed, s.is_enabled, s.is_broken, s.pace,
         s.reaction);
}

void assert_whole(const JointSet& s) {
    for_each_joint_array(s, [&](const auto& list) { IMPULS_ASSERT(list.size() == s.size()); });
    for (const JointNumbers* numbers : {&s.impulse, &s.angle, &s.axis_force})
        IMPULS_ASSERT(numbers->start.size() == s.size() + 1 &&
                      numbers->start.back() == numbers->value.size());
}

Pose pose_of(const BodySet& bodies, std::uint32_t k) {
    IMPULS_ASSERT(k == kNoBody || k < bodies.size());
    return k == kNoBody ? Pose{} : bodies.pose[k];
}

Pose pose_of(const BodySet& bodies, std::uint32_t k, std::uint32_t part) {
    return part == kNoPart ? pose_of(bodies, k) : bodies.part_pose(k, part);
}

// The principal frame of a body where a joint means it to be.
Pose meant_pose(const BodySet& bodies, std::uint32_t k, const std::optional<Placement>& at) {
    if (!at || k == kNoBody) return pose_of(bodies, k);
    return Pose{at->position, normalized(at->orientation)} * bodies.X_BP[k];
}

std::uint32_t number_of(const BodySet& bodies, std::uint64_t uid) {
    if (uid == 0) return kNoBody;
    const auto it = std::lower_bound(bodies.uid.begin(), bodies.uid.end(), uid);
    IMPULS_ASSERT(it != bodies.uid.end() && *it == uid);  // joints go with their bodies
    return static_cast<std::uint32_t>(it - bodies.uid.begin());
}

// What changes with time along its axes becomes ready to be asked; whether there is anything.
bool compile_axes(Joint& joint) {
    bool is_any = false;
    visit_axes(joint, [&](const char*, AxisDesc& axis) {
        const auto compile = [&](Course& course) {
            if (!course.varies()) return;
            course = compiled(std::move(course));
            is_any = true;
        };
        for (auto* given : {&axis.speed, &axis.target, &axis.max_force})
            if (*given) compile(**given);
        compile(axis.rest);
    });
    return is_any;
}

// How many rows and angles a joint has does not depend on where its bodies are.
struct Counts {
    std::size_t rows, angles;
    bool is_plain, is_passive, is_curved;
};
Counts counts_of(const JointSet& joints, std::size_t j) {
    Rows rows;
    AxisLog log;
    JointRows out{rows, 0, 1, 2};
    out.log = &log;
    make_rows(joints, j, {}, out);
    bool is_plain = true;
    for (std::size_t r = 0; r < rows.rows.size(); ++r)
        is_plain = is_plain && rows.rows[r].is_equation() && log.row_axis[r] == 0;
    bool is_passive = !can_drive(joints.joint[j]);
    visit_axes(joints.joint[j], [&](const char*, const AxisDesc& axis) {
        is_passive = is_passive && !axis.speed && !axis.target && axis.stiffness == 0;
    });
    return {rows.rows.size(), out.angle_count, is_plain, is_passive, out.bend >= 0};
}

}  // namespace

void JointSet::add(const JointDesc& desc, const BodySet& bodies, std::uint32_t body_a, std::uint32_t body_b,
                   std::uint32_t body_c) {
    for_each_joint_array(*this, [](auto& list) { list.emplace_back(); });
    const JointFrames X_W = std::visit([](const auto& d) { return joint_frames(d); }, desc.joint);
    const auto uid_of = [&](std::uint32_t k) { return k == kNoBody ? 0 : bodies.uid[k]; };
    uid.back() = next_uid++;
    joint.back() = desc.joint;
    visit_axes(joint.back(), [](const char*, AxisDesc& axis) {
        axis.position.reset();
        axis.velocity.reset();
    });
    a.back() = body_a;
    b.back() = body_b;
    c.back() = body_c;
    uid_a.back() = uid_of(body_a);
    uid_b.back() = uid_of(body_b);
    uid_c.back() = uid_of(body_c);
    X_AJ.back() = inverse(meant_pose(bodies, body_a, desc.at_a)) * X_W.a;
    X_BJ.back() = inverse(meant_pose(bodies, body_b, desc.at_b)) * X_W.b;
    // A particle is held itself, wherever near it the joint's point is: it has no arm to be held by.
    part_a.back() = part_near(bodies, body_a, X_W.a.position);
    part_b.back() = part_near(bodies, body_b, X_W.b.position);
    if (part_a.back() != kNoPart) X_AJ.back() = {{}, X_W.a.orientation};
    if (part_b.back() != kNoPart) X_BJ.back() = {{}, X_W.b.orientation};
    X_CA.back() = inverse(pose_of(bodies, body_c)) * X_W.ca;
    X_CB.back() = inverse(pose_of(bodies, body_c)) * X_W.cb;
    collide_connected.back() = desc.collide_connected;
    break_force.back() = desc.break_force.value_or(kUnbounded);
    break_torque.back() = desc.break_torque.value_or(kUnbounded);
    is_enabled.back() = desc.enabled;
    if (const auto* rail = std::get_if<RailJoint>(&desc.joint)) curve.back() = curve_of(*rail);
    is_timed.back() = compile_axes(joint.back());
    const Counts counts = counts_of(*this, size() - 1);
    is_plain.back() = counts.is_plain;
    is_passive.back() = counts.is_passive;
    is_curved.back() = counts.is_curved;
    impulse.add(counts.rows);
    angle.add(counts.angles);
    axis_force.add(axis_count(desc.joint));
    assert_whole(*this);
}

void JointSet::remove(std::span<const std::uint8_t> is_dead) {
    for (JointNumbers* numbers : {&impulse, &angle, &axis_force}) numbers->remove(is_dead);
    for_each_joint_array(*this, [&](auto& list) { compact(list, is_dead); });
    assert_whole(*this);
}

void JointSet::forget(std::size_t j) {
    for (JointNumbers* numbers : {&impulse, &axis_force})
        for (double& p : numbers->of(j)) p = 0;
    reaction[j] = {};
    pace[j] = 0;
}

void JointSet::count_rows(std::size_t j) {
    is_timed[j] = compile_axes(joint[j]);
    const Counts counts = counts_of(*this, j);
    impulse.reset(j, counts.rows);
    is_plain[j] = counts.is_plain;
    is_passive[j] = counts.is_passive;
}

// Frames are kept in principal frames: X_BP' of the body is now where X_BP was.
void JointSet::move_frames(std::size_t j, std::uint32_t body, const Pose& X_new_old) {
    if (a[j] == body && part_a[j] == kNoPart) X_AJ[j] = X_new_old * X_AJ[j];
    if (b[j] == body && part_b[j] == kNoPart) X_BJ[j] = X_new_old * X_BJ[j];
    if (c[j] != body) return;
    X_CA[j] = X_new_old * X_CA[j];
    X_CB[j] = X_new_old * X_CB[j];
}

void JointSet::update_numbers(const BodySet& bodies) {
    for (std::size_t j = 0; j < size(); ++j) {
        a[j] = number_of(bodies, uid_a[j]);
        b[j] = number_of(bodies, uid_b[j]);
        c[j] = number_of(bodies, uid_c[j]);
    }
}

JointPoses poses_of(const JointSet& joints, std::size_t j, const BodySet& bodies) {
    return {pose_of(bodies, joints.a[j], joints.part_a[j]), pose_of(bodies, joints.b[j], joints.part_b[j]),
            pose_of(bodies, joints.c[j])};
}

JointGeometry geometry_of(const JointSet& joints, std::size_t j, const JointPoses& poses) {
    JointGeometry g;
    g.X_WJa = poses.a * joints.X_AJ[j];
    g.X_WJb = poses.b * joints.X_BJ[j];
    g.ra = g.X_WJa.position - poses.a.position;
    g.rb = g.X_WJb.position - poses.b.position;
    g.X_WCa = poses.c * joints.X_CA[j];
    g.X_WCb = poses.c * joints.X_CB[j];
    g.curve = &joints.curve[j];
    g.rca = g.X_WCa.position - poses.c.position;
    g.rcb = g.X_WCb.position - poses.c.position;
    return g;
}

void make_rows(const JointSet& joints, std::size_t j, const JointPoses& poses, JointRows& out) {
    const JointGeometry g = geometry_of(joints, j, poses);
    const std::size_t first = out.rows.rows.size();
    out.first_block = static_cast<std::uint32_t>(out.rows.blocks.size());
    out.rows.begin_block();
    std::visit([&](const auto& desc) { add_rows(desc, g, out); }, joints.joint[j]);
    for (Row& row : std::span(out.rows.rows).subspan(first)) row.length = row.is_linear ? 1 : out.size;
}

double linear_error(const Rows& rows) {
    double sum = 0;
    for (const Row& row : rows.rows)
        if (row.is_equation() && row.is_linear) sum += row.error * row.error;
    return std::sqrt(sum);
}

void add_reaction(const Rows& rows, const Row& row, double impulse, std::uint32_t b, const Vec3& rb,
                  JointReaction& sum) {
    for (const RowPart& part : rows.parts_of(row)) {
        if (part.node != b) continue;
        sum.force += part.linear * impulse;
        sum.torque += (part.angular - cross(rb, part.linear)) * impulse;
    }
}

}  // namespace impuls
