// What all joints share: rows, frames carried by bodies, reactions (joint.h).
#include "dynamics/joint.h"

#include <algorithm>
#include <cmath>

namespace impuls {

namespace {

// Equations of a joint: while displacing, part of the error is to be gone at the end of the substep.
void finish_equation(JointRows& out, double error) {
    Row& row = out.rows.rows.back();
    row.error = error;
    row.bias = out.phase == Phase::Displacement ? out.recovery * error / out.h : 0;
}

}  // namespace

void add_point_row(JointRows& out, const JointGeometry& g, const Vec3& direction) {
    out.rows.add();
    out.rows.add_part(out.a, -direction, -cross(g.ra, direction));
    out.rows.add_part(out.b, direction, cross(g.rb, direction));
    finish_equation(out, dot(direction, g.X_WJb.position - g.X_WJa.position));
}

void add_point_rows(JointRows& out, const JointGeometry& g) {
    add_point_row(out, g, {1, 0, 0});
    add_point_row(out, g, {0, 1, 0});
    add_point_row(out, g, {0, 0, 1});
}

void add_angular_row(JointRows& out, const Vec3& axis, double error) {
    out.rows.add();
    out.rows.add_part(out.a, {}, -axis);
    out.rows.add_part(out.b, {}, axis);
    finish_equation(out, error);
}

// The shortest rotation from x; for directions behind, a half turn about z first.
Quat along_x(const Vec3& direction) {
    const Vec3 u = normalized(direction);
    if (u.x >= 0) return normalized(Quat{1 + u.x, 0, -u.z, u.y});
    return normalized(Quat{1 - u.x, 0, u.z, -u.y}) * Quat{0, 0, 0, 1};
}

namespace {

template <class Set, class F>
void for_each_array(Set& s, F&& f) {
    f(s.uid), f(s.joint), f(s.uid_a), f(s.uid_b), f(s.a), f(s.b), f(s.X_AJ), f(s.X_BJ),
        f(s.collide_connected);
    f(s.reaction);
}

Pose pose_of(const BodySet& bodies, std::uint32_t k) {
    return k == kNoBody ? Pose{} : bodies.pose[k];
}

std::uint32_t number_of(const BodySet& bodies, std::uint64_t uid) {
    if (uid == 0) return kNoBody;
    const auto it = std::lower_bound(bodies.uid.begin(), bodies.uid.end(), uid);
    return static_cast<std::uint32_t>(it - bodies.uid.begin());
}

}  // namespace

void JointSet::add(const JointDesc& desc, const BodySet& bodies, std::uint32_t body_a, std::uint32_t body_b) {
    for_each_array(*this, [](auto& list) { list.emplace_back(); });
    const Pose X_WJ = std::visit([](const auto& d) { return joint_frame(d); }, desc.joint);
    uid.back() = next_uid++;
    joint.back() = desc.joint;
    a.back() = body_a, b.back() = body_b;
    uid_a.back() = body_a == kNoBody ? 0 : bodies.uid[body_a];
    uid_b.back() = body_b == kNoBody ? 0 : bodies.uid[body_b];
    X_AJ.back() = inverse(pose_of(bodies, body_a)) * X_WJ;
    X_BJ.back() = inverse(pose_of(bodies, body_b)) * X_WJ;
    collide_connected.back() = desc.collide_connected;
    // How many rows it makes does not depend on where its bodies are.
    Rows rows;
    JointRows out{rows, 0, 1};
    make_rows(*this, size() - 1, pose_of(bodies, body_a), pose_of(bodies, body_b), out);
    row_start.push_back(row_start.back() + static_cast<std::uint32_t>(rows.rows.size()));
    impulse.resize(row_start.back());
}

void JointSet::remove(std::size_t j) {
    const auto count = row_start[j + 1] - row_start[j];
    impulse.erase(impulse.begin() + row_start[j], impulse.begin() + row_start[j + 1]);
    row_start.erase(row_start.begin() + static_cast<std::ptrdiff_t>(j));
    for (std::size_t k = j; k < row_start.size(); ++k) row_start[k] -= count;
    for_each_array(*this, [j](auto& list) { list.erase(list.begin() + static_cast<std::ptrdiff_t>(j)); });
}

void JointSet::forget(std::size_t j) {
    for (double& p : impulses_of(j)) p = 0;
    reaction[j] = {};
}

void JointSet::update_numbers(const BodySet& bodies) {
    for (std::size_t j = 0; j < size(); ++j) {
        a[j] = number_of(bodies, uid_a[j]);
        b[j] = number_of(bodies, uid_b[j]);
    }
}

JointGeometry geometry_of(const JointSet& joints, std::size_t j, const Pose& X_WA, const Pose& X_WB) {
    const Pose X_WJa = X_WA * joints.X_AJ[j], X_WJb = X_WB * joints.X_BJ[j];
    return {X_WJa, X_WJb, X_WJa.position - X_WA.position, X_WJb.position - X_WB.position};
}

void make_rows(const JointSet& joints, std::size_t j, const Pose& X_WA, const Pose& X_WB, JointRows& out) {
    const JointGeometry g = geometry_of(joints, j, X_WA, X_WB);
    out.rows.begin_block();
    std::visit([&](const auto& desc) { add_rows(desc, g, out); }, joints.joint[j]);
}

double linear_error(const Rows& rows) {
    double sum = 0;
    for (const Row& row : rows.rows)
        if (row.is_equation() && rows.parts[row.first_part].linear != Vec3{}) sum += row.error * row.error;
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
