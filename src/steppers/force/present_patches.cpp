// Areas of contact of the present state (present_patches.h).
#include "steppers/force/present_patches.h"

#include <algorithm>

#include "steppers/force/areal.h"

namespace impuls::force_level {
namespace {

ArealSide side_of_body(const WorldView& view, std::size_t k) {
    ArealSide side{view.bodies.pose[k], view.bodies.v[k], view.bodies.w[k], {}};
    if (view.bodies.surface_velocity[k] != Vec3{})
        side.surface = rotate(side.pose.orientation, view.bodies.surface_velocity[k]);
    return side;
}

std::uint32_t number_of_uid(const BodySet& bodies, std::uint64_t uid) {
    return static_cast<std::uint32_t>(std::lower_bound(bodies.uid.begin(), bodies.uid.end(), uid) -
                                      bodies.uid.begin());
}

}  // namespace

void append_patches(const WorldView& view, const PairKey& pair, std::vector<ContactPatch>& patches,
                    std::vector<PressedTriangle>& pressed) {
    const BodySet& bodies = view.bodies;
    const std::uint32_t a = number_of_uid(bodies, pair.uid_a), b = number_of_uid(bodies, pair.uid_b);
    const ContactLaw& law = view.laws.between(bodies.material[a], bodies.material[b]);
    const ArealTerms terms = areal_between(bodies, law, a, b);
    if (!terms.is_on()) return;
    const Collider &ca = bodies.colliders[a][pair.element_a], &cb = bodies.colliders[b][pair.element_b];
    double weight = 0;
    for (const std::uint32_t k : {a, b})
        if (bodies.is_dynamic(k))
            weight = std::max(weight, length(external_acceleration(bodies, k, view.gravity)));
    ArealLink link;
    const double size = areal_size(ca, cb, smaller_size(ca.size, cb.size));
    bind_link(view, ca, cb, terms, areal_law(view, terms, law, weight, size), link);
    append_patches(link, side_of_body(view, a), side_of_body(view, b), a, b, patches, &pressed);
}

}  // namespace impuls::force_level
