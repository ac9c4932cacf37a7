// A small counter-based random generator (SplitMix64; Steele, Lea, Flood, OOPSLA 2014). A stream is keyed by
// (seed, number), so what one child of a generator draws does not depend on the others; only integer and
// exactly rounded operations, so the same on every machine. Called by scene expansion.
#pragma once

#include <cmath>
#include <cstdint>

#include "impuls/vec.h"

namespace impuls {

class Rng {
  public:
    Rng(std::uint64_t seed, std::uint64_t stream) : state_(mix(mix(seed) + stream)) {}

    std::uint64_t next() { return mix(state_ += kGamma); }
    // Uniform in [0, 1), a multiple of 2^-53.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    double uniform(double lo, double hi) { return lo + (hi - lo) * uniform(); }
    Quat rotation();

  private:
    static constexpr std::uint64_t kGamma = 0x9e3779b97f4a7c15u;
    static constexpr std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    double disc(double& x, double& y);

    std::uint64_t state_;
};

// A point in the unit disc without its centre; returns its squared distance from the centre.
inline double Rng::disc(double& x, double& y) {
    for (;;) {
        x = uniform(-1, 1), y = uniform(-1, 1);
        const double s = x * x + y * y;
        if (s > 0 && s < 1) return s;
    }
}

// Uniform on SO(3): a uniform point on the sphere S^3 (Marsaglia, Ann. Math. Stat. 43, 1972), needs only
// sqrt.
inline Quat Rng::rotation() {
    Quat q;
    const double s1 = disc(q.w, q.x);
    const double s2 = disc(q.y, q.z);
    const double k = std::sqrt((1 - s1) / s2);
    q.y *= k, q.z *= k;
    return normalized(q);
}

}  // namespace impuls
