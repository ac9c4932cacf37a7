// Commands in the order of their times: a body exists from its put to its remove.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "impuls/quantity.h"
#include "scene/check_fields.h"
#include "scene/quantity_expression.h"
#include "scene/validator.h"

namespace impuls {

namespace {

template <class Visit>
void visit_puts(const Scene& scene, Visit&& visit) {
    for (const TimedCommand& timed : scene.timeline)
        visit_changes(timed.command, [&](const auto& change) {
            if constexpr (std::is_same_v<std::decay_t<decltype(change)>, Put>) visit(change);
        });
}

}  // namespace

bool Validator::Living::has(const std::string& name) const {
    return added.count(name) > 0 || (table.has(name) && removed.count(name) == 0);
}

void Validator::check_timeline() {
    std::vector<std::size_t> order(root_.timeline.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return root_.timeline[a].time < root_.timeline[b].time;
    });
    Living bodies{bodies_}, joints{joints_}, forces{forces_};
    for (const std::size_t k : order) {
        const std::string path = element_path("timeline", k);
        if (!has_broken(root_, path)) check_command(path, root_.timeline[k].command, bodies, joints, forces);
    }
}

void Validator::check_command(const std::string& path, const Command& command, Living& bodies, Living& joints,
                              Living& forces) {
    const auto check = [&](const std::string& at) {
        return [&, at](const auto& c) { check_change(at, c, bodies, joints, forces); };
    };
    if (const auto* batch = std::get_if<Batch>(&command)) {
        for (std::size_t k = 0; k < batch->commands.size(); ++k)
            std::visit(check(path + element_path("commands", k)), batch->commands[k]);
    } else {
        visit_changes(command, check(path));
    }
}

template <class C>
void Validator::check_change(const std::string& path, const C& c, Living& bodies, Living& joints,
                             Living& forces) {
    const auto must_exist = [&](const Living& living, const NameTable& table, const char* kind,
                                const std::string& name, const std::string& field) {
        if (living.has(name)) return true;
        const bool gone = living.removed.count(name) > 0;
        report(root_, path + "/" + field,
               fmt::format("unknown {} '{}'{}", kind, name,
                           gone ? " (removed before)" : table.suggestion(name)));
        return false;
    };
    if constexpr (std::is_same_v<C, Put>) {
        check_put(path, c, bodies, joints, forces);
    } else if constexpr (std::is_same_v<C, Remove>) {
        const auto remove = [&](Living& living, const NameTable& table, const char* kind, const char* list,
                                const std::vector<std::string>& names) {
            for (std::size_t k = 0; k < names.size(); ++k) {
                if (!must_exist(living, table, kind, names[k], element_path(list, k).substr(1))) continue;
                living.added.erase(names[k]);
                living.removed.insert(names[k]);
            }
        };
        remove(joints, joints_, "joint", "joints", c.joints);
        remove(forces, forces_, "force", "forces", c.forces);
        remove(bodies, bodies_, "body", "bodies", c.bodies);
    } else if constexpr (std::is_same_v<C, Drag>) {
        must_exist(bodies, bodies_, "body", c.body, "body");
        if (c.target) forces.added.insert("drag of " + c.body);
    } else if constexpr (std::is_same_v<C, SetMethod>) {
        check_method(path + "/method", c.method);
    } else if constexpr (std::is_same_v<C, EnableForce>) {
        must_exist(forces, forces_, "force", c.name, "name");
    } else if constexpr (requires { c.joint; }) {
        const bool known = must_exist(joints, joints_, "joint", c.joint, "joint");
        if constexpr (std::is_same_v<C, SetAxis>)
            if (known) check_axis_name(path, c);
    } else if constexpr (requires { c.body; }) {
        must_exist(bodies, bodies_, "body", c.body, "body");
    }
}

