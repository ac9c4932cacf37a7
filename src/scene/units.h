// Units that numbers of a scene may be written with, behind a number or a bracket: "20 cm", "45 deg". Inside
// the program there are SI units alone. Called by expression.cpp, which computes with them, and by the
// reader, which asks whether they fit.
#pragma once

#include <array>
#include <numbers>
#include <string>

namespace impuls {

struct Unit {
    const char* name;
    double factor;
    const char* si;  // what it becomes
};

inline constexpr std::array kUnits{
    Unit{"m", 1, "m"},
    Unit{"mm", 1e-3, "m"},
    Unit{"cm", 1e-2, "m"},
    Unit{"km", 1e3, "m"},
    Unit{"in", 0.0254, "m"},
    Unit{"ft", 0.3048, "m"},
    Unit{"rad", 1, "rad"},
    Unit{"deg", std::numbers::pi / 180, "rad"},
    Unit{"kg", 1, "kg"},
    Unit{"g", 1e-3, "kg"},
    Unit{"mg", 1e-6, "kg"},
    Unit{"s", 1, "s"},
    Unit{"ms", 1e-3, "s"},
    Unit{"h", 3600, "s"},  // minutes would be the function min
    Unit{"N", 1, "N"},
    Unit{"mN", 1e-3, "N"},
    Unit{"kN", 1e3, "N"},
    Unit{"Pa", 1, "Pa"},
    Unit{"kPa", 1e3, "Pa"},
    Unit{"MPa", 1e6, "Pa"},
    Unit{"GPa", 1e9, "Pa"},
    Unit{"m/s", 1, "m/s"},
    Unit{"cm/s", 1e-2, "m/s"},
    Unit{"km/h", 1 / 3.6, "m/s"},
    Unit{"rad/s", 1, "rad/s"},
    Unit{"deg/s", std::numbers::pi / 180, "rad/s"},
    Unit{"rpm", std::numbers::pi / 30, "rad/s"},
};

// What is wrong with the units in an expression whose value is in `wanted` (a unit, or "m or rad"); "" when
// they fit.
std::string wrong_unit(const std::string& expression, const std::string& wanted);

}  // namespace impuls
