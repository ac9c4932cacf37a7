// What all joints share: rows, frames carried by bodies, reactions (joint.h).
#include "dynamics/joint.h"

#include <algorithm>

namespace impuls {

void add_point_row(JointBlock& block, const JointGeometry& g, const Vec3& direction) {
    JointRow& row = block.rows[block.count++];
    row.linear_a = -direction;
    row.angular_a = -cross(g.ra, direction);
    row.linear_b = direction;
    row.angular_b = cross(g.rb, direction);
    row.error = dot(direction, g.X_WJb.position - g.X_WJa.position);
}

void add_angular_row(JointBlock& block, const Vec3& axis, double error) {
    JointRow& row = block.rows[block.count++];
    row.angular_a = -axis;
    row.angular_b = axis;
    row.error = error;
}

namespace {

template <class Set, class F>
void for_each_array(Set& s, F&& f) {
    f(s.uid), f(s.joint), f(s.uid_a), f(s.uid_b), f(s.a), f(s.b), f(s.X_AJ), f(s.X_BJ),
        f(s.collide_connected);
    f(s.impulse), f(s.reaction);
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
}

void JointSet::remove(std::size_t j) {
    for_each_array(*this, [j](auto& list) { list.erase(list.begin() + static_cast<std::ptrdiff_t>(j)); });
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

void make_rows(const JointSet& joints, std::size_t j, const Pose& X_WA, const Pose& X_WB, JointBlock& block) {
    block.count = 0;
    block.rows = {};
    const JointGeometry g = geometry_of(joints, j, X_WA, X_WB);
    std::visit([&](const auto& desc) { add_rows(desc, g, block); }, joints.joint[j]);
}

double linear_error(const JointBlock& block) {
    double sum = 0;
    for (int r = 0; r < block.count; ++r)
        if (block.rows[r].linear_b != Vec3{}) sum += block.rows[r].error * block.rows[r].error;
    return std::sqrt(sum);
}

void add_reaction(const JointBlock& block, const Vec3& rb, JointReaction& sum) {
    for (int r = 0; r < block.count; ++r) {
        const JointRow& row = block.rows[r];
        sum.force += row.linear_b * row.impulse;
        sum.torque += (row.angular_b - cross(rb, row.linear_b)) * row.impulse;
    }
}

}  // namespace impuls
