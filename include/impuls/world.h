// The running simulation built from a Scene. Two worlds never share state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "impuls/command.h"
#include "impuls/executor.h"
#include "impuls/frame.h"
#include "impuls/ids.h"
#include "impuls/query.h"
#include "impuls/scene.h"
#include "impuls/warnings.h"

namespace impuls {

/// How a step ended. A failed world does not move any more; `message` names body and stage.
struct StepStatus {
    bool ok = true;
    std::string message{};
    bool interrupted = false;  // not ok, but not failed either: see World::interrupt_when
};

/// What a scene becomes: it moves step by step, obeys commands, and can be read and asked at any time.
/// Ids and everything that is read are of the present state.
class World {
  public:
    /// Expands and builds the scene. Throws InputError when it is not valid.
    explicit World(const Scene& scene, std::shared_ptr<Executor> executor = nullptr);
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    /// Advances by dt(). Never throws.
    StepStatus step();
    /// Checks a command now (InputError) and applies it at the start of the next step. It is checked against
    /// the world as commands given before it will leave it: a body that one of them adds may be named, one
    /// that they remove may not.
    void apply(const Command& command);
    /// Commands that the next step will apply.
    std::size_t pending_commands() const;

    /// Lets long steps be given up. `is_wanted` is asked within step(), many times and by all its threads: it
    /// must be quick and thread-safe, such as reading a std::atomic<bool> that a signal handler or another
    /// thread sets. Once it answers true, step() returns within a fraction of a second with `interrupted`,
    /// and the world is as before that step, bit for bit, with its commands still pending; step() may be
    /// called again. Costs a copy of what joints and sleepers remember each step. An empty function ends it.
    void interrupt_when(std::function<bool()> is_wanted);

    double time() const;
    double dt() const;
    std::int64_t steps() const;
    const Method& method() const;
    int threads() const;
    std::size_t body_count() const;
    std::size_t contact_count() const;

    /// The present state with all derived quantities; valid until the next step, restore or frame().
    const Frame& frame();
    /// Adds a group of the program's own to every frame from now on (columns.h, docs/howto): recordings,
    /// quantities, CSV and JSON have it like the engine's. `fill` is called when a frame is made, with all
    /// else in it, and with the group as it was left last time. Throws InputError when the description cannot
    /// be.
    void add_columns(const GroupDesc& group, std::function<void(const Frame&, ColumnGroup&)> fill);
    /// The expanded scene as it is now: bodies and joints by dense index.
    std::shared_ptr<const Scene> structure() const;
    /// Of the islands that were advanced in the last step, in the order of islands; as in frame().
    const std::vector<Outcome>& outcomes() const;
    /// What went wrong so far without stopping the world; each body or joint once a kind.
    const std::vector<Warning>& warnings() const;

    /// Ids by name; an empty id when there is none. Stale or empty ids throw in the calls below.
    BodyId find_body(std::string_view name) const;
    JointId find_joint(std::string_view name) const;
    Pose pose(BodyId body) const;
    Vec3 velocity(BodyId body) const;
    Vec3 angular_velocity(BodyId body) const;
    double mass(BodyId body) const;
    /// In the body's own axes: where its centre of mass is, and its tensor of inertia about it, kg m^2.
    Vec3 center_of_mass(BodyId body) const;
    Mat3 inertia(BodyId body) const;
    /// What a joint bore in the last step, on its body b at the anchor, and how far it is open now; as in
    /// frame(), without making one.
    JointReaction reaction(JointId joint) const;
    /// Its island is at rest and not advanced until something wakes it (method.sleep).
    bool is_asleep(BodyId body) const;

    /// Queries of the present state; commands that were given since the last step do not count yet. Results
    /// do not depend on threads: of equal hits the body that was made first. Several threads may ask at once
    /// while none changes the world (the first query after a step sorts the bodies). Lists are cleared first,
    /// and nothing is allocated once they are large enough.
    std::optional<BodyHit> ray(const RayQuery& query, const BodyFilter& filter = {}) const;
    /// All hits, nearest first, one a body.
    void ray_all(const RayQuery& query, std::vector<BodyHit>& hits, const BodyFilter& filter = {}) const;
    /// The first body that a moving solid comes closer to than 1e-3 of the smaller size.
    std::optional<BodyCast> cast(const CastQuery& query, const BodyFilter& filter = {}) const;
    /// Bodies that overlap or touch a solid; bodies that hold a point.
    void overlaps(const Placed& query, std::vector<BodyId>& bodies, const BodyFilter& filter = {}) const;
    void at_point(const Vec3& point, std::vector<BodyId>& bodies, const BodyFilter& filter = {}) const;
    /// The body nearest to a solid or to a point.
    std::optional<BodyHit> closest(const NearQuery& query, const BodyFilter& filter = {}) const;
    std::optional<BodyHit> closest(const Vec3& point, double max_distance,
                                   const BodyFilter& filter = {}) const;
    /// Many at once, on the world's executor: `results` has as many entries as `queries`, each as the single
    /// query gives it.
    void rays(std::span<const RayQuery> queries, std::span<std::optional<BodyHit>> results,
              const BodyFilter& filter = {}) const;
    void ray_all(std::span<const RayQuery> queries, std::span<std::vector<BodyHit>> results,
                 const BodyFilter& filter = {}) const;
    void casts(std::span<const CastQuery> queries, std::span<std::optional<BodyCast>> results,
               const BodyFilter& filter = {}) const;
    void overlaps(std::span<const Placed> queries, std::span<std::vector<BodyId>> results,
                  const BodyFilter& filter = {}) const;
    void at_point(std::span<const Vec3> queries, std::span<std::vector<BodyId>> results,
                  const BodyFilter& filter = {}) const;
    void closest(std::span<const NearQuery> queries, std::span<std::optional<BodyHit>> results,
                 const BodyFilter& filter = {}) const;

    /// Hash of the bit patterns of all state that decides the future, in uid order.
    std::uint64_t state_hash() const;
    /// Everything needed to go on bit for bit, in a World made from the same scene.
    std::vector<std::byte> checkpoint() const;
    /// Throws InputError when the bytes are damaged or belong to another scene; the world is then unchanged.
    void restore(std::span<const std::byte> bytes);
    /// A world of a changed scene that goes on from here: what was changed (a body's mass or velocity, a
    /// joint's motor, gravity, the method, dt, ...) holds from now on, everything else is as it is. Throws
    /// InputError when the scene has other bodies or joints, or when now is no whole number of its steps.
    World branch(const Scene& changed) const;
    /// Forgets every cache that may be forgotten; the future stays the same, bit for bit.
    void drop_caches();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace impuls
