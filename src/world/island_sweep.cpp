// Continuous collision of fast pairs: those that move by a good part of their size in a substep. A margin as
// wide as the way would find contacts with bodies that are passed by, so instead the time of impact along the
// present motions (conservative advancement, with rotation; collision/sweep) says whether and where they
// meet. Bodies that meet move on for that time (their lead) with the velocities they had and for the rest of
// the substep with those after the impact; the contact has the levers of the touch, and rebounds at once.
// Of several meetings of a body the first counts; what the motion then comes to pass through holds it up at
// the touch (stop_passages), for the next substep to deal with.
// Bodies with joints have no lead: what a joint gives to a body here and takes from one that is lead * v
// farther on by then would be angular momentum from nowhere. They come as far as the touch by the end of the
// substep, and are held up together. Called by step_impulse.cpp and by IslandWork::drift.
#include <algorithm>

#include "collision/distance/pieces.h"
#include "collision/narrow/narrow.h"
#include "world/island.h"
#include "world/state.h"

namespace impuls {
namespace {

constexpr double kDeep = 0.25;  // of the size: what a contact can still resolve

}  // namespace

bool IslandWork::is_swept(const PairWork& pair, double way) const {
    if (pair.law.compliance > 0) return false;  // its impact lasts
    return way > kSweptWay * pair.law.size;
}

double IslandWork::way_of(const PairWork& pair, double h) const {
    const auto& n = problem_.nodes;
    const auto swing = [&](std::uint32_t k) {
        return nodes_[k].body == kNoBody ? 0 : length(n.w[k]) * world_->bodies.radius[nodes_[k].body];
    };
    return h * (length(n.v[pair.b] - n.v[pair.a]) + swing(pair.a) + swing(pair.b));
}

// Fast pairs without near points that touch within the substep, the earliest first.
void IslandWork::find_meetings(double h) {
    meetings_.clear();
    const auto& n = problem_.nodes;
    std::size_t at = 0;
    for (std::uint32_t p = 0; p < pairs_.size(); ++p) {
        const PairWork& pair = pairs_[p];
        bool has_points = false;
        for (; at < points_.size() && point_pair_[at] == p; ++at) has_points |= points_[at].is_present;
        if (has_points || !is_swept(pair, way_of(pair, h))) continue;
        const ImpactAt impact = time_of_impact(
            *pair.collider_a, {nodes_[pair.a].pose, n.v[pair.a], n.w[pair.a]}, *pair.collider_b,
            {nodes_[pair.b].pose, n.v[pair.b], n.w[pair.b]}, h, kSlop * pair.law.size);
        if (impact.kind == Impact::Kind::Touch) meetings_.push_back({impact.t_touch, p, impact.points});
    }
    std::sort(meetings_.begin(), meetings_.end(), [](const Meeting& a, const Meeting& b) {
        return a.time != b.time ? a.time < b.time : a.pair < b.pair;
    });
}

void IslandWork::sweep(double h) {
    find_meetings(h);
    const auto& n = problem_.nodes;
    for (const Meeting& meeting : meetings_) {
        const PairWork& pair = pairs_[meeting.pair];
        const auto is_free = [&](std::uint32_t k) {
            return !nodes_[k].is_dynamic || nodes_[k].lead == 0 || nodes_[k].lead == meeting.time;
        };
        if (!is_free(pair.a) || !is_free(pair.b)) continue;
        if (nodes_[pair.a].is_joined || nodes_[pair.b].is_joined) {
            add_swept_points(meeting, false);
            continue;
        }
        for (const auto k : {pair.a, pair.b}) {
            if (!nodes_[k].is_dynamic) continue;
            nodes_[k].lead = meeting.time, nodes_[k].met_in = meeting.pair;
            nodes_[k].lead_v = n.v[k], nodes_[k].lead_w = n.w[k];
            turn_to_impact(k);
        }
        add_swept_points(meeting, true);
    }
}

// The impact is solved with the inertia of that moment: w changes so that angular momentum stays.
void IslandWork::turn_to_impact(std::uint32_t k) {
    Node& node = nodes_[k];
    const Vec3 &moments = world_->bodies.inertia[node.body], &inverse = world_->bodies.inv_inertia[node.body];
    if (inverse == Vec3{} || (moments.x == moments.y && moments.y == moments.z)) return;
    Vec3& w = problem_.nodes.w[k];
    const Vec3 l = rotate(node.middle, scale(moments, rotate_inverse(node.middle, w)));
    node.middle = turned(node.pose.orientation, node.lead_w * node.lead);
    problem_.nodes.inv_inertia[k] = turned_diagonal(node.middle, inverse);
    w = problem_.nodes.inv_inertia[k] * l;
}

// With a lead, or else with the gap that is closed by then.
void IslandWork::add_swept_points(const Meeting& meeting, bool has_lead) {
    const PairWork& pair = pairs_[meeting.pair];
    const auto& n = problem_.nodes;
    const auto pose = [&](std::uint32_t k) {
        return SteadyMotion{nodes_[k].pose, n.v[k], n.w[k]}.at(meeting.time);
    };
    swept_.clear();
    collide(*pair.collider_a, pose(pair.a) * pair.collider_a->X_BC, *pair.collider_b,
            pose(pair.b) * pair.collider_b->X_BC, 0.02 * pair.law.size, swept_);
    if (swept_.empty()) {  // corners meet
        Manifold only;
        only.normal = meeting.points.normal, only.count = 1;
        only.points[0] = {0.5 * (meeting.points.p_a + meeting.points.p_b), meeting.points.distance, 0};
        swept_.push_back(only);
    }
    auto at = std::upper_bound(point_pair_.begin(), point_pair_.end(), meeting.pair) - point_pair_.begin();
    for (const Manifold& manifold : swept_)
        for (int k = 0; k < manifold.count; ++k, ++at) {
            const ManifoldPoint& from = manifold.points[static_cast<std::size_t>(k)];
            SubstepPoint point;
            point.key = pair.key;
            point.feature = from.feature;
            point.is_present = true;
            point.position = from.position;
            point.normal = manifold.normal;
            point.separation = from.separation;
            if (has_lead)
                point.lead = meeting.time;
            else
                point.separation =
                    meeting.time * std::max(0.0, -dot(point.normal, relative_velocity(pair, point.position)));
            points_.insert(points_.begin() + at, point);
            point_pair_.insert(point_pair_.begin() + at, meeting.pair);
        }
}

// After an impact only a turn can bring other parts of two convex bodies into each other: it goes on no
// longer than they can stand. For others see stop_after_impacts.
double IslandWork::time_after_impact(const Node& node, std::size_t k, double h) const {
    if (node.lead == 0) return h;
    const double swing = length(problem_.nodes.w[k]) * world_->bodies.radius[node.body];
    const double most = kDeep * pairs_[node.met_in].law.size;
    return swing * (h - node.lead) > most ? most / swing : h - node.lead;
}

// The depth of single triangles in each other says nothing about that of the bodies; the narrow phase knows
// it.
double IslandWork::depth_at(const PairWork& pair, const Pose& X_WA, const Pose& X_WB) {
    const Collider &a = *pair.collider_a, &b = *pair.collider_b;
    if (!is_surface(a) || !is_surface(b))
        return std::min(0.0, closest(a, X_WA * a.X_BC, b, X_WB * b.X_BC).distance);
    swept_.clear();
    collide(a, X_WA * a.X_BC, b, X_WB * b.X_BC, 0, swept_);
    double deepest = 0;
    for (const Manifold& m : swept_)
        for (int k = 0; k < m.count; ++k)
            deepest = std::min(deepest, m.points[static_cast<std::size_t>(k)].separation);
    return deepest;
}

// How long a touching pair may move on (a turning corner, say) before it is much deeper than it was: looked
// at as often as it moves by kDeep of its size. A pair that is deep already may get deeper by as much, so
// that the first look never fails: held for good, it could not part.
double IslandWork::time_in_touch(const PairWork& pair, const SteadyMotion& a, const SteadyMotion& b,
                                 double h) {
    constexpr int kMostLooks = 64;
    const double deep = kDeep * pair.law.size, step = h * std::min(1.0, deep / way_of(pair, h));
    const auto depth = [&](double t) { return depth_at(pair, a.at(t), b.at(t)); };
    const double least = depth(0) - deep;
    for (int k = 1; k <= kMostLooks; ++k) {
        const double t = std::min(k * step, h);
        if (depth(t) < least) return (k - 1) * step;
        if (t == h) return h;
    }
    return kMostLooks * step;
}

// Two that met and are not both convex may come to each other again in another place before the substep ends:
// there they are held up. As far as a contact can resolve they go unasked, so that the touch is behind them.
void IslandWork::stop_after_impacts(double h) {
    for (std::uint32_t p = 0; p < pairs_.size(); ++p) {
        const PairWork& pair = pairs_[p];
        const auto has_met = [&](std::uint32_t k) { return nodes_[k].lead > 0 && nodes_[k].met_in == p; };
        if (!has_met(pair.a) && !has_met(pair.b)) continue;
        if (!is_surface(*pair.collider_a) && !is_surface(*pair.collider_b)) continue;
        const double lead = nodes_[has_met(pair.a) ? pair.a : pair.b].lead;
        const auto after = [&](std::uint32_t k, double t) {
            const Node& node = nodes_[k];
            const Vec3 &v = problem_.nodes.v[k], &w = problem_.nodes.w[k];
            const SteadyMotion before{node.start_pose, has_met(k) ? node.lead_v : v,
                                      has_met(k) ? node.lead_w : w};
            return SteadyMotion{SteadyMotion{before.at(lead), v, w}.at(t), v, w};
        };
        double end = 0;
        for (const auto k : {pair.a, pair.b})
            if (has_met(k)) end = std::max(end, time_after_impact(nodes_[k], k, h));
        const double unasked = kDeep * pair.law.size / way_of(pair, 1);
        if (!(unasked < end)) continue;
        const SteadyMotion a = after(pair.a, unasked), b = after(pair.b, unasked);
        const ImpactAt impact =
            time_of_impact(*pair.collider_a, a, *pair.collider_b, b, end - unasked, kSlop * pair.law.size);
        if (impact.kind == Impact::Kind::None) continue;
        const double time =
            unasked +
            (impact.kind == Impact::Kind::Initial ? time_in_touch(pair, a, b, end - unasked) : impact.t);
        for (const auto k : {pair.a, pair.b})
            if (has_met(k) && time < time_after_impact(nodes_[k], k, h)) {
                nodes_[k].pose = after(k, time).start;
                nodes_[k].middle = nodes_[k].pose.orientation;
            }
    }
}

// Whoever is joined to a body that is held up waits with it, so that joints stay closed.
void IslandWork::hold_up_together() {
    for (bool is_done = false; !is_done;) {
        is_done = true;
        const auto pass_on = [&](const JointWork& joint) {
            double least = kUnbounded;
            for (const auto k : {joint.a, joint.b, joint.c})
                if (nodes_[k].is_dynamic) least = std::min(least, nodes_[k].allowed);
            for (const auto k : {joint.a, joint.b, joint.c})
                if (nodes_[k].is_dynamic && nodes_[k].allowed > least)
                    nodes_[k].allowed = least, is_done = false;
        };
        std::for_each(joints_.begin(), joints_.end(), pass_on);
        std::for_each(joints_.rbegin(), joints_.rend(), pass_on);
    }
}

// Motions as they were in this substep, straight from the starting poses. A pair that touches on the way and
// would go on into each other is held at the touch; the velocity phase does the rest.
void IslandWork::stop_passages(double h) {
    stop_after_impacts(h);
    for (auto& node : nodes_) node.allowed = h;
    bool is_any = false;
    const auto motion = [&](std::uint32_t k) {
        const Node& node = nodes_[k];
        return SteadyMotion{node.start_pose, (node.pose.position - node.start_pose.position) / h,
                            node.is_held && node.lead == 0 ? problem_.nodes.w[k] : node.start_w};
    };
    for (std::uint32_t p = 0; p < pairs_.size(); ++p) {
        const PairWork& pair = pairs_[p];
        Node &a = nodes_[pair.a], &b = nodes_[pair.b];
        if ((a.lead > 0 && a.met_in == p) || (b.lead > 0 && b.met_in == p)) continue;
        if (!is_swept(pair, way_of(pair, h))) continue;
        const SteadyMotion motion_a = motion(pair.a), motion_b = motion(pair.b);
        const ImpactAt impact =
            time_of_impact(*pair.collider_a, motion_a, *pair.collider_b, motion_b, h, kSlop * pair.law.size);
        if (impact.kind == Impact::Kind::Initial || impact.kind == Impact::Kind::Limit) {
            const double time =
                impact.kind == Impact::Kind::Limit ? impact.t : time_in_touch(pair, motion_a, motion_b, h);
            a.allowed = std::min(a.allowed, time), b.allowed = std::min(b.allowed, time);
            is_any |= time < h;
        }
        if (impact.kind != Impact::Kind::Touch) continue;
        const Vec3 middle = 0.5 * (impact.points.p_a + impact.points.p_b);
        const auto velocity = [&](const SteadyMotion& m) {
            return m.velocity + cross(m.angular_velocity, middle - m.at(impact.t_touch).position);
        };
        const double closing = -dot(velocity(motion_b) - velocity(motion_a), impact.points.normal);
        if ((h - impact.t_touch) * closing <= kDeep * pair.law.size) continue;
        a.allowed = std::min(a.allowed, impact.t_touch), b.allowed = std::min(b.allowed, impact.t_touch);
        is_any = true;
    }
    if (!is_any) return;
    hold_up_together();
    for (std::uint32_t k = 0; k < dynamic_count_; ++k)
        if (nodes_[k].allowed < h) {
            Node& node = nodes_[k];
            node.pose = motion(k).at(node.allowed);
            if (node.lead > 0) node.middle = node.pose.orientation;
        }
}

}  // namespace impuls
