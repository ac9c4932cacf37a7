// A value that is kept apart, or none: copied with its owner, one pointer large. For what few entries of an
// array have. Called by dynamics/body_set.h.
#pragma once

#include <memory>
#include <utility>

namespace impuls {

template <class T>
class Owned {
  public:
    Owned() = default;
    explicit Owned(T value) : value_(std::make_unique<T>(std::move(value))) {}
    Owned(const Owned& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
    Owned(Owned&&) noexcept = default;
    Owned& operator=(const Owned& other) {
        if (this != &other) *this = Owned(other);
        return *this;
    }
    Owned& operator=(Owned&&) noexcept = default;
    ~Owned() = default;

    explicit operator bool() const { return value_ != nullptr; }
    T& operator*() { return *value_; }
    const T& operator*() const { return *value_; }
    T* operator->() { return value_.get(); }
    const T* operator->() const { return value_.get(); }

  private:
    std::unique_ptr<T> value_{};
};

}  // namespace impuls
