// Ranges, shapes, generators and counts. Nothing is unrolled before the counts are known to be sane.
#include "scene/validator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/motion/script.h"
#include "scene/check_fields.h"
#include "scene/grain_sets.h"
#include "scene/unroll.h"

namespace impuls {

std::unique_ptr<Scope> generator_scope(const Scene& scene) {
    auto scope = std::make_unique<Scope>();
    for (const Variable& variable : scene.variables) {
        if (bad_variable_name(variable.name).empty()) scope->set(variable.name, variable.value);
    }
    scope->set_indexed(true);
    return scope;
}

std::string element_path(const char* list, std::size_t number) {
    return fmt::format("/{}/{}", list, number);
}

Validator::Validator(const Scene& scene, const BrokenPaths& broken)
    : root_(scene), broken_(broken), parts_(scene_parts(scene)), scenes_(distinct_scenes(parts_)) {}

std::vector<Issue> Validator::run() {
    for (const Scene* scene : scenes_) check_fields(*scene);
    check_method("/settings/method", root_.settings.method);
    check_times();
    check_timers();
    if (!counts_are_sane()) return in_file_order(std::move(issues_), root_.file);
    collect_materials();
    check_contacts();
    check_grain_sets();
    for (const Scene* scene : scenes_) {
        info_[scene].bodies = check_list(*scene, "bodies", scene->bodies);
        info_[scene].joints = check_list(*scene, "joints", scene->joints);
        info_[scene].forces = check_list(*scene, "forces", scene->forces);
    }
    add_names("bodies", &Scene::bodies, &SceneInfo::bodies, bodies_);
    add_names("joints", &Scene::joints, &SceneInfo::joints, joints_);
    add_names("forces", &Scene::forces, &SceneInfo::forces, forces_);
    if (!names_are_broken()) {
        check_all_ends("joints", &Scene::joints, &SceneInfo::joints);
        check_all_ends("forces", &Scene::forces, &SceneInfo::forces);
        check_timeline();
        check_measure();
    }
    return in_file_order(std::move(issues_), root_.file);
}

void Validator::report(const Scene& scene, const std::string& path, const std::string& message) {
    if (!is_broken(scene, path)) issues_.push_back(issue_at(scene, path, message));
}

bool Validator::is_broken(const Scene& scene, const std::string& path) const {
    const auto paths = broken_.find(&scene);
    if (paths == broken_.end()) return false;
    for (std::string at = path;; at.resize(at.rfind('/'))) {
        if (paths->second.count(at)) return true;
        if (at.empty()) return false;
    }
}

bool Validator::has_broken(const Scene& scene, const std::string& path) const {
    const auto paths = broken_.find(&scene);
    if (paths == broken_.end()) return false;
    if (is_broken(scene, path)) return true;
    const auto below = paths->second.lower_bound(path + "/");
    return below != paths->second.end() && below->compare(0, path.size() + 1, path + "/") == 0;
}

Scope& Validator::scope_of(const Scene& scene) {
    std::unique_ptr<Scope>& scope = scopes_[&scene];
    if (!scope) scope = generator_scope(scene);
    return *scope;
}

// Everything but bodies, joints and forces, which are checked one by one below.
void Validator::check_fields(const Scene& scene) {
    const FieldCheck check([&](const Path& path, const std::string& m) { report(scene, path.text(), m); },
                           root_.settings.duration, steps());
    const Path root;
    Scene::visit_fields([&](const char* name, auto member, const Field& field) {
        using Member = std::decay_t<decltype(scene.*member)>;
        constexpr bool later = std::is_same_v<Member, std::vector<BodyDesc>> ||
                               std::is_same_v<Member, std::vector<JointDesc>> ||
                               std::is_same_v<Member, std::vector<ForceDesc>>;
        if constexpr (!later) check.walk(scene.*member, root / name, field);
    });
    for (const Variable& variable : scene.variables) {
        const std::string problem = bad_variable_name(variable.name);
        if (!problem.empty()) report(scene, "/variables/" + pointer_part(variable.name), problem);
    }
    check_includes(scene);
}

// Their places are boxes along the world's axes: an included scene with grains may be moved, not turned.
void Validator::check_grain_sets() {
    std::set<std::string> names;
    for (const ScenePart& part : parts_) has_grains_ = has_grains_ || !part.scene->grains.empty();
    for (const ScenePart& part : parts_) {
        const Scene& scene = *part.scene;
        for (std::size_t k = 0; k < scene.bodies.size() && has_grains_; ++k)
            if (const std::string problem = grain_wall_problem(scene.bodies[k], root_.granular);
                !problem.empty())
                report(scene, element_path("bodies", k) + "/kind", problem);
        for (std::size_t k = 0; k < scene.grains.size(); ++k) {
            const std::string path = element_path("grains", k);
            const GrainsDesc& desc = scene.grains[k];
            if (const std::string m = material_problem(desc.material); !m.empty())
                report(scene, path + "/material", m);
            if (!desc.name.empty() && !names.insert(part.prefix + desc.name).second)
                report(scene, path + "/name",
                       fmt::format("there are other grains '{}'", part.prefix + desc.name));
            if (part.X_WI.orientation != Quat{})
                report(scene, path, "an included scene with grains cannot be turned");
            if (has_broken(scene, path) || !issues_.empty()) continue;
            check_grains(desc,
                         [&](const std::string& at, const std::string& m) { report(scene, path + at, m); });
        }
    }
}

void Validator::check_includes(const Scene& scene) {
    for (std::size_t k = 0; k < scene.include.size(); ++k) {
        const std::string path = element_path("include", k);
        if (!scene.include[k].scene && !has_broken(scene, path))
            report(scene, path, "the included file is not loaded");
    }
}

void Validator::check_method(const std::string& path, const MethodDesc& method) {
    try {
        resolve(method);
    } catch (const InputError& error) {
        report(root_, path + "/preset", error.issues().front().message);
    }
}

// Runs that could never end, and steps whose square is not a number any more.
void Validator::check_times() {
    const auto& [dt, duration] = std::pair(root_.settings.dt, root_.settings.duration);
    if (!(dt > 0) || !std::isfinite(dt) || !std::isfinite(duration)) return;
    if (!std::isnormal(dt * dt)) report(root_, "/settings/dt", fmt::format("no step can be {} s long", dt));
    if (!(duration / dt > kMostSteps)) return;
    report(root_, duration * dt > 1 ? "/settings/duration" : "/settings/dt",
           fmt::format("{} s in steps of {} s are {:.0e} steps; at most {:.0e} are possible", duration, dt,
                       duration / dt, kMostSteps));
}

double Validator::steps() const {
    const auto& [dt, duration] = std::pair(root_.settings.dt, root_.settings.duration);
    return dt > 0 && std::isfinite(duration / dt) ? duration / dt : 1;
}

// One that ticks faster than the steps would flood the frames.
void Validator::check_timers() {
    std::set<std::string> names;
    for (std::size_t k = 0; k < root_.timers.size(); ++k) {
        const TimerDesc& timer = root_.timers[k];
        if (!names.insert(timer.name).second)
            report(root_, element_path("timers", k) + "/name",
                   fmt::format("there is another timer '{}'", timer.name));
        if (timer.period > 0 && timer.period < root_.settings.dt * (1 - 1e-9))
            report(root_, element_path("timers", k) + "/period", "is shorter than the time step");
    }
}

// ---- counts

template <class T>
bool Validator::count_list(const Scene& scene, const char* list, const std::vector<T>& things,
                           double& total) {
    for (std::size_t k = 0; k < things.size(); ++k) {
        const double copies = copies_of(things[k].repeat);
        total += copies >= 1 ? copies : 1;
        if (total <= static_cast<double>(kMaxBodies)) continue;
        const std::string path = element_path(list, k) + (things[k].repeat ? "/repeat/count" : "");
        report(scene, path,
               fmt::format("brings the number of {} to {}; at most {} are possible", list,
                           total < 1e15 ? fmt::format("{:.0f}", total) : fmt::format("{:.0e}", total),
                           kMaxBodies));
        return false;
    }
    return true;
}

bool Validator::counts_are_sane() {
    if (parts_.size() > kMaxParts) {
        report(root_, "/include", fmt::format("more than {} files are included in all", kMaxParts));
        return false;
    }
    double bodies = 0, joints = 0, forces = 0;
    for (const ScenePart& part : parts_) {
        if (!count_list(*part.scene, "bodies", part.scene->bodies, bodies)) return false;
        if (!count_list(*part.scene, "joints", part.scene->joints, joints)) return false;
        if (!count_list(*part.scene, "forces", part.scene->forces, forces)) return false;
    }
    return true;
}

// ---- single things and generators

template <class T>
std::vector<Validator::Made> Validator::check_list(const Scene& scene, const char* list,
                                                   const std::vector<T>& things) {
    std::vector<Made> made;
    made.reserve(things.size());
    for (std::size_t k = 0; k < things.size(); ++k) {
        const std::string path = element_path(list, k);
        made.push_back(things[k].repeat ? check_generator(scene, path, things[k])
                                        : check_single(scene, path, things[k]));
    }
    return made;
}

template <class T>
Validator::Made Validator::check_single(const Scene& scene, const std::string& path, const T& thing) {
    const std::size_t before = issues_.size();
    FieldCheck([&](const Path& at, const std::string& m) { report(scene, path + at.text(), m); },
               root_.settings.duration, steps())
        .walk(thing, Path{});
    if constexpr (std::is_same_v<T, BodyDesc>) {
        const std::string problem = material_problem(thing.material);
        if (!problem.empty()) report(scene, path + "/material", problem);
    }
    if (issues_.size() == before && !has_broken(scene, path)) {
        check_rules(scene, thing, is_new_shape(thing),
                    [&](const std::string& at, const std::string& m) { report(scene, path + at, m); });
    }
    return {1, {}};
}

// The description is checked once, without the values that differ from copy to copy; those are checked in
// every copy, up to the first copy with a problem.
template <class T>
Validator::Made Validator::check_generator(const Scene& scene, const std::string& path, const T& generator) {
    Unroller<T> unroller(scene, path, generator, scope_of(scene));
    const std::size_t before = issues_.size();
    const auto problem = [&](const std::string& at, const std::string& m) { report(scene, path + at, m); };
    const auto check = [&](const T& thing, const auto& on_problem) {
        FieldCheck([&](const Path& at, const std::string& m) { on_problem(at.text(), m); },
                   root_.settings.duration, steps())
            .walk(thing, Path{});
    };
    check(generator, [&](const std::string& at, const std::string& m) {
        if (!unroller.varies_at(at)) problem(at, m);
    });
    check_repeat(*generator.repeat, problem);
    if (issues_.size() != before || has_broken(scene, path)) return {};
    if (unroller.is_plain()) {
        check_rules(scene, generator, true, problem);
        return {static_cast<std::int64_t>(copies_of(generator.repeat)), {}};
    }

    Made made;
    const bool names_vary = unroller.varies("/name");
    const auto failed = unroller.each([&](const T& copy, const GridIndex& index, std::int64_t number) {
        made.count = number + 1;
        if (names_vary) made.names.push_back(copy.name);
        if (number > 0 && !unroller.varies()) return true;
        const auto in_copy = [&](const std::string& at, const std::string& m) {
            problem(at, unroller.varies() ? "with i = " + json_text(index.i) + ": " + m : m);
        };
        check(copy, in_copy);
        if (issues_.size() == before)
            check_rules(scene, copy, number == 0 || unroller.varies("/shape"), in_copy);
        return issues_.size() == before;
    });
    if (failed) report(scene, failed->path, failed->message);
    return made;
}

namespace {

// Why a body cannot be placed relative to the one it names; "" when it can.
std::string base_problem(const Scene& file, const BodyDesc& body) {
    const BodyDesc* at = &body;
    for (std::size_t steps = 0; !at->relative_to.empty(); ++steps) {
        if (steps > file.bodies.size()) return "these bodies are placed relative to each other in a circle";
        const auto base = std::find_if(file.bodies.begin(), file.bodies.end(),
                                       [&](const BodyDesc& other) { return other.name == at->relative_to; });
        if (base == file.bodies.end()) {
            std::vector<std::string> known;
            for (const BodyDesc& other : file.bodies)
                if (!other.name.empty() && !other.repeat) known.push_back(other.name);
            return fmt::format("there is no body '{}' in this file{}", at->relative_to,
                               did_you_mean(at->relative_to, known));
        }
        if (base->repeat) return fmt::format("'{}' is many bodies: name a single one", at->relative_to);
        at = &*base;
    }
    return {};
}

}  // namespace

void Validator::check_rules(const Scene& file, const BodyDesc& body, bool new_shape,
                            const ReportProblem& problem) {
    if (const std::string m = base_problem(file, body); !m.empty()) problem("/relative_to", m);
    check_body_rules(body, new_shape, problem);
    if (body.motion && body.kind == BodyKind::Kinematic)
        for (const ScriptProblem& p : script_problems(*body.motion, root_.settings.duration, steps()))
            problem("/motion" + p.path, p.message);
    if (const std::string m = material_problem(body.material); !m.empty()) problem("/material", m);
    const auto* areal = body.contact ? std::get_if<ArealContact>(&*body.contact) : nullptr;
    if (!areal) return;
    if (!(areal->layer > 0) && !(areal->stiffness > 0))
        problem("/contact", "areal contact needs a layer, or a stiffness");
    else if (const MaterialDesc* of = material(body.material))
        if (const std::string m = layer_problem(*areal, {of}); !m.empty()) problem("/contact", m);
}

void Validator::check_rules(const Scene&, const JointDesc& joint, bool, const ReportProblem& problem) {
    check_joint_rules(joint, problem);
}

void Validator::check_rules(const Scene&, const ForceDesc& force, bool, const ReportProblem& problem) {
    check_force_rules(force, problem);
}

// Long lists of bodies often share one shape; a hull or mesh need not be looked at for each.
bool Validator::is_new_shape(const BodyDesc& body) {
    const bool is_new = !checked_shape_ || !same(*checked_shape_, body.shape);
    checked_shape_ = &body.shape;
    return is_new;
}

bool Validator::is_new_shape(const JointDesc&) {
    return false;
}

bool Validator::is_new_shape(const ForceDesc&) {
    return false;
}

}  // namespace impuls
