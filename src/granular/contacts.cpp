// Forces of all pairs: each pair is looked at by itself, into its own place; then each grain gathers what its
// pairs did, its own row first and those in which it is second after it, both ascending. No sum depends on
// threads.
//
// Dashpots c = 2 z sqrt(k m) of n contacts that push one body at once add up to n c, and their springs to n
// k. For the body to rebound as the pair's restitution says, m is the reduced mass of the grain and of the
// n-th part of the body, as far as that gives way along the normal; with the mass of the grain alone, a light
// body would be damped too much, and in long substeps beyond what they resolve:
//     1/m = 1/m_grain + n (1/m_body + (r x n) . I^-1 (r x n))
#include <algorithm>
#include <cmath>

#include "granular/system.h"

namespace impuls::granular {
namespace {

Placed placed_grain(const System& s, std::uint32_t k) {
    const Grains& g = s.grains;
    return {&s.kinds[g.kind[k]].shape, g.x[k], g.q[k], to_matrix(g.q[k]), g.size[k]};
}

bool find_patch(const System& s, PatchFinder& finder, const Placed& a, NearPair& pair, Patch& out) {
    if (!(pair.b & kObstacle)) {
        const Grains& g = s.grains;
        const double reach = a.shape->radius * a.size + s.kinds[g.kind[pair.b]].shape.radius * g.size[pair.b];
        if (length_squared(g.x[pair.b] - a.position) >= reach * reach) return false;
        return finder.between(a, placed_grain(s, pair.b), pair.axis, out);
    }
    const Obstacle& o = s.obstacles[pair.b & ~kObstacle];
    const ObstacleBody& body = s.bodies[o.body];
    if (!body.is_enabled) return false;
    const Pose X_WO = body.X_WP * o.X_BO;
    if (o.kind == ObstacleKind::Solid)
        return finder.between(a, {&o.shape, X_WO.position, X_WO.orientation, to_matrix(X_WO.orientation), 1},
                              pair.axis, out);
    HalfSpaceNow plane;
    return plane_at(o, X_WO, a, plane) && finder.with_plane(a, plane, pair.axis, out);
}

void push(System& s, std::uint32_t grain, const NearPair& pair, const Patch& patch, double dt,
          StepNotes& notes) {
    const Grains& g = s.grains;
    const GrainKind& kind = s.kinds[g.kind[grain]];
    TouchingPatch& touch = s.pairs.patches[pair.patch];
    PatchMotion m;
    m.arm_a = patch.center, m.v_a = g.v[grain], m.w_a = g.w[grain];
    const double mass = mass_of(kind, g.size[grain]), r = kind.shape.radius * g.size[grain];
    std::uint32_t material = 0;
    double smaller = r, inverse = 1 / mass;
    if (pair.b & kObstacle) {
        const Obstacle& o = s.obstacles[pair.b & ~kObstacle];
        const ObstacleBody& body = s.bodies[o.body];
        material = o.material, m.radius = r;
        m.arm_b = g.x[grain] + patch.center - body.X_WP.position, m.v_b = body.v, m.w_b = body.w;
        if (body.surface != Vec3{}) {
            const Vec3 v = rotate(body.X_WP.orientation, body.surface);
            m.v_b += v - patch.normal * dot(patch.normal, v);
        }
        if (body.is_free()) {
            const Vec3 lever = cross(m.arm_b, patch.normal);
            inverse += std::max(1u, body.contacts) * (body.inv_mass + dot(lever, body.inv_inertia * lever));
        }
    } else {
        const std::uint32_t b = pair.b;
        const GrainKind& other = s.kinds[g.kind[b]];
        const double r_b = other.shape.radius * g.size[b];
        material = other.material, smaller = std::min(r, r_b), m.radius = r * r_b / (r + r_b);
        m.arm_b = g.x[grain] - g.x[b] + patch.center, m.v_b = g.v[b], m.w_b = g.w[b];
        inverse += 1 / mass_of(other, g.size[b]);
    }
    m.mass = 1 / inverse;
    const PatchForce f = force_of(s.law(kind.material, material), patch, m, dt, touch.memory);
    touch.force = f.force, touch.torque = f.torque, touch.center = patch.center;
    touch.area = static_cast<float>(patch.area), touch.depth = static_cast<float>(patch.depth);
    touch.normal = static_cast<float>(f.normal), touch.energy = static_cast<float>(f.energy);
    notes.deepest = std::max(notes.deepest, patch.depth / (2 * smaller));
    notes.stiffest = std::max(notes.stiffest, dt * std::sqrt(f.stiffness * inverse));
    notes.energy += f.energy;
    ++notes.touching;
}

void look_at_chunk(System& s, std::size_t begin, std::size_t end, double dt) {
    ContactChunk& chunk = s.scratch.chunks[begin / kGrainChunk];
    chunk.begun.clear(), chunk.begun_grain.clear(), chunk.ended.clear();
    chunk.notes = {};
    Patch patch;
    std::unique_ptr<PatchFinder> finder = s.scratch.finders.take();
    for (auto i = static_cast<std::uint32_t>(begin); i < end; ++i) {
        if (s.pairs.first[i] == s.pairs.first[i + 1]) continue;
        const Placed a = placed_grain(s, i);
        for (std::uint32_t p = s.pairs.first[i]; p < s.pairs.first[i + 1]; ++p) {
            NearPair& pair = s.pairs.near[p];
            const bool is_touching = find_patch(s, *finder, a, pair, patch);
            if (is_touching && pair.patch != kNoPatch)
                push(s, i, pair, patch, dt, chunk.notes);
            else if (is_touching)
                chunk.begun.push_back(p), chunk.begun_grain.push_back(i);
            else if (pair.patch != kNoPatch)
                chunk.ended.push_back(p);
        }
    }
    s.scratch.finders.give(std::move(finder));
}

// Places for what began to touch, in the order of pairs, and their first forces.
void begin_patches(System& s, double dt, std::size_t chunks) {
    Pairs& pairs = s.pairs;
    for (std::size_t c = 0; c < chunks; ++c)
        for (const std::uint32_t p : s.scratch.chunks[c].ended)
            pairs.unused.push_back(pairs.near[p].patch), pairs.near[p].patch = kNoPatch;
    std::unique_ptr<PatchFinder> finder = s.scratch.finders.take();
    for (std::size_t c = 0; c < chunks; ++c) {
        ContactChunk& chunk = s.scratch.chunks[c];
        for (std::size_t k = 0; k < chunk.begun.size(); ++k) {
            NearPair& pair = pairs.near[chunk.begun[k]];
            if (pairs.unused.empty()) {
                pair.patch = static_cast<std::uint32_t>(pairs.patches.size());
                pairs.patches.emplace_back();
            } else {
                pair.patch = pairs.unused.back();
                pairs.unused.pop_back();
                pairs.patches[pair.patch] = {};
            }
            Patch patch;
            const Placed a = placed_grain(s, chunk.begun_grain[k]);
            if (find_patch(s, *finder, a, pair, patch))
                push(s, chunk.begun_grain[k], pair, patch, dt, chunk.notes);
        }
    }
    s.scratch.finders.give(std::move(finder));
}

void gather(System& s, std::size_t begin, std::size_t end) {
    Grains& g = s.grains;
    const Pairs& pairs = s.pairs;
    for (std::size_t k = begin; k < end; ++k) {
        Vec3 force, torque;
        for (std::uint32_t p = pairs.first[k]; p < pairs.first[k + 1]; ++p) {
            if (pairs.near[p].patch == kNoPatch) continue;
            const TouchingPatch& t = pairs.patches[pairs.near[p].patch];
            force -= t.force, torque -= cross(t.center, t.force) + t.torque;
        }
        g.force[k] = force, g.torque[k] = torque;
    }
}

// Of pairs in which a grain is second: the arm is that of the first and the way between them.
void gather_incoming(System& s) {
    Grains& g = s.grains;
    const Pairs& pairs = s.pairs;
    for (std::uint32_t i = 0; i < g.count(); ++i)
        for (std::uint32_t p = pairs.first[i]; p < pairs.first[i + 1]; ++p) {
            const NearPair& pair = pairs.near[p];
            if (pair.patch == kNoPatch) continue;
            const TouchingPatch& t = pairs.patches[pair.patch];
            if (pair.b & kObstacle) {
                ObstacleBody& body = s.bodies[s.obstacles[pair.b & ~kObstacle].body];
                ++body.contacts;
                body.force += t.force;
                body.torque += cross(g.x[i] + t.center - body.X_WP.position, t.force) + t.torque;
            } else {
                g.force[pair.b] += t.force;
                g.torque[pair.b] += cross(g.x[i] - g.x[pair.b] + t.center, t.force) + t.torque;
            }
        }
}

}  // namespace

void find_forces(System& s, double dt, Executor& executor) {
    const std::size_t n = s.grains.count(), chunks = (n + kGrainChunk - 1) / kGrainChunk;
    if (s.scratch.chunks.size() < chunks) s.scratch.chunks.resize(chunks);
    executor.parallel_for(n, kGrainChunk,
                          [&](std::size_t begin, std::size_t end) { look_at_chunk(s, begin, end, dt); });
    begin_patches(s, dt, chunks);
    for (ObstacleBody& b : s.bodies) {
        b.force = b.torque = {};
        b.contacts = 0;
    }
    executor.parallel_for(n, 1024, [&](std::size_t begin, std::size_t end) { gather(s, begin, end); });
    gather_incoming(s);
    s.notes = {};
    for (std::size_t c = 0; c < chunks; ++c) {
        const StepNotes& notes = s.scratch.chunks[c].notes;
        s.notes.deepest = std::max(s.notes.deepest, notes.deepest);
        s.notes.stiffest = std::max(s.notes.stiffest, notes.stiffest);
        s.notes.energy += notes.energy;
        s.notes.touching += notes.touching;
    }
}

}  // namespace impuls::granular
