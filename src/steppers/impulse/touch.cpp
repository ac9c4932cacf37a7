// Impacts at the touch itself (touch.h).
#include "steppers/impulse/touch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/narrow/narrow.h"
#include "math/rotation.h"
#include "steppers/impulse/impacts.h"
#include "steppers/impulse/push_out.h"
#include "steppers/impulse/tuning.h"
#include "steppers/substep/contacts.h"
#include "steppers/substep/rows.h"

namespace impuls::impulse {
namespace {

// The flight of a pair through a substep.
class PairFlight {
  public:
    PairFlight(Impulse& s, std::uint32_t p, double h)
        : s_(s), pair_(s.island.pairs[p]), p_(p), left_(h), h_(h) {
        start_[0] = motion_of_end(pair_.a);
        start_[1] = motion_of_end(pair_.b);
    }
    // False: nothing was changed but the problem's rows and what it says of the two nodes.
    bool fly() {
        for (int touches = 0;; ++touches) {
            const Search found = find_touch();
            if (found == Search::Failed) return false;
            if (found == Search::None) break;
            if (touches == kMostTouches || !strike()) return false;
        }
        go(left_);
        return true;
    }
    void store() const {
        for (const int end : {0, 1}) {
            const std::uint32_t k = node(end);
            if (!s_.island.nodes[k].is_dynamic) continue;
            s_.island.nodes[k].pose = start_[end].pose;
            set_velocity(end);
            s_.nodes[k].is_flown = true;
        }
        for (const auto& [point, impulse] : s_.impacts.touch_impulses)
            s_.contacts.points[point].sum += impulse;
    }

  private:
    enum class Search { None, Touch, Failed };

    std::uint32_t node(int end) const { return end == 0 ? pair_.a : pair_.b; }
    Motion motion_of_end(std::uint32_t k) const {
        return {s_.island.nodes[k].pose, s_.problem.nodes.v[k], s_.problem.nodes.w[k]};
    }
    Motion at(int end, double t) const {
        const std::uint32_t body = s_.island.nodes[node(end)].body;
        return body == kNoBody || t == 0 ? start_[end]
                                         : impuls::fly(s_.view.bodies, body, start_[end], s_.view.gravity,
                                                       s_.view.method.integrator, t);
    }
    void go(double t) {
        start_[0] = at(0, t);
        start_[1] = at(1, t);
        left_ -= t;
    }
    Vec3 relative(const Motion& a, const Motion& b, const Vec3& position) const {
        return b.v + cross(b.w, position - b.pose.position) - a.v - cross(a.w, position - a.pose.position);
    }

    // Of the points at time t that approach: how long until the first closes its gap. Infinite: none does.
    double time_to_close(double t) {
        const Motion a = at(0, t), b = at(1, t);
        auto& manifolds = s_.sweeps.manifolds;
        manifolds.clear();
        const double margin = pair_.margin + kNearTouch * pair_.size;
        collide(*pair_.collider_a, a.pose * pair_.collider_a->X_BC, *pair_.collider_b,
                b.pose * pair_.collider_b->X_BC, margin, manifolds);
        double least = std::numeric_limits<double>::infinity();
        for (const Manifold& m : manifolds)
            for (int k = 0; k < m.count; ++k) {
                const ManifoldPoint& point = m.points[static_cast<std::size_t>(k)];
                const double closing = -dot(relative(a, b, point.position), m.normal);
                if (closing > 0) least = std::min(least, point.separation / closing);
            }
        return least;
    }

    // Goes to the next touch. A gap that is closed at the start is one.
    Search find_touch() {
        double t = 0;
        for (int k = 0; k < kMostTouchLooks; ++k) {
            const double way = time_to_close(t);
            if (way == std::numeric_limits<double>::infinity()) return Search::None;
            if (std::abs(way) <= kTouchTime * h_ || (t == 0 && way < 0)) {
                go(t);
                return Search::Touch;
            }
            if (t == left_ && way > 0) return Search::None;
            t = std::clamp(t + way, 0.0, left_);
        }
        return Search::Failed;
    }

