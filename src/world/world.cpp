// The public face of a world.
#include "impuls/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "collision/narrow/narrow.h"
#include "commands/check.h"
#include "mechanisms/bearings.h"
#include "scene/check.h"
#include "scene/expand.h"
#include "scene/grain_groups.h"
#include "world/body_index.h"

namespace impuls {
namespace {

// The description a body of the expanded scene came from: `cubes[17]` is made by `cubes`.
std::string path_of(const Scene& scene, const std::string& name) {
    for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
        const std::string& written = scene.bodies[k].name;
        if (!written.empty() && (name == written || name.starts_with(written + "[")))
            return fmt::format("/bodies/{}/shape", k);
    }
    return "/bodies/" + name + "/shape";
}

// Every two shapes that may meet need a narrow phase: silence would let them pass through each other.
void require_pairs(const Scene& scene, const WorldState& s) {
    std::array<std::size_t, kColliderKinds> any, dynamic;
    any.fill(s.bodies.size());
    dynamic.fill(s.bodies.size());
    for (std::size_t k = s.bodies.size(); k-- > 0;)
        for (const Collider& c : s.bodies.colliders[k]) {
            if (s.bodies.areal[k].is_on()) continue;  // touches over areas, whatever it meets
            const auto kind = static_cast<std::size_t>(c.kind);
            any[kind] = k;
            if (s.bodies.is_dynamic(k)) dynamic[kind] = k;
        }
    for (std::size_t a = 0; a < kColliderKinds; ++a)
        for (std::size_t b = 0; b < kColliderKinds; ++b) {
            const auto ka = static_cast<ColliderKind>(a), kb = static_cast<ColliderKind>(b);
            if (dynamic[a] == s.bodies.size() || any[b] == s.bodies.size() || has_narrow_phase(ka, kb))
                continue;
            const std::string name = s.body_ids.name(dynamic[a]);
            Issue issue{scene.file, 0, 0, path_of(scene, name), {}};
            if (const auto place = scene.places.find(issue.path); place != scene.places.end())
                std::tie(issue.line, issue.column) = place->second;
            issue.message = fmt::format(
                "body '{}': {} cannot collide with {} of body '{}'; set \"collides\": false to let it pass",
                name, name_of(ka), name_of(kb), s.body_ids.name(any[b]));
            throw InputError({issue});
        }
}

// A dynamic point cannot turn, so a joint that holds it away from itself would freeze it in place.
void require_levers(const Scene& scene, const WorldState& s) {
    struct Place {
        std::string name;
        Vec3 position;
    };
    std::vector<Place> points;
    for (std::size_t k = 0; k < s.bodies.size() && s.joints.size() > 0; ++k)
        if (s.bodies.is_dynamic(k) && s.bodies.inertia[k] == Vec3{})
            if (const BodyDesc body = description_of(s, k); std::holds_alternative<Point>(body.shape))
                points.push_back({body.name, body.position});
    if (points.empty()) return;
    std::vector<Issue> issues;
    for (const auto& joint : s.described.parts().joints) {
        const JointFrames frames =
            std::visit([](const auto& desc) { return joint_frames(desc); }, joint.joint);
        for (const Place& point : points) {
            if (point.name != joint.a && point.name != joint.b) continue;
            const Vec3& anchor = (point.name == joint.a ? frames.a : frames.b).position;
            if (length(anchor - point.position) <= 1e-9 * (length(anchor) + length(point.position))) continue;
            issues.push_back(
                {scene.file, 0, 0, "/joints/" + joint.name,
                 fmt::format("holds the point '{}' away from itself, but a point cannot turn; give it a "
                             "small shape instead",
                             point.name)});
        }
    }
    if (!issues.empty()) throw InputError(issues);
}

// Particles do not turn: joints that need a direction of theirs, and torques, would do nothing.
void require_particle_ends(const Scene& scene, const WorldState& s) {
    std::vector<Issue> issues;
    const auto& parts = s.described.parts();
    for (std::size_t j = 0; j < s.joints.size(); ++j) {
        const bool has_frame_of_them = s.joints.c[j] != kNoBody && s.bodies.particles[s.joints.c[j]];
        if (s.joints.part_a[j] == kNoPart && s.joints.part_b[j] == kNoPart && !has_frame_of_them) continue;
        if (const std::string problem = particle_end_problem(parts.joints[j]); !problem.empty())
            issues.push_back({scene.file, 0, 0, "/joints/" + parts.joints[j].name, problem});
    }
    for (std::size_t f = 0; f < s.forces.size(); ++f)
        if (s.forces.part_a[f] != kNoPart || s.forces.part_b[f] != kNoPart)
            if (const std::string problem = particle_end_problem(parts.forces[f]); !problem.empty())
                issues.push_back({scene.file, 0, 0, "/forces/" + parts.forces[f].name, problem});
    if (!issues.empty()) throw InputError(issues);
}

}  // namespace

