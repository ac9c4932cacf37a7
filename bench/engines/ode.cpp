// ODE (Smith): double, contact joints made anew every step. QuickStep (SOR, 20 iterations) is the default,
// "exact" is dWorldStep (Dantzig). Up to 8 points a pair, friction pyramid scaled by the normal force
// (dContactApprox1).
#include <cmath>
#include <memory>

#include <ode/ode.h>

#include "bench/engine.h"
#include "bench/engines/ode_geoms.h"

namespace impuls::bench {
namespace {

constexpr int kMaxPoints = 8;

class OdeSimulation : public Simulation {
  public:
    OdeSimulation(const Model& model, const Setup& setup)
        : model_(model), is_exact_(setup.variant == "exact") {
        dInitODE2(0);
        dAllocateODEDataForThread(dAllocateMaskAll);
        world_ = dWorldCreate();
        space_ = dHashSpaceCreate(nullptr);
        contacts_ = dJointGroupCreate(0);
        dWorldSetGravity(world_, model.gravity.x, model.gravity.y, model.gravity.z);
        set_hash_levels();
        use_threads(setup.threads);
        for (std::size_t k = 0; k < model.bodies.size(); ++k) add_body(k);
        for (const ModelJoint& joint : model.joints) add_joint(joint);
    }
    ~OdeSimulation() override {
        dJointGroupDestroy(contacts_);
        dSpaceDestroy(space_);
        dWorldDestroy(world_);
        if (pool_) {
            dThreadingImplementationShutdownProcessing(threading_);
            dThreadingFreeThreadPool(pool_);
            dThreadingFreeImplementation(threading_);
        }
        dCloseODE();
    }

    void step() override {
        for (std::size_t k = 0; k < bodies_.size(); ++k)
            if (model_.bodies[k].is_driven()) drive(k);
        ++steps_;
        dJointGroupEmpty(contacts_);
        points_ = 0;
        dSpaceCollide(space_, this, &OdeSimulation::near);
        if (is_exact_)
            dWorldStep(world_, model_.dt);
        else
            dWorldQuickStep(world_, model_.dt);
    }

    void read(std::span<BodyState> out) override {
        for (std::size_t k = 0; k < out.size(); ++k) {
            if (!bodies_[k]) {
                out[k] = {model_.bodies[k].X_WP, {}, {}};
                continue;
            }
            const dReal *p = dBodyGetPosition(bodies_[k]), *q = dBodyGetQuaternion(bodies_[k]);
            const dReal *v = dBodyGetLinearVel(bodies_[k]), *w = dBodyGetAngularVel(bodies_[k]);
            out[k] = {{{p[0], p[1], p[2]}, normalized(Quat{q[0], q[1], q[2], q[3]})},
                      {v[0], v[1], v[2]},
                      {w[0], w[1], w[2]}};
        }
    }

    std::int64_t contact_points() override { return points_; }

  private:
    static void near(void* self, dGeomID a, dGeomID b) { static_cast<OdeSimulation*>(self)->collide(a, b); }

    void collide(dGeomID a, dGeomID b) {
        const auto *first = static_cast<const ModelBody*>(dGeomGetData(a)),
                   *second = static_cast<const ModelBody*>(dGeomGetData(b));
        if (first->is_static && second->is_static) return;
        const dBodyID one = dGeomGetBody(a), other = dGeomGetBody(b);
        if (one && other && dAreConnectedExcluding(one, other, dJointTypeContact)) return;
        dContact found[kMaxPoints];
        const int n = dCollide(a, b, kMaxPoints, &found[0].geom, sizeof(dContact));
        points_ += n;
        for (int k = 0; k < n; ++k) {
            found[k].surface.mode = dContactApprox1;
            found[k].surface.mu = std::sqrt(first->friction * second->friction);
            const dJointID joint = dJointCreateContact(world_, contacts_, &found[k]);
            dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
        }
    }

