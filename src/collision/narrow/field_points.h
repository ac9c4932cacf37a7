// Points of a simple collider that may touch a distance field: corners, points along edges and face centres
// of polyhedra, lowest points of round shapes. All lookups in the field's frame F. Called by the pairs with
// distance fields.
#pragma once

#include <algorithm>

#include "collision/collider.h"
#include "collision/narrow/field_contacts.h"
#include "geometry/field_solid.h"

namespace impuls::narrow {

// Looks points up in a solid's field and collects those within the margin. The solid is a, the points are
// b's.
class FieldProbe {
  public:
    FieldProbe(const FieldSolid& solid, const Pose& X_WF, double margin, FieldContacts& out);

    FieldSample sample(const Vec3& p_F) const { return solid_.field.value_and_gradient(p_F); }
    // A point of b's surface, and the unit normal there (zero: any).
    void point(const Vec3& p_F, const Vec3& normal_F, std::uint32_t feature);
    // Inner points of an edge of b, `spacing` apart from p on, as far as they are near the field.
    void edge(const Vec3& p_F, const Vec3& q_F, const Vec3& normal_F, std::uint32_t first_feature);

    const FieldSolid& solid() const { return solid_; }
    double margin() const { return margin_; }
    // m between points along edges and axes: a cell, and no less than a small part of the margin. What moves
    // by many times the field's size in a step would else have millions of them.
    double spacing() const { return std::max(solid_.threshold, margin_ / 64); }

  private:
    const FieldSolid& solid_;
    Pose X_WF_;
    double margin_;
    FieldContacts& out_;
};

// Direction out of the solid at p; where the gradient vanishes, away from its middle.
Vec3 field_normal(const FieldSolid& solid, const FieldSample& sample, const Vec3& p_F);

// All points of a bounded simple collider b at X_FB.
void probe_points(const Collider& b, const Pose& X_FB, FieldProbe& probe);

}  // namespace impuls::narrow
