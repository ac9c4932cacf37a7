// A guess for contacts that carry much through little: the impulses that would hold all faces that touch
// together, as if they were glued.
//
// Sweeps hand a load on from contact to contact, each time in the ratio of the two masses; a million
// kilograms on a box of one need a million sweeps. Piles at rest do not move in their faces, so there the
// answer is that of equations alone. Impulses over a face (the points between the same two bodies) vary
// linearly from point to point,
//     p_k = P_k y,   P_k = (n, t1, t2)^T [1, -[r_k/rho]x],   six numbers y a face,
// and these hold it: sum_k P_k^T (J_k v + bias_k) = 0. With A = J M^-1 J^T of the points,
//     (P^T A P) y = -P^T (J v + bias),
// dense, of rank below its size where faces hold each other (TruncatedLdlt), and once more for what rounding
// left. Points that would have to pull are let go, those that come together then are held again. What is
// found is kept in the friction sets and becomes the guess when the problem is solved better by it than by
// the guess that it has; sweeps then have little left to do, and decide. Used by AlternatingSolver.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "constraints/problem.h"
#include "constraints/snapshot.h"
#include "math/truncated_ldlt.h"
#include "solvers/row_system.h"

namespace impuls {

class HeldFaces {
  public:
    // Whether a contact is between bodies whose masses differ much, in a problem that is small enough and
    // without rows of joints.
    static bool suits(const Problem& problem, double speed);
    // Puts the guess into the contacts if it is the better one. `speed` is what forces make in a substep,
    // m/s.
    void improve_guess(Problem& problem, double speed);

  private:
    static constexpr std::size_t kModes = 6;
    struct Face {
        std::size_t first = 0, end = 0;  // contacts
        Vec3 centre{};                   // of its points, from the centre of body b
        double radius = 0;               // rho: how far they are from there
    };

    void find_faces(const ContactRows& contacts);
    void find_modes(const ContactRows& contacts);
    void assemble(const Problem& problem);
    void add_coupling(std::size_t f, std::size_t g);
    void solve(const ContactRows& contacts);
    bool let_go(const ContactRows& contacts);
    bool hold_again(Problem& problem, double speed);
    void put_guess(ContactRows& contacts) const;
    double error_with_guess(Problem& problem);

    RowSystem system_{};
    std::vector<Face> faces_{};
    std::vector<std::uint8_t> is_held_{};              // by contact
    std::vector<std::array<double, kModes>> modes_{};  // P, by contact its n, t1, t2
    std::vector<double> matrix_{}, lack_{};            // P^T A P, -P^T (J v + bias)
    std::vector<double> y_{}, rest_{};
    std::vector<double> x_{};  // impulses, as modes_
    TruncatedLdlt factors_{};
    Snapshot start_{};
    ContactImpulses kept_{};
};

}  // namespace impuls
