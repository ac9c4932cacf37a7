// Our own engine; variants are methods as `--method` takes them. It is built from the scene itself, and read
// back in the principal frames of the model.
#include <memory>

#include "bench/engine.h"
#include "impuls/world.h"

namespace impuls::bench {
namespace {

class ImpulsSimulation : public Simulation {
  public:
    ImpulsSimulation(const Model& model, const Setup& setup)
        : model_(model),
          world_(with_method(model.scene, setup.variant), std::make_shared<Executor>(setup.threads)) {}

    void step() override {
        const StepStatus status = world_.step();
        if (!status.ok) throw std::runtime_error(status.message);
    }

    void read(std::span<BodyState> out) override {
        const Frame& frame = world_.frame();
        for (std::size_t k = 0; k < out.size(); ++k) {
            const std::size_t b = model_.bodies[k].number;
            out[k] = {Pose{frame.positions[b], frame.orientations[b]} * model_.bodies[k].X_BP,
                      frame.velocities[b], frame.angular_velocities[b]};
        }
    }

    std::int64_t contact_points() override { return static_cast<std::int64_t>(world_.contact_count()); }

  private:
    static Scene with_method(Scene scene, const std::string& method) {
        scene.settings.method = parse_method(method);
        return scene;
    }

    const Model& model_;
    World world_;
};

}  // namespace

Engine impuls_engine() {
    Engine engine;
    engine.name = "impuls";
    engine.version = "this build";
    engine.settings = "method presets";
    engine.max_threads = 64;
    engine.drives = engine.has_springs = true;
    for (const Method& method : method_presets()) engine.variants.push_back(method.preset);
    engine.make = [](const Model& model, const Setup& setup) -> std::unique_ptr<Simulation> {
        try {
            return std::make_unique<ImpulsSimulation>(model, setup);
        } catch (const InputError& error) {
            throw Unsupported("at load: " +
                              (error.issues().empty() ? error.what() : error.issues().front().message));
        }
    };
    return engine;
}

}  // namespace impuls::bench
