// Method presets, which are data, and the short form "accurate+substeps=16+integrator=rk4".
#include "impuls/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "scene/check_fields.h"

namespace impuls {

namespace {

// What a preset changes in another one, in the short form; "": in nothing at all, so that it must say all.
struct PresetText {
    const char* name;
    const char* base;
    const char* changes;
};

constexpr PresetText kPresets[] = {
    {"default", "",
     "integrator=semi_implicit+sleep=off+stepper=impulse+solver=sparse+friction=cone+friction_directions=8"
     "+substeps=8+iterations=2+warm_start=1+closure=preview+impacts=propagating+shock=off+articulated=on"
     "+composed=off+turn=0.08+tolerance=1e-6+budget=0+blocks_from=9"},
    {"accurate", "default",
     "integrator=rk4+substeps=32+iterations=8+composed=on+turn=0.02+tolerance=1e-9+blocks_from=0"},
    {"fast", "default", "stepper=blocks+substeps=4+iterations=1"},
    // Erleben 2005, chapter 7: at most ten sweeps from nothing, shock propagation, projection.
    {"erleben", "default",
     "sleep=on+stepper=velocity+substeps=1+iterations=10+warm_start=0+correction=projection"
     "+correction_iterations=5+erp=0.2+shock=on+weight=0.01"},
    // AERO (Stuttgart 1993): forces integrated by Dormand and Prince, penalty contacts, impacts one by one.
    {"aero", "default",
     "stepper=force+integrator=dormand_prince+substeps=8+tolerance=1e-8+impacts=propagating+contact=penalty"
     "+friction_law=regularised+contact_search=eager+sink=1e-3+impact_speed=0+slip_speed=0+collision_grid=0+"
     "least_step=0+gear_values=6"
     "+gravity_noise=0"},
    // Bender 2014, chapter 3: impulses joint by joint and point by point, each looking ahead for itself,
    // until all are within the tolerance. Corrected: velocities get a phase of their own and impacts are
    // resolved from body to body, so that no energy comes from nowhere. Without the stack freezing of 3.6.1,
    // which holds back what hangs on joints: a chain of five rods would lose 32 J in a second.
    {"bender", "default", "solver=impulse_iteration+substeps=1+iterations=100+articulated=off+blocks_from=0"},
};

// visit(name, member, field) for every option of a Described struct that is a single value.
template <class T, class Visit>
void visit_options(Visit&& visit) {
    T::visit_fields([&](const char* name, auto member, const Field& field) {
        using Member = std::decay_t<decltype(std::declval<T&>().*member)>;
        if constexpr (EnumField<Member> || std::is_arithmetic_v<Member>) {
            visit(name, member, field);
        } else if constexpr (OptionalField<Member>) {
            using Value = typename Member::value_type;
            if constexpr (EnumField<Value> || std::is_arithmetic_v<Value>) visit(name, member, field);
        }
    });
}

// Calls set(to's member, from's member) for options of the same name and kind.
template <class From, class To, class Set>
void match_options(const From& from, To& to, Set&& set) {
    visit_options<From>([&](const char* name, auto source, const Field&) {
        visit_options<To>([&](const char* other, auto target, const Field&) {
            if (std::string_view(name) != other) return;
            if constexpr (requires { set(to.*target, from.*source); }) set(to.*target, from.*source);
        });
    });
}

constexpr auto kTakeValue = []<class T>(T& to, const T& from) { to = from; };
constexpr auto kTakeGiven = []<class T>(T& to, const std::optional<T>& from) {
    if (from) to = *from;
};

// The stepper of a preset as one of another type: what both have is kept, `shock` and the force
// stepper's tolerance apart, which mean different things; the rest is as in the first preset that has this
// type, large islands apart.
StepperFamily<Decided> converted(const StepperFamily<Decided>& from, std::size_t type,
                                 std::span<const Method> presets) {
    if (from.index() == type) return from;
    StepperFamily<Decided> to;
    std::size_t k = 0;
    visit_family<StepperFamily<Decided>>([&]<class A>(std::type_identity<A>) {
        if (k++ == type) to.template emplace<A>();
    });
    for (const Method& preset : presets)
        if (preset.stepper.index() == type) {
            to = preset.stepper;
            break;
        }
    std::visit(
        []<class From, class To>(const From& source, To& target) {
            const To usual = target;
            match_options(source, target, kTakeValue);
            if constexpr (requires { target.shock; }) target.shock = Switch::Off;
            if constexpr (std::is_same_v<From, ForceMethod> || std::is_same_v<To, ForceMethod>)
                if constexpr (requires { target.tolerance; }) target.tolerance = usual.tolerance;
        },
        from, to);
    if (auto* impulse = std::get_if<ImpulseMethod>(&to)) impulse->blocks_from = 0;
    return to;
}

void apply_changes(const MethodDesc& changes, std::span<const Method> presets, Method& method) {
    match_options(changes, method, kTakeGiven);
    if (!changes.stepper) return;
    method.stepper = converted(method.stepper, changes.stepper->index(), presets);
    std::visit([](const auto& given, auto& target) { match_options(given, target, kTakeGiven); },
               *changes.stepper, method.stepper);
}

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

template <class T>
bool set_key(T& options, const std::string& key, const std::string& value, std::vector<std::string>& known) {
    bool found = false;
    visit_options<T>([&](const char* name, auto member, const Field& field) {
        known.emplace_back(name);
        if (key != name) return;
        found = true;
        set_part(options.*member, key, value, field);
    });
    return found;
}

// The types of steppers that have the option.
std::vector<std::string> types_with(const std::string& option) {
    std::vector<std::string> types;
    visit_family<StepperFamily<Decided>>([&]<class A>(std::type_identity<A>) {
        visit_options<A>([&](const char* name, auto, const Field&) {
            if (option == name) types.emplace_back(A::kType);
        });
    });
    return types;
}

// "a, b and c"
std::string listed(const std::vector<std::string>& words) {
    const std::string last = words.back();
    if (words.size() == 1) return last;
    return fmt::format("{} and {}", fmt::join(words.begin(), words.end() - 1, ", "), last);
}

void set_key(MethodDesc& desc, const std::string& key, const std::string& value) {
    std::vector<std::string> known{"stepper"};
    if (set_key(desc, key, value, known)) return;
    const bool found =
        std::visit([&](auto& options) { return set_key(options, key, value, known); }, *desc.stepper);
    if (found) return;
    const std::string type =
        std::visit([](const auto& o) { return std::decay_t<decltype(o)>::kType; }, *desc.stepper);
    if (const auto types = types_with(key); !types.empty())
        throw InputError(
            fmt::format("{}: the {} stepper has no such option (only {})", key, type, listed(types)));
    const std::string near = did_you_mean(key, known);
    throw InputError(fmt::format("unknown part '{}' of a method{}", key,
                                 near.empty() ? fmt::format(" (one of {})", fmt::join(known, ", ")) : near));
}

// An empty stepper of that type.
StepperFamily<std::optional> stepper_of(const std::string& type) {
    StepperFamily<std::optional> stepper;
    bool found = false;
    visit_family<StepperFamily<std::optional>>([&]<class A>(std::type_identity<A>) {
        if (type != A::kType) return;
        stepper.template emplace<A>();
        found = true;
    });
    if (found) return stepper;
    const auto known = family_names<StepperFamily<std::optional>>();
    throw InputError(fmt::format("unknown stepper '{}'{}", type, did_you_mean(type, known)));
}

StepperFamily<std::optional> stepper_of(std::size_t type) {
    StepperFamily<std::optional> stepper;
    std::size_t k = 0;
    visit_family<StepperFamily<std::optional>>([&]<class A>(std::type_identity<A>) {
        if (k++ == type) stepper.template emplace<A>();
    });
    return stepper;
}

bool is_untouched(const StepperFamily<std::optional>& stepper) {
    return same(stepper, stepper_of(stepper.index()));
}

struct KeyValue {
    std::string key, value;
};

// "key=value+key=value"
std::vector<KeyValue> split(const std::string& text) {
    std::vector<KeyValue> parts;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find('+', start), text.size());
        const std::string piece = text.substr(start, end - start);
        const std::size_t equals = piece.find('=');
        if (equals == std::string::npos)
            throw InputError(fmt::format("'{}' is not of the form key=value", piece));
        parts.push_back({piece.substr(0, equals), piece.substr(equals + 1)});
        start = end + 1;
    }
    return parts;
}

