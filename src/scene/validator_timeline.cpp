// Commands in the order of their times: a body exists from its add_body to its remove_body.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "impuls/quantity.h"
#include "scene/check_fields.h"
#include "scene/quantity_expression.h"
#include "scene/validator.h"

namespace impuls {

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
    const auto must_exist = [&](const Living& living, const NameTable& table, const char* kind,
                                const std::string& name, const char* field = nullptr) {
        if (living.has(name)) return true;
        const bool gone = living.removed.count(name) > 0;
        report(root_, path + "/" + (field ? field : kind),
               fmt::format("unknown {} '{}'{}", kind, name,
                           gone ? " (removed before)" : table.suggestion(name)));
        return false;
    };
    const auto remove = [](Living& living, const std::string& name) {
        living.added.erase(name);
        living.removed.insert(name);
    };
    std::visit(
        [&](const auto& c) {
            using C = std::decay_t<decltype(c)>;
            if constexpr (std::is_same_v<C, AddBody>) {
                check_new_body(path + "/body", c.body, bodies);
            } else if constexpr (std::is_same_v<C, AddJoint>) {
                check_new_joint(path + "/joint", c.joint, bodies, joints);
            } else if constexpr (std::is_same_v<C, AddForce>) {
                check_new_force(path + "/force", c.force, bodies, forces);
            } else if constexpr (std::is_same_v<C, RemoveForce> || std::is_same_v<C, EnableForce>) {
                const bool known = must_exist(forces, forces_, "force", c.name, "name");
                if (known && std::is_same_v<C, RemoveForce>) remove(forces, c.name);
            } else if constexpr (requires { c.joint; }) {
                const bool known = must_exist(joints, joints_, "joint", c.joint);
                if (known && std::is_same_v<C, RemoveJoint>) remove(joints, c.joint);
                if constexpr (std::is_same_v<C, SetAxis>)
                    if (known) check_axis_name(path, c);
            } else if constexpr (std::is_same_v<C, SetMaterial>) {
                const std::string m = material_problem(c.material.name);
                if (!m.empty()) report(root_, path + "/material/name", m);
                check_material_rules(c.material, [&](const std::string& at, const std::string& problem) {
                    report(root_, path + "/material" + at, problem);
                });
            } else if constexpr (std::is_same_v<C, SetContact>) {
                const auto problem = [&](const std::string& at, const std::string& text) {
                    if (!text.empty()) report(root_, path + "/contact" + at, text);
                };
                problem("/a", material_problem(c.contact.a));
                problem("/b", material_problem(c.contact.b));
                check_contact_rules(c.contact, problem);
            } else if constexpr (requires { c.body; }) {
                const bool known = must_exist(bodies, bodies_, "body", c.body);
                if (known && std::is_same_v<C, RemoveBody>) remove(bodies, c.body);
            }
        },
        command);
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

void Validator::check_new_body(const std::string& path, const BodyDesc& body, Living& bodies) {
    bool in_range = true;  // else reported already, and the shape may be anything
    FieldCheck([&](const Path&, const std::string&) { in_range = false; }).walk(body, Path{});
    check_rules(body, in_range,
                [&](const std::string& at, const std::string& m) { report(root_, path + at, m); });
    if (body.repeat) report(root_, path + "/repeat", "a command adds one body only");
    if (body.name.empty()) return;
    if (bodies.has(body.name))
        report(root_, path + "/name", fmt::format("there is another body '{}'", body.name));
    bodies.added.insert(body.name);
}

void Validator::check_new_joint(const std::string& path, const JointDesc& joint, const Living& bodies,
                                Living& joints) {
    check_joint_rules(joint,
                      [&](const std::string& at, const std::string& m) { report(root_, path + at, m); });
    if (joint.repeat) report(root_, path + "/repeat", "a command adds one joint only");
    const auto check = [&](const char* end, const std::string& name) {
        if (name.empty() || bodies.has(name)) return;
        report(root_, path + end, fmt::format("unknown body '{}'{}", name, bodies_.suggestion(name)));
    };
    check("/a", joint.a);
    check("/b", joint.b);
    check("/frame", joint.frame);
    if (joint.name.empty()) return;
    if (joints.has(joint.name))
        report(root_, path + "/name", fmt::format("there is another joint '{}'", joint.name));
    joints.added.insert(joint.name);
}

void Validator::check_new_force(const std::string& path, const ForceDesc& force, const Living& bodies,
                                Living& forces) {
    check_force_rules(force,
                      [&](const std::string& at, const std::string& m) { report(root_, path + at, m); });
    if (force.repeat) report(root_, path + "/repeat", "a command adds one force only");
    const auto check = [&](const char* end, const std::string& name) {
        if (name.empty() || bodies.has(name)) return;
        report(root_, path + end, fmt::format("unknown body '{}'{}", name, bodies_.suggestion(name)));
    };
    check("/a", force.a);
    check("/b", force.b);
    if (force.name.empty()) return;
    if (forces.has(force.name))
        report(root_, path + "/name", fmt::format("there is another force '{}'", force.name));
    forces.added.insert(force.name);
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
    for (const TimedCommand& timed : root_.timeline)
        if (const auto* add = std::get_if<AddJoint>(&timed.command); add && add->joint.name == name)
            return &add->joint;
    return nullptr;
}

// Quantities, also in expressions and conditions, are looked up in a small structure that holds only the
// bodies and joints they may mean, and the single ones for suggestions.
void Validator::check_measure() {
    constexpr std::size_t kEnoughToSuggest = 1000;
    Scene structure;
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
    for (const TimedCommand& timed : root_.timeline) {
        if (const auto* c = std::get_if<AddBody>(&timed.command)) added.insert("bodies." + c->body.name);
        if (const auto* c = std::get_if<AddJoint>(&timed.command)) added.insert("joints." + c->joint.name);
    }
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
