// Bullet's other way with joints (Coumans): Featherstone's algorithm in joint coordinates, semi-implicit
// Euler, float. One tree of ball joints on a base that does not move; no contacts, damping off.
#include <memory>
#include <vector>

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include "bench/engines/bullet_multibody.h"
#include "bench/engines/bullet_shapes.h"

namespace impuls::bench {
namespace {

class BulletMultibody : public Simulation {
  public:
    explicit BulletMultibody(const Model& model)
        : dt_(static_cast<btScalar>(model.dt)),
          tree_(static_cast<int>(model.joints.size()), 0, btVector3(0, 0, 0), true, false),
          link_of_(model.bodies.size(), -1) {
        if (model.has_contacts()) throw Unsupported("multibody: joints only");
        if (model.has_loops()) throw Unsupported("loops of joints");
        if (model.joints.size() != model.bodies.size()) throw Unsupported("bodies without a joint");
        world_.setGravity(to_bt(model.gravity));
        for (const ModelJoint& joint : model.joints) add_link(model, joint);
        tree_.finalizeMultiDof();
        tree_.setLinearDamping(0), tree_.setAngularDamping(0);
        world_.addMultiBody(&tree_);
        refresh();
    }
    ~BulletMultibody() override { world_.removeMultiBody(&tree_); }

    void step() override {
        world_.stepSimulation(dt_, 0);
        refresh();
    }

    void read(std::span<BodyState> out) override {
        std::vector<btVector3> w(link_of_.size() + 1), v(link_of_.size() + 1);
        tree_.compTreeLinkVelocities(w.data(), v.data());  // in the links' frames, the base first
        for (std::size_t k = 0; k < out.size(); ++k) {
            const btTransform& X = tree_.getLink(link_of_[k]).m_cachedWorldTransform;
            const auto place = static_cast<std::size_t>(link_of_[k]) + 1;
            out[k] = {from_bt(X), from_bt(X.getBasis() * v[place]), from_bt(X.getBasis() * w[place])};
        }
    }

    std::int64_t contact_points() override { return 0; }

  private:
    void add_link(const Model& model, const ModelJoint& joint) {
        const ModelBody& body = model.bodies[static_cast<std::size_t>(joint.b)];
        const int parent = joint.a < 0 ? -1 : link_of_[static_cast<std::size_t>(joint.a)];
        if (joint.a >= 0 && parent < 0) throw Unsupported("a joint before its parent's");
        const Pose X_WA = joint.a < 0 ? Pose{} : model.bodies[static_cast<std::size_t>(joint.a)].X_WP;
        const Quat q = conjugate(body.X_WP.orientation) * X_WA.orientation;  // from the parent's frame
        tree_.setupSpherical(count_, static_cast<btScalar>(body.mass), to_bt(body.moments), parent,
                             btQuaternion(static_cast<btScalar>(q.x), static_cast<btScalar>(q.y),
                                          static_cast<btScalar>(q.z), static_cast<btScalar>(q.w)),
                             to_bt(joint.p_A), to_bt(-joint.p_B), true);
        link_of_[static_cast<std::size_t>(joint.b)] = count_++;
    }
    void refresh() { tree_.forwardKinematics(world_to_local_, origins_); }

    btScalar dt_;
    btDefaultCollisionConfiguration configuration_{};
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broad_phase_{};
    btMultiBodyConstraintSolver solver_{};
    btMultiBodyDynamicsWorld world_{&dispatcher_, &broad_phase_, &solver_, &configuration_};
    btMultiBody tree_;
    int count_ = 0;
    std::vector<int> link_of_;
    btAlignedObjectArray<btQuaternion> world_to_local_{};
    btAlignedObjectArray<btVector3> origins_{};
};

}  // namespace

std::unique_ptr<Simulation> make_bullet_multibody(const Model& model) {
    return std::make_unique<BulletMultibody>(model);
}

}  // namespace impuls::bench
