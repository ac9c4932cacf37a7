// Formulas over what frames tell (quantity_expression.h). A condition may decide what a world does:
// everything here is computed by our own functions and takes no memory while reading.
#include "scene/quantity_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "impuls/errors.h"
#include "impuls/scene.h"
#include "math/formula.h"
#include "math/functions.h"
#include "scene/body_mass.h"
#include "scene/crossing.h"

namespace impuls {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// A body of a frame by name; looked up again when the structure has changed.
class NamedBody {
  public:
    explicit NamedBody(std::string name) : name_(std::move(name)) {}
    // Its index, or the number of bodies.
    std::size_t in(const Frame& frame) {
        if (frame.structure != structure_) {
            structure_ = frame.structure;
            index_ = frame.positions.size();
            for (std::size_t k = 0; structure_ && k < structure_->bodies.size(); ++k)
                if (structure_->bodies[k].name == name_) index_ = k;
        }
        return std::min(index_, frame.positions.size());
    }

  private:
    std::string name_;
    std::shared_ptr<const Scene> structure_{};
    std::size_t index_ = 0;
};

enum class Relation { Distance, Angle, ContactForce, KineticEnergy, PotentialEnergy };

// How many bodies it is about.
constexpr std::size_t arity(Relation kind) {
    return kind == Relation::KineticEnergy || kind == Relation::PotentialEnergy ? 1 : 2;
}

// Energy of a body by its own motion, or by its height in the gravity of the scene. Its mass is found again
// when the structure has changed.
class BodyEnergy {
  public:
    BodyEnergy(Relation kind, std::string name) : kind_(kind), body_(std::move(name)) {}

    double in(const Frame& f) {
        const std::size_t k = body_.in(f);
        if (k >= f.positions.size() || !f.structure) return kUnknown;
        if (f.structure != structure_) weigh(*(structure_ = f.structure), k);
        if (!is_dynamic_) return 0;
        const Quat& q = f.orientations[k];
        if (kind_ == Relation::PotentialEnergy)
            return -mass_.mass * dot(gravity_, f.positions[k] + rotate(q, mass_.center));
        const Vec3 w = rotate_inverse(q, f.angular_velocities[k]);
        return 0.5 * (mass_.mass * length_squared(f.velocities[k]) + dot(w, mass_.inertia * w));
    }

  private:
    void weigh(const Scene& scene, std::size_t k) {
        const BodyDesc& body = scene.bodies[k];
        is_dynamic_ = body.kind == BodyKind::Dynamic;
        gravity_ = scene.settings.gravity * body.gravity_scale;
        for (const MaterialDesc& material : scene.materials)
            if (material.name == body.material) mass_ = mass_of(body, material);
    }

    Relation kind_;
    NamedBody body_;
    std::shared_ptr<const Scene> structure_{};
    MassProperties mass_{};
    Vec3 gravity_{};
    bool is_dynamic_ = false;
};

double between(Relation kind, const Frame& f, std::size_t a, std::size_t b) {
    if (a >= f.positions.size() || b >= f.positions.size()) return kUnknown;
    if (kind == Relation::Distance) return length(f.positions[b] - f.positions[a]);
    if (kind == Relation::Angle) {
        const Quat q = conjugate(f.orientations[a]) * f.orientations[b];
        return 2 * functions::atan2(length(Vec3{q.x, q.y, q.z}), std::abs(q.w));
    }
    Vec3 sum;
    for (const Contact& c : f.contacts) {
        if (c.a == a && c.b == b) sum += c.force;
        if (c.a == b && c.b == a) sum -= c.force;
    }
    return length(sum);
}

enum class OverTime { Min, Max, Mean, Rms, FirstTime, CrossingTime };

// What has come so far; frames are counted once each.
struct Accumulator {
    OverTime kind;
    double count = 0, value = kUnknown, sum = 0;
    std::int64_t last_step = -1;
    Crossing crossing{};

