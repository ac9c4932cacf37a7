// Friction with memory (grips.h).
#include "steppers/force/grips.h"

#include <algorithm>

namespace impuls::force_level {
namespace {

// While it slides, the way since the step began says nothing of the force: only its direction counts.
Vec3 bounded_stretch(const laws::Bristle<double>& law, const Grip& grip, const Vec3& normal, double load) {
    const Vec3 s = grip.stretch - normal * dot(normal, grip.stretch);
    if (!grip.slides) return s;
    const double size = length(s), most = law.sliding * load / law.stiffness;
    return size > most ? s * (most / size) : s;
}

}  // namespace

// Points of contact keep the stretch in the place of the friction of row solvers, which always comes with a
// normal impulse.
void Grips::add(std::uint32_t pair, double size, const PairView& pairs, std::size_t of) {
    for (const ContactPoint& point : pairs.old_range(of)) {
        if (!pairs.is_kept(of, point)) continue;
        Grip& grip = grips_.emplace_back();
        grip.pair = pair;
        grip.feature = point.feature;
        grip.size = size;
        if (point.previous_n != 0) continue;
        grip.stretch = point.previous_t;
        grip.slides = point.is_sliding;
    }
}

std::uint32_t Grips::find(std::uint32_t pair, std::uint32_t feature) const {
    const auto first = std::lower_bound(grips_.begin(), grips_.end(), pair,
                                        [](const Grip& grip, std::uint32_t p) { return grip.pair < p; });
    for (auto at = first; at != grips_.end() && at->pair == pair; ++at)
        if (at->feature == feature) return static_cast<std::uint32_t>(at - grips_.begin());
    return kNoGrip;
}

void Grips::begin_renewal() {
    std::swap(grips_, before_);
    grips_.clear();
}

Grip& Grips::renew(std::uint32_t pair, std::uint32_t feature, double size) {
    Grip& grip = grips_.emplace_back();
    for (const Grip& old : before_)
        if (old.pair == pair && old.feature == feature) {
            grip = old;
            break;
        }
    grip.pair = pair, grip.feature = feature, grip.size = size;
    return grip;
}

bool Grips::have_changed() const {
    return !std::equal(grips_.begin(), grips_.end(), before_.begin(), before_.end(),
                       [](const Grip& a, const Grip& b) {
                           return a.pair == b.pair && a.feature == b.feature && a.slides == b.slides;
                       });
}

Vec3 Grips::force(const laws::Bristle<double>& law, Grip& grip, const Vec3& normal, const Vec3& slip,
                  double load, double spin) {
    laws::Bristle<double> now = law;
    if (!grip.slides) now.sliding = law.sticking;  // until the event at which it begins to
    const laws::BristleState<Vec3> state{bounded_stretch(law, grip, normal, load), grip.slides};
    grip.rate = slip + cross(normal, grip.stretch) * spin;
    grip.slip = slip;
    grip.spare = law.sticking * load - length(state.stretch * law.stiffness + slip * law.damping);
    return laws::force_of(now, state, slip, load).force;
}

void Grips::settle(const laws::Bristle<double>& law, Grip& grip, const Vec3& normal, const Vec3& slip,
                   double load) {
    if (!(load > 0)) {
        grip.stretch = grip.ahead = {};
        grip.slides = false;
        return;
    }
    grip.stretch = laws::carried(grip.stretch, normal, normal, 0.0);
    const laws::BristleState<Vec3> state{bounded_stretch(law, grip, normal, load), grip.slides};
    const auto next = laws::advance(law, state, slip, load, 0.0);
    grip.stretch = next.stretch;
    grip.slides = next.is_sliding;
    const Vec3 against = next.stretch * law.stiffness + slip * law.damping;
    grip.ahead = grip.slides ? against * (1 / length(against)) : Vec3{};
}

}  // namespace impuls::force_level
