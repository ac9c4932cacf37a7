// Checkpoints and the state hash walk the same state with the same function, so that what is hashed is
// exactly what is saved. Layout: magic, version, fingerprint of the scene, journal of structural commands
// (JSON), then per body 8 + 4 + 13 * 8 = 116 bytes (uid, flags, pose, velocities) and its window of rest,
// joints, contacts, edges of the contact graph that are near or touching (so that no event is lost or told
// twice); XXH64 of all at the end.
#define XXH_STATIC_LINKING_ONLY  // the hash state on the stack
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "base/assert.h"
#include "impuls/scene_file.h"
#include "world/state.h"

namespace impuls {
namespace {

constexpr std::uint32_t kMagic = 0x4b435049;  // "IPCK"
constexpr std::uint32_t kVersion = 9;

constexpr std::uint32_t kPassive = 256, kAsleep = 512;  // beside a body's kind
constexpr int kRestShift = 10;                          // and of its window of rest
constexpr std::uint32_t kRestMask = 7;
constexpr std::uint32_t kEnabled = 1, kBroken = 2;  // of a joint

// Appends plain values to a byte array.
struct Writer {
    std::vector<std::byte> bytes{};
    template <class T>
    void operator()(const T& value) {
        static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
        const auto* p = reinterpret_cast<const std::byte*>(&value);
        bytes.insert(bytes.end(), p, p + sizeof value);
    }
    void operator()(const Vec3& a) {
        for (const double x : {a.x, a.y, a.z}) (*this)(x);
    }
    void operator()(const Quat& q) {
        for (const double x : {q.w, q.x, q.y, q.z}) (*this)(x);
    }
    void operator()(const std::string& s) {
        (*this)(static_cast<std::uint64_t>(s.size()));
        const auto* p = reinterpret_cast<const std::byte*>(s.data());
        bytes.insert(bytes.end(), p, p + s.size());
    }
};

// Feeds the same values to a hash.
struct Hasher {
    XXH64_state_t state;
    Hasher() { XXH64_reset(&state, 0); }
    template <class T>
    void operator()(const T& value) {
        static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
        XXH64_update(&state, &value, sizeof value);
    }
    void operator()(const Vec3& a) { XXH64_update(&state, &a, sizeof a); }
    void operator()(const Quat& q) { XXH64_update(&state, &q, sizeof q); }
    std::uint64_t digest() const { return XXH64_digest(&state); }
};

struct Reader {
    std::span<const std::byte> bytes;
    template <class T>
    void operator()(T& value) {
        if (bytes.size() < sizeof value) throw InputError("checkpoint is too short");
        std::memcpy(&value, bytes.data(), sizeof value);
        bytes = bytes.subspan(sizeof value);
    }
    void operator()(Vec3& a) {
        for (double* x : {&a.x, &a.y, &a.z}) (*this)(*x);
    }
    void operator()(Quat& q) {
        for (double* x : {&q.w, &q.x, &q.y, &q.z}) (*this)(*x);
    }
    void operator()(std::string& s) {
        const auto size = count();
        s.assign(reinterpret_cast<const char*>(bytes.data()), size);
        bytes = bytes.subspan(size);
    }
    // A count of things that take at least one byte each.
    std::uint64_t count() {
        std::uint64_t n = 0;
        (*this)(n);
        if (n > bytes.size()) throw InputError("checkpoint is damaged: impossible count");
        return n;
    }
};

template <class Visitor, class T>
void visit_value(Visitor& visit, T& value) {
    if constexpr (std::is_same_v<std::decay_t<T>, std::optional<double>>) {
        std::uint8_t is_given = value.has_value();
        double number = value.value_or(0);
        visit(is_given);
        visit(number);
        if constexpr (!std::is_const_v<T>) value = is_given ? std::optional(number) : std::nullopt;
    } else {
        visit(value);
    }
}

// Axes come before impulses, since they decide how many rows there are.
template <class Visitor, class Joints>
void visit_joint(Visitor& visit, Joints& joints, std::size_t j) {
    visit(joints.uid[j]);
    for (auto* pose : {&joints.X_AJ[j], &joints.X_BJ[j], &joints.X_CA[j], &joints.X_CB[j]}) {
        visit(pose->position);
        visit(pose->orientation);
    }
    std::uint32_t flags = (joints.is_enabled[j] ? kEnabled : 0) | (joints.is_broken[j] ? kBroken : 0);
    visit(flags);
    visit_axes(joints.joint[j], [&](const char*, auto& axis) {
        AxisDesc::visit_fields(
            [&](const char*, auto member, const Field&) { visit_value(visit, axis.*member); });
    });
    if constexpr (!std::is_const_v<Joints>) {
        joints.is_enabled[j] = (flags & kEnabled) != 0;
        joints.is_broken[j] = (flags & kBroken) != 0;
        joints.count_rows(j);
    }
    visit(joints.pace[j]);
    for (auto& angle : joints.angle.of(j)) visit(angle);
    for (auto& impulse : joints.impulse.of(j)) visit(impulse);
}

template <class Visitor, class Forces>
void visit_force(Visitor& visit, Forces& forces, std::size_t f) {
    visit(forces.uid[f]);
    for (auto* pose : {&forces.X_AF[f], &forces.X_BF[f]}) {
        visit(pose->position);
        visit(pose->orientation);
    }
    visit(forces.is_enabled[f]);
    if (auto* grab = std::get_if<GrabForce>(&forces.force[f])) visit(grab->target);
}

// Visits the counters, bodies and joints in uid order.
template <class Visitor, class World>
void visit_fixed_state(Visitor& visit, World& s) {
    visit(s.step);
    visit(s.gravity);
    for (std::size_t k = 0; k < s.bodies.size(); ++k) {
        visit(s.bodies.uid[k]);
        auto& rest = s.bodies.rest[k];
        auto flags = static_cast<std::uint32_t>(s.bodies.kind[k]) | (s.bodies.is_active[k] ? 0 : kPassive) |
                     (s.bodies.is_asleep[k] ? kAsleep : 0) | std::uint32_t{rest.count} << kRestShift;
        visit(flags);
        if constexpr (!std::is_const_v<World>) {
            s.bodies.is_active[k] = !(flags & kPassive);
            s.bodies.is_asleep[k] = (flags & kAsleep) != 0;
            rest.count = static_cast<std::uint8_t>(
                std::min<std::uint32_t>(flags >> kRestShift & kRestMask, rest.kSteps));
        }
        for (int i = 0; i < rest.count; ++i) visit(rest.energy[static_cast<std::size_t>(i)]);
        if (rest.count > 0) {
            visit(rest.still);
            visit(rest.anchor.position);
            visit(rest.anchor.orientation);
        }
        visit(s.bodies.pose[k].position);
        visit(s.bodies.pose[k].orientation);
        visit(s.bodies.v[k]);
        visit(s.bodies.w[k]);
    }
    for (std::size_t j = 0; j < s.joints.size(); ++j) visit_joint(visit, s.joints, j);
    if (!keeps_ledger(s)) return;
    for (std::size_t f = 0; f < s.forces.size(); ++f) visit_force(visit, s.forces, f);
    visit(s.ledger.supplied);
    visit(s.ledger.dissipated);
}

// Of the body with that uid; the number of bodies when there is none.
std::size_t place_of(const BodySet& bodies, std::uint64_t uid) {
    const auto at = std::lower_bound(bodies.uid.begin(), bodies.uid.end(), uid);
    if (at == bodies.uid.end() || *at != uid) return bodies.size();
    return static_cast<std::size_t>(at - bodies.uid.begin());
}

bool is_asleep(const BodySet& bodies, std::uint64_t uid) {
    const std::size_t k = place_of(bodies, uid);
    return k < bodies.size() && bodies.is_asleep[k] != 0;
}

// The points of sleepers are not found again: all that is told of them stays.
template <class Visitor, class Point>
void visit_contact(Visitor& visit, const BodySet& bodies, Point& c) {
    visit(c.key.uid_a);
    visit(c.key.collider_a);
    visit(c.key.uid_b);
    visit(c.key.collider_b);
    visit(c.feature);
    visit(c.position);
    visit(c.previous_n);
    visit(c.previous_t);
    visit(c.previous_torque);
    std::uint8_t is_sliding = c.is_sliding;
    visit(is_sliding);
    visit(c.substeps);
    if constexpr (!std::is_const_v<Point>) c.is_sliding = is_sliding != 0;
    visit(c.found_within);
    if (c.found_within != 0) {
        visit(c.found);
        for (auto* v : {&c.anchor_a, &c.anchor_b, &c.normal_a, &c.normal_b}) {
            visit(v->x);
            visit(v->y);
            visit(v->z);
        }
    }
    if (is_asleep(bodies, c.key.uid_a) || is_asleep(bodies, c.key.uid_b)) {
        visit(c.normal);
        visit(c.separation);
        visit(c.sum);
    }
}

template <class Visitor, class Edge>
void visit_edge(Visitor& visit, Edge& e) {
    std::uint8_t kind = static_cast<std::uint8_t>(e.kind), state = static_cast<std::uint8_t>(e.old_state);
    std::uint8_t near = e.was_near;
    visit(e.a);
    visit(e.b);
    visit(kind);
    visit(state);
    visit(near);
    if constexpr (!std::is_const_v<Edge>) {
        e.kind = static_cast<EdgeKind>(kind);
        e.state = e.old_state = static_cast<PairState>(state);
        e.is_near = e.was_near = near != 0;
    }
}

bool has_force(const BodySet& bodies, std::size_t k) {
    return bodies.force[k] != Vec3{} || bodies.torque[k] != Vec3{};
}

// What decides the future besides the fixed part. Contacts that are not present carry nothing on.
template <class Visitor>
void visit_lists(Visitor& visit, const WorldState& s) {
    for (std::size_t k = 0; k < s.bodies.size(); ++k)
        if (has_force(s.bodies, k)) {
            visit(s.bodies.uid[k]);
            visit(s.bodies.force[k]);
            visit(s.bodies.torque[k]);
        }
    for_each_contact(s, [&](const ContactPoint& c) {
        if (c.is_present) visit_contact(visit, s.bodies, c);
    });
    for_each_edge(s, [&](const GraphEdge& e) {
        if (ContactGraph::is_alive(e)) visit_edge(visit, e);
    });
}

std::uint64_t fingerprint(const Scene& structure) {
    const std::string text = to_json(structure);
    return XXH64(text.data(), text.size(), 0);
}

}  // namespace

std::uint64_t hash_state(const WorldState& s) {
    Hasher hash;
    visit_fixed_state(hash, s);
    visit_lists(hash, s);
    return hash.digest();
}

std::vector<std::byte> write_checkpoint(const WorldState& s) {
    Writer out;
    out(kMagic);
    out(kVersion);
    out(fingerprint(*s.first_structure));
    const auto write_commands = [&](const auto& commands) {
        out(static_cast<std::uint64_t>(commands.size()));
        for (const auto& command : commands) out(to_json(command));
    };
    write_commands(s.commands.journal);
    write_commands(s.commands.pending);
    out(static_cast<std::uint64_t>(s.commands.timeline_done));
    visit_fixed_state(out, s);
    std::uint64_t forces = 0, contacts = 0, edges = 0;
    for (std::size_t k = 0; k < s.bodies.size(); ++k) forces += has_force(s.bodies, k);
    [[maybe_unused]] const ContactPoint* last = nullptr;
    for_each_contact(s, [&](const ContactPoint& c) {
        IMPULS_ASSERT(!last || last->key <= c.key);  // readers rely on the order of keys
        last = &c;
        contacts += c.is_present;
    });
    for_each_edge(s, [&](const GraphEdge& e) { edges += ContactGraph::is_alive(e); });
    out(forces);
    out(contacts);
    out(edges);
    visit_lists(out, s);
    out(XXH64(out.bytes.data(), out.bytes.size(), 0));
    return std::move(out.bytes);
}

// What the arrays of a step are addressed by, and numbers without which it could not end, must be sound
// whatever the bytes say: recordings may come from strangers.
void check_restored(const WorldState& s, const std::vector<std::uint64_t>& body_uids,
                    const std::vector<std::uint64_t>& joint_uids) {
    const auto require = [](bool ok, const char* what) {
        if (!ok) throw InputError(fmt::format("checkpoint is damaged: {}", what));
    };
    const auto is_finite = [](const Vec3& a) {
        return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
    };
    require(s.step >= 0 && is_finite(s.gravity), "step or gravity");
    require(s.bodies.uid == body_uids && s.joints.uid == joint_uids, "other bodies or joints");
    for (std::size_t k = 0; k < s.bodies.size(); ++k) {
        const Quat& q = s.bodies.pose[k].orientation;
        require(is_finite(s.bodies.pose[k].position) && std::isfinite(q.w) && is_finite({q.x, q.y, q.z}) &&
                    is_finite(s.bodies.v[k]) && is_finite(s.bodies.w[k]),
                "motion of a body");
    }
    const PairKey* last = nullptr;
    for (const ContactPoint& c : s.contacts) {
        const std::size_t a = place_of(s.bodies, c.key.uid_a), b = place_of(s.bodies, c.key.uid_b);
        require(a < s.bodies.size() && b < s.bodies.size(), "contact of an unknown body");
        require(c.key.collider_a < s.bodies.colliders[a].size() &&
                    c.key.collider_b < s.bodies.colliders[b].size() && (!last || *last <= c.key),
                "contacts");
        last = &c.key;
    }
    for (std::size_t k = 0; k < s.graph.edges.size(); ++k) {
        const GraphEdge& e = s.graph.edges[k];
        const bool is_sorted =
            k == 0 || std::pair(s.graph.edges[k - 1].a, s.graph.edges[k - 1].b) < std::pair(e.a, e.b);
        require(is_sorted && e.kind <= EdgeKind::Physical && e.state <= PairState::Penetrating, "edges");
    }
}

// Rebuilds the structure from the scene and the journal, then fills in the state. `s` is only changed at the
// end.
void read_checkpoint(WorldState& s, std::span<const std::byte> bytes) {
    if (bytes.size() < 24) throw InputError("checkpoint is too short");
    std::uint64_t sum = 0;
    std::memcpy(&sum, bytes.data() + bytes.size() - 8, 8);
    if (sum != XXH64(bytes.data(), bytes.size() - 8, 0))
        throw InputError("checkpoint is damaged: checksum differs");
    Reader in{bytes.first(bytes.size() - 8)};
    std::uint32_t magic = 0, version = 0;
    std::uint64_t scene = 0;
    in(magic);
    in(version);
    in(scene);
    if (magic != kMagic) throw InputError("this is not a checkpoint");
    if (version != kVersion) throw InputError("checkpoint of another version of Impuls");
    if (scene != fingerprint(*s.first_structure)) throw InputError("checkpoint belongs to another scene");

    WorldState fresh;
    fresh.executor = s.executor;
    build(fresh, s.first_structure);
    std::string text;
    std::vector<Command> journal;
    for (auto n = in.count(); n > 0; --n) {
        in(text);
        journal.push_back(parse_command(text));
    }
    apply_now(fresh, journal);
    for (auto n = in.count(); n > 0; --n) {
        in(text);
        fresh.commands.pending.push_back(parse_command(text));
    }
    std::uint64_t timeline_done = 0;
    in(timeline_done);
    fresh.commands.timeline_done = timeline_done;
    const auto body_uids = fresh.bodies.uid, joint_uids = fresh.joints.uid;
    visit_fixed_state(in, fresh);
    std::uint64_t forces = 0, contacts = 0, edges = 0;
    in(forces);
    in(contacts);
    in(edges);
    for (; forces > 0; --forces) {
        std::uint64_t uid = 0;
        in(uid);
        const std::size_t k = place_of(fresh.bodies, uid);
        if (k == fresh.bodies.size()) throw InputError("checkpoint is damaged: unknown body");
        in(fresh.bodies.force[k]);
        in(fresh.bodies.torque[k]);
    }
    for (; contacts > 0; --contacts) {
        ContactPoint c;
        visit_contact(in, fresh.bodies, c);
        c.is_present = true;
        fresh.contacts.push_back(c);
    }
    fresh.graph.edges.clear();
    for (; edges > 0; --edges) visit_edge(in, fresh.graph.edges.emplace_back());
    check_restored(fresh, body_uids, joint_uids);
    update_connected(fresh);
    update_nodes(fresh);
    s = std::move(fresh);
}

}  // namespace impuls
