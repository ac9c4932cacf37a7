// Bullet (Coumans): sequential impulses in maximal coordinates, float. Defaults but: no sleeping, one
// internal step of dt. Bullet multiplies the friction of two bodies, so each gets the root of its own.
#include <cmath>
#include <memory>

#include <btBulletDynamicsCommon.h>

#include "bench/engine.h"
#include "bench/engines/bullet_multibody.h"
#include "bench/engines/bullet_shapes.h"

namespace impuls::bench {
namespace {

class BulletSimulation : public Simulation {
  public:
    explicit BulletSimulation(const Model& model) : model_(model), dt_(static_cast<btScalar>(model.dt)) {
        world_.setGravity(to_bt(model.gravity));
        for (const ModelBody& body : model.bodies) add_body(body);
        for (const ModelJoint& joint : model.joints) add_joint(joint);
    }
    ~BulletSimulation() override {
        for (auto& joint : joints_) world_.removeConstraint(joint.get());
        for (auto& body : bodies_) world_.removeRigidBody(body.get());
    }

    // Driven bodies are put where they will be; Bullet takes their velocity from where they were.
    void step() override {
        ++steps_;
        for (std::size_t k = 0; k < bodies_.size(); ++k)
            if (model_.bodies[k].is_driven())
                bodies_[k]->setWorldTransform(to_bt(model_.bodies[k].driven_to(steps_ * model_.dt).X_WP));
        world_.stepSimulation(dt_, 0);
    }

    void read(std::span<BodyState> out) override {
        for (std::size_t k = 0; k < out.size(); ++k)
            out[k] = {from_bt(bodies_[k]->getWorldTransform()), from_bt(bodies_[k]->getLinearVelocity()),
                      from_bt(bodies_[k]->getAngularVelocity())};
    }

    std::int64_t contact_points() override {
        std::int64_t points = 0;
        for (int k = 0; k < dispatcher_.getNumManifolds(); ++k)
            points += dispatcher_.getManifoldByIndexInternal(k)->getNumContacts();
        return points;
    }

  private:
    void add_body(const ModelBody& body) {
        btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(body.mass), nullptr,
                                                      shapes_.make(body.solid), to_bt(body.moments));
        info.m_startWorldTransform = to_bt(body.X_WP);
        info.m_friction = static_cast<btScalar>(std::sqrt(body.friction));
        auto made = std::make_unique<btRigidBody>(info);
        made->setLinearVelocity(to_bt(body.v));
        made->setAngularVelocity(to_bt(body.w));
        made->setActivationState(DISABLE_DEACTIVATION);
        if (body.is_driven())
            made->setCollisionFlags(made->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
        const int group = body.is_static ? btBroadphaseProxy::StaticFilter : btBroadphaseProxy::DefaultFilter;
        const int mask = body.is_static ? static_cast<int>(btBroadphaseProxy::DefaultFilter)
                                        : static_cast<int>(btBroadphaseProxy::AllFilter);
        world_.addRigidBody(made.get(), group, body.collides ? mask : 0);
        bodies_.push_back(std::move(made));
    }

    void add_joint(const ModelJoint& joint) {
        btRigidBody& b = *bodies_[static_cast<std::size_t>(joint.b)];
        if (joint.a < 0)
            joints_.push_back(std::make_unique<btPoint2PointConstraint>(b, to_bt(joint.p_B)));
        else
            joints_.push_back(std::make_unique<btPoint2PointConstraint>(
                b, *bodies_[static_cast<std::size_t>(joint.a)], to_bt(joint.p_B), to_bt(joint.p_A)));
        world_.addConstraint(joints_.back().get(), true);
    }

    const Model& model_;
    btScalar dt_;
    int steps_ = 0;
    BulletShapes shapes_{};
    btDefaultCollisionConfiguration configuration_{};
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broad_phase_{};
    btSequentialImpulseConstraintSolver solver_{};
    btDiscreteDynamicsWorld world_{&dispatcher_, &broad_phase_, &solver_, &configuration_};
    std::vector<std::unique_ptr<btRigidBody>> bodies_{};
    std::vector<std::unique_ptr<btTypedConstraint>> joints_{};
};

}  // namespace

Engine bullet_engine() {
    Engine engine;
    engine.name = "bullet";
    engine.version = std::to_string(BT_BULLET_VERSION / 100) + "." + std::to_string(BT_BULLET_VERSION % 100);
    engine.settings =
        "sequential impulse, 10 iterations, split impulse, float; hull margin 10 mm inwards; multibody: "
        "Featherstone";
    engine.package = "libbullet-dev";
    engine.drives = true;
    engine.variants = {"", "multibody"};
    engine.make = [](const Model& model, const Setup& setup) -> std::unique_ptr<Simulation> {
        if (setup.variant == "multibody" && model.has_driven()) throw Unsupported("no driven bodies");
        if (setup.variant == "multibody") return make_bullet_multibody(model);
        return std::make_unique<BulletSimulation>(model);
    };
    return engine;
}

}  // namespace impuls::bench
