// Expressions of quantities (docs/manual/quantities.md): arithmetic of quantities by name, what holds between
// bodies, and what sums over time. Called by find_quantity for what is not a plain name, and by validation
// for what an expression speaks of.
//
//     distance(a, b)   between the origins of two bodies        contact_force(a, b)   of a on b, its size
//     angle(a, b)      by which their orientations differ       first_time(condition) at which it held
//     crossing_time(x) at which x first changed its sign        t                     the time
//     min(x) max(x) mean(x) rms(x)   over all frames so far
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "impuls/quantity.h"

namespace impuls {

// Whether the text can be no plain name of a quantity.
bool is_quantity_expression(const std::string& text);

// `find_plain` looks up names. Throws InputError.
Quantity find_quantity_expression(const std::string& text, const Scene& structure,
                                  const std::function<Quantity(const std::string&)>& find_plain);

// Names of quantities, and of bodies, in an expression as far as it can be read.
struct ExpressionNames {
    std::vector<std::string> quantities{}, bodies{};
};
ExpressionNames names_of_expression(const std::string& text);

}  // namespace impuls
