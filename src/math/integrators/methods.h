// The list of integrators: names, orders, what each needs, and how to make one. Called by whoever lets a user
// choose, and by tests that go through all.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "math/integrators/integrator.h"

namespace impuls::integrators {

struct Method {
    std::string_view name, text;
    int order;  // of Gear with as many values as the options say by default
    bool has_error_control, needs_positions, is_implicit, takes_second_order;  // the last: q'' = f
    std::unique_ptr<Integrator> (*make)(System& system, const Options& options);
};
std::span<const Method> methods();
// Null where there is none of that name.
const Method* find_method(std::string_view name);

std::unique_ptr<Integrator> make_dormand_prince(System& system, const Options& options);
std::unique_ptr<Integrator> make_rosenbrock(System& system, const Options& options);
std::unique_ptr<Integrator> make_runge_kutta(System& system, const Options& options);
std::unique_ptr<Integrator> make_verlet(System& system, const Options& options);
std::unique_ptr<Integrator> make_semi_implicit_euler(System& system, const Options& options);
std::unique_ptr<Integrator> make_midpoint(System& system, const Options& options);
std::unique_ptr<Integrator> make_gear(System& system, const Options& options);

}  // namespace impuls::integrators
