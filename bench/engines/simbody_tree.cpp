// Simbody's side of the tree (simbody_tree.h); C++17.
#include "bench/engines/simbody_tree.h"

#include <algorithm>

#include <Simbody.h>

namespace impuls::bench {
namespace {

SimTK::Vec3 vec(const double (&v)[3]) {
    return {v[0], v[1], v[2]};
}

}  // namespace

struct SimbodyTree::Parts {
    explicit Parts(const double (&gravity)[3]) : weight(forces, matter, vec(gravity)) {}

    SimTK::MultibodySystem system{};
    SimTK::SimbodyMatterSubsystem matter{system};
    SimTK::GeneralForceSubsystem forces{system};
    SimTK::Force::UniformGravity weight;
    std::vector<SimTK::MobilizedBodyIndex> nodes{};
    std::unique_ptr<SimTK::Integrator> integrator{};
    std::unique_ptr<SimTK::TimeStepper> stepper{};
};

SimbodyTree::SimbodyTree(const std::vector<TreeLink>& links, const std::vector<TreeSpring>& springs,
                         const double (&gravity)[3], const TreeMethod& method)
    : parts_(std::make_unique<Parts>(gravity)) {
    const auto node = [&](int k) -> SimTK::MobilizedBody& {
        return k < 0 ? static_cast<SimTK::MobilizedBody&>(parts_->matter.Ground())
                     : parts_->matter.updMobilizedBody(parts_->nodes[static_cast<std::size_t>(k)]);
    };
    for (const TreeLink& link : links) {
        const SimTK::Body::Rigid rigid(
            SimTK::MassProperties(link.mass, SimTK::Vec3(0), SimTK::Inertia(vec(link.moments))));
        const double(&q)[4] = link.joint_orientation;
        const SimTK::Transform in_parent(SimTK::Rotation(SimTK::Quaternion(q[0], q[1], q[2], q[3])),
                                         vec(link.joint_position));
        const SimTK::Transform in_link(vec(link.anchor));
        parts_->nodes.push_back(
            link.is_free
                ? SimTK::MobilizedBody::Free(node(-1), in_parent, rigid, in_link).getMobilizedBodyIndex()
                : SimTK::MobilizedBody::Ball(node(link.parent), in_parent, rigid, in_link)
                      .getMobilizedBodyIndex());
    }
    for (const TreeSpring& s : springs) {
        SimTK::Force::TwoPointLinearSpring(parts_->forces, node(s.a), vec(s.p_A), node(s.b), vec(s.p_B),
                                           s.stiffness, s.length);
        if (s.damping > 0)
            SimTK::Force::TwoPointLinearDamper(parts_->forces, node(s.a), vec(s.p_A), node(s.b), vec(s.p_B),
                                               s.damping);
    }
    parts_->system.realizeTopology();
    const SimTK::State state = parts_->system.getDefaultState();
    if (method.is_implicit)
        parts_->integrator = std::make_unique<SimTK::CPodesIntegrator>(parts_->system, SimTK::CPodes::BDF,
                                                                       SimTK::CPodes::Newton);
    else
        parts_->integrator = std::make_unique<SimTK::RungeKuttaMersonIntegrator>(parts_->system);
    parts_->integrator->setAccuracy(method.accuracy);
    parts_->stepper = std::make_unique<SimTK::TimeStepper>(parts_->system, *parts_->integrator);
    parts_->stepper->initialize(state);
}

SimbodyTree::~SimbodyTree() = default;

void SimbodyTree::advance_to(double time) {
    parts_->stepper->stepTo(time);
}

TreeState SimbodyTree::state_of(std::size_t link) const {
    const SimTK::State& state = parts_->stepper->getState();
    parts_->system.realize(state, SimTK::Stage::Velocity);
    const SimTK::MobilizedBody& body = parts_->matter.getMobilizedBody(parts_->nodes[link]);
    TreeState out;
    const auto copy = [](const auto& from, auto& to) { std::copy(&from[0], &from[0] + std::size(to), to); };
    copy(body.getBodyOriginLocation(state), out.position);
    copy(body.getBodyTransform(state).R().convertRotationToQuaternion(), out.orientation);
    copy(body.getBodyOriginVelocity(state), out.velocity);
    copy(body.getBodyAngularVelocity(state), out.angular_velocity);
    return out;
}

}  // namespace impuls::bench
