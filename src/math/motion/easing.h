// Keyframes: values or rotations at times, and how to go from one to the next; rates in closed form. Called
// by scripted motion.
#pragma once

#include <span>
#include <vector>

#include "impuls/motion.h"
#include "math/motion/frames.h"

namespace impuls {

struct Share {
    double value, first, second;
};
Share ease(Easing easing, double x);

// Before the first key and after the last it rests there. Times strictly increasing.
class KeyedValue {
  public:
    struct Key {
        double time;
        Vec3 value;
        Easing easing = Easing::Smooth;  // to the next
    };
    explicit KeyedValue(std::span<const Key> keys) : keys_(keys.begin(), keys.end()) {}
    Moving at(double time) const;

  private:
    std::vector<Key> keys_;
};

// Each turns about one axis, the short way, to the next.
class KeyedRotation {
  public:
    struct Key {
        double time;
        Quat rotation;
        Easing easing = Easing::Smooth;
    };
    explicit KeyedRotation(std::span<const Key> keys) : keys_(keys.begin(), keys.end()) {}
    Orientation at(double time) const;

  private:
    std::vector<Key> keys_;
};

}  // namespace impuls