    // Cells from the smallest body up to a few of them; without this the hash space sweeps far too many
    // levels.
    void set_hash_levels() {
        double smallest = 1e30;
        for (const ModelBody& body : model_.bodies)
            if (!body.is_static) smallest = std::min(smallest, size_of(body.solid));
        const int level = static_cast<int>(std::floor(std::log2(smallest)));
        dHashSpaceSetLevels(space_, level, level + 4);
    }
    static double size_of(const Solid& solid) {
        if (solid.kind == SolidKind::Sphere) return 2 * solid.radius;
        if (solid.kind == SolidKind::Box) return 2 * std::min({solid.half.x, solid.half.y, solid.half.z});
        return 2 * length(solid.hull->vertices[0]);
    }

    void use_threads(int threads) {
        if (threads < 2) return;
        threading_ = dThreadingAllocateMultiThreadedImplementation();
        pool_ =
            dThreadingAllocateThreadPool(static_cast<unsigned>(threads), 0, dAllocateFlagBasicData, nullptr);
        dThreadingThreadPoolServeMultiThreadedImplementation(pool_, threading_);
        dWorldSetStepThreadingImplementation(world_, dThreadingImplementationGetFunctions(threading_),
                                             threading_);
    }

    void add_body(std::size_t k) {
        const ModelBody& body = model_.bodies[k];
        dBodyID made = nullptr;
        if (!body.is_static || body.is_driven()) {
            made = dBodyCreate(world_);
            if (body.is_driven()) {
                dBodySetKinematic(made);
            } else {
                dMass mass;
                dMassSetParameters(&mass, body.mass, 0, 0, 0, body.moments.x, body.moments.y, body.moments.z,
                                   0, 0, 0);
                dBodySetMass(made, &mass);
            }
            dQuaternion q;
            set_quaternion(q, body.X_WP.orientation);
            dBodySetPosition(made, body.X_WP.position.x, body.X_WP.position.y, body.X_WP.position.z);
            dBodySetQuaternion(made, q);
            dBodySetLinearVel(made, body.v.x, body.v.y, body.v.z);
            dBodySetAngularVel(made, body.w.x, body.w.y, body.w.z);
        }
        bodies_.push_back(made);
        if (!body.collides) return;
        const dGeomID geom = geoms_.make(space_, body.solid);
        dGeomSetData(geom, const_cast<ModelBody*>(&body));
        if (made)
            dGeomSetBody(geom, made);
        else
            OdeGeoms::place(geom, body.X_WP);
    }

    // ODE moves it on through the step, straight; it is put back on its circle before the next.
    void drive(std::size_t k) {
        const auto [X, v, w] = model_.bodies[k].driven_to(steps_ * model_.dt);
        dQuaternion q;
        set_quaternion(q, X.orientation);
        dBodySetPosition(bodies_[k], X.position.x, X.position.y, X.position.z);
        dBodySetQuaternion(bodies_[k], q);
        dBodySetLinearVel(bodies_[k], v.x, v.y, v.z);
    }

    void add_joint(const ModelJoint& joint) {
        const dJointID made = dJointCreateBall(world_, nullptr);
        dJointAttach(made, bodies_[static_cast<std::size_t>(joint.b)],
                     joint.a < 0 ? nullptr : bodies_[static_cast<std::size_t>(joint.a)]);
        dJointSetBallAnchor(made, joint.p_W.x, joint.p_W.y, joint.p_W.z);
    }

    const Model& model_;
    bool is_exact_;
    OdeGeoms geoms_{};
    dWorldID world_{};
    dSpaceID space_{};
    dJointGroupID contacts_{};
    dThreadingImplementationID threading_{};
    dThreadingThreadPoolID pool_{};
    std::vector<dBodyID> bodies_{};
    std::int64_t points_ = 0;
    int steps_ = 0;
};

}  // namespace

Engine ode_engine() {
    Engine engine;
    engine.name = "ode";
    engine.version = "0.16.2";
    engine.settings = "QuickStep, 20 iterations, double; exact: dWorldStep";
    engine.max_threads = 64;
    engine.drives = true;
    engine.package = "libode-dev";
    engine.variants = {"", "exact"};
    engine.make = [](const Model& model, const Setup& setup) -> std::unique_ptr<Simulation> {
        return std::make_unique<OdeSimulation>(model, setup);
    };
    return engine;
}

}  // namespace impuls::bench
