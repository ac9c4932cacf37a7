// The phases of a substep (substep.h).
#include "steppers/articulated/substep.h"

#include <algorithm>
#include <cmath>

#include "math/free_rotation.h"
#include "math/rotation.h"
#include "steppers/articulated/tuning.h"

namespace impuls::articulated {
namespace {

void push(Mechanism& m, const ArticulatedTree::Part& part, double impulse) {
    if (part.link == kNone) return;
    TreeBody& body = m.bodies[part.link];
    body.next_v += part.linear * (impulse * body.inv_mass);
    body.next_l += part.angular * impulse;
}

void push_ball(Mechanism& m, const ArticulatedTree::Link& link, TreeBody& child) {
    child.next_v += link.impulse * child.inv_mass;
    child.next_l += cross(link.a, link.impulse);
    if (link.parent == kNone) return;
    TreeBody& parent = m.bodies[link.parent];
    parent.next_v -= link.impulse * parent.inv_mass;
    parent.next_l -= cross(link.p, link.impulse);
}

double push_row(Mechanism& m, const TreeJoint& joint, std::size_t r) {
    if (joint.link != kNone) {
        const ArticulatedTree::JointRows& rows = m.tree.rows_of(joint.link);
        push(m, rows.child[r], rows.impulse[r]);
        push(m, rows.parent[r], rows.impulse[r]);
        return rows.impulse[r];
    }
    const ArticulatedTree::LoopRow& row = m.tree.loops()[joint.first_loop_row + r];
    for (const ArticulatedTree::Part& part : m.tree.parts_of(row)) push(m, part, row.impulse);
    return row.impulse;
}

// Applies the impulses that the tree has found: v += M^-1 J^T p.
void apply_impulses(Mechanism& m, JointForces& forces) {
    for (std::size_t k = 0; k < m.joints.size(); ++k) {
        const TreeJoint& joint = m.joints[k];
        if (joint.is_ball) {
            const ArticulatedTree::Link& link = m.tree.links()[joint.link];
            push_ball(m, link, m.bodies[joint.child]);
            forces.balls[k].impulse += link.impulse;
            continue;
        }
        for (std::size_t r = 0; r < joint.row_count; ++r)
            forces.rows[joint.first_row + r].impulse += push_row(m, joint, r);
    }
}

// What the impulse of row r does to body b, about the joint's point in it.
void add_row_reaction(Mechanism& m, const TreeJoint& joint, std::size_t r, const Vec3& rb, double impulse,
                      JointReaction& sum) {
    const auto add = [&](const ArticulatedTree::Part& part) {
        sum.force += part.linear * impulse;
        sum.torque += (part.angular - cross(rb, part.linear)) * impulse;
    };
    if (joint.link != kNone) {
        const ArticulatedTree::JointRows& rows = m.tree.rows_of(joint.link);
        add(joint.child == joint.b ? rows.child[r] : rows.parent[r]);
        return;
    }
    for (const auto& part : m.tree.parts_of(m.tree.loops()[joint.first_loop_row + r]))
        if (part.link == joint.b) add(part);
}

// The impulses of the phase become part of those of the step, and are 0 again.
void sum_impulses(Mechanism& m, JointForces& forces) {
    for (std::size_t k = 0; k < m.joints.size(); ++k) {
        const TreeJoint& joint = m.joints[k];
        JointReaction& sum = forces.impulses[k];
        if (joint.is_ball) {
            sum.force += forces.balls[k].impulse * joint.sign_of_b();
            forces.balls[k].impulse = {};
            continue;
        }
        const Vec3& point = joint.child == joint.b ? joint.r_child : joint.r_parent;
        const Vec3 rb = rotate(m.bodies[joint.b].pose.orientation, point);
        for (std::size_t r = 0; r < joint.row_count; ++r) {
            double& impulse = forces.rows[joint.first_row + r].impulse;
            add_row_reaction(m, joint, r, rb, impulse, sum);
            impulse = 0;
        }
    }
}

// v += h/2 a, l += h/2 t, with half of the damping; bodies that are not links arrive where they will be.
void begin_substep(Mechanism& m, double h) {
    for (std::size_t k = 0; k < m.moving; ++k) {
        TreeBody& body = m.bodies[k];
        body.next_v = body.v * body.damping.left_of_v(0.5 * h) + body.acceleration * (0.5 * h);
        body.next_l = body.l * body.damping.left_of_w(0.5 * h) + body.torque * (0.5 * h);
    }
    for (std::size_t k = m.moving; k < m.bodies.size(); ++k) {
        TreeBody& body = m.bodies[k];
        body.next = {body.pose.position + body.v * h, turned(body.pose.orientation, body.w * h)};
    }
}

// The impulses of half a substep at the forces of the last one.
void guess_impulses(Mechanism& m, JointForces& forces, double h) {
    const auto guess = [&](auto& joint) {
        joint.impulse = {};
        const auto force = forces.is_composed ? joint.force + joint.slope * (h - forces.last_h) : joint.force;
        return force * (0.5 * h);
    };
    for (std::size_t k = 0; k < m.joints.size(); ++k) {
        const TreeJoint& joint = m.joints[k];
        if (joint.is_ball) m.tree.links()[joint.link].impulse = guess(forces.balls[k]);
        for (std::size_t r = 0; r < joint.row_count; ++r)
            impulse_of(m, joint, r) = guess(forces.rows[joint.first_row + r]);
    }
}

// x + h v and q by free rotation, with the velocities so far.
void drift(Mechanism& m, double h) {
    const auto top_of = [&](std::size_t k) {
        const TreeBody& body = m.bodies[k];
        return FreeTop{body.pose.orientation, body.next_l, body.inv_inertia, body.symmetry_axis};
    };
    for (std::size_t k = 0; k < m.moving; ++k)
        m.bodies[k].next.position = m.bodies[k].pose.position + m.bodies[k].next_v * h;
    for (std::size_t k = 0; k < m.moving; k += 2) {
        const std::size_t n = k + 1 < m.moving ? k + 1 : k;
        FreeTop a = top_of(k), b = top_of(n);
        turned_freely(a, b, h);
        m.bodies[k].next.orientation = a.q;
        m.bodies[n].next.orientation = b.q;
    }
}

// Velocities that would close the joints at the next poses: -C / h. Returns the largest error |C|, m; angles
// count at the distance of the smallest size.
double set_gap_targets(Context& c, double h) {
    Mechanism& m = c.mechanism;
    const auto links = m.tree.links();
    if (m.has_rows) update_nodes(m);
    double largest_squared = 0, largest = 0;
    const double inv_h = 1 / h;
    for (const TreeJoint& joint : m.joints) {
        if (joint.is_ball) {
            const Vec3 gap =
                m.bodies[joint.parent].next * joint.r_parent - m.bodies[joint.child].next * joint.r_child;
            links[joint.link].c = gap * inv_h;
            largest_squared = std::max(largest_squared, length_squared(gap));
            continue;
        }
        make_joint_rows(c.view, m, joint, Poses::Next, h, false);
        for (std::size_t r = 0; r < joint.row_count; ++r) {
            const Row& row = m.rows.rows[r];
            target_of(m, joint, r) = -row.error * inv_h;
            largest = std::max(largest, std::abs(row.error) * row.length);
        }
    }
    return std::max(largest, std::sqrt(largest_squared));
}

// Whether the joints, where iterations have stalled with this error, may stay as they are.
bool accepts_stall(const Mechanism& m, Convergence& convergence, double error) {
    if (error <= convergence.loose_tolerance) return true;
    // Loops that contradict each other stay open however short the substep.
    const bool is_contradiction =
        m.has_loops && error > kContradiction * convergence.stall_error && error < kMaxOpen * m.size;
    convergence.stall_error = error;
    return is_contradiction;
}

// Iterations of the position phase. Returns the error that is left, m; infinite: they do not converge.
double iterate(Context& c, double h) {
    Convergence& convergence = c.convergence;
    double before = kUnbounded;
    for (convergence.iterations = 0;; ++convergence.iterations) {
        drift(c.mechanism, h);
        const double error = set_gap_targets(c, h);
        if (error <= convergence.tolerance) return error;
        if (!(error < kUnbounded) || convergence.iterations == kMaxIterations) return kUnbounded;
        if (convergence.iterations > kFirstIterations && error > kStallShare * before)
            return accepts_stall(c.mechanism, convergence, error) ? error : kUnbounded;
        before = error;
        c.mechanism.tree.solve();
        apply_impulses(c.mechanism, c.forces);
    }
}

}  // namespace

void begin_forces(const WorldView& view, const Island& island, const Mechanism& m, JointForces& forces) {
    const double usual = view.usual_substep();
    const std::vector<double>& impulses = island.memory.impulses;
    forces.balls.assign(m.joints.size(), {});
    forces.rows.assign(impulses.size(), {});
    forces.impulses.assign(m.joints.size(), {});
    forces.last_h = 0;
    for (std::size_t k = 0; k < m.joints.size(); ++k) {
        const TreeJoint& joint = m.joints[k];
        const double* impulse = impulses.data() + joint.first_row;
        if (joint.is_ball)
            forces.balls[k].force = Vec3{impulse[0], impulse[1], impulse[2]} * (joint.sign_of_b() / usual);
        for (std::size_t r = 0; r < joint.row_count; ++r)
            forces.rows[joint.first_row + r].force = impulse[r] / usual;
    }
}

// A ball's impulse acts in the middle between its two points, so that angular momentum is kept even while
// they are apart.
double update(Context& c, double h) {
    Mechanism& m = c.mechanism;
    const auto links = m.tree.links();
    for (std::size_t k = 0; k < m.moving; ++k) {
        TreeBody& body = m.bodies[k];
        const Mat3 r = to_matrix(body.pose.orientation), r_t = transpose(r);
        links[k].inertia = Mat3{r.c0 * body.inertia.x, r.c1 * body.inertia.y, r.c2 * body.inertia.z} * r_t;
        body.inv_inertia_W =
            Mat3{r.c0 * body.inv_inertia.x, r.c1 * body.inv_inertia.y, r.c2 * body.inv_inertia.z} * r_t;
    }
    if (m.has_rows) {
        update_nodes(m);
        m.tree.clear_loops();
    }
    double open = 0;
    for (TreeJoint& joint : m.joints) {
        if (!joint.is_ball) {
            make_joint_rows(c.view, m, joint, Poses::Present, h, true);
            for (const Row& row : m.rows.rows)
                if (row.is_linear) open = std::max(open, std::abs(row.error));
            copy_rows_to_tree(m, joint);
            continue;
        }
        const TreeBody &child = m.bodies[joint.child], &parent = m.bodies[joint.parent];
        const Vec3 a = rotate(child.pose.orientation, joint.r_child),
                   p = rotate(parent.pose.orientation, joint.r_parent);
        const Vec3 half_gap = (parent.pose.position + p - child.pose.position - a) * 0.5;
        links[joint.link].a = a + half_gap;
        links[joint.link].p = p - half_gap;
        open = std::max(open, 2 * length(half_gap));
    }
    m.tree.factor();
    return open;
}

bool close_joints(Context& c, double h) {
    check_stop(c.view.stop);
    ++c.work;
    begin_substep(c.mechanism, h);
    guess_impulses(c.mechanism, c.forces, h);
    apply_impulses(c.mechanism, c.forces);
    const double error = iterate(c, h);
    c.effort.iterations += static_cast<std::uint32_t>(c.convergence.iterations);
    if (error == kUnbounded) return false;
    c.effort.note_residual(error / std::abs(h));
    return true;
}

void stop_joints(Context& c, double h) {
    Mechanism& m = c.mechanism;
    const auto links = m.tree.links();
    for (std::size_t k = 0; k < m.moving; ++k) {
        TreeBody& body = m.bodies[k];
        body.v = body.next_v;
        body.w = body.inv_inertia_W * body.next_l;
    }
    for (const TreeJoint& joint : m.joints) {
        const TreeBody &child = m.bodies[joint.child], &parent = m.bodies[joint.parent];
        if (joint.is_ball) {
            ArticulatedTree::Link& link = links[joint.link];
            link.c = parent.v + cross(parent.w, link.p) - child.v - cross(child.w, link.a);
            continue;
        }
        make_joint_rows(c.view, m, joint, Poses::Present, h, false);
        for (std::size_t r = 0; r < joint.row_count; ++r)
            target_of(m, joint, r) = -velocity_of(m, m.rows.rows[r]);
    }
    m.tree.solve();
    apply_impulses(m, c.forces);
    sum_impulses(m, c.forces);
}

void take_velocities(Mechanism& m) {
    for (std::size_t k = 0; k < m.moving; ++k) {
        TreeBody& body = m.bodies[k];
        body.v = body.next_v;
        body.l = body.next_l;
        body.w = body.inv_inertia_W * body.l;
    }
}

// The other half of the forces and then of the damping, each followed by a velocity phase, so that damping
// does not scale the joints' forces.
void finish_substep(Context& c, double h) {
    Mechanism& m = c.mechanism;
    for (auto& ball : c.forces.balls) ball.force = ball.impulse * (2 / h);
    for (auto& row : c.forces.rows) row.force = row.impulse * (2 / h);
    sum_impulses(m, c.forces);
    for (TreeBody& body : m.bodies) {
        body.pose = body.next;
        body.next_v += body.acceleration * (0.5 * h);
        body.next_l += body.torque * (0.5 * h);
    }
    update(c, h);
    stop_joints(c, h);
    if (m.is_damped) {
        for (std::size_t k = 0; k < m.moving; ++k) {
            TreeBody& body = m.bodies[k];
            body.next_v *= body.damping.left_of_v(0.5 * h);
            body.next_l *= body.damping.left_of_w(0.5 * h);
        }
        stop_joints(c, h);
    }
    take_velocities(m);
}

}  // namespace impuls::articulated
