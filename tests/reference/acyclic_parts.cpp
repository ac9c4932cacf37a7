// Parts without loops (acyclic_parts.h): who belongs to which, their trees, and the rows of compound joints.
#include "reference/acyclic_parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace impuls::reference {
namespace {

// Which bodies are connected.
class Connected {
  public:
    explicit Connected(std::size_t bodies) : above_(bodies + 1) {
        std::iota(above_.begin(), above_.end(), std::size_t{0});
    }
    bool are(int a, int b) { return top(place_of(a)) == top(place_of(b)); }
    void join(int a, int b) { above_[top(place_of(a))] = top(place_of(b)); }

  private:
    static std::size_t place_of(int body) { return static_cast<std::size_t>(body + 1); }  // the world is 0
    std::size_t top(std::size_t k) {
        while (above_[k] != k) k = above_[k] = above_[above_[k]];
        return k;
    }
    std::vector<std::size_t> above_;
};

struct Directions {
    Vec3 of[3]{};
    int count = 0;
};

// Along which a joint holds: all, or those across its line.
Directions held_by(const Joint& joint, const States& states) {
    if (!joint.is_line()) return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 3};
    const Vec3 line = normalized(
        joint.a == kWorld ? joint.line : rotate(states[static_cast<std::size_t>(joint.a)].q, joint.line));
    const Vec3 y = normalized(cross(line, std::abs(line.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}));
    return {{y, cross(line, y), {}}, 2};
}

}  // namespace

AcyclicParts::AcyclicParts(const System& system) : system_(system) {
    for (std::size_t k = 0; k < system_.joints.size(); ++k) {
        const Joint& joint = system_.joints[k];
        const auto same = std::find_if(compounds_.begin(), compounds_.end(), [&](const Compound& c) {
            return (c.a == joint.a && c.b == joint.b) || (c.a == joint.b && c.b == joint.a);
        });
        if (same == compounds_.end())
            compounds_.push_back({joint.a, joint.b, {k}});
        else
            same->joints.push_back(k);
    }
    split(1);              // how many are needed,
    split(parts_.size());  // and again, evenly
    for (Part& part : parts_) plant(part);
}

void AcyclicParts::split(std::size_t count) {
    parts_.assign(count, {});
    std::vector<Connected> connected(count, Connected(system_.rods.size()));
    for (std::size_t c = 0; c < compounds_.size(); ++c) {
        const Compound& compound = compounds_[c];
        std::size_t best = parts_.size();
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            if (connected[p].are(compound.a, compound.b)) continue;
            if (best == parts_.size() || parts_[p].compounds.size() < parts_[best].compounds.size()) best = p;
        }
        if (best == parts_.size()) parts_.emplace_back(), connected.emplace_back(system_.rods.size());
        connected[best].join(compound.a, compound.b);
        parts_[best].compounds.push_back(c);
        parts_[best].joints.insert(parts_[best].joints.end(), compound.joints.begin(), compound.joints.end());
    }
}

bool AcyclicParts::is_ball(const Compound& compound) const {
    return compound.joints.size() == 1 && !system_.joints[compound.joints[0]].is_line();
}

// Trees from the world outwards, then from one free body after the other.
void AcyclicParts::plant(Part& part) {
    std::vector<char> is_used(part.compounds.size(), 0);
    const auto grow = [&](int body, std::uint32_t link, auto&& again) -> void {
        for (std::size_t k = 0; k < part.compounds.size(); ++k) {
            const Compound& compound = compounds_[part.compounds[k]];
            if (is_used[k] || (compound.a != body && compound.b != body)) continue;
            is_used[k] = 1;
            const bool is_turned = compound.a != body;
            const int child = is_turned ? compound.a : compound.b;
            const auto added = part.tree.add(
                is_ball(compound) ? ArticulatedTree::Kind::Ball : ArticulatedTree::Kind::Rows, link);
            part.bodies.push_back(child);
            part.edges.push_back({part.compounds[k], is_turned});
            again(child, added, again);
        }
    };
    grow(kWorld, ArticulatedTree::kNone, grow);
    for (std::size_t k = 0; k < part.compounds.size(); ++k) {
        if (is_used[k]) continue;
        const int root = compounds_[part.compounds[k]].a;
        const auto link = part.tree.add(ArticulatedTree::Kind::Free, ArticulatedTree::kNone);
        part.bodies.push_back(root);
        part.edges.emplace_back();
        grow(root, link, grow);
    }
}

