// All checks of a scene with its includes. Scenes just read may have broken parts (reported by the reader
// already); those are left out, so that one mistake gives one message.
// Called by validate(), expand() and the scene loader. validator.cpp: things by themselves;
// validator_names.cpp: names and references; validator_timeline.cpp: commands and measurements.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scene/check.h"
#include "scene/expression.h"
#include "scene/names.h"
#include "scene/parts.h"

namespace impuls {

// Paths that could not be read, by scene.
using BrokenPaths = std::map<const Scene*, std::set<std::string>>;

class Validator {
  public:
    Validator(const Scene& scene, const BrokenPaths& broken);
    std::vector<Issue> run();

  private:
    // What a generator (or a single thing, count 1) will make.
    struct Made {
        std::int64_t count = 0;
        std::vector<std::string> names{};  // when the name is spelt with i
    };
    struct SceneInfo {
        std::vector<Made> bodies{}, joints{}, forces{};
    };
    // The names that exist at a moment of the timeline.
    struct Living {
        const NameTable& table;
        std::set<std::string> added{}, removed{};
        bool has(const std::string& name) const;
    };

    void report(const Scene& scene, const std::string& path, const std::string& message);
    bool is_broken(const Scene& scene, const std::string& path) const;   // at or above
    bool has_broken(const Scene& scene, const std::string& path) const;  // at or below
    bool names_are_broken() const;
    Scope& scope_of(const Scene& scene);

    void check_fields(const Scene& scene);
    void check_includes(const Scene& scene);
    bool counts_are_sane();
    template <class T>
    bool count_list(const Scene& scene, const char* list, const std::vector<T>& things, double& total);
    void collect_materials();
    void check_contacts();
    void check_grain_sets();

    template <class T>
    std::vector<Made> check_list(const Scene& scene, const char* list, const std::vector<T>& things);
    template <class T>
    Made check_single(const Scene& scene, const std::string& path, const T& thing);
    template <class T>
    Made check_generator(const Scene& scene, const std::string& path, const T& generator);
    void check_rules(const Scene& file, const BodyDesc& body, bool new_shape, const ReportProblem& problem);
    void check_rules(const Scene& file, const JointDesc& joint, bool, const ReportProblem& problem);
    void check_rules(const Scene& file, const ForceDesc& force, bool, const ReportProblem& problem);
    bool is_new_shape(const BodyDesc& body);
    bool is_new_shape(const JointDesc& joint);
    bool is_new_shape(const ForceDesc& force);
    std::string material_problem(const std::string& name) const;
    const MaterialDesc* material(const std::string& name) const;

    template <class T>
    void add_names(const char* list, std::vector<T> Scene::*things, std::vector<Made> SceneInfo::*made,
                   NameTable& table);
    template <class T>
    void check_all_ends(const char* list, std::vector<T> Scene::*things, std::vector<Made> SceneInfo::*made);
    template <class T>
    bool check_ends(const ScenePart& part, const std::string& path, const T& thing, const std::string& note);
    void check_timeline();
    void check_command(const std::string& path, const Command& command, Living& bodies, Living& joints,
                       Living& forces);
    template <class C>
    void check_change(const std::string& path, const C& change, Living& bodies, Living& joints,
                      Living& forces);
    void check_put(const std::string& path, const Put& put, Living& bodies, Living& joints, Living& forces);
    template <class T>
    void check_new(const std::string& path, const T& thing, Living& living);
    void check_end(const std::string& path, const std::string& body, const Living& bodies);
    void check_method(const std::string& path, const MethodDesc& method);
    const JointDesc* find_joint(const std::string& name) const;
    void check_axis_name(const std::string& path, const SetAxis& command);
    void check_measure();
    void check_times();
    double steps() const;  // of the run
    void check_timers();

    const Scene& root_;
    const BrokenPaths& broken_;
    std::vector<ScenePart> parts_;
    std::vector<const Scene*> scenes_;
    std::map<const Scene*, SceneInfo> info_{};
    std::map<const Scene*, std::unique_ptr<Scope>> scopes_{};
    std::map<std::string, std::pair<const MaterialDesc*, const Scene*>> materials_{};
    std::vector<std::pair<const ContactDesc*, const Scene*>> contacts_{};
    std::set<std::string> new_materials_{};  // of the timeline
    bool has_grains_ = false;                // in any part
    const Shape* checked_shape_ = nullptr;   // the last one that was looked at
    NameTable bodies_{}, joints_{}, forces_{};
    std::vector<Issue> issues_{};
};

// A scope with the scene's variables and the index names.
std::unique_ptr<Scope> generator_scope(const Scene& scene);
// The list element's path, "/bodies/3".
std::string element_path(const char* list, std::size_t number);

}  // namespace impuls
