// Simbody (Sherman, Seth, Delp 2011): O(n) recursive dynamics of trees of joints, integrated by
// Runge-Kutta-Merson with accuracy 1e-3 up to the end of each step, double. Only scenes of joints and
// springs: its contacts are compliant, not rigid. Variants: another accuracy ("1e-6"), and "cpodes 1e-6",
// backward differences for stiff forces.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>

#include "bench/engine.h"
#include "bench/engines/simbody_tree.h"

namespace impuls::bench {
namespace {

void put(double (&out)[3], const Vec3& v) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}
void put(double (&out)[4], const Quat& q) {
    out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
}
Vec3 vec(const double (&v)[3]) {
    return {v[0], v[1], v[2]};
}

class SimbodySimulation : public Simulation {
  public:
    SimbodySimulation(const Model& model, const TreeMethod& method)
        : dt_(model.dt), link_of_(model.bodies.size(), -1) {
        if (model.has_contacts()) throw Unsupported("no rigid contact");
        if (model.has_loops()) throw Unsupported("loops of joints");
        std::vector<TreeLink> links;
        for (const ModelJoint& joint : model.joints) links.push_back(link(model, joint));
        for (std::size_t k = 0; k < model.bodies.size(); ++k)
            if (link_of_[k] < 0) links.push_back(free_link(model, k));
        std::vector<TreeSpring> springs;
        for (const ModelSpring& from : model.springs) {
            TreeSpring& spring = springs.emplace_back();
            const auto number = [&](int k) { return k < 0 ? -1 : link_of_[static_cast<std::size_t>(k)]; };
            spring.a = number(from.a), spring.b = number(from.b);
            put(spring.p_A, from.p_A), put(spring.p_B, from.p_B);
            spring.stiffness = from.stiffness, spring.damping = from.damping, spring.length = from.length;
        }
        double gravity[3];
        put(gravity, model.gravity);
        tree_ = std::make_unique<SimbodyTree>(links, springs, gravity, method);
    }

    void step() override { tree_->advance_to(static_cast<double>(++steps_) * dt_); }

    void read(std::span<BodyState> out) override {
        for (std::size_t k = 0; k < out.size(); ++k) {
            const TreeState s = tree_->state_of(static_cast<std::size_t>(link_of_[k]));
            out[k] = {
                {vec(s.position), {s.orientation[0], s.orientation[1], s.orientation[2], s.orientation[3]}},
                vec(s.velocity),
                vec(s.angular_velocity)};
        }
    }

    std::int64_t contact_points() override { return 0; }

  private:
    // Joints come parents first.
    TreeLink link(const Model& model, const ModelJoint& joint) {
        const ModelBody& body = model.bodies[static_cast<std::size_t>(joint.b)];
        TreeLink out;
        Pose X_WA;
        if (joint.a >= 0) {
            out.parent = link_of_[static_cast<std::size_t>(joint.a)];
            if (out.parent < 0) throw Unsupported("a joint before its parent's");
            X_WA = model.bodies[static_cast<std::size_t>(joint.a)].X_WP;
        }
        const Pose X_AJ = inverse(X_WA) * Pose{joint.p_W, body.X_WP.orientation};
        out.mass = body.mass;
        put(out.moments, body.moments);
        put(out.joint_position, X_AJ.position);
        put(out.joint_orientation, X_AJ.orientation);
        put(out.anchor, joint.p_B);
        link_of_[static_cast<std::size_t>(joint.b)] = count_++;
        return out;
    }

    TreeLink free_link(const Model& model, std::size_t k) {
        const ModelBody& body = model.bodies[k];
        if (model.springs.empty() || body.is_static) throw Unsupported("bodies without a joint");
        if (body.v != Vec3{} || body.w != Vec3{}) throw Unsupported("free bodies that move at the start");
        TreeLink out;
        out.is_free = true;
        out.mass = body.mass;
        put(out.moments, body.moments);
        put(out.joint_position, body.X_WP.position);
        put(out.joint_orientation, body.X_WP.orientation);
        link_of_[k] = count_++;
        return out;
    }

    double dt_;
    std::int64_t steps_ = 0;
    int count_ = 0;
    std::vector<int> link_of_;
    std::unique_ptr<SimbodyTree> tree_{};
};

TreeMethod method_of(const std::string& variant) {
    TreeMethod method;
    const std::string implicit = "cpodes ";
    method.is_implicit = variant.rfind(implicit, 0) == 0;
    const std::string accuracy = method.is_implicit ? variant.substr(implicit.size()) : variant;
    if (!accuracy.empty()) method.accuracy = std::atof(accuracy.c_str());
    return method;
}

}  // namespace

Engine simbody_engine() {
    Engine engine;
    engine.name = "simbody";
    engine.version = SIMBODY_VERSION;
    engine.settings = "Runge-Kutta-Merson, accuracy 1e-3, double";
    engine.package = "libsimbody-dev";
    engine.variants = {""};
    engine.has_springs = true;
    engine.make = [](const Model& model, const Setup& setup) -> std::unique_ptr<Simulation> {
        return std::make_unique<SimbodySimulation>(model, method_of(setup.variant));
    };
    return engine;
}

}  // namespace impuls::bench