// Changes to a method whose stepper is of the type given unless they name one.
void read_changes(MethodDesc& desc, const std::vector<KeyValue>& changes, std::size_t type) {
    desc.stepper = stepper_of(type);
    bool names_stepper = false;
    for (const auto& [key, value] : changes)
        if (key == "stepper") {
            desc.stepper = stepper_of(value);
            names_stepper = true;
        }
    for (const auto& [key, value] : changes)
        if (key != "stepper") set_key(desc, key, value);
    if (!names_stepper && is_untouched(*desc.stepper)) desc.stepper.reset();
}

const Method& preset_of(std::span<const Method> presets, const std::string& name) {
    std::vector<std::string> known;
    for (const Method& method : presets) {
        known.push_back(method.preset);
        if (method.preset == name) return method;
    }
    const std::string near = did_you_mean(name, known);
    throw InputError(fmt::format("unknown method '{}'{}", name,
                                 near.empty() ? fmt::format(" (one of {})", fmt::join(known, ", ")) : near));
}

// The force stepper's integrators are its own, and so is one order of impacts.
void settle_force(const MethodDesc& desc, Method& method) {
    const bool is_own = method.integrator >= Integrator::DormandPrince;
    const char* name = EnumNames<Integrator>::names[static_cast<std::size_t>(method.integrator)];
    if (!method.is<ForceMethod>()) {
        if (is_own && desc.integrator)
            throw InputError(fmt::format("integrator: '{}' is one of stepper 'force'", name));
        if (is_own) method.integrator = Integrator::SemiImplicit;
        if (method.rattle_if() && method.rattle().impacts == ImpactOrder::Sequential)
            throw InputError("impacts: 'sequential' is one of stepper 'force'");
        return;
    }
    if (!is_own && desc.integrator)
        throw InputError(fmt::format(
            "integrator: '{}' is none of stepper 'force', which has dormand_prince, rosenbrock, runge_kutta, "
            "verlet, semi_implicit_euler, midpoint and gear",
            name));
    if (!is_own) method.integrator = Integrator::DormandPrince;
}

