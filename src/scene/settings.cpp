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
        std::int64_t number = 0;
        const char* end = value.data() + value.size();
        const auto result = std::from_chars(value.data(), end, number);
        if (result.ec != std::errc() || result.ptr != end) {
            throw InputError(fmt::format("{}: '{}' is not a whole number", key, value));
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
    static const std::vector<Method> presets{
        {"default", Stepper::Impulse, Solver::Sequential, Integrator::SemiImplicit, 8, 2},
        {"accurate", Stepper::Impulse, Solver::Sequential, Integrator::Rk4, 32, 8},
        {"fast", Stepper::Impulse, Solver::Sequential, Integrator::SemiImplicit, 4, 1},
    };
    return presets;
}

Method resolve(const MethodDesc& desc) {
    std::vector<std::string> known;
    for (Method method : method_presets()) {
        known.push_back(method.preset);
        if (method.preset != desc.preset) continue;
        method.stepper = desc.stepper.value_or(method.stepper);
        method.solver = desc.solver.value_or(method.solver);
        method.integrator = desc.integrator.value_or(method.integrator);
        method.substeps = desc.substeps.value_or(method.substeps);
        method.iterations = desc.iterations.value_or(method.iterations);
        return method;
    }
    throw InputError(fmt::format("unknown method '{}'{}", desc.preset, did_you_mean(desc.preset, known)));
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