void Validator::check_put(const std::string& path, const Put& put, Living& bodies, Living& joints,
                          Living& forces) {
    const auto at = [&](const char* list, std::size_t k) { return path + element_path(list, k); };
    std::set<std::string> materials;
    for (std::size_t k = 0; k < put.materials.size(); ++k) {
        materials.insert(put.materials[k].name);
        check_material_rules(put.materials[k], [&](const std::string& below, const std::string& problem) {
            report(root_, at("materials", k) + below, problem);
        });
    }
    new_materials_.insert(materials.begin(), materials.end());
    for (std::size_t k = 0; k < put.contacts.size(); ++k) {
        const ContactDesc& contact = put.contacts[k];
        const auto problem = [&](const std::string& below, const std::string& text) {
            if (!text.empty()) report(root_, at("contacts", k) + below, text);
        };
        problem("/a", material_problem(contact.a));
        problem("/b", material_problem(contact.b));
        check_contact_rules(contact, problem);
    }
    for (std::size_t k = 0; k < put.bodies.size(); ++k) {
        check_new(at("bodies", k), put.bodies[k], bodies);
        const std::string problem = grain_wall_problem(put.bodies[k], root_.granular);
        if (has_grains_ && !problem.empty()) report(root_, at("bodies", k) + "/kind", problem);
    }
    for (std::size_t k = 0; k < put.joints.size(); ++k) {
        const JointDesc& joint = put.joints[k];
        check_new(at("joints", k), joint, joints);
        check_end(at("joints", k) + "/a", joint.a, bodies);
        check_end(at("joints", k) + "/b", joint.b, bodies);
        check_end(at("joints", k) + "/frame", joint.frame, bodies);
    }
    for (std::size_t k = 0; k < put.forces.size(); ++k) {
        check_new(at("forces", k), put.forces[k], forces);
        check_end(at("forces", k) + "/a", put.forces[k].a, bodies);
        check_end(at("forces", k) + "/b", put.forces[k].b, bodies);
    }
}

void Validator::check_end(const std::string& path, const std::string& body, const Living& bodies) {
    if (body.empty() || bodies.has(body)) return;
    report(root_, path, fmt::format("unknown body '{}'{}", body, bodies_.suggestion(body)));
}

void Validator::check_axis_name(const std::string& path, const SetAxis& command) {
    const JointDesc* joint = find_joint(command.joint);
    if (!joint) return;
    std::vector<std::string> known;
    visit_axes(joint->joint, [&](const char* name, const AxisDesc&) { known.emplace_back(name); });
    if (std::find(known.begin(), known.end(), command.axis) != known.end()) return;
    report(root_, path + "/axis",
           fmt::format("joint '{}' has no free axis '{}'{}", command.joint, command.axis,
                       did_you_mean(command.axis, known)));
}

template <class T>
void Validator::check_new(const std::string& path, const T& thing, Living& living) {
    bool in_range = true;  // else reported already, and a shape may be anything
    FieldCheck([&](const Path&, const std::string&) { in_range = false; }).walk(thing, Path{});
    check_rules(root_, thing, in_range,
                [&](const std::string& at, const std::string& m) { report(root_, path + at, m); });
    if (thing.repeat) report(root_, path + "/repeat", "a command puts single things");
    if (thing.name.empty()) return report(root_, path + "/name", "what is put needs a name");
    living.added.insert(thing.name);
}

namespace {

// The names a quantity may mean: what follows "bodies." up to any of its dots.
std::vector<std::string> names_meant(const std::string& quantity, const std::string& family) {
    std::vector<std::string> names;
    if (quantity.compare(0, family.size(), family) != 0) return names;
    for (std::size_t dot = quantity.find('.', family.size()); dot != std::string::npos;
         dot = quantity.find('.', dot + 1)) {
        names.push_back(quantity.substr(family.size(), dot - family.size()));
    }
    return names;
}

}  // namespace