    void set_velocity(int end) const {
        const std::uint32_t k = node(end);
        if (!s_.island.nodes[k].is_dynamic) return;
        s_.problem.nodes.v[k] = start_[end].v;
        s_.problem.nodes.w[k] = start_[end].w;
        s_.problem.nodes.inv_inertia[k] = turned_diagonal(
            start_[end].pose.orientation, s_.view.bodies.inv_inertia[s_.island.nodes[k].body]);
    }

    // The point of the pair that reports the impulse of one at this place.
    std::uint32_t reporter(std::uint32_t feature, const Vec3& position, const Vec3& normal) const {
        const ContactWork& c = s_.contacts;
        const auto [first, last] = std::equal_range(c.point_pair.begin(), c.point_pair.end(), p_);
        std::uint32_t best = static_cast<std::uint32_t>(first - c.point_pair.begin());
        double nearest = std::numeric_limits<double>::infinity();
        for (auto it = first; it != last; ++it) {
            const auto k = static_cast<std::uint32_t>(it - c.point_pair.begin());
            if (!c.points[k].is_present || !(dot(c.points[k].normal, normal) > 0)) continue;
            if (c.points[k].feature == feature) return k;
            const double d2 = length_squared(c.points[k].position - position);
            if (d2 < nearest) {
                nearest = d2;
                best = k;
            }
        }
        return best;
    }

    // A row of the touch; false: it approaches too slowly to rebound.
    bool add_row(const Manifold& m, const ManifoldPoint& point, double closing) {
        ContactRows& rows = s_.problem.contacts;
        const ContactLaw& law = *pair_.law;
        const std::uint32_t k = reporter(point.feature, point.position, m.normal);
        const auto r = rows.add(pair_.a, pair_.b, m.normal, point.position - start_[0].pose.position,
                                point.position - start_[1].pose.position);
        rows.friction[r] = s_.contacts.points[k].is_sliding ? law.friction : law.static_friction;
        rows.rolling[r] = law.rolling;
        s_.contacts.row_point.push_back(k);
        s_.impacts.before.push_back(motion_of(s_.problem, r));
        // What came too deep is lifted by displacements, which is not to be had as speed, too (push_out.h).
        const double a =
            -dot(s_.island.nodes[pair_.b].acceleration - s_.island.nodes[pair_.a].acceleration, m.normal);
        const double lift = std::min(0.0, way_to_touch(point.separation, pair_.size));
        const double share = std::sqrt(std::max(0.0, 1 + 2 * a * lift / (closing * closing)));
        const bool is_newton = law.restitution_law == RestitutionLaw::Newton;
        s_.impacts.returns.push_back(
            {is_newton ? share * law.restitution * closing : 0, is_newton ? 0 : share * law.restitution});
        return closing * law.restitution > rest_speed(s_, pair_, h_);
    }

    // The impact of the points that touch and approach.
    bool strike() {
        s_.problem.contacts.clear();
        s_.problem.rows.clear();
        s_.contacts.row_point.clear();
        s_.impacts.before.clear();
        s_.impacts.returns.clear();
        set_velocity(0);
        set_velocity(1);
        bool do_part = true;
        for (const Manifold& m : s_.sweeps.manifolds)
            for (int k = 0; k < m.count; ++k) {
                const ManifoldPoint& point = m.points[static_cast<std::size_t>(k)];
                const double closing = -dot(relative(start_[0], start_[1], point.position), m.normal);
                if (closing > 0 && point.separation <= 2 * kTouchTime * h_ * closing)
                    do_part &= add_row(m, point, closing);
            }
        if (!do_part) return false;
        if (!solve_impact(s_, impact_settings(s_, h_))) return false;
        const ContactRows& rows = s_.problem.contacts;
        for (std::size_t r = 0; r < rows.size(); ++r)
            s_.impacts.touch_impulses.push_back(
                {s_.contacts.row_point[r], rows.n[r] * rows.impulse_n[r] + rows.t1[r] * rows.impulse_1[r] +
                                               rows.t2[r] * rows.impulse_2[r]});
        for (const int end : {0, 1}) {
            if (!s_.island.nodes[node(end)].is_dynamic) continue;
            start_[end].v = s_.problem.nodes.v[node(end)];
            start_[end].w = s_.problem.nodes.w[node(end)];
        }
        return true;
    }

