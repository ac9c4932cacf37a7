// ODE's geoms from the model's solids, shared by the simulation and the collision replay. ODE keeps only
// pointers to a convex geom's arrays, so they live here.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include <ode/ode.h>

#include "bench/model.h"

namespace impuls::bench {

inline void set_quaternion(dQuaternion out, const Quat& q) {
    out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
}

class OdeGeoms {
  public:
    dGeomID make(dSpaceID space, const Solid& solid) {
        if (solid.kind == SolidKind::Sphere) return dCreateSphere(space, solid.radius);
        if (solid.kind == SolidKind::Box)
            return dCreateBox(space, 2 * solid.half.x, 2 * solid.half.y, 2 * solid.half.z);
        auto& arrays = hulls_[solid.hull.get()];
        if (!arrays) arrays = std::make_unique<Arrays>(*solid.hull);
        return dCreateConvex(space, arrays->planes.data(), static_cast<unsigned>(arrays->planes.size() / 4),
                             arrays->points.data(), static_cast<unsigned>(arrays->points.size() / 3),
                             arrays->polygons.data());
    }

    static void place(dGeomID geom, const Pose& X) {
        dQuaternion q;
        set_quaternion(q, X.orientation);
        dGeomSetPosition(geom, X.position.x, X.position.y, X.position.z);
        dGeomSetQuaternion(geom, q);
    }

  private:
    struct Arrays {
        explicit Arrays(const Hull& hull) {
            for (const HullPlane& p : hull.planes)
                planes.insert(planes.end(), {p.normal.x, p.normal.y, p.normal.z, p.offset});
            for (const Vec3& v : hull.vertices) points.insert(points.end(), {v.x, v.y, v.z});
            for (std::size_t f = 0; f < hull.face_count(); ++f) {
                polygons.push_back(static_cast<unsigned>(hull.face(f).size()));
                for (const std::uint32_t v : hull.face(f)) polygons.push_back(v);
            }
        }
        std::vector<dReal> planes{}, points{};
        std::vector<unsigned> polygons{};
    };
    std::map<const Hull*, std::unique_ptr<Arrays>> hulls_{};
};

}  // namespace impuls::bench