// The joint of this name, or the generator that makes it.
const JointDesc* Validator::find_joint(const std::string& name) const {
    const std::string generator = name.substr(0, name.rfind('['));
    for (const ScenePart& part : parts_) {
        const std::vector<Made>& made = info_.at(part.scene).joints;
        for (std::size_t k = 0; k < part.scene->joints.size(); ++k) {
            const JointDesc& joint = part.scene->joints[k];
            const auto& names = made[k].names;
            const bool is_one = std::any_of(names.begin(), names.end(),
                                            [&](const auto& n) { return part.prefix + n == name; });
            if (is_one || part.prefix + joint.name == (joint.repeat ? generator : name)) return &joint;
        }
    }
    const JointDesc* found = nullptr;
    visit_puts(root_, [&](const Put& put) {
        for (const JointDesc& joint : put.joints)
            if (!found && joint.name == name) found = &joint;
    });
    return found;
}

// Quantities, also in expressions and conditions, are looked up in a small structure that holds only the
// bodies and joints they may mean, and the single ones for suggestions.
void Validator::check_measure() {
    constexpr std::size_t kEnoughToSuggest = 1000;
    Scene structure;
    for (const ScenePart& part : parts_)
        structure.grains.insert(structure.grains.end(), part.scene->grains.begin(), part.scene->grains.end());
    const auto add_body = [&](const std::string& name) {
        if (structure.bodies.size() < kEnoughToSuggest) structure.bodies.emplace_back().name = name;
    };
    const auto add_joint = [&](const std::string& name) {
        if (structure.joints.size() >= kEnoughToSuggest) return;
        JointDesc& joint = structure.joints.emplace_back();
        joint.name = name;
        if (const JointDesc* known = find_joint(name)) joint.joint = known->joint;
    };
    std::set<std::string> added;
    visit_puts(root_, [&](const Put& put) {
        for (const BodyDesc& body : put.bodies) added.insert("bodies." + body.name);
        for (const JointDesc& joint : put.joints) added.insert("joints." + joint.name);
    });
    const auto check = [&](const std::string& text, const std::string& path, auto&& find) {
        structure.bodies.clear();
        structure.joints.clear();
        ExpressionNames names;
        if (is_quantity_expression(text)) names = names_of_expression(text);
        names.quantities.push_back(text);
        for (const std::string& name : names.bodies)
            if (bodies_.has(name) || added.count("bodies." + name)) add_body(name);
        for (const std::string& quantity : names.quantities) {
            for (const std::string& name : names_meant(quantity, "bodies."))
                if (bodies_.has(name) || added.count("bodies." + name)) add_body(name);
            for (const std::string& name : names_meant(quantity, "joints."))
                if (joints_.has(name) || added.count("joints." + name)) add_joint(name);
        }
        for (const BodyDesc& body : root_.bodies) {
            if (!body.name.empty()) add_body(body.repeat ? body.name + "[0]" : body.name);
        }
        for (const JointDesc& joint : root_.joints) {
            if (!joint.name.empty()) add_joint(joint.repeat ? joint.name + "[0]" : joint.name);
        }
        try {
            find(text, structure);
        } catch (const InputError& error) {
            report(root_, path, error.issues().front().message);
        }
    };
    const auto quantity = [](const std::string& text, const Scene& scene) { find_quantity(text, scene); };
    const auto condition = [](const std::string& text, const Scene& scene) { find_condition(text, scene); };
    for (std::size_t k = 0; k < root_.measure.size(); ++k)
        check(root_.measure[k].quantity, element_path("measure", k) + "/quantity", quantity);
    for (std::size_t k = 0; k < root_.timeline.size(); ++k) {
        const std::string path = element_path("timeline", k);
        if (!root_.timeline[k].when.empty()) check(root_.timeline[k].when, path + "/when", condition);
        const bool has_time = root_.places.empty() || root_.places.count(path + "/time") > 0;
        if (root_.timeline[k].when.empty() && !has_time) report(root_, path, "'time' is missing");
    }
    if (!root_.settings.stop_when.empty()) check(root_.settings.stop_when, "/settings/stop_when", condition);
}

}  // namespace impuls
