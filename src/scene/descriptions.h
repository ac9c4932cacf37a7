// What the bodies, joints, forces and materials of a world are described by, without a description per body:
// those that generators make are made again when somebody asks, from the scene as it was given; kept are
// those alone that commands gave or changed. A body is known by its uid; those of the scene have the numbers
// from 1 on, in their order. Called by the world, which has the uids.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "impuls/scene.h"
#include "impuls/scene_ref.h"
#include "scene/expand.h"

namespace impuls {

class Descriptions {
  public:
    Descriptions() = default;
    // Of a valid scene; its timeline must be in the order of time. `visit` gets all bodies, and a scene with
    // everything else, as expanded.
    Descriptions(std::shared_ptr<const Scene> given,
                 const std::function<void(const BodyDesc&, const Scene& parts)>& visit);

    // Materials, joints, forces and so on, as they are now: everything but bodies.
    const Scene& parts() const { return *parts_; }
    // The same to be changed: a copy, as long as they are shared with what was handed out.
    Scene& change_parts();
    const Scene& first_parts() const { return first_->parts; }  // as they were in the scene
    const std::shared_ptr<const Scene>& given() const { return first_->given; }

    // By uid.
    BodyDesc body(std::uint64_t uid) const;
    void set_body(std::uint64_t uid, BodyDesc desc);          // a new one, or another for it
    void remove_bodies(std::span<const std::uint64_t> uids);  // ascending

    // The whole scene with the bodies of these uids, which are all that there are.
    // Any number of threads may ask at once.
    SceneRef scene(std::span<const std::uint64_t> uids) const;
    SceneRef first_scene() const;  // as it was expanded
    void forget_scene() { now_ = std::make_shared<Now>(); }
    // What `number_of` makes of that; asked once for all worlds of these descriptions.
    std::uint64_t fingerprint(std::uint64_t (*number_of)(const Scene&)) const;

  private:
    // Bodies that follow each other in number and in the scene: copies of one generator, or single ones.
    struct Stretch {
        BodyOrigin first{};
        bool is_generator = false;
    };
    struct First {
        std::shared_ptr<const Scene> given{};
        Scene parts{};
        std::vector<Stretch> stretches{};
        std::uint64_t bodies = 0;
        mutable std::once_flag is_numbered{};
        mutable std::uint64_t number = 0;
    };
    // What was handed out since the last change, by this and its copies.
    struct Now {
        std::mutex making{};
        SceneRef scene{};
    };
    struct Change {
        std::uint64_t uid;
        std::shared_ptr<const BodyDesc> desc;
    };

    static std::vector<Change>::const_iterator find(const std::vector<Change>& changes, std::uint64_t uid);
    static std::shared_ptr<const Scene> make(const First& first, Scene parts,
                                             const std::vector<Change>& changes,
                                             std::span<const std::uint64_t> uids);

    std::shared_ptr<const First> first_{};
    std::shared_ptr<const Scene> parts_{};
    std::vector<Change> changes_{};  // ascending uid
    std::shared_ptr<Now> now_ = std::make_shared<Now>();
};

}  // namespace impuls