World::World(const Scene& scene, std::shared_ptr<Executor> executor) : state_(std::make_unique<State>()) {
    require_valid(scene);
    auto given = std::make_shared<Scene>(scene);
    given->comments.clear();
    given->places.clear();
    std::stable_sort(given->timeline.begin(), given->timeline.end(),
                     [](const auto& a, const auto& b) { return a.time < b.time; });
    state_->executor = executor ? std::move(executor) : std::make_shared<Executor>(1);
    build(*state_, std::move(given));
    require_levers(scene, *state_);
    require_particle_ends(scene, *state_);
    require_pairs(scene, *state_);
    require_bearings(scene.file, *state_, state_->bodies, state_->joints);
    watch_laws(watch_view_of(*state_));
    watch_forces(watch_view_of(*state_));
    if (state_->grains.is_any()) {
        const WorldState& s = *state_;
        const std::vector<GroupDesc> groups = grain_groups();
        add_columns(groups[0], [&s](const Frame&, ColumnGroup& group) { fill_grains(s.grains, group); });
        add_columns(groups[1],
                    [&s](const Frame&, ColumnGroup& group) { fill_walls(s.grains, s.bodies, group); });
    }
}

World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

StepStatus World::step() {
    if (!state_->output.status.ok) return state_->output.status;
    state_->output.frame_is_current = false;
    state_->index.forget();
    if (step_world(*state_, state_->interruption.get())) return state_->output.status;
    return {false, "interrupted", true};
}

void World::interrupt_when(std::function<bool()> is_wanted) {
    state_->interruption = is_wanted ? std::make_unique<Interruption>(std::move(is_wanted)) : nullptr;
}

void World::apply(const Command& command) {
    state_->commands.pending.push_back(prepared(present_world(*state_), state_->commands, command));
}

double World::time() const {
    return static_cast<double>(state_->step) * state_->dt;
}
double World::dt() const {
    return state_->dt;
}
std::int64_t World::steps() const {
    return state_->step;
}
const Method& World::method() const {
    return state_->method;
}
int World::threads() const {
    return state_->executor->threads();
}
std::size_t World::body_count() const {
    return state_->bodies.size();
}
std::size_t World::contact_count() const {
    std::size_t count = 0;
    for_each_contact(*state_, [&](const auto& c) { count += c.separation <= 0 || c.sum != Vec3{}; });
    return count;
}

const Frame& World::frame() {
    if (state_->output.frame_is_current) return state_->output.frame;
    fill_frame(*state_);
    Frame& frame = state_->output.frame;
    for (std::size_t g = 0; g < state_->groups.size(); ++g) {
        if (g == frame.groups.size()) frame.groups.emplace_back(state_->groups[g].desc);
        state_->groups[g].fill(frame, frame.groups[g]);
    }
    return frame;
}

void World::add_columns(const GroupDesc& group, std::function<void(const Frame&, ColumnGroup&)> fill) {
    const ColumnGroup checked(group);
    for (const GroupSource& other : state_->groups)
        if (other.desc.name == group.name)
            throw InputError(fmt::format("group '{}': is there already", group.name));
    state_->groups.push_back({group, std::move(fill)});
    state_->output.frame_is_current = false;
}

std::shared_ptr<const Scene> World::structure() const {
    return structure_of(*state_);
}
const std::vector<Outcome>& World::outcomes() const {
    return state_->output.outcomes;
}

const std::vector<Warning>& World::warnings() const {
    return state_->output.warnings.all();
}

BodyId World::find_body(std::string_view name) const {
    return state_->body_ids.find(name);
}
JointId World::find_joint(std::string_view name) const {
    return state_->joint_ids.find(name);
}
Pose World::pose(BodyId body) const {
    return state_->bodies.body_pose(state_->body_ids.dense(body));
}
Vec3 World::velocity(BodyId body) const {
    return state_->bodies.v[state_->body_ids.dense(body)];
}
Vec3 World::angular_velocity(BodyId body) const {
    return state_->bodies.w[state_->body_ids.dense(body)];
}
double World::mass(BodyId body) const {
    return state_->bodies.mass[state_->body_ids.dense(body)];
}

Vec3 World::center_of_mass(BodyId body) const {
    return state_->bodies.X_BP[state_->body_ids.dense(body)].position;
}
Mat3 World::inertia(BodyId body) const {
    const auto k = state_->body_ids.dense(body);
    const Mat3 r = to_matrix(state_->bodies.X_BP[k].orientation);
    return r * diagonal(state_->bodies.inertia[k]) * transpose(r);
}
JointReaction World::reaction(JointId joint) const {
    return reaction_of(*state_, state_->joint_ids.dense(joint));
}

bool World::is_asleep(BodyId body) const {
    return state_->bodies.is_asleep[state_->body_ids.dense(body)] != 0;
}

std::uint64_t World::state_hash() const {
    return hash_state(*state_);
}
std::vector<std::byte> World::checkpoint() const {
    return write_checkpoint(*state_);
}
void World::restore(std::span<const std::byte> bytes) {
    read_checkpoint(*state_, bytes);
    state_->index.forget();
    state_->active.is_still = false;
    state_->output.outcomes.clear();
    state_->output.watch = {};
    state_->output.watch.checked_uid = state_->bodies.next_uid;
}

World World::branch(const Scene& changed) const {
    World world(changed, state_->executor);
    carry_over(*state_, *world.state_);
    world.state_->output.watch.checked_uid = world.state_->bodies.next_uid;
    return world;
}

std::size_t World::pending_commands() const {
    return state_->commands.pending.size();
}

void World::drop_caches() {
    state_->index.forget();
    impuls::drop_caches(*state_);
}

}  // namespace impuls
