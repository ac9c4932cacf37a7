// Combining materials (contact_law.h).
#include "dynamics/contact_law.h"

#include <algorithm>
#include <cmath>

#include "dynamics/laws/normal.h"

namespace impuls {
namespace {

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
void change(ContactLaw& law, const ContactDesc& desc) {
    if (desc.friction) law.friction = law.static_friction = *desc.friction;
    if (desc.static_friction) law.static_friction = std::max(law.friction, *desc.static_friction);
    law.restitution = desc.restitution.value_or(law.restitution);
    law.restitution_law = desc.restitution_law;
    law.rolling = desc.rolling_friction.value_or(law.rolling);
    law.torsion = desc.torsional_friction.value_or(law.torsion);
    law.compliance = desc.compliance, law.damping = desc.damping;
    if (law.compliance > 0) law.restitution = 0;  // its spring and damper say how it rebounds
}

}  // namespace

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
        change(table_[a * count_ + b], desc);
        if (a != b) change(table_[b * count_ + a], desc);
    }
}

}  // namespace impuls
