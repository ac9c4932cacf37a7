// The running simulation built from a Scene. Two worlds never share state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "impuls/command.h"
#include "impuls/executor.h"
#include "impuls/frame.h"
#include "impuls/ids.h"
#include "impuls/scene.h"

namespace impuls {

/// How a step ended. A failed world does not move any more; `message` names body and stage.
struct StepStatus {
    bool ok = true;
    std::string message{};
};

class World {
  public:
    /// Expands and builds the scene. Throws InputError when it is not valid.
    explicit World(const Scene& scene, std::shared_ptr<Executor> executor = nullptr);
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    /// Advances by dt(). Never throws.
    StepStatus step();
    /// Checks a command now (InputError) and applies it at the start of the next step.
    void apply(const Command& command);

    double time() const;
    double dt() const;
    std::int64_t steps() const;
    const Method& method() const;
    int threads() const;
    std::size_t body_count() const;
    std::size_t contact_count() const;

    /// The present state with all derived quantities; valid until the next step, restore or frame().
    const Frame& frame();
    /// The expanded scene as it is now: bodies and joints by dense index.
    std::shared_ptr<const Scene> structure() const;
    /// Things worth telling the user, each once.
    const std::vector<std::string>& warnings() const;

    /// Ids by name; an empty id when there is none. Stale or empty ids throw in the calls below.
    BodyId find_body(std::string_view name) const;
    JointId find_joint(std::string_view name) const;
    Pose pose(BodyId body) const;
    Vec3 velocity(BodyId body) const;
    Vec3 angular_velocity(BodyId body) const;
    double mass(BodyId body) const;

    /// Hash of the bit patterns of all state that decides the future, in uid order.
    std::uint64_t state_hash() const;
    /// Everything needed to go on bit for bit, in a World made from the same scene.
    std::vector<std::byte> checkpoint() const;
    /// Throws InputError when the bytes are damaged or belong to another scene; the world is then unchanged.
    void restore(std::span<const std::byte> bytes);
    /// Forgets every cache that may be forgotten; the future stays the same, bit for bit.
    void drop_caches();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace impuls
