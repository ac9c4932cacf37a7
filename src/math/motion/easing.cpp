// Keyframes with easing (easing.h).
#include "math/motion/easing.h"

#include <algorithm>

#include "math/motion/rotation_spline.h"
#include "math/rotation.h"

namespace impuls {
namespace {

// The key before a time, or null outside of all intervals.
template <class Key>
const Key* key_before(const std::vector<Key>& keys, double time) {
    const auto it = std::upper_bound(keys.begin(), keys.end(), time,
                                     [](double t, const Key& key) { return t < key.time; });
    return it == keys.begin() || it == keys.end() ? nullptr : &*it - 1;
}

}  // namespace

Share ease(Easing easing, double x) {
    const double y = 1 - x;
    switch (easing) {
        case Easing::Hold:
            return {0, 0, 0};
        case Easing::Linear:
            return {x, 1, 0};
        case Easing::In:
            return {x * x * x, 3 * x * x, 6 * x};
        case Easing::Out:
            return {1 - y * y * y, 3 * y * y, -6 * y};
        case Easing::Smooth:
            return {x * x * (3 - 2 * x), 6 * x * y, 6 - 12 * x};
        case Easing::Smoother:
            return {x * x * x * (10 + x * (6 * x - 15)), 30 * x * x * y * y, 60 * x * y * (1 - 2 * x)};
    }
    return {};
}

Moving KeyedValue::at(double time) const {
    const Key* key = key_before(keys_, time);
    if (key == nullptr) return {time < keys_.front().time ? keys_.front().value : keys_.back().value, {}, {}};
    const double span = (key + 1)->time - key->time;
    const Share s = ease(key->easing, (time - key->time) / span);
    const Vec3 way = (key + 1)->value - key->value;
    return {key->value + way * s.value, way * (s.first / span), way * (s.second / (span * span))};
}

Orientation KeyedRotation::at(double time) const {
    const Key* key = key_before(keys_, time);
    if (key == nullptr)
        return {time < keys_.front().time ? keys_.front().rotation : keys_.back().rotation, {}, {}, false};
    const double span = (key + 1)->time - key->time;
    const Share s = ease(key->easing, (time - key->time) / span);
    const Vec3 turn = log_of(conjugate(key->rotation) * (key + 1)->rotation);  // in axes of the key
    const Vec3 axis = rotate(key->rotation, turn);
    return {normalized(key->rotation * rotation_by(turn * s.value)), axis * (s.first / span),
            axis * (s.second / (span * span)), false};
}

}  // namespace impuls
