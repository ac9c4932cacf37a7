// Candidates by two trees (candidates.h).
#include "areal/candidates.h"

#include <algorithm>
#include <cmath>

namespace impuls::areal {
namespace {

// Boxes of the target in the base's axes.
struct Placed {
    Mat3 R{}, size{};  // rotation, and its absolute values
    Vec3 p{};

    explicit Placed(const Pose& X) : R(to_matrix(X.orientation)), p(X.position) {
        const auto abs = [](const Vec3& a) { return Vec3{std::abs(a.x), std::abs(a.y), std::abs(a.z)}; };
        size = {abs(R.c0), abs(R.c1), abs(R.c2)};
    }
    Aabb box(const Aabb& of) const {
        const Vec3 c = R * ((of.max + of.min) * 0.5) + p, h = size * ((of.max - of.min) * 0.5);
        return {c - h, c + h};
    }
};

Aabb grown(const Aabb& box, double by) {
    const Vec3 d{by, by, by};
    return {box.min - d, box.max + d};
}

void add(Aabb& box, const Vec3& x) {
    box.min = {std::min(box.min.x, x.x), std::min(box.min.y, x.y), std::min(box.min.z, x.z)};
    box.max = {std::max(box.max.x, x.x), std::max(box.max.y, x.y), std::max(box.max.z, x.z)};
}

double width(const Aabb& box) {
    const Vec3 d = box.max - box.min;
    return d.x + d.y + d.z;
}

// Most that any point of the target near the base has moved between two poses.
double moved(const Pose& from, const Pose& to, double radius) {
    const Quat turn = to.orientation * conjugate(from.orientation);
    // |R - 1| = 2 sin(angle/2).
    const double angle = 2 * length(Vec3{turn.x, turn.y, turn.z});
    return length(to.position - from.position) + angle * (radius + length(from.position));
}

constexpr double kSlack = 0.25;  // of the finer mesh's edges: derived from nothing but the time it takes

}  // namespace

std::span<const Candidate> Candidates::find(const Surface& base, const Surface& target, const Pose& X_BT,
                                            double reach) {
    // Of the target's points those inside the base count; with a plane as base, all.
    const double radius = base.is_plane() ? target.radius : base.radius;
    const bool is_plane = base.is_plane();
    const double way = is_plane ? length(X_BT.position - found_at_.position) +
                                      2 * length([&] {
                                          const Quat q = X_BT.orientation * conjugate(found_at_.orientation);
                                          return Vec3{q.x, q.y, q.z};
                                      }()) *
                                          radius
                                : moved(found_at_, X_BT, radius);
    if (found_reach_ >= reach && way <= found_slack_) return list_;
    const double slack = kSlack * std::min(base.edge, target.edge);
    list_.clear();
    if (is_plane)
        search_plane(*target.triangles, X_BT, slack);
    else
        search(*base.triangles, *target.triangles, X_BT, reach, slack);
    std::sort(list_.begin(), list_.end());
    found_at_ = X_BT, found_reach_ = reach, found_slack_ = slack;
    ++searches_;
    return list_;
}

void Candidates::search_plane(const TriangleSurface& target, const Pose& X_BT, double slack) {
    const Placed placed(X_BT);
    const auto nodes = target.tree.nodes();
    const auto order = target.tree.order();
    const auto corners = target.tree.corners_in_order();
    stack_.clear();
    if (!nodes.empty()) stack_.push_back(0);
    while (!stack_.empty()) {
        const auto n = static_cast<std::uint32_t>(stack_.back());
        stack_.pop_back();
        const auto& node = nodes[n];
        if (placed.box(node.box).min.y > slack) continue;
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            const auto& [a, b, c] = corners[i];
            const double lowest = std::min({(placed.R * a).y, (placed.R * b).y, (placed.R * c).y});
            if (lowest + placed.p.y <= slack) list_.push_back({0, order[i]});
        }
        if (node.count > 0) continue;
        stack_.push_back(node.right);
        stack_.push_back(n + 1);
    }
}

void Candidates::search(const TriangleSurface& base, const TriangleSurface& target, const Pose& X_BT,
                        double reach, double slack) {
    const Placed placed(X_BT);
    const auto base_nodes = base.tree.nodes(), target_nodes = target.tree.nodes();
    const auto base_order = base.tree.order(), target_order = target.tree.order();
    const auto base_corners = base.tree.corners_in_order(), target_corners = target.tree.corners_in_order();
    stack_.clear();
    if (!base_nodes.empty() && !target_nodes.empty()) stack_.push_back(0);
    while (!stack_.empty()) {
        const std::uint64_t top = stack_.back();
        stack_.pop_back();
        const auto b = static_cast<std::uint32_t>(top >> 32), t = static_cast<std::uint32_t>(top);
        const auto &base_node = base_nodes[b], &target_node = target_nodes[t];
        const Aabb target_box = placed.box(target_node.box);
        if (!overlaps(grown(base_node.box, reach + slack), target_box)) continue;
        const bool base_is_leaf = base_node.count > 0, target_is_leaf = target_node.count > 0;
        if (base_is_leaf && target_is_leaf) {
            for (std::uint32_t j = target_node.first; j < target_node.first + target_node.count; ++j) {
                const auto& corners = target_corners[j];
                Aabb box;
                for (const Vec3& x : {corners.a, corners.b, corners.c}) add(box, placed.R * x + placed.p);
                box = grown(box, slack);
                for (std::uint32_t i = base_node.first; i < base_node.first + base_node.count; ++i) {
                    const auto& of = base_corners[i];
                    const Vec3 ray = base.face_normals[base_order[i]] * -reach;
                    Aabb prism;
                    for (const Vec3& x : {of.a, of.b, of.c}) add(prism, x), add(prism, x + ray);
                    if (overlaps(prism, box)) list_.push_back({base_order[i], target_order[j]});
                }
            }
            continue;
        }
        const auto go = [&](std::uint32_t x, std::uint32_t y) {
            stack_.push_back(static_cast<std::uint64_t>(x) << 32 | y);
        };
        if (target_is_leaf || (!base_is_leaf && width(base_node.box) >= width(target_node.box))) {
            go(base_node.right, t);
            go(b + 1, t);
        } else {
            go(b, target_node.right);
            go(b, t + 1);
        }
    }
}

}  // namespace impuls::areal
