// Method presets and the short form "accurate+substeps=16+integrator=rk4".
#include "impuls/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "scene/check_fields.h"

namespace impuls {

namespace {

template <class E>
void set_part(std::optional<E>& part, const std::string& key, const std::string& value, const Field& field) {
    if constexpr (EnumField<E>) {
        constexpr auto names = EnumNames<E>::names;
        const auto found = std::find(names.begin(), names.end(), value);
        const std::vector<std::string> known(names.begin(), names.end());
        if (found == names.end()) {
            throw InputError(fmt::format("unknown {} '{}'{}", key, value, did_you_mean(value, known)));
        }
        part = static_cast<E>(found - names.begin());
    } else {
        E number{};
        const char* end = value.data() + value.size();
        const auto result = std::from_chars(value.data(), end, number);
        if (result.ec != std::errc() || result.ptr != end) {
            throw InputError(
                fmt::format("{}: '{}' is not a {}number", key, value, std::is_integral_v<E> ? "whole " : ""));
        }
        const std::string problem = number_problem(static_cast<double>(number), field);
        if (!problem.empty()) throw InputError(fmt::format("{}: {}", key, problem));
        part = number;
    }
}

void set_key(MethodDesc& desc, const std::string& key, const std::string& value) {
    std::vector<std::string> known;
    bool found = false;
    MethodDesc::visit_fields([&](const char* name, auto member, const Field& field) {
        if constexpr (OptionalField<std::decay_t<decltype(desc.*member)>>) {
            known.emplace_back(name);
            if (key != name) return;
            found = true;
            set_part(desc.*member, key, value, field);
        }
    });
    if (!found)
        throw InputError(fmt::format("unknown part '{}' of a method{}", key, did_you_mean(key, known)));
}

}  // namespace

const std::vector<Method>& method_presets() {
    static const std::vector<Method> presets = [] {
        Method usual;
        usual.preset = "default";
        usual.solver = Solver::Sparse;
        usual.impacts = ImpactOrder::Propagating;
        usual.closure = Closure::Preview;
        usual.friction_directions = 8;
        usual.substeps = 8;
        usual.iterations = 2;
        usual.warm_start = 1;
        usual.correction_iterations = 5;
        usual.erp = 0.2;
        usual.weight = 0.01;
        usual.articulated = Switch::On;
        usual.turn = 0.08;
        usual.tolerance = 1e-6;
        usual.blocks_from = 9;
        usual.sink = 1e-3;
        usual.gear_values = 6;
        Method accurate = usual;
        accurate.preset = "accurate";
        accurate.integrator = Integrator::Rk4;
        accurate.substeps = 32;
        accurate.iterations = 8;
        accurate.composed = Switch::On;
        accurate.turn = 0.02;
        accurate.tolerance = 1e-9;
        accurate.blocks_from = 0;
        Method fast = usual;
        fast.preset = "fast";
        fast.stepper = Stepper::Blocks;
        fast.substeps = 4;
        fast.iterations = 1;
        fast.blocks_from = 0;
        // Erleben 2005, chapter 7: at most ten sweeps from nothing, shock propagation, projection.
        Method erleben = usual;
        erleben.preset = "erleben";
        erleben.stepper = Stepper::Velocity;
        erleben.substeps = 1;
        erleben.iterations = 10;
        erleben.warm_start = 0;
        erleben.shock = Switch::On;
        erleben.sleep = Switch::On;
        erleben.blocks_from = 0;
        // AERO (Stuttgart 1993): forces integrated by Dormand and Prince, penalty contacts, impacts one by
        // one.
        Method aero = usual;
        aero.preset = "aero";
        aero.stepper = Stepper::ForceLevel;
        aero.integrator = Integrator::DormandPrince;
        aero.tolerance = 1e-8;
        aero.blocks_from = 0;
        return std::vector{usual, accurate, fast, erleben, aero};
    }();
    return presets;
}

namespace {

// Takes over what is given in the description for the part of that name.
template <class T>
void override_part(Method& method, const char* name, const std::optional<T>& value) {
    if (!value) return;
    Method::visit_fields([&](const char* part, auto member, const Field&) {
        if constexpr (std::is_same_v<std::remove_reference_t<decltype(method.*member)>, T>)
            if (std::string_view(part) == name) method.*member = *value;
    });
}

bool has_own_solver(const MethodDesc& desc) {
    bool has = false;
    MethodDesc::visit_fields([&](const char* name, auto member, const Field&) {
        if constexpr (OptionalField<std::decay_t<decltype(desc.*member)>>)
            has |= std::string_view(name) != "sleep" && (desc.*member).has_value();
    });
    return has;
}

// The force stepper's integrators are its own, and so is what a tolerance means there.
void settle_force(const MethodDesc& desc, const Method& preset, Method& method) {
    const bool is_own = method.integrator >= Integrator::DormandPrince;
    const char* name = EnumNames<Integrator>::names[static_cast<std::size_t>(method.integrator)];
    if (method.stepper != Stepper::ForceLevel) {
        if (is_own && !desc.integrator) method.integrator = Integrator::SemiImplicit;
        if (is_own && desc.integrator)
            throw InputError(fmt::format("integrator: '{}' is one of stepper 'force'", name));
        if (method.impacts == ImpactOrder::Sequential)
            throw InputError("impacts: 'sequential' is one of stepper 'force'");
        return;
    }
    if (!is_own && desc.integrator)
        throw InputError(fmt::format(
            "integrator: '{}' is none of stepper 'force', which has dormand_prince, rosenbrock, runge_kutta, "
            "verlet, semi_implicit_euler, midpoint and gear",
            name));
    if (!is_own) method.integrator = Integrator::DormandPrince;
    if (!desc.tolerance && preset.stepper != Stepper::ForceLevel) method.tolerance = 1e-8;
}

}  // namespace

Method resolve(const MethodDesc& desc) {
    std::vector<std::string> known;
    for (const Method& preset : method_presets()) {
        known.push_back(preset.preset);
        if (preset.preset != desc.preset) continue;
        Method method = preset;
        // Whoever asks for a solver, or for more substeps, is to have them in large islands, too.
        if (has_own_solver(desc)) method.blocks_from = 0;
        MethodDesc::visit_fields([&](const char* name, auto member, const Field&) {
            if constexpr (OptionalField<std::decay_t<decltype(desc.*member)>>)
                override_part(method, name, desc.*member);
        });
        settle_force(desc, preset, method);
        return method;
    }
    throw InputError(fmt::format("unknown method '{}'{}", desc.preset, did_you_mean(desc.preset, known)));
}

namespace {

// All parts, or only those that are other than in `usual`.
std::string spell(const Method& method, const Method* usual) {
    std::string text = method.preset;
    Method::visit_fields([&](const char* name, auto member, const Field&) {
        using Value = std::remove_cvref_t<decltype(method.*member)>;
        if (usual && method.*member == usual->*member) return;
        if constexpr (EnumField<Value>) {
            text += fmt::format("+{}={}", name,
                                EnumNames<Value>::names[static_cast<std::size_t>(method.*member)]);
        } else if constexpr (!std::is_same_v<Value, std::string>) {
            text += fmt::format("+{}={}", name, method.*member);
        }
    });
    return text;
}

}  // namespace

std::string method_text(const Method& method) {
    return spell(method, nullptr);
}

std::string method_name(const Method& method) {
    const auto& presets = method_presets();
    const auto is_own = [&](const Method& preset) { return preset.preset == method.preset; };
    const auto usual = std::find_if(presets.begin(), presets.end(), is_own);
    return spell(method, usual == presets.end() ? nullptr : &*usual);
}

MethodDesc parse_method(const std::string& text) {
    MethodDesc desc;
    for (std::size_t start = 0, part = 0; start <= text.size(); ++part) {
        const std::size_t end = std::min(text.find('+', start), text.size());
        const std::string piece = text.substr(start, end - start);
        const std::size_t equals = piece.find('=');
        if (part == 0 && equals == std::string::npos) {
            desc.preset = piece;
        } else if (equals == std::string::npos) {
            throw InputError(fmt::format("'{}' is not of the form key=value", piece));
        } else {
            set_key(desc, piece.substr(0, equals), piece.substr(equals + 1));
        }
        start = end + 1;
    }
    resolve(desc);
    return desc;
}

}  // namespace impuls
