// Mass, centre and inertia of descriptions (body_mass.h): a mass that is given scales the inertia of the
// shape, an inertia that is given replaces it.
#include "scene/body_mass.h"

namespace impuls {

MassProperties mass_of(const BodyDesc& desc, const MaterialDesc& material) {
    MassProperties m = mass_properties(desc.shape, desc.density.value_or(material.density));
    if (desc.mass) {
        if (m.mass > 0) m.inertia = m.inertia * (*desc.mass / m.mass);
        m.mass = *desc.mass;
    }
    if (desc.center_of_mass) m.center = *desc.center_of_mass;
    if (desc.inertia) m.inertia = inertia_tensor(*desc.inertia, desc.products_of_inertia.value_or(Vec3{}));
    return m;
}

}  // namespace impuls