void AcyclicParts::set_rows(Part& part, std::uint32_t link, const States& states) {
    const Edge& edge = part.edges[link];
    auto& rows = part.tree.rows_of(link);
    const std::uint32_t parent = part.tree.links()[link].parent;
    rows.count = 0;
    for (const std::size_t j : compounds_[edge.compound].joints) {
        const Joint& joint = system_.joints[j];
        const Vec3 at = point_of(states, joint.b, joint.p_b);
        const Directions held = held_by(joint, states);
        for (int k = 0; k < held.count; ++k, ++rows.count) {
            const auto of = [&](int body, std::uint32_t place, double sign) -> ArticulatedTree::Part {
                if (body == kWorld) return {};
                const Vec3 lever = at - states[static_cast<std::size_t>(body)].x;
                return {place, held.of[k] * sign, cross(lever, held.of[k]) * sign};
            };
            const auto r = static_cast<std::size_t>(rows.count);
            rows.child[r] = of(part.bodies[link], link, 1);
            rows.parent[r] = of(joint.a == part.bodies[link] ? joint.b : joint.a, parent, -1);
        }
    }
}

void AcyclicParts::factor(const States& states) {
    for (Part& part : parts_) {
        const auto links = part.tree.links();
        for (std::uint32_t k = 0; k < links.size(); ++k) {
            const auto body = static_cast<std::size_t>(part.bodies[k]);
            links[k].mass = system_.rods[body].mass;
            links[k].inertia = inertia(system_.rods[body], states[body].q);
            if (links[k].kind == ArticulatedTree::Kind::Rows) set_rows(part, k, states);
            if (links[k].kind != ArticulatedTree::Kind::Ball) continue;
            const Joint& joint = system_.joints[compounds_[part.edges[k].compound].joints[0]];
            const auto lever = [&](int of, const Vec3& p) {
                return of == kWorld ? Vec3{} : rotate(states[static_cast<std::size_t>(of)].q, p);
            };
            links[k].a = lever(joint.b, joint.p_b), links[k].p = lever(joint.a, joint.p_a);
            if (joint.a == part.bodies[k]) std::swap(links[k].a, links[k].p);
        }
        part.tree.factor();
    }
}

void AcyclicParts::solve(std::size_t index, const std::vector<Vec3>& velocities, States& states) {
    Part& part = parts_[index];
    const auto links = part.tree.links();
    for (std::uint32_t k = 0; k < links.size(); ++k) {
        if (links[k].kind == ArticulatedTree::Kind::Free) continue;
        const Compound& compound = compounds_[part.edges[k].compound];
        const auto wanted = [&](std::size_t j) {  // of the child
            return velocities[j] * (system_.joints[j].a == part.bodies[k] ? 1.0 : -1.0);
        };
        if (links[k].kind == ArticulatedTree::Kind::Ball) {
            links[k].c = wanted(compound.joints[0]);
            continue;
        }
        auto& rows = part.tree.rows_of(k);
        std::size_t r = 0;
        for (const std::size_t j : compound.joints)
            for (int i = 0; i < system_.joints[j].rows(); ++i, ++r)
                rows.c[r] = dot(rows.child[r].linear, wanted(j));
    }
    part.tree.solve();
    for (std::size_t k = 0; k < links.size(); ++k) {
        State& state = states[static_cast<std::size_t>(part.bodies[k])];
        state.v += links[k].dv, state.w += links[k].dw;
    }
}

}  // namespace impuls::reference
