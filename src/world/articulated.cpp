// Substeps of islands of joints alone (articulated.h).
#include "world/articulated.h"

#include <algorithm>
#include <cmath>

#include "math/free_rotation.h"
#include "math/rotation.h"
#include "world/state.h"

namespace impuls {
namespace {

constexpr double kTorn =
    1e-3;  // of the smallest body's size: open farther, joints are no work for this method
constexpr int kMostTurns = 14;

}  // namespace

// The rows of a joint at the present poses, or at the next ones. Returns how fast they bend.
double ArticulatedWork::make_rows_of(const JointWork& joint, bool is_next, double h, bool keeps_angles) {
    const auto pose = [&](std::uint32_t k) { return is_next ? bodies_[k].next : bodies_[k].pose; };
    rows_.clear();
    JointRows out{rows_, joint.a, joint.b, joint.c, Phase::Velocity, h};
    out.angles = std::span(angles_).subspan(joint.first_angle, joint.angle_count);
    out.nodes = &nodes_, out.keeps_angles = keeps_angles;
    make_rows(world_->joints, joint.joint, {pose(joint.a), pose(joint.b), pose(joint.c)}, out);
    return out.bend;
}

// What is asked of row r of a joint, and the impulse that was found for it.
double& ArticulatedWork::wanted(const JointWork& joint, std::size_t r) {
    return joint.link == kNone ? tree_.loops()[joint.first_loop + r].c : tree_.rows_of(joint.link).c[r];
}
double& ArticulatedWork::impulse_of(const JointWork& joint, std::size_t r) {
    return joint.link == kNone ? tree_.loops()[joint.first_loop + r].impulse
                               : tree_.rows_of(joint.link).impulse[r];
}

// J v of a row just made.
double ArticulatedWork::velocity_of(const Row& row) const {
    double sum = 0;
    for (const RowPart& part : rows_.parts_of(row))
        sum += dot(part.linear, bodies_[part.node].v) + dot(part.angular, bodies_[part.node].w);
    return sum;
}

void ArticulatedWork::update_nodes() {
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
        const Body& body = bodies_[k];
        nodes_.v[k] = k < moving_ ? body.next_v : body.v;
        nodes_.w[k] = k < moving_ ? body.inv_inertia_W * body.next_l : body.w;
    }
}

// J of the rows just made, into the tree.
void ArticulatedWork::take_rows(JointWork& joint) {
    const auto part_of = [&](const RowPart& part) {
        return ArticulatedTree::Part{part.node < moving_ ? part.node : kNone, part.linear, part.angular};
    };
    if (joint.link == kNone) {
        joint.first_loop = static_cast<std::uint32_t>(tree_.loops().size());
        for (const Row& row : rows_.rows) {
            tree_.add_loop_row();
            for (const RowPart& part : rows_.parts_of(row))
                if (part.node < moving_) tree_.add_loop_part(part_of(part));
        }
        return;
    }
    ArticulatedTree::JointRows& rows = tree_.rows_of(joint.link);
    rows.count = static_cast<int>(rows_.rows.size());
    for (std::size_t r = 0; r < rows_.rows.size(); ++r) {
        rows.child[r] = {joint.child, {}, {}};
        rows.parent[r] = {joint.parent < moving_ ? joint.parent : kNone, {}, {}};
        for (const RowPart& part : rows_.parts_of(rows_.rows[r]))
            (part.node == joint.child ? rows.child : rows.parent)[r] = part_of(part);
    }
}

// Inertia, levers and rows at the present poses, and the factors. Impulses of a ball act in the middle
// between its two points, so that angular momentum is kept even while they are apart. Returns how far apart
// they are; without factors and unbounded when there are too many loops.
double ArticulatedWork::update(double h) {
    const auto links = tree_.links();
    for (std::size_t k = 0; k < moving_; ++k) {
        Body& body = bodies_[k];
        const Mat3 r = to_matrix(body.pose.orientation), r_t = transpose(r);
        links[k].inertia = Mat3{r.c0 * body.inertia.x, r.c1 * body.inertia.y, r.c2 * body.inertia.z} * r_t;
        body.inv_inertia_W =
            Mat3{r.c0 * body.inv_inertia.x, r.c1 * body.inv_inertia.y, r.c2 * body.inv_inertia.z} * r_t;
    }
    if (has_rows_) update_nodes(), tree_.clear_loops();
    double worst = 0;
    for (JointWork& joint : joints_) {
        if (!joint.is_ball) {
            make_rows_of(joint, false, h, true);
            for (const Row& row : rows_.rows)
                if (row.is_linear(rows_)) worst = std::max(worst, std::abs(row.error));
            take_rows(joint);
            continue;
        }
        const Body &child = bodies_[joint.child], &parent = bodies_[joint.parent];
        const Vec3 a = rotate(child.pose.orientation, joint.r_child),
                   p = rotate(parent.pose.orientation, joint.r_parent);
        const Vec3 half = (parent.pose.position + p - child.pose.position - a) * 0.5;
        links[joint.link].a = a + half, links[joint.link].p = p - half;
        worst = std::max(worst, 2 * length(half));
    }
    if (tree_.loops().size() > ArticulatedTree::kMostLoopRows) return kUnbounded;  // not for this step
    tree_.factor();
    return worst;
}

