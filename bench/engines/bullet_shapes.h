// Bullet's collision shapes from the model's solids, shared by the simulation and the collision replay. Hulls
// get Bullet's usual margin, with the points moved inwards by as much (btConvexHullComputer), so that the
// body keeps its size.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include <LinearMath/btConvexHullComputer.h>
#include <btBulletCollisionCommon.h>

#include "bench/model.h"

namespace impuls::bench {

inline btVector3 to_bt(const Vec3& a) {
    return {static_cast<btScalar>(a.x), static_cast<btScalar>(a.y), static_cast<btScalar>(a.z)};
}
inline btTransform to_bt(const Pose& X) {
    const Quat& q = X.orientation;
    return btTransform(btQuaternion(static_cast<btScalar>(q.x), static_cast<btScalar>(q.y),
                                    static_cast<btScalar>(q.z), static_cast<btScalar>(q.w)),
                       to_bt(X.position));
}
inline Vec3 from_bt(const btVector3& a) {
    return {a.x(), a.y(), a.z()};
}
inline Pose from_bt(const btTransform& X) {
    const btQuaternion q = X.getRotation();
    return {from_bt(X.getOrigin()), normalized(Quat{q.w(), q.x(), q.y(), q.z()})};
}

class BulletShapes {
  public:
    btCollisionShape* make(const Solid& solid) {
        if (solid.kind == SolidKind::Hull) {
            auto& known = hulls_[solid.hull.get()];
            if (!known) known = add(make_hull(*solid.hull));
            return known;
        }
        if (solid.kind == SolidKind::Sphere)
            return add(std::make_unique<btSphereShape>(static_cast<btScalar>(solid.radius)));
        return add(std::make_unique<btBoxShape>(to_bt(solid.half)));
    }

  private:
    static constexpr btScalar kHullMargin = 0.01f;  // m

    template <class Shape>
    btCollisionShape* add(std::unique_ptr<Shape> shape) {
        shapes_.push_back(std::move(shape));
        return shapes_.back().get();
    }

    static std::unique_ptr<btCollisionShape> make_hull(const Hull& hull) {
        std::vector<btVector3> points;
        for (const Vec3& p : hull.vertices) points.push_back(to_bt(p));
        btConvexHullComputer computer;
        computer.compute(points[0].m_floats, sizeof(btVector3), static_cast<int>(points.size()), kHullMargin,
                         0);
        auto shape = std::make_unique<btConvexHullShape>(computer.vertices[0].m_floats,
                                                         computer.vertices.size(), sizeof(btVector3));
        shape->setMargin(kHullMargin);
        return shape;
    }

    std::vector<std::unique_ptr<btCollisionShape>> shapes_{};
    std::map<const Hull*, btCollisionShape*> hulls_{};
};

}  // namespace impuls::bench