    Impulse& s_;
    const IslandPair& pair_;
    std::uint32_t p_;
    double left_, h_;    // s
    Motion start_[2]{};  // where the flight has got to
};

// Pairs whose impact stays between the two: nothing else is near either of them, and no joint holds them.
void find_lonely_pairs(Impulse& s, double h, double reach) {
    constexpr std::uint32_t kNone = ~0u, kMany = ~0u - 1;
    auto& only = s.impacts.only_pair;
    only.assign(s.nodes.size(), kNone);
    const auto note = [&](std::uint32_t k, std::uint32_t p) {
        if (s.island.nodes[k].is_dynamic) only[k] = only[k] == kNone || only[k] == p ? p : kMany;
    };
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k)
        if (s.island.nodes[k].is_joined) only[k] = kMany;
    for (std::size_t k = 0; k < s.contacts.points.size(); ++k) {
        if (!s.contacts.points[k].is_present || s.contacts.points[k].separation > reach) continue;
        const auto p = s.contacts.point_pair[k];
        note(s.island.pairs[p].a, p);
        note(s.island.pairs[p].b, p);
    }
    // What is fast may meet bodies that have no points yet.
    for (std::uint32_t p = 0; p < s.island.pairs.size(); ++p) {
        const IslandPair& pair = s.island.pairs[p];
        if (!is_swept(pair, way_of(s, pair, h))) continue;
        note(pair.a, p);
        note(pair.b, p);
    }
}

bool is_lonely(const Impulse& s, std::uint32_t p) {
    const auto is_only = [&](std::uint32_t k) {
        return !s.island.nodes[k].is_dynamic || s.impacts.only_pair[k] == p;
    };
    return is_only(s.island.pairs[p].a) && is_only(s.island.pairs[p].b);
}

// A flight that fails leaves velocities and inertia as they were.
void take_pair(Impulse& s, std::uint32_t p, double h) {
    struct Before {
        Vec3 v, w;
        Mat3 inv_inertia;
    };
    Nodes& n = s.problem.nodes;
    const std::uint32_t ends[] = {s.island.pairs[p].a, s.island.pairs[p].b};
    Before before[2];
    for (const int end : {0, 1}) before[end] = {n.v[ends[end]], n.w[ends[end]], n.inv_inertia[ends[end]]};
    s.impacts.touch_impulses.clear();
    PairFlight flight(s, p, h);
    if (flight.fly()) {
        flight.store();
        return;
    }
    for (const int end : {0, 1}) {
        n.v[ends[end]] = before[end].v;
        n.w[ends[end]] = before[end].w;
        n.inv_inertia[ends[end]] = before[end].inv_inertia;
    }
}

}  // namespace

void strike_at_touch(Impulse& s, double h, double first) {
    find_lonely_pairs(s, h, 2 * h * first);
    auto& struck = s.impacts.struck_pairs;
    struck.clear();
    for (std::size_t r = 0; r < s.contacts.row_point.size(); ++r) {
        const auto p = s.contacts.point_pair[s.contacts.row_point[r]];
        const bool does_part = s.impacts.returns[r].speed + s.impacts.returns[r].share > 0;
        if (does_part && (struck.empty() || struck.back() != p) && is_lonely(s, p)) struck.push_back(p);
    }
    for (const auto p : struck) take_pair(s, p, h);
}

}  // namespace impuls::impulse
