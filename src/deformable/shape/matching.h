// Surface shape matching with volume conservation (Mueller et al. 2005; Diziol, Bender and Bayer 2011; Bender
// 2014, 4.4.2): geometric, without modulus, unconditionally stable. For looks; solid.h is for numbers.
//   goals    region i (ring w about vertex i) fits rotation R_i and centre t_i; goal of a vertex: mean over
//   the regions
//            that hold it of R_i (x^0 - t_i^0) + t_i;  p += s (goal - p)
//   contacts
//   volume   C = 3V - 3V_0 = (1/3) sum x_i . n_i - 3V_0 with area vectors n_i = sum of A_t n_t of its
//   triangles times 1;
//            gradient of 3V is n_i (the text's n_i / 3 diverges); p_i -= w_i C / (sum w_j |n_j|^2) n_i, w = 0
//            where something touches; then velocities likewise, C_v = sum v_i . n_i = 0, with all weights
// Called by tests and those who want bodies from surfaces alone.
#pragma once

#include <span>
#include <vector>

#include "deformable/contacts.h"
#include "deformable/shape/fast_sums.h"

namespace impuls::deformable {

struct MatchingSettings {
    double stiffness = 1;  // s in [0, 1], of a step
    bool keeps_volume = true;
    double global = 1;  // alpha: 1 spreads corrections over all vertices, 0 over those that the shape moved
    double drag = 0;    // 1/s
};

class ShapeMatching {
  public:
    // A closed surface; throws InputError. mass: of all vertices together.
    ShapeMatching(std::vector<Vec3> vertices, std::vector<Triangle> triangles, double mass, int rings);

    void advance(double h, const MatchingSettings& settings, const Vec3& gravity,
                 std::span<Contacts* const> contacts = {});

    double volume() const { return volume_of(state_.x); }
    double rest_volume() const { return rest_volume_; }
    const Particles& state() const { return state_; }
    Particles& state() { return state_; }
    const Surface& surface() const { return surface_; }
    const Regions& regions() const { return regions_; }
    // Goals of all vertices for these places.
    void find_goals(const Columns& x, std::vector<Vec3>& goals);
    // Moves places by one step towards the volume at rest; returns C before it, relative to 3V_0.
    double project_volume(Columns& x, std::span<const double> weights);
    // Makes the rate of the volume zero.
    void project_rate(const Columns& x, Columns& v, std::span<const double> weights);

  private:
    double volume_of(const Columns& x) const;
    void find_normals(const Columns& x);

    std::vector<Vec3> rest_;
    Particles state_;
    Columns p_;
    Surface surface_;
    Regions regions_;
    double rest_volume_ = 0;
    std::vector<Vec3> rest_normals_;             // unit
    std::vector<double> reach_, region_mass_;    // by region: l of its virtual point; mass without it
    std::vector<Vec3> region_rest_;              // by region: t_0 with the virtual point
    std::vector<Vec3> normals_, goals_, moved_;  // area vectors; scratch
    std::vector<double> weights_, ones_;
    std::vector<std::array<double, 12>> values_, prefix_, sums_;
};

}  // namespace impuls::deformable
