// DART (Lee et al. 2018): articulated bodies in generalised coordinates (Featherstone), contacts by a Dantzig
// LCP, Bullet's collision detection, double. Its constraint solver takes at most 1000 contacts. Frictions
// combine by the smaller value, so they must all be equal.
#include <cmath>
#include <memory>

#include <dart/collision/CollisionResult.hpp>
#include <dart/collision/bullet/BulletCollisionDetector.hpp>
#include <dart/config.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include "bench/engine.h"

namespace impuls::bench {
namespace {

namespace dyn = dart::dynamics;

Eigen::Vector3d to_eigen(const Vec3& v) {
    return {v.x, v.y, v.z};
}
Eigen::Isometry3d to_eigen(const Pose& X) {
    Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
    out.linear() = Eigen::Quaterniond(X.orientation.w, X.orientation.x, X.orientation.y, X.orientation.z)
                       .toRotationMatrix();
    out.translation() = to_eigen(X.position);
    return out;
}
Vec3 from_eigen(const Eigen::Vector3d& v) {
    return {v.x(), v.y(), v.z()};
}

dyn::ShapePtr shape_of(const Solid& solid) {
    if (solid.kind == SolidKind::Sphere) return std::make_shared<dyn::SphereShape>(solid.radius);
    if (solid.kind == SolidKind::Box) return std::make_shared<dyn::BoxShape>(2 * to_eigen(solid.half));
    throw Unsupported("hulls only as assimp meshes");
}

class DartSimulation : public Simulation {
  public:
    explicit DartSimulation(const Model& model) : nodes_(model.bodies.size()) {
        mu_ = common_friction(model);
        if (std::isnan(mu_)) throw Unsupported("different frictions");
        world_ = dart::simulation::World::create();
        world_->setTimeStep(model.dt);
        world_->setGravity(to_eigen(model.gravity));
        world_->getConstraintSolver()->setCollisionDetector(
            dart::collision::BulletCollisionDetector::create());
        if (model.has_loops()) throw Unsupported("loops of joints");
        for (const ModelJoint& joint : model.joints) add_link(model, joint);
        for (std::size_t k = 0; k < model.bodies.size(); ++k)
            if (!nodes_[k]) add_single(model.bodies[k], k);
        for (const auto& skeleton : skeletons_) world_->addSkeleton(skeleton);
    }

    void step() override { world_->step(); }

    void read(std::span<BodyState> out) override {
        for (std::size_t k = 0; k < out.size(); ++k) {
            const Eigen::Isometry3d& X = nodes_[k]->getWorldTransform();
            const Eigen::Quaterniond q(X.linear());
            out[k] = {{from_eigen(X.translation()), normalized(Quat{q.w(), q.x(), q.y(), q.z()})},
                      from_eigen(nodes_[k]->getCOMLinearVelocity()),
                      from_eigen(nodes_[k]->getAngularVelocity())};
        }
    }

    std::int64_t contact_points() override {
        return static_cast<std::int64_t>(world_->getLastCollisionResult().getNumContacts());
    }

  private:
    void dress(dyn::BodyNode& node, const ModelBody& body) {
        if (!body.is_static) {
            node.setMass(body.mass);
            node.setMomentOfInertia(body.moments.x, body.moments.y, body.moments.z);
        }
        if (!body.collides) return;
        auto* shape =
            node.createShapeNodeWith<dyn::CollisionAspect, dyn::DynamicsAspect>(shape_of(body.solid));
        shape->getDynamicsAspect()->setFrictionCoeff(mu_);
        shape->getDynamicsAspect()->setRestitutionCoeff(0);
    }

    void add_single(const ModelBody& body, std::size_t k) {
        skeletons_.push_back(dyn::Skeleton::create("s" + std::to_string(k)));
        const auto& skeleton = skeletons_.back();
        if (body.is_static) {
            dyn::WeldJoint::Properties joint;
            joint.mT_ParentBodyToJoint = to_eigen(body.X_WP);
            nodes_[k] = skeleton->createJointAndBodyNodePair<dyn::WeldJoint>(nullptr, joint).second;
            skeleton->setMobile(false);
        } else {
            auto pair = skeleton->createJointAndBodyNodePair<dyn::FreeJoint>(nullptr);
            nodes_[k] = pair.second;
            pair.first->setTransform(to_eigen(body.X_WP));
            pair.first->setLinearVelocity(to_eigen(body.v));
            pair.first->setAngularVelocity(to_eigen(body.w));
        }
        dress(*nodes_[k], body);
    }

    // Joints come parents first; all that hang together are one skeleton.
    void add_link(const Model& model, const ModelJoint& joint) {
        const auto b = static_cast<std::size_t>(joint.b);
        dyn::BodyNode* parent = joint.a < 0 ? nullptr : nodes_[static_cast<std::size_t>(joint.a)];
        if (joint.a >= 0 && !parent) throw Unsupported("a joint before its parent's");
        const ModelBody& body = model.bodies[b];
        const Pose X_WA = joint.a < 0 ? Pose{} : model.bodies[static_cast<std::size_t>(joint.a)].X_WP;
        dyn::BallJoint::Properties properties;
        // The joint's frame is turned like the child at the start, so that all coordinates begin at 0.
        properties.mT_ParentBodyToJoint = to_eigen(inverse(X_WA) * Pose{joint.p_W, body.X_WP.orientation});
        properties.mT_ChildBodyToJoint = to_eigen(Pose{joint.p_B, {}});
        if (!parent) skeletons_.push_back(dyn::Skeleton::create("t" + std::to_string(b)));
        const dyn::SkeletonPtr skeleton = parent ? parent->getSkeleton() : skeletons_.back();
        nodes_[b] = skeleton->createJointAndBodyNodePair<dyn::BallJoint>(parent, properties).second;
        dress(*nodes_[b], body);
    }

    double mu_ = 0;
    dart::simulation::WorldPtr world_{};
    std::vector<dyn::SkeletonPtr> skeletons_{};
    std::vector<dyn::BodyNode*> nodes_;
};

}  // namespace

Engine dart_engine() {
    Engine engine;
    engine.name = "dart";
    engine.version = DART_VERSION;
    engine.settings = "Featherstone, Dantzig LCP, Bullet collision, semi-implicit Euler, double";
    engine.package = "libdart-collision-bullet-dev";
    engine.variants = {""};
    engine.make = [](const Model& model, const Setup&) -> std::unique_ptr<Simulation> {
        return std::make_unique<DartSimulation>(model);
    };
    return engine;
}

}  // namespace impuls::bench
