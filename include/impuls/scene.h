// The editable description of what to simulate. Plain values; how they were written (expressions, comments)
// is kept beside them by JSON path, so that a file survives load -> save.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "impuls/bodies.h"
#include "impuls/command.h"
#include "impuls/errors.h"
#include "impuls/fields.h"
#include "impuls/forces.h"
#include "impuls/grains.h"
#include "impuls/joints.h"
#include "impuls/materials.h"
#include "impuls/settings.h"
#include "impuls/vec.h"

namespace impuls {

struct Scene;

/// Another scene file whose materials, contacts, bodies, joints and forces join this scene; its variables
/// stay its own.
struct IncludeDesc {
    std::string file{};
    std::string name{};
    Vec3 position{};
    Quat orientation{};
    std::shared_ptr<const Scene> scene{};  // as loaded; not a field

    template <class V>
    static void visit_fields(V&& visit) {
        visit("file", &IncludeDesc::file, Field("scene file, relative to this one").required());
        visit("name", &IncludeDesc::name,
              Field("if given, included bodies and joints are called name/theirs"));
        visit("position", &IncludeDesc::position, Field("where the included bodies are put", "m"));
        visit("orientation", &IncludeDesc::orientation, Field("how the included bodies are turned"));
    }
};

/// A quantity to sample while running, or an expression of quantities (docs/manual/quantities.md).
struct MeasureDesc {
    std::string quantity{};
    std::int64_t every = 1;
    std::string name{};

    template <class V>
    static void visit_fields(V&& visit) {
        visit("quantity", &MeasureDesc::quantity,
              Field("what to sample, e.g. bodies.ball.position.y, or distance(a, b), max(energy.kinetic)")
                  .required());
        visit("every", &MeasureDesc::every, Field("sample every n steps").at_least(1));
        visit("name", &MeasureDesc::name, Field("column name; left out: the quantity"));
    }
};

/// Ticks at start, start + period, ... (events of kind timer_tick).
struct TimerDesc {
    std::string name{};
    double period = 1;
    double start = 0;

    template <class V>
    static void visit_fields(V&& visit) {
        visit("name", &TimerDesc::name, Field("unique name").required());
        visit("period", &TimerDesc::period, Field("time between ticks, at least dt", "s").positive());
        visit("start", &TimerDesc::start, Field("time of the first tick", "s").at_least(0));
    }
};

/// How pictures look at the scene.
struct ViewDesc {
    std::optional<Vec3> camera{};
    std::optional<Vec3> target{};
    double field_of_view = 0.8;
    std::optional<Vec3> light{};
    Vec3 background{0.85, 0.9, 0.95};

    template <class V>
    static void visit_fields(V&& visit) {
        visit("camera", &ViewDesc::camera,
              Field("where the camera stands; left out: chosen to see all", "m"));
        visit("target", &ViewDesc::target,
              Field("what it looks at; left out: the middle of all bodies", "m"));
        visit("field_of_view", &ViewDesc::field_of_view,
              Field("horizontal angle of view", "rad").between(0.01, 3));
        visit("light", &ViewDesc::light, Field("where the light is; left out: above the camera", "m"));
        visit("background", &ViewDesc::background, Field("red, green, blue").between(0, 1));
    }
};

/// A name for a number, usable in expressions.
struct Variable {
    std::string name;
    double value = 0;
};

/// Comments around one value of a scene file.
struct Comments {
    std::string before{};
    std::string same_line{};
    std::string after{};
};

struct Scene {
    std::string schema{};
    std::int64_t version = 1;
    std::string title{};
    std::string description{};
    std::vector<IncludeDesc> include{};
    std::vector<Variable> variables{};
    SettingsDesc settings{};
    std::vector<MaterialDesc> materials{};
    std::vector<ContactDesc> contacts{};
    std::vector<BodyDesc> bodies{};
    std::vector<JointDesc> joints{};
    std::vector<ForceDesc> forces{};
    std::vector<GrainsDesc> grains{};
    GranularDesc granular{};
    std::vector<TimedCommand> timeline{};
    std::vector<TimerDesc> timers{};
    std::vector<MeasureDesc> measure{};
    ViewDesc view{};

    // How it was written; keys are JSON paths such as /bodies/0/position.
    std::string file{};                              // "" when not from a file
    std::map<std::string, std::string> spellings{};  // JSON text of values that are not plain literals
    std::map<std::string, Comments> comments{};
    std::map<std::string, std::pair<int, int>> places{};  // line, column

    template <class V>
    static void visit_fields(V&& visit) {
        visit("$schema", &Scene::schema, Field("where editors find the JSON Schema (impuls schema)"));
        visit("impuls", &Scene::version, Field("version of the format").between(1, 1).required());
        visit("title", &Scene::title, Field("one line"));
        visit("description", &Scene::description, Field("what to look for"));
        visit("include", &Scene::include, Field("other scene files that are part of this one"));
        visit("variables", &Scene::variables, Field("names for numbers, usable in expressions"));
        visit("settings", &Scene::settings, Field("gravity, time step, method"));
        visit("materials", &Scene::materials, Field("materials by name"));
        visit("contacts", &Scene::contacts, Field("what holds between two materials"));
        visit("bodies", &Scene::bodies, Field("bodies and generators of bodies"));
        visit("joints", &Scene::joints, Field("joints and generators of joints"));
        visit("forces", &Scene::forces, Field("forces and generators of forces"));
        visit("grains", &Scene::grains, Field("sets of grains: granular matter"));
        visit("granular", &Scene::granular, Field("how grains are advanced"));
        visit("timeline", &Scene::timeline, Field("commands at given times"));
        visit("timers", &Scene::timers, Field("clocks whose ticks are events"));
        visit("measure", &Scene::measure, Field("quantities to sample"));
        visit("view", &Scene::view, Field("camera, light, background for pictures"));
    }
};

/// Most bodies a scene may expand to; more are refused before memory is taken.
inline constexpr std::int64_t kMaxBodies = 10'000'000;

/// All problems of a scene as written: ranges, names, references, shapes. Empty means it can be expanded.
std::vector<Issue> validate(const Scene& scene);

/// The scene with includes merged, generators unrolled, every body, joint and force named and every body's
/// material set ("default" is added when needed): what a World is built from. Throws InputError.
Scene expand(const Scene& scene);

}  // namespace impuls