// Where all bodies get with the velocities they have now.
void ArticulatedWork::drift(double h) {
    const auto top_of = [&](std::size_t k) {
        const Body& body = bodies_[k];
        return FreeTop{body.pose.orientation, body.next_l, body.inv_inertia, body.spin_axis};
    };
    for (std::size_t k = 0; k < moving_; ++k)
        bodies_[k].next.position = bodies_[k].pose.position + bodies_[k].next_v * h;
    for (std::size_t k = 0; k < moving_; k += 2) {
        const std::size_t n = k + 1 < moving_ ? k + 1 : k;
        FreeTop a = top_of(k), b = top_of(n);
        turned_freely(a, b, h);
        bodies_[k].next.orientation = a.q, bodies_[n].next.orientation = b.q;
    }
}

// What the joints lack at the next poses, as velocities. Returns the largest error; angles count at the
// distance of the smallest body's size.
double ArticulatedWork::find_gaps(double h) {
    const auto links = tree_.links();
    if (has_rows_) update_nodes();
    double worst2 = 0, worst = 0;
    const double inv_h = 1 / h;
    for (const JointWork& joint : joints_) {
        if (joint.is_ball) {
            const Vec3 gap =
                bodies_[joint.parent].next * joint.r_parent - bodies_[joint.child].next * joint.r_child;
            links[joint.link].c = gap * inv_h;
            worst2 = std::max(worst2, length_squared(gap));
            continue;
        }
        make_rows_of(joint, true, h, false);
        for (std::size_t r = 0; r < joint.row_count; ++r) {
            const Row& row = rows_.rows[r];
            wanted(joint, r) = -row.error * inv_h;
            worst = std::max(worst, std::abs(row.error) * (row.is_linear(rows_) ? 1 : size_));
        }
    }
    return std::max(worst, std::sqrt(worst2));
}

void ArticulatedWork::push(const ArticulatedTree::Part& part, double impulse) {
    if (part.link == kNone) return;
    Body& body = bodies_[part.link];
    body.next_v += part.linear * (impulse * body.inv_mass);
    body.next_l += part.angular * impulse;
}

// The impulses that the tree has found act.
void ArticulatedWork::push() {
    const auto links = tree_.links();
    for (JointWork& joint : joints_) {
        if (joint.is_ball) {
            const ArticulatedTree::Link& link = links[joint.link];
            Body& child = bodies_[joint.child];
            child.next_v += link.impulse * child.inv_mass;
            child.next_l += cross(link.a, link.impulse);
            joint.pushed += link.impulse;
            if (link.parent == kNone) continue;
            Body& parent = bodies_[link.parent];
            parent.next_v -= link.impulse * parent.inv_mass;
            parent.next_l -= cross(link.p, link.impulse);
            continue;
        }
        for (std::size_t r = 0; r < joint.row_count; ++r) {
            double impulse = 0;
            if (joint.link != kNone) {
                const ArticulatedTree::JointRows& rows = tree_.rows_of(joint.link);
                impulse = rows.impulse[r];
                push(rows.child[r], impulse), push(rows.parent[r], impulse);
            } else {
                const ArticulatedTree::LoopRow& row = tree_.loops()[joint.first_loop + r];
                impulse = row.impulse;
                for (const auto& part : tree_.parts_of(row)) push(part, impulse);
            }
            pushed_[joint.first_number + r] += impulse;
        }
    }
}

// Impulses since the last call become part of the reactions.
void ArticulatedWork::note_pushed() {
    for (JointWork& joint : joints_) {
        if (joint.is_ball) {
            joint.sum.force += joint.pushed * (joint.child == joint.b ? 1.0 : -1.0);
            joint.pushed = {};
            continue;
        }
        const Vec3 rb = rotate(bodies_[joint.b].pose.orientation, world_->joints.X_BJ[joint.joint].position);
        for (std::size_t r = 0; r < joint.row_count; ++r) {
            double& impulse = pushed_[joint.first_number + r];
            const auto add = [&](const ArticulatedTree::Part& part) {
                joint.sum.force += part.linear * impulse;
                joint.sum.torque += (part.angular - cross(rb, part.linear)) * impulse;
            };
            if (joint.link != kNone) {
                const ArticulatedTree::JointRows& rows = tree_.rows_of(joint.link);
                add(joint.child == joint.b ? rows.child[r] : rows.parent[r]);
            } else {
                for (const auto& part : tree_.parts_of(tree_.loops()[joint.first_loop + r]))
                    if (part.link == joint.b) add(part);
            }
            impulse = 0;
        }
    }
}

