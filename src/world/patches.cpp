// Areas over which bodies press each other, of the present state (Frame::patches, Frame::pressed): found anew
// from poses and velocities for the pairs that have contacts, so that a frame tells the same wherever its
// state came from.
#include <algorithm>

#include "impuls/scene.h"
#include "steppers/force/areal.h"
#include "world/state.h"

namespace impuls {
namespace {

force_level::ArealSide side_of_body(const WorldState& s, std::size_t k) {
    force_level::ArealSide side{s.bodies.pose[k], s.bodies.v[k], s.bodies.w[k], {}};
    if (s.bodies.surface_velocity[k] != Vec3{})
        side.surface = rotate(side.pose.orientation, s.bodies.surface_velocity[k]);
    return side;
}

void add_patches(WorldState& s, const WorldView& view, const PairKey& key) {
    const auto number = [&](std::uint64_t uid) {
        return static_cast<std::uint32_t>(std::lower_bound(s.bodies.uid.begin(), s.bodies.uid.end(), uid) -
                                          s.bodies.uid.begin());
    };
    const std::uint32_t a = number(key.uid_a), b = number(key.uid_b);
    const ContactLaw& law = s.laws.between(s.bodies.material[a], s.bodies.material[b]);
    const ArealTerms terms = areal_between(s.bodies, law, a, b);
    if (!terms.is_on()) return;
    const Collider &ca = s.bodies.colliders[a][key.element_a], &cb = s.bodies.colliders[b][key.element_b];
    double weight = 0;
    for (const std::uint32_t k : {a, b})
        if (s.bodies.is_dynamic(k))
            weight = std::max(weight, length(external_acceleration(s.bodies, k, s.gravity)));
    force_level::ArealLink link;
    const double size = force_level::areal_size(ca, cb, smaller_size(ca.size, cb.size));
    force_level::bind_link(view, ca, cb, terms, force_level::areal_law(view, terms, law, weight, size), link);
    force_level::append_patches(link, side_of_body(s, a), side_of_body(s, b), a, b, s.output.frame.patches,
                                &s.output.frame.pressed);
}

}  // namespace

void fill_patches(WorldState& s) {
    s.output.frame.patches.clear(), s.output.frame.pressed.clear();
    const WorldView view = view_of(s);
    const PairKey* last = nullptr;
    for_each_contact(s, [&](const ContactPoint& c) {
        if (!last || !(*last == c.key)) add_patches(s, view, c.key);
        last = &c.key;
    });
}

}  // namespace impuls
