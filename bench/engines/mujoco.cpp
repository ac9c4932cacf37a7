// MuJoCo (Todorov, Erez, Tassa 2012): convex optimisation (Newton, pyramidal cone) with soft contacts,
// generalised coordinates, double. The model is written as MJCF; bodies without joints to others float
// freely. Variants: "cg", and "rk4" (fourth-order Runge-Kutta). Frictions combine by the larger value, so
// they must all be equal.
#include <unistd.h>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include "bench/engine.h"

namespace impuls::bench {
namespace {

constexpr std::size_t kContactsPerBody = 10;
constexpr int kStackNumbers = 1 << 27;  // doubles of work space: 1 GiB

std::string text_of(const Vec3& v) {
    return fmt::format("{:.17g} {:.17g} {:.17g}", v.x, v.y, v.z);
}
std::string text_of(const Quat& q) {
    return fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}", q.w, q.x, q.y, q.z);
}

[[noreturn]] void stop(const char* message) {
    throw std::runtime_error(message);
}

class Mjcf {
  public:
    Mjcf(const Model& model, const std::string& variant) : model_(model), children_(model.bodies.size()) {
        mu_ = common_friction(model);
        if (std::isnan(mu_)) throw Unsupported("different frictions");
        if (model.has_loops()) throw Unsupported("loops of joints");
        for (std::size_t j = 0; j < model.joints.size(); ++j) {
            const ModelJoint& joint = model.joints[j];
            parent_joint_.resize(model.bodies.size(), -1);
            parent_joint_[static_cast<std::size_t>(joint.b)] = static_cast<int>(j);
            if (joint.a >= 0)
                children_[static_cast<std::size_t>(joint.a)].push_back(static_cast<std::size_t>(joint.b));
        }
        parent_joint_.resize(model.bodies.size(), -1);
        const bool is_rk4 = variant == "rk4";
        out_ = fmt::format("<mujoco><option timestep=\"{:.17g}\" gravity=\"{}\"{}{}/>\n", model.dt,
                           text_of(model.gravity), is_rk4 ? " integrator=\"RK4\"" : "",
                           variant == "cg" ? " solver=\"CG\"" : "");
        // Room for contacts must be asked for beforehand, and the square of the number of rows (4 a contact)
        // is taken.
        const std::size_t contacts = model.has_contacts() ? kContactsPerBody * model.bodies.size() + 50 : 1;
        out_ += fmt::format("<size njmax=\"{}\" nconmax=\"{}\" nstack=\"{}\"/>\n", 4 * contacts, contacts,
                            kStackNumbers);
        add_meshes();
        out_ += "<worldbody>\n";
        for (std::size_t k = 0; k < model.bodies.size(); ++k)
            if (is_root(k)) add_body(k, {});
        add_sites(-1);
        out_ += "</worldbody>\n";
        add_springs();
        out_ += "</mujoco>\n";
    }
    const std::string& text() const { return out_; }

  private:
    bool is_root(std::size_t k) const {
        return parent_joint_[k] < 0 || model_.joints[static_cast<std::size_t>(parent_joint_[k])].a < 0;
    }

    void add_meshes() {
        out_ += "<asset>\n";
        for (const ModelBody& body : model_.bodies) {
            if (body.solid.kind != SolidKind::Hull ||
                !meshes_.emplace(body.solid.hull.get(), meshes_.size()).second)
                continue;
            std::string points;
            for (const Vec3& v : body.solid.hull->vertices) points += text_of(v) + " ";
            out_ += fmt::format("<mesh name=\"m{}\" vertex=\"{}\"/>\n", meshes_.size() - 1, points);
        }
        out_ += "</asset>\n";
    }

    // Geoms are placed in P; a mesh is re-centred by MuJoCo itself, which moves it by nothing as P is its
    // centre of mass.
    std::string geom(const ModelBody& body) const {
        const Solid& s = body.solid;
        const std::string common = fmt::format("friction=\"{:.17g} 0 0\" mass=\"0\"{}", mu_,
                                               body.collides ? "" : " contype=\"0\" conaffinity=\"0\"");
        if (s.kind == SolidKind::Sphere)
            return fmt::format("<geom type=\"sphere\" size=\"{:.17g}\" {}/>", s.radius, common);
        if (s.kind == SolidKind::Box)
            return fmt::format("<geom type=\"box\" size=\"{}\" {}/>", text_of(s.half), common);
        return fmt::format("<geom type=\"mesh\" mesh=\"m{}\" {}/>", meshes_.at(s.hull.get()), common);
    }