// Half of the forces, the impulses of the last substep as a guess, and then turns.
bool ArticulatedWork::close_joints(double h) {
    for (std::size_t k = 0; k < moving_; ++k) {
        Body& body = bodies_[k];
        body.next_v = body.v * decay(0.5 * h * body.linear_damping) + body.acceleration * (0.5 * h);
        body.next_l = body.l * decay(0.5 * h * body.angular_damping) + body.torque * (0.5 * h);
    }
    for (std::size_t k = moving_; k < bodies_.size(); ++k) {
        Body& body = bodies_[k];
        body.next = {body.pose.position + body.v * h, turned(body.pose.orientation, body.w * h)};
    }
    const auto links = tree_.links();
    for (JointWork& joint : joints_) {
        joint.pushed = {};
        if (joint.is_ball) {
            const Vec3 force = is_composed_ ? joint.force + joint.slope * (h - last_) : joint.force;
            links[joint.link].impulse = force * (0.5 * h);
        }
        for (std::size_t r = 0; r < joint.row_count; ++r) {
            const auto n = joint.first_number + r;
            pushed_[n] = 0;
            const double force = is_composed_ ? numbers_[n] + slopes_[n] * (h - last_) : numbers_[n];
            impulse_of(joint, r) = force * (0.5 * h);
        }
    }
    push();
    double before = kUnbounded;
    for (turns_ = 0;; ++turns_) {
        drift(h);
        const double worst = find_gaps(h);
        if (worst <= tolerance_) return true;
        if (!(worst < kUnbounded) || turns_ == kMostTurns) return false;
        if (turns_ > 2 && worst > 0.7 * before) {
            if (worst <= world_->method.tolerance * size_) return true;
            // Loops that contradict each other stay open however short the substep.
            const bool is_stuck = has_loops_ && worst > 0.5 * stalled_ && worst < kTorn * size_;
            stalled_ = worst;
            return is_stuck;
        }
        before = worst;
        tree_.solve();
        push();
    }
}

// Velocities that the joints allow.
void ArticulatedWork::stop_joints(double h) {
    const auto links = tree_.links();
    for (std::size_t k = 0; k < moving_; ++k) {
        Body& body = bodies_[k];
        body.v = body.next_v, body.w = body.inv_inertia_W * body.next_l;
    }
    for (const JointWork& joint : joints_) {
        const Body &child = bodies_[joint.child], &parent = bodies_[joint.parent];
        if (joint.is_ball) {
            ArticulatedTree::Link& link = links[joint.link];
            link.c = parent.v + cross(parent.w, link.p) - child.v - cross(child.w, link.a);
            continue;
        }
        make_rows_of(joint, false, h, false);
        for (std::size_t r = 0; r < joint.row_count; ++r) wanted(joint, r) = -velocity_of(rows_.rows[r]);
    }
    tree_.solve();
    push();
    note_pushed();
}

// The bodies are there: the other half of the forces, then of damping, joints at rest after each, so that
// damping does not scale the joints' forces.
void ArticulatedWork::finish(double h) {
    for (JointWork& joint : joints_) {
        joint.force = joint.pushed * (2 / h);
        for (std::size_t r = 0; r < joint.row_count; ++r)
            numbers_[joint.first_number + r] = pushed_[joint.first_number + r] * (2 / h);
    }
    note_pushed();
    for (Body& body : bodies_) {
        body.pose = body.next;
        body.next_v += body.acceleration * (0.5 * h);
        body.next_l += body.torque * (0.5 * h);
    }
    update(h);
    stop_joints(h);
    if (is_composed_) follow_forces(h);
    if (is_damped_) {
        for (std::size_t k = 0; k < moving_; ++k) {
            Body& body = bodies_[k];
            body.next_v *= decay(0.5 * h * body.linear_damping);
            body.next_l *= decay(0.5 * h * body.angular_damping);
        }
        stop_joints(h);
    }
    for (std::size_t k = 0; k < moving_; ++k) {
        Body& body = bodies_[k];
        body.v = body.next_v, body.l = body.next_l;
        body.w = body.inv_inertia_W * body.l;
    }
}

}  // namespace impuls
