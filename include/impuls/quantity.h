// Named quantities of a Frame: bodies.<name>.position.y, energy.total, joints.<name>.reaction, …
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "impuls/frame.h"

namespace impuls {

/// A quantity resolved against a structure: reads one number (or three) from a frame.
struct Quantity {
    std::string name{};
    std::vector<std::string> columns{};                        // {name}, or {name.x, name.y, name.z}
    std::function<void(const Frame&, double* values)> read{};  // NaN while the thing does not exist
    std::string unit{};
    bool accumulates = false;  // it sums over time: read it once in every step
};

/// Finds a quantity by name or as an expression of quantities (distance(a, b), max(energy.kinetic)), also in
/// the program's own groups of a frame (Frame::groups): cells.count, cells[3].velocity.x,
/// cells.temperature.max. Throws InputError with a "did you mean" for an unknown one.
Quantity find_quantity(const std::string& name, const Scene& structure,
                       std::span<const ColumnGroup> groups = {});

/// A condition on quantities, e.g. bodies.ball.position.y < 1 && time > 2; it holds where it is not 0.
/// Nothing in it may sum over time. Throws InputError.
Quantity find_condition(const std::string& text, const Scene& structure);

/// One line of help per kind of quantity, e.g. {"bodies.<name>.position[.x|.y|.z]", "m"}.
std::vector<std::pair<std::string, std::string>> quantity_help();

}  // namespace impuls