    void add_body(std::size_t k, const Pose& X_WParent) {
        const ModelBody& body = model_.bodies[k];
        const Pose X = inverse(X_WParent) * body.X_WP;
        out_ += fmt::format("<body name=\"b{}\" pos=\"{}\" quat=\"{}\">", k, text_of(X.position),
                            text_of(X.orientation));
        if (!body.is_static) {
            out_ += fmt::format("<inertial pos=\"0 0 0\" mass=\"{:.17g}\" diaginertia=\"{}\"/>", body.mass,
                                text_of(body.moments));
            if (parent_joint_[k] < 0)
                out_ += "<freejoint/>";
            else
                out_ += fmt::format("<joint type=\"ball\" pos=\"{}\"/>",
                                    text_of(model_.joints[static_cast<std::size_t>(parent_joint_[k])].p_B));
        }
        out_ += geom(body) + "\n";
        add_sites(static_cast<int>(k));
        for (const std::size_t child : children_[k]) add_body(child, body.X_WP);
        out_ += "</body>\n";
    }

    // Ends of springs on body k (-1: the world), and the springs as tendons between them.
    void add_sites(int k) {
        for (std::size_t s = 0; s < model_.springs.size(); ++s) {
            const ModelSpring& spring = model_.springs[s];
            if (spring.a == k)
                out_ += fmt::format("<site name=\"s{}a\" pos=\"{}\"/>\n", s, text_of(spring.p_A));
            if (spring.b == k)
                out_ += fmt::format("<site name=\"s{}b\" pos=\"{}\"/>\n", s, text_of(spring.p_B));
        }
    }
    void add_springs() {
        if (model_.springs.empty()) return;
        out_ += "<tendon>\n";
        for (std::size_t s = 0; s < model_.springs.size(); ++s) {
            const ModelSpring& spring = model_.springs[s];
            out_ += fmt::format(
                "<spatial stiffness=\"{:.17g}\" damping=\"{:.17g}\" springlength=\"{:.17g}\">"
                "<site site=\"s{}a\"/><site site=\"s{}b\"/></spatial>\n",
                spring.stiffness, spring.damping, spring.length, s, s);
        }
        out_ += "</tendon>\n";
    }

    const Model& model_;
    double mu_ = 0;
    std::vector<std::vector<std::size_t>> children_;
    std::vector<int> parent_joint_{};
    std::map<const Hull*, std::size_t> meshes_{};
    std::string out_{};
};

class MujocoSimulation : public Simulation {
  public:
    MujocoSimulation(const Model& model, const Setup& setup) : bodies_(model.bodies.size()) {
        mju_user_error = stop;
        mju_user_warning = [](const char*) {};
        char file[] = "/tmp/impuls-bench-XXXXXX.xml", error[500] = {};
        const int handle = mkstemps(file, 4);
        if (handle < 0) throw std::runtime_error("no temporary file");
        close(handle);
        const std::string text = Mjcf(model, setup.variant).text();
        std::FILE* out = std::fopen(file, "w");
        std::fwrite(text.data(), 1, text.size(), out);
        std::fclose(out);
        model_ = mj_loadXML(file, nullptr, error, sizeof error);
        unlink(file);
        if (!model_) throw Unsupported(std::string("at load: ") + error);
        data_ = mj_makeData(model_);
        for (std::size_t k = 0; k < bodies_.size(); ++k)
            bodies_[k] = mj_name2id(model_, mjOBJ_BODY, ("b" + std::to_string(k)).c_str());
    }
    ~MujocoSimulation() override {
        mj_deleteData(data_);
        mj_deleteModel(model_);
    }

    void step() override { mj_step(model_, data_); }

    // Positions in `data` are those before the step's integration: they are computed anew.
    void read(std::span<BodyState> out) override {
        mj_kinematics(model_, data_);
        mj_comPos(model_, data_);
        mj_comVel(model_, data_);
        for (std::size_t k = 0; k < out.size(); ++k) {
            const mjtNum *p = data_->xpos + 3 * bodies_[k], *q = data_->xquat + 4 * bodies_[k];
            mjtNum vel[6];
            mj_objectVelocity(model_, data_, mjOBJ_BODY, bodies_[k], vel, 0);
            out[k] = {{{p[0], p[1], p[2]}, normalized(Quat{q[0], q[1], q[2], q[3]})},
                      {vel[3], vel[4], vel[5]},
                      {vel[0], vel[1], vel[2]}};
        }
    }

    std::int64_t contact_points() override { return data_->ncon; }

  private:
    std::vector<int> bodies_;
    mjModel* model_ = nullptr;
    mjData* data_ = nullptr;
};

}  // namespace

Engine mujoco_engine() {
    Engine engine;
    engine.name = "mujoco";
    const int v = mj_version();
    engine.version = fmt::format("{}.{}.{}", v / 100, v / 10 % 10, v % 10);
    engine.settings = "Newton, pyramidal cone, Euler, double; cg: conjugate gradients; rk4: Runge-Kutta";
    engine.package = "libmujoco-dev";
    engine.variants = {"", "cg", "rk4"};
    engine.has_springs = true;
    engine.make = [](const Model& model, const Setup& setup) -> std::unique_ptr<Simulation> {
        return std::make_unique<MujocoSimulation>(model, setup);
    };
    return engine;
}

}  // namespace impuls::bench
