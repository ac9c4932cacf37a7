// Checkpoints and the state hash walk the same state with the same function, so that what is hashed is
// exactly what is saved. Layout: magic, version, fingerprint of the scene, journal of structural commands
// (JSON), then per body 8 + 4 + 13 * 8 = 116 bytes (uid, flags, pose, velocities) and its window of rest,
// joints, contacts, edges of the contact graph that are near or touching (so that no event is lost or told
// twice); XXH64 of all at the end.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/bytes.h"
#include "impuls/scene_file.h"
#include "world/visit_state.h"

namespace impuls {
namespace {

constexpr std::uint32_t kMagic = 0x4b435049;  // "IPCK"
constexpr std::uint32_t kVersion = 9;

std::uint64_t fingerprint(const Scene& structure) {
    const std::string text = to_json(structure);
    return XXH64(text.data(), text.size(), 0);
}

}  // namespace

std::uint64_t hash_state(const WorldState& s) {
    Hasher hash;
    visit_state(hash, s);
    return hash.digest();
}

std::vector<std::byte> write_checkpoint(const WorldState& s) {
    ByteWriter out;
    out(kMagic);
    out(kVersion);
    out(s.described.fingerprint(fingerprint));
    const auto write_commands = [&](const auto& commands) {
        out(static_cast<std::uint64_t>(commands.size()));
        for (const auto& command : commands) out(to_json(command));
    };
    write_commands(s.commands.journal);
    write_commands(s.commands.pending);
    out(static_cast<std::uint64_t>(s.commands.timeline_done));
    visit_state(out, s);
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
    if (s.grains.is_any()) {
        const std::string damage = damage_of(s.grains);
        require(damage.empty(), damage.c_str());
    }
    const PairKey* last = nullptr;
    for (const ContactPoint& c : s.contacts) {
        const std::size_t a = place_of(s.bodies, c.key.uid_a), b = place_of(s.bodies, c.key.uid_b);
        require(a < s.bodies.size() && b < s.bodies.size(), "contact of an unknown body");
        require(c.key.element_a < s.bodies.colliders[a].size() &&
                    c.key.element_b < s.bodies.colliders[b].size() && (!last || *last <= c.key),
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
    ByteReader in{bytes.first(bytes.size() - 8)};
    std::uint32_t magic = 0, version = 0;
    std::uint64_t scene = 0;
    in(magic);
    in(version);
    in(scene);
    if (magic != kMagic) throw InputError("this is not a checkpoint");
    if (version != kVersion) throw InputError("checkpoint of another version of Impuls");
    if (scene != s.described.fingerprint(fingerprint))
        throw InputError("checkpoint belongs to another scene");

    WorldState fresh;
    fresh.executor = s.executor;
    build(fresh, s.described.given());
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
    visit_state(in, fresh);
    check_restored(fresh, body_uids, joint_uids);
    update_connected(fresh);
    update_nodes(fresh);
    s = std::move(fresh);
}

}  // namespace impuls
