// A scene that is shared, and may be made only when somebody looks at it: the structure of a frame, which for
// a generator of a million bodies would have a million descriptions.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace impuls {

struct Scene;

/// Used like a std::shared_ptr<const Scene>, and converts to one. Two are equal when they are one scene;
/// asking that makes none. Any number of threads may look at once.
class SceneRef {
  public:
    SceneRef() = default;
    SceneRef(std::nullptr_t) {}
    template <class T>
    requires std::convertible_to<T*, const Scene*> SceneRef(std::shared_ptr<T> scene)
        : made_(std::move(scene)) {}
    /// `make` is called once, when somebody looks; it must not depend on what changes later.
    explicit SceneRef(std::function<std::shared_ptr<const Scene>()> make)
        : later_(std::make_shared<Later>(std::move(make))) {}

    const Scene& operator*() const { return *get(); }
    const Scene* operator->() const { return get().get(); }
    operator std::shared_ptr<const Scene>() const { return get(); }
    explicit operator bool() const { return made_ || later_; }
    /// Whether looking costs nothing.
    bool is_made() const { return !later_ || later_->is_made(); }

    friend bool operator==(const SceneRef& a, const SceneRef& b) {
        if (a.later_ && a.later_ == b.later_) return true;
        return a.is_made() && b.is_made() && a.get() == b.get();
    }

  private:
    class Later {
      public:
        explicit Later(std::function<std::shared_ptr<const Scene>()> make) : make_(std::move(make)) {}
        const std::shared_ptr<const Scene>& get() {
            const std::lock_guard lock(making_);
            if (!scene_) scene_ = std::exchange(make_, {})();
            return scene_;
        }
        bool is_made() {
            const std::lock_guard lock(making_);
            return scene_ != nullptr;
        }

      private:
        std::mutex making_{};
        std::function<std::shared_ptr<const Scene>()> make_;
        std::shared_ptr<const Scene> scene_{};
    };

    const std::shared_ptr<const Scene>& get() const { return later_ ? later_->get() : made_; }

    std::shared_ptr<const Scene> made_{};
    std::shared_ptr<Later> later_{};
};

}  // namespace impuls
