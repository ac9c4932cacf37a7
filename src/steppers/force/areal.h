// Contact over areas in the right-hand side: pairs of surfaces (areal/contact.h) placed by the bodies as they
// are now. Forces begin at nothing where surfaces meet, so there is nothing to locate. While an implicit
// integrator takes differences, each pair stands for its value and exact tangent at the place where they
// began: the Jacobian has the tangent, and costs one evaluation of each pair. Called by the stepper's
// equation (ode.h) and, of patches, by frames.
#pragma once

#include <memory>
#include <vector>

#include "areal/contact.h"
#include "impuls/frame.h"
#include "steppers/force/contacts.h"
#include "steppers/results.h"

namespace impuls::force_level {

// One pair: which is the base, where they are, and what it knows from before.
struct ArealLink {
    PairKey key{};
    areal::ArealPair pair{};
    std::uint32_t number = 0;  // of the island's pairs
    bool is_used = false;      // in this step
    ArealTerms terms{};
    areal::ArealLaw law{};
    Pose X_base{}, X_target{};  // of the surfaces in their bodies' principal frames

    // Where a replaced value and tangent hold.
    bool is_linear = false;
    Pose at{};
    areal::Twist twist{};
    std::array<double, 6> value{};
    areal::Tangent tangent{};
};

// One of the two bodies.
struct ArealSide {
    Pose pose{};
    Vec3 v{}, w{}, surface{};  // of the centre of mass; surface: how it runs, world axes
};

// What lengths of a pair are relative to, m: its size, where surfaces have none that of the larger one.
double areal_size(const Collider& a, const Collider& b, double size);
areal::ArealLaw areal_law(const WorldView& view, const ArealTerms& terms, const ContactLaw& of, double weight,
                          double size);
// Binds surfaces when they are not those of before.
void bind_link(const WorldView& view, const Collider& a, const Collider& b, const ArealTerms& terms,
               const areal::ArealLaw& law, ArealLink& link);
// Patches where two bodies are now, and their triangles; a and b as in the frame.
void append_patches(ArealLink& link, const ArealSide& a, const ArealSide& b, std::uint32_t name_a,
                    std::uint32_t name_b, std::vector<ContactPatch>& patches,
                    std::vector<PressedTriangle>* triangles);

class ArealContacts {
  public:
    void begin(const WorldView& view, const Island& island);
    bool are_none() const { return used_.empty(); }
    // Adds their forces.
    void push(const WorldView& view, const Island& island, Bodies& bodies);
    void linearise(const WorldView& view, const Island& island, const Bodies& bodies, bool on);
    // One touch a patch, of the present state, among the others in the order of pairs; and what is to be
    // warned of.
    void add_touches(const WorldView& view, const Island& island, const Bodies& bodies,
                     std::vector<Touch>& touches, std::vector<ArealNote>& notes);

  private:
    std::vector<std::unique_ptr<ArealLink>> links_{};
    std::vector<ArealLink*> used_{};
    std::vector<ContactPatch> patches_{};
};

}  // namespace impuls::force_level
