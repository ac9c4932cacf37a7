// Bullet's collision world without dynamics: dynamic box trees and persistent manifolds, warm from step to
// step.
#include "bench/detector.h"
#include "bench/engines/bullet_shapes.h"

namespace impuls::bench {
namespace {

class BulletDetector : public Detector {
  public:
    explicit BulletDetector(const Model& model) {
        for (const ModelBody& body : model.bodies) {
            auto object = std::make_unique<btCollisionObject>();
            object->setCollisionShape(shapes_.make(body.solid));
            object->setWorldTransform(to_bt(body.X_WP));
            object->setActivationState(DISABLE_DEACTIVATION);
            if (body.is_static) object->setCollisionFlags(btCollisionObject::CF_STATIC_OBJECT);
            const int group =
                body.is_static ? btBroadphaseProxy::StaticFilter : btBroadphaseProxy::DefaultFilter;
            const int mask = body.is_static ? static_cast<int>(btBroadphaseProxy::DefaultFilter)
                                            : static_cast<int>(btBroadphaseProxy::AllFilter);
            world_.addCollisionObject(object.get(), group, body.collides ? mask : 0);
            is_static_.push_back(body.is_static);
            objects_.push_back(std::move(object));
        }
    }
    ~BulletDetector() override {
        for (auto& object : objects_) world_.removeCollisionObject(object.get());
    }

    void place(std::span<const Pose> X_WP) override {
        for (std::size_t k = 0; k < objects_.size(); ++k)
            if (!is_static_[k]) objects_[k]->setWorldTransform(to_bt(X_WP[k]));
    }

    void detect() override { world_.performDiscreteCollisionDetection(); }

    Detection result() override {
        Detection out;
        for (int k = 0; k < dispatcher_.getNumManifolds(); ++k) {
            const btPersistentManifold& manifold = *dispatcher_.getManifoldByIndexInternal(k);
            for (int p = 0; p < manifold.getNumContacts(); ++p)
                out.add(-manifold.getContactPoint(p).getDistance());
        }
        return out;
    }

  private:
    BulletShapes shapes_{};
    btDefaultCollisionConfiguration configuration_{};
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broad_phase_{};
    btCollisionWorld world_{&dispatcher_, &broad_phase_, &configuration_};
    std::vector<std::unique_ptr<btCollisionObject>> objects_{};
    std::vector<char> is_static_{};
};

}  // namespace

std::unique_ptr<Detector> bullet_detector(const Model& model) {
    return std::make_unique<BulletDetector>(model);
}

}  // namespace impuls::bench