    double add(const Frame& frame, double x) {
        if (frame.step == last_step || !std::isfinite(x)) return value;
        last_step = frame.step;
        count += 1;
        switch (kind) {
            case OverTime::Min:
                value = x < value || std::isnan(value) ? x : value;
                break;
            case OverTime::Max:
                value = x > value || std::isnan(value) ? x : value;
                break;
            case OverTime::Mean:
                value = (sum += x) / count;
                break;
            case OverTime::Rms:
                value = std::sqrt((sum += x * x) / count);
                break;
            case OverTime::FirstTime:
                if (x != 0 && std::isnan(value)) value = frame.time;
                break;
            case OverTime::CrossingTime:
                value = crossing.add(frame.time, x);
                break;
        }
        return value;
    }
};

struct Call {
    const char* name;
    int kind;
    bool is_over_time;
    const char* unit;
};
constexpr std::array<Call, 11> kCalls{
    {{"distance", static_cast<int>(Relation::Distance), false, "m"},
     {"angle", static_cast<int>(Relation::Angle), false, "rad"},
     {"contact_force", static_cast<int>(Relation::ContactForce), false, "N"},
     {"kinetic_energy", static_cast<int>(Relation::KineticEnergy), false, "J"},
     {"potential_energy", static_cast<int>(Relation::PotentialEnergy), false, "J"},
     {"min", static_cast<int>(OverTime::Min), true, ""},
     {"max", static_cast<int>(OverTime::Max), true, ""},
     {"mean", static_cast<int>(OverTime::Mean), true, ""},
     {"rms", static_cast<int>(OverTime::Rms), true, ""},
     {"first_time", static_cast<int>(OverTime::FirstTime), true, "s"},
     {"crossing_time", static_cast<int>(OverTime::CrossingTime), true, "s"}}};

// Null: one of the formula's own functions, as min and max of several are.
const Call* find_call(const std::string& name, std::size_t arguments) {
    for (const Call& call : kCalls)
        if (name == call.name && (!call.is_over_time || arguments == 1 || (name != "min" && name != "max")))
            return &call;
    return nullptr;
}

class QuantityExpression {
  public:
    QuantityExpression(const std::string& text, const Scene& structure,
                       const std::function<Quantity(const std::string&)>& find_plain)
        : structure_(structure), find_plain_(find_plain) {
        try {
            formula_.emplace(text, Formula::Names{[this](const std::string& name) { return variable(name); },
                                                  [this](const std::string& name, const auto& arguments) {
                                                      return call(name, arguments);
                                                  },
                                                  true});
        } catch (const FormulaError& error) {
            throw InputError(fmt::format("unknown quantity or expression {}", error.what()));
        }
        values_.resize(parts_.size());
    }

    double read(const Frame& frame) {
        for (std::size_t k = 0; k < parts_.size(); ++k) values_[k] = parts_[k](frame);
        return (*formula_)(std::span<const double>(values_));
    }
    bool accumulates() const { return accumulates_; }
    // Of an expression that is one part alone.
    std::string unit() const { return parts_.size() == 1 ? unit_ : ""; }

  private:
    std::uint32_t add(std::function<double(const Frame&)> part) {
        parts_.push_back(std::move(part));
        return static_cast<std::uint32_t>(parts_.size() - 1);
    }

    std::optional<std::uint32_t> variable(const std::string& name) {
        if (name == "t") return add([](const Frame& f) { return f.time; });
        const Quantity quantity = find_plain_(name);
        if (quantity.columns.size() != 1)
            throw InputError(fmt::format("'{}' has {} numbers: say .x, .y, .z or .magnitude", name,
                                         quantity.columns.size()));
        return add([read = quantity.read](const Frame& f) {
            double value = kUnknown;
            read(f, &value);
            return value;
        });
    }

