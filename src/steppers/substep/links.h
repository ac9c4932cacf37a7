// Stiff links between particles as rows, behind those of joints: with d the unit vector from a to b and L the
// length, one equation d . (v_b - v_a) = 0 with the error |x_b - x_a| - L. Those that yield are stiff forces
// (steppers/forces.h). Called by the impulse stepper.
#pragma once

#include "dynamics/joint_rows.h"
#include "steppers/substep/context.h"

namespace impuls::substep {

inline bool has_links(const Substep& s) {
    return !s.island.particles.links.empty();
}

// Appends the rows; `work.first_row` is the first of them. In the displacement phase, of length h, an error
// is to go by its end. Impulses are what they gave since the substep began.
void add_link_rows(Substep& s, double h, Phase phase);
// For displacements alone: errors are to go.
void add_closed_links(Substep& s);
// What they have given by now is carried to the next phase, or kept for the next substep.
void carry_links(Substep& s);
void keep_links(Substep& s);
// Errors where the nodes will be: place(node).
template <class Place>
void refresh_links(const Substep& s, Rows& rows, Place&& place) {
    const auto& links = s.island.particles.links;
    for (std::size_t k = 0; k < links.size(); ++k)
        rows.rows[s.links.first_row + k].error =
            length(place(links[k].b) - place(links[k].a)) - links[k].length;
}

}  // namespace impuls::substep
