// Continuous collision of fast pairs (sweep.h).
#include "steppers/substep/sweep.h"

#include <algorithm>

#include "collision/distance/pieces.h"
#include "collision/narrow/narrow.h"
#include "collision/sweep/time_of_impact.h"
#include "math/rotation.h"
#include "steppers/substep/contacts.h"
#include "steppers/substep/motion.h"
#include "steppers/substep/tuning.h"

namespace impuls::substep {
namespace {

SteadyMotion motion_of_node(const Substep& s, std::uint32_t k) {
    return {s.island.nodes[k].pose, s.problem.nodes.v[k], s.problem.nodes.w[k]};
}

// The place where two meet, as a contact of one point.
Manifold touch_of(const Closest& points) {
    Manifold only;
    only.normal = points.normal;
    only.count = 1;
    only.points[0] = {0.5 * (points.p_a + points.p_b), points.distance, 0};
    return only;
}

// Whether they only pass over a seam there. Held by the other contacts, they do not go on into each other.
bool is_at_seam(const Substep& s, const Meeting& meeting, const SteadyMotion& a, const SteadyMotion& b) {
    const Seams& seams = s.contacts.seams;
    if (seams.is_far_from(s.island, meeting.pair)) return false;
    const SteadyMotion& dynamic = s.island.pairs[meeting.pair].a < s.island.dynamic_count ? a : b;
    const double t = meeting.time;
    return seams
        .direction(s.island, meeting.pair, touch_of(meeting.points), a.at(t), b.at(t), dynamic.velocity * t)
        .has_value();
}

// Whether this step has looked at moving pairs as often as it may.
bool is_spent(Substep& s) {
    const std::size_t most = std::max(kLeastLooks, kLooksPerPair * s.island.pairs.size());
    if (s.sweeps.looks < most) return false;
    s.results.note.is_cut = true;
    return true;
}

// How long a pair may move without being looked at: no farther than a contact can resolve.
double unseen_time(const Substep& s, const IslandPair& pair, double h) {
    const double way = way_of(s, pair, h), deep = kDeep * pair.size;
    return way > deep ? h * (deep / way) : h;
}

// Fast pairs without near points that touch within the substep, the earliest first.
void find_meetings(Substep& s, double h) {
    auto& meetings = s.sweeps.meetings;
    meetings.clear();
    const ContactWork& c = s.contacts;
    std::size_t at = 0;
    for (std::uint32_t p = 0; p < s.island.pairs.size(); ++p) {
        const IslandPair& pair = s.island.pairs[p];
        bool has_points = false;
        for (; at < c.points.size() && c.point_pair[at] == p; ++at) has_points |= c.points[at].is_present;
        if (has_points || s.nodes[pair.a].is_flown || s.nodes[pair.b].is_flown) continue;
        if (!is_swept(pair, way_of(s, pair, h)) || is_spent(s)) continue;
        const ImpactAt impact = time_of_impact(*pair.collider_a, motion_of_node(s, pair.a), *pair.collider_b,
                                               motion_of_node(s, pair.b), h, kSlop * pair.size);
        s.sweeps.looks += static_cast<std::size_t>(impact.evaluations);
        if (impact.kind != Impact::Kind::Touch) continue;
        const Meeting meeting{impact.t_touch, p, impact.points};
        if (!is_at_seam(s, meeting, motion_of_node(s, pair.a), motion_of_node(s, pair.b)))
            meetings.push_back(meeting);
    }
    std::sort(meetings.begin(), meetings.end(), [](const Meeting& a, const Meeting& b) {
        return a.time != b.time ? a.time < b.time : a.pair < b.pair;
    });
}

// The impact is solved with the inertia of that moment: w changes so that angular momentum stays.
void turn_to_impact(Substep& s, std::uint32_t k) {
    const IslandNode& node = s.island.nodes[k];
    NodeMotion& motion = s.nodes[k];
    const Vec3 &moments = s.view.bodies.inertia[node.body], &inverse = s.view.bodies.inv_inertia[node.body];
    if (inverse == Vec3{} || (moments.x == moments.y && moments.y == moments.z)) return;
    Vec3& w = s.problem.nodes.w[k];
    const Vec3 l = rotate(motion.middle, scale(moments, rotate_inverse(motion.middle, w)));
    motion.middle = turned(node.pose.orientation, motion.lead_w * motion.lead);
    s.problem.nodes.inv_inertia[k] = turned_diagonal(motion.middle, inverse);
    w = s.problem.nodes.inv_inertia[k] * l;
}

// Manifolds of a meeting: those at the touch, or one point where corners meet.
void find_touch(Substep& s, const Meeting& meeting) {
    const IslandPair& pair = s.island.pairs[meeting.pair];
    const auto pose = [&](std::uint32_t k) { return motion_of_node(s, k).at(meeting.time); };
    auto& manifolds = s.sweeps.manifolds;
    manifolds.clear();
    collide(*pair.collider_a, pose(pair.a) * pair.collider_a->X_BC, *pair.collider_b,
            pose(pair.b) * pair.collider_b->X_BC, kTouchMargin * pair.size, manifolds);
    if (!manifolds.empty()) return;
    manifolds.push_back(touch_of(meeting.points));
}

// Points with a lead, or else with the gap that is closed by then.
void add_swept_points(Substep& s, const Meeting& meeting, bool has_lead) {
    find_touch(s, meeting);
    const IslandPair& pair = s.island.pairs[meeting.pair];
    ContactWork& c = s.contacts;
    auto at = std::upper_bound(c.point_pair.begin(), c.point_pair.end(), meeting.pair) - c.point_pair.begin();
    for (const Manifold& manifold : s.sweeps.manifolds)
        for (int k = 0; k < manifold.count; ++k, ++at) {
            const ManifoldPoint& from = manifold.points[static_cast<std::size_t>(k)];
            SubstepPoint point;
            point.key = s.view.pairs.keys[pair.pair];
            point.feature = from.feature;
            point.is_present = true;
            point.position = from.position;
            point.normal = manifold.normal;
            point.separation = from.separation;
            if (has_lead)
                point.lead = meeting.time;
            else
                point.separation =
                    meeting.time *
                    std::max(0.0, -dot(point.normal, relative_velocity(s, pair, point.position)));
            c.points.insert(c.points.begin() + at, point);
            c.point_pair.insert(c.point_pair.begin() + at, meeting.pair);
        }
}

// The depth of a pair at these poses, zero or less. That of single triangles in each other says nothing about
// the bodies'; the narrow phase knows it.
double depth_at(Substep& s, const IslandPair& pair, const Pose& X_WA, const Pose& X_WB) {
    const Collider &a = *pair.collider_a, &b = *pair.collider_b;
    if (!is_surface(a) || !is_surface(b))
        return std::min(0.0, closest(a, X_WA * a.X_BC, b, X_WB * b.X_BC).distance);
    auto& manifolds = s.sweeps.manifolds;
    manifolds.clear();
    collide(a, X_WA * a.X_BC, b, X_WB * b.X_BC, 0, manifolds);
    double deepest = 0;
    for (const Manifold& m : manifolds)
        for (int k = 0; k < m.count; ++k)
            deepest = std::min(deepest, m.points[static_cast<std::size_t>(k)].separation);
    return deepest;
}

// How long a touching pair may move on (a rotating corner, say) before it is much deeper than it was: looked
// at as often as it moves by kDeep of its size. A pair that is deep already may get deeper by as much, so
// that the first look never fails: held for good, it could not part.
double time_in_touch(Substep& s, const IslandPair& pair, const SteadyMotion& a, const SteadyMotion& b,
                     double h) {
    const double deep = kDeep * pair.size, step = h * std::min(1.0, deep / way_of(s, pair, h));
    const auto depth = [&](double t) { return depth_at(s, pair, a.at(t), b.at(t)); };
    const double least = depth(0) - deep;
    for (int k = 1; k <= kMostLooks; ++k) {
        const double t = std::min(k * step, h);
        if (is_spent(s)) return std::max(1, k - 1) * step;
        ++s.sweeps.looks;
        if (depth(t) < least) return (k - 1) * step;
        if (t == h) return h;
    }
    return kMostLooks * step;
}

// Two that met and are not both convex may come to each other again in another place before the substep ends:
// there they are held up. As far as a contact can resolve they go unchecked, so that the touch is behind
// them.
void stop_after_impact(Substep& s, std::uint32_t p, double h) {
    const IslandPair& pair = s.island.pairs[p];
    const auto has_met = [&](std::uint32_t k) { return s.nodes[k].lead > 0 && s.nodes[k].met_in == p; };
    if (!has_met(pair.a) && !has_met(pair.b)) return;
    if (!is_surface(*pair.collider_a) && !is_surface(*pair.collider_b)) return;
    const double lead = s.nodes[has_met(pair.a) ? pair.a : pair.b].lead;
    const auto after = [&](std::uint32_t k, double t) {
        const NodeMotion& node = s.nodes[k];
        const Vec3 &v = s.problem.nodes.v[k], &w = s.problem.nodes.w[k];
        const SteadyMotion before{node.start_pose, has_met(k) ? node.lead_v : v,
                                  has_met(k) ? node.lead_w : w};
        return SteadyMotion{SteadyMotion{before.at(lead), v, w}.at(t), v, w};
    };
    double end = 0;
    for (const auto k : {pair.a, pair.b})
        if (has_met(k)) end = std::max(end, time_after_impact(s, k, h));
    const double unchecked = kDeep * pair.size / way_of(s, pair, 1);
    if (!(unchecked < end)) return;
    const SteadyMotion a = after(pair.a, unchecked), b = after(pair.b, unchecked);
    double time = unchecked;
    if (!is_spent(s)) {
        const ImpactAt impact =
            time_of_impact(*pair.collider_a, a, *pair.collider_b, b, end - unchecked, kSlop * pair.size);
        s.sweeps.looks += static_cast<std::size_t>(impact.evaluations);
        if (impact.kind == Impact::Kind::None) return;
        time +=
            impact.kind == Impact::Kind::Initial ? time_in_touch(s, pair, a, b, end - unchecked) : impact.t;
    }
    for (const auto k : {pair.a, pair.b})
        if (has_met(k) && time < time_after_impact(s, k, h)) {
            const Pose stopped = after(k, time).start;
            return_work(s, k, stopped.position - s.island.nodes[k].pose.position);
            s.island.nodes[k].pose = stopped;
            s.nodes[k].middle = s.island.nodes[k].pose.orientation;
        }
}

// Whoever is joined to a body that is held up waits with it, so that joints stay closed.
void hold_up_together(Substep& s) {
    for (bool is_done = false; !is_done;) {
        is_done = true;
        const auto pass_on = [&](const IslandJoint& joint) {
            double least = kUnbounded;
            for (const auto k : {joint.a, joint.b, joint.c})
                if (s.island.nodes[k].is_dynamic) least = std::min(least, s.nodes[k].allowed);
            for (const auto k : {joint.a, joint.b, joint.c})
                if (s.island.nodes[k].is_dynamic && s.nodes[k].allowed > least) {
                    s.nodes[k].allowed = least;
                    is_done = false;
                }
        };
        std::for_each(s.island.joints.begin(), s.island.joints.end(), pass_on);
        std::for_each(s.island.joints.rbegin(), s.island.joints.rend(), pass_on);
    }
}

// Motion as it was in this substep, straight from the starting pose.
SteadyMotion straight_motion(const Substep& s, std::uint32_t k, double h) {
    const NodeMotion& node = s.nodes[k];
    return {node.start_pose, (s.island.nodes[k].pose.position - node.start_pose.position) / h,
            node.is_held && node.lead == 0 ? s.problem.nodes.w[k] : node.start_w};
}

// How long pair p may move before it would go on into each other; h: as long as the substep.
double passage_time(Substep& s, std::uint32_t p, double h) {
    const IslandPair& pair = s.island.pairs[p];
    const NodeMotion &a = s.nodes[pair.a], &b = s.nodes[pair.b];
    if ((a.lead > 0 && a.met_in == p) || (b.lead > 0 && b.met_in == p)) return h;
    if (a.is_flown || b.is_flown) return h;
    if (!is_swept(pair, way_of(s, pair, h))) return h;
    if (is_spent(s)) return unseen_time(s, pair, h);
    const SteadyMotion motion_a = straight_motion(s, pair.a, h), motion_b = straight_motion(s, pair.b, h);
    const ImpactAt impact =
        time_of_impact(*pair.collider_a, motion_a, *pair.collider_b, motion_b, h, kSlop * pair.size);
    s.sweeps.looks += static_cast<std::size_t>(impact.evaluations);
    switch (impact.kind) {
        case Impact::Kind::Limit:
            return impact.t;
        case Impact::Kind::Initial:
            return time_in_touch(s, pair, motion_a, motion_b, h);
        case Impact::Kind::Touch:
            break;
        default:
            return h;
    }
    if (is_at_seam(s, {impact.t_touch, p, impact.points}, motion_a, motion_b)) return h;
    const Vec3 middle = 0.5 * (impact.points.p_a + impact.points.p_b);
    const auto velocity = [&](const SteadyMotion& m) {
        return m.velocity + cross(m.angular_velocity, middle - m.at(impact.t_touch).position);
    };
    const double closing = -dot(velocity(motion_b) - velocity(motion_a), impact.points.normal);
    return (h - impact.t_touch) * closing <= kDeep * pair.size ? h : impact.t_touch;
}

}  // namespace

void sweep(Substep& s, double h) {
    find_meetings(s, h);
    for (const Meeting& meeting : s.sweeps.meetings) {
        const IslandPair& pair = s.island.pairs[meeting.pair];
        const auto is_open = [&](std::uint32_t k) {
            return !s.island.nodes[k].is_dynamic || s.nodes[k].lead == 0 || s.nodes[k].lead == meeting.time;
        };
        if (!is_open(pair.a) || !is_open(pair.b)) continue;
        if (s.island.nodes[pair.a].is_joined || s.island.nodes[pair.b].is_joined) {
            add_swept_points(s, meeting, false);
            continue;
        }
        for (const auto k : {pair.a, pair.b}) {
            if (!s.island.nodes[k].is_dynamic) continue;
            NodeMotion& motion = s.nodes[k];
            motion.lead = meeting.time;
            motion.met_in = meeting.pair;
            motion.lead_v = s.problem.nodes.v[k];
            motion.lead_w = s.problem.nodes.w[k];
            turn_to_impact(s, k);
        }
        add_swept_points(s, meeting, true);
    }
}

void stop_passages(Substep& s, double h) {
    for (std::uint32_t p = 0; p < s.island.pairs.size(); ++p) stop_after_impact(s, p, h);
    for (NodeMotion& node : s.nodes) node.allowed = h;
    bool is_any = false;
    for (std::uint32_t p = 0; p < s.island.pairs.size(); ++p) {
        const double time = passage_time(s, p, h);
        if (!(time < h)) continue;
        is_any = true;
        for (const auto k : {s.island.pairs[p].a, s.island.pairs[p].b})
            s.nodes[k].allowed = std::min(s.nodes[k].allowed, time);
    }
    if (is_any) {
        hold_up_together(s);
        for (std::uint32_t k = 0; k < s.island.dynamic_count; ++k) {
            if (!(s.nodes[k].allowed < h)) continue;
            const Pose stopped = straight_motion(s, k, h).at(s.nodes[k].allowed);
            return_work(s, k, stopped.position - s.island.nodes[k].pose.position);
            s.island.nodes[k].pose = stopped;
            if (s.nodes[k].lead > 0) s.nodes[k].middle = s.island.nodes[k].pose.orientation;
        }
    }
    update_inertia(s);
}

}  // namespace impuls::substep