    std::optional<std::uint32_t> call(const std::string& name, const std::vector<std::string>& arguments) {
        const Call* found = find_call(name, arguments.size());
        if (!found) return std::nullopt;
        const Relation kind = static_cast<Relation>(found->kind);
        const std::size_t wanted = found->is_over_time ? 1 : arity(kind);
        if (arguments.size() != wanted)
            throw InputError(fmt::format("{}() takes {}", name,
                                         found->is_over_time ? "one expression"
                                         : wanted == 1       ? "one body"
                                                             : "two bodies"));
        unit_ = found->unit;
        if (found->is_over_time) {
            accumulates_ = true;
            const auto inner = std::make_shared<QuantityExpression>(arguments[0], structure_, find_plain_);
            return add([inner, sum = Accumulator{static_cast<OverTime>(found->kind)}](
                           const Frame& f) mutable { return sum.add(f, inner->read(f)); });
        }
        for (const std::string& body : arguments) require_body(body);
        if (wanted == 1)
            return add(
                [energy = BodyEnergy(kind, arguments[0])](const Frame& f) mutable { return energy.in(f); });
        return add([kind, a = NamedBody(arguments[0]), b = NamedBody(arguments[1])](const Frame& f) mutable {
            return between(kind, f, a.in(f), b.in(f));
        });
    }

    void require_body(const std::string& name) const {
        std::vector<std::string> known;
        for (const BodyDesc& body : structure_.bodies) known.push_back(body.name);
        for (const TimedCommand& timed : structure_.timeline)
            visit_changes(timed.command, [&](const auto& change) {
                if constexpr (std::is_same_v<std::decay_t<decltype(change)>, Put>)
                    for (const BodyDesc& body : change.bodies) known.push_back(body.name);
            });
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw InputError(fmt::format("there is no body '{}'{}", name, did_you_mean(name, known)));
    }

    const Scene& structure_;  // while it is made
    const std::function<Quantity(const std::string&)>& find_plain_;
    std::vector<std::function<double(const Frame&)>> parts_{};
    std::optional<Formula> formula_{};
    std::vector<double> values_{};
    std::string unit_{};
    bool accumulates_ = false;
};

}  // namespace

bool is_quantity_expression(const std::string& text) {
    return text.find_first_of("()<>=+*^&|?%!") != std::string::npos ||
           text.find(" - ") != std::string::npos || text.find(" / ") != std::string::npos ||
           text.starts_with('-');
}

Quantity find_quantity_expression(const std::string& text, const Scene& structure,
                                  const std::function<Quantity(const std::string&)>& find_plain) {
    const auto expression = std::make_shared<QuantityExpression>(text, structure, find_plain);
    Quantity quantity;
    quantity.name = text;
    quantity.columns = {text};
    quantity.unit = expression->unit();
    quantity.accumulates = expression->accumulates();
    quantity.read = [expression](const Frame& frame, double* out) { *out = expression->read(frame); };
    return quantity;
}

ExpressionNames names_of_expression(const std::string& text) {
    ExpressionNames names;
    Formula::Names ask;
    ask.are_dotted = true;
    ask.variable = [&](const std::string& name) {
        names.quantities.push_back(name);
        return std::optional<std::uint32_t>(0);
    };
    ask.call = [&](const std::string& name,
                   const std::vector<std::string>& arguments) -> std::optional<std::uint32_t> {
        const Call* found = find_call(name, arguments.size());
        if (!found) return std::nullopt;
        if (!found->is_over_time) {
            names.bodies.insert(names.bodies.end(), arguments.begin(), arguments.end());
            return 0;
        }
        for (const std::string& argument : arguments) {
            const ExpressionNames inner = names_of_expression(argument);
            names.quantities.insert(names.quantities.end(), inner.quantities.begin(), inner.quantities.end());
            names.bodies.insert(names.bodies.end(), inner.bodies.begin(), inner.bodies.end());
        }
        return 0;
    };
    try {
        const Formula read(text, ask);
    } catch (const FormulaError&) {  // said by whoever evaluates it
    }
    return names;
}

Quantity find_condition(const std::string& text, const Scene& structure) {
    Quantity condition = find_quantity(text, structure);
    if (condition.columns.size() != 1) throw InputError("a condition is one number, not a vector");
    if (condition.accumulates) throw InputError("a condition must not sum over time");
    return condition;
}

}  // namespace impuls
