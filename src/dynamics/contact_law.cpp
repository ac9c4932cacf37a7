// Combining materials (contact_law.h).
#include "dynamics/contact_law.h"

#include <algorithm>
#include <cmath>

#include "dynamics/laws/layer.h"
#include "dynamics/laws/normal.h"
#include "scene/check.h"

namespace impuls {
namespace {

static_assert(kMostLayerPoisson == laws::kMostPoisson);

ContactLaw combined(const MaterialDesc& a, const MaterialDesc& b) {
    ContactLaw law;
    law.friction = std::sqrt(a.friction * b.friction);
    law.static_friction =
        std::sqrt(a.static_friction.value_or(a.friction) * b.static_friction.value_or(b.friction));
    law.restitution = std::max(a.restitution, b.restitution);
    law.rolling = std::max(a.rolling_friction, b.rolling_friction);
    law.torsion = std::max(a.torsional_friction, b.torsional_friction);
    if (a.youngs_modulus && b.youngs_modulus)
        law.modulus =
            laws::effective_modulus(*a.youngs_modulus, a.poisson_ratio, *b.youngs_modulus, b.poisson_ratio);
    return law;
}

// A given friction stands for both kinds, unless the static one is given too.
void change(ContactLaw& law, const ContactDesc& desc, const MaterialDesc& a, const MaterialDesc& b) {
    if (desc.friction) law.friction = law.static_friction = *desc.friction;
    if (desc.static_friction) law.static_friction = std::max(law.friction, *desc.static_friction);
    law.restitution = desc.restitution.value_or(law.restitution);
    law.restitution_law = desc.restitution_law;
    law.rolling = desc.rolling_friction.value_or(law.rolling);
    law.torsion = desc.torsional_friction.value_or(law.torsion);
    law.compliance = desc.compliance;
    law.damping = desc.damping;
    if (law.compliance > 0) law.restitution = 0;  // its spring and damper say how it rebounds
    if (!desc.contact) return;
    const auto* areal = std::get_if<ArealContact>(&*desc.contact);
    law.in_points = !areal;
    if (areal) law.areal = areal_terms(*areal, a, b);
}

double layer_stiffness(const ArealContact& desc, const MaterialDesc& material) {
    if (!material.youngs_modulus) return 0;
    return laws::stiffness_of({*material.youngs_modulus, material.poisson_ratio, desc.layer});
}

}  // namespace

ArealTerms areal_terms(const ArealContact& desc, const MaterialDesc& material) {
    ArealTerms out;
    out.stiffness = desc.stiffness > 0 ? desc.stiffness : layer_stiffness(desc, material);
    out.damping = desc.damping;
    out.resolution = desc.resolution;
    out.layer = desc.layer;
    out.isosurface = desc.generator == ArealGenerator::Isosurface;
    return out;
}

ArealTerms areal_terms(const ArealContact& desc, const MaterialDesc& a, const MaterialDesc& b) {
    ArealTerms out = in_series(areal_terms(desc, a), areal_terms(desc, b));
    if (desc.stiffness > 0) out.stiffness = desc.stiffness;
    out.damping = desc.damping;
    return out;
}

// The softer one yields more: shares of the depth are as the other's stiffness.
ArealTerms in_series(const ArealTerms& a, const ArealTerms& b) {
    if (!a.is_on() && !b.is_on()) return {};
    ArealTerms out = a.is_on() ? a : b;
    out.share_a = a.is_on() ? 1 : 0;
    if (!a.is_on() || !b.is_on()) return out;
    out.stiffness = laws::in_series(a.stiffness, b.stiffness);
    out.share_a = b.stiffness / (a.stiffness + b.stiffness);
    out.damping = std::max(a.damping, b.damping);
    out.resolution = a.resolution > 0 && b.resolution > 0 ? std::min(a.resolution, b.resolution)
                                                          : std::max(a.resolution, b.resolution);
    out.layer = a.layer + b.layer;
    out.isosurface = std::max(a.isosurface, b.isosurface);
    return out;
}

void ContactLaws::build(std::span<const MaterialDesc> materials, std::span<const ContactDesc> contacts) {
    count_ = materials.size();
    table_.resize(count_ * count_);
    for (std::size_t a = 0; a < count_; ++a)
        for (std::size_t b = 0; b < count_; ++b)
            table_[a * count_ + b] = combined(materials[a], materials[b]);
    const auto number = [&](const std::string& name) {
        std::size_t k = 0;
        while (k < count_ && materials[k].name != name) ++k;
        return k;
    };
    for (const ContactDesc& desc : contacts) {
        const std::size_t a = number(desc.a), b = number(desc.b);
        if (a == count_ || b == count_) continue;
        change(table_[a * count_ + b], desc, materials[a], materials[b]);
        if (a != b) change(table_[b * count_ + a], desc, materials[b], materials[a]);
    }
}

}  // namespace impuls