std::vector<Method> read_presets() {
    std::vector<Method> presets;
    for (const PresetText& text : kPresets) {
        Method method;
        if (*text.base) method = preset_of(presets, text.base);
        method.preset = text.name;
        MethodDesc changes;
        read_changes(changes, split(text.changes), method.stepper.index());
        apply_changes(changes, presets, method);
        presets.push_back(method);
    }
    return presets;
}

}  // namespace

const std::vector<Method>& method_presets() {
    static const std::vector<Method> presets = read_presets();
    return presets;
}

const RattleMethod& Method::of_impulses() {
    return *method_presets().front().rattle_if();
}

const ForceMethod& Method::of_forces() {
    const auto& presets = method_presets();
    return std::get<ForceMethod>(std::find_if(presets.begin(), presets.end(), [](const Method& m) {
                                     return m.is<ForceMethod>();
                                 })->stepper);
}

Method resolve(const MethodDesc& desc) {
    Method method = preset_of(method_presets(), desc.preset);
    apply_changes(desc, method_presets(), method);
    settle_force(desc, method);
    return method;
}

namespace {

template <class T>
void spell(const T& options, const T* usual, std::string& text) {
    visit_options<T>([&](const char* name, auto member, const Field&) {
        using Value = std::remove_cvref_t<decltype(options.*member)>;
        if (usual && options.*member == usual->*member) return;
        if constexpr (EnumField<Value>) {
            text += fmt::format("+{}={}", name,
                                EnumNames<Value>::names[static_cast<std::size_t>(options.*member)]);
        } else {
            text += fmt::format("+{}={}", name, options.*member);
        }
    });
}

// All parts, or only those that are other than in `usual`.
std::string spell(const Method& method, const Method* usual) {
    std::string text = method.preset;
    spell<MethodParts<Decided>>(method, usual, text);
    const bool is_other = usual && usual->stepper.index() != method.stepper.index();
    const StepperFamily<Decided> base =
        usual ? converted(usual->stepper, method.stepper.index(), method_presets())
              : StepperFamily<Decided>{};
    std::visit(
        [&](const auto& options) {
            using Options = std::decay_t<decltype(options)>;
            if (!usual || is_other) text += fmt::format("+stepper={}", Options::kType);
            spell<Options>(options, usual ? &std::get<Options>(base) : nullptr, text);
        },
        method.stepper);
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
    const std::size_t plus = text.find('+');
    const std::string first = text.substr(0, plus);
    std::string changes = text;
    if (first.find('=') == std::string::npos) {
        desc.preset = first;
        changes = plus == std::string::npos ? "" : text.substr(plus + 1);
    }
    const Method& preset = preset_of(method_presets(), desc.preset);
    if (!changes.empty()) read_changes(desc, split(changes), preset.stepper.index());
    resolve(desc);  // complains of what does not go together
    return desc;
}

}  // namespace impuls
