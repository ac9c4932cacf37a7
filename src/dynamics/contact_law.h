// What holds between two materials: coefficients combined from both, or as the scene's `contacts` give them.
// A table of all pairs, rebuilt when materials or contacts change; islands look their pairs up in it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "impuls/materials.h"

namespace impuls {

// Contact over areas, of a pair of materials or as bodies add it up (BodySet::areal).
struct ArealTerms {
    double stiffness = 0;   // N/m^3; 0: none
    double damping = 0;     // N s/m^3
    double resolution = 0;  // m; 0: by size
    double share_a = 0.5;   // of the depth, by which a yields
    double layer = 0;       // m, of both together; 0: not known
    double isosurface = 0;  // 1: that generator
    bool is_on() const { return stiffness > 0; }
    friend bool operator==(const ArealTerms&, const ArealTerms&) = default;
};
// Of a body made of this material, or of a pair of materials.
ArealTerms areal_terms(const ArealContact& desc, const MaterialDesc& material);
ArealTerms areal_terms(const ArealContact& desc, const MaterialDesc& a, const MaterialDesc& b);
// Two bodies' layers, one behind the other; one may have none.
ArealTerms in_series(const ArealTerms& a, const ArealTerms& b);

struct ContactLaw {
    double friction = 0;         // while sliding
    double static_friction = 0;  // while not
    double restitution = 0;
    RestitutionLaw restitution_law = RestitutionLaw::Newton;
    double rolling = 0, torsion = 0;  // m: largest torque over load
    double compliance = 0;            // m/N of a point; 0: rigid
    double damping = 0;               // N s/m of a point that yields
    double modulus = 0;               // Pa, effective (laws/normal.h); 0: not known
    ArealTerms areal{};               // as the pair of materials says
    bool in_points = false;           // the pair of materials says so, whatever bodies say
    double size = 0;                  // m: what length tolerances are relative to; of the pair, not the table
};

class ContactLaws {
  public:
    void build(std::span<const MaterialDesc> materials, std::span<const ContactDesc> contacts);
    std::span<const ContactLaw> all() const { return table_; }
    const ContactLaw& between(std::uint32_t a, std::uint32_t b) const { return table_[a * count_ + b]; }

  private:
    std::size_t count_ = 0;
    std::vector<ContactLaw> table_{};
};

}  // namespace impuls
