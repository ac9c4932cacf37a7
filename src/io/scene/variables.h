// The "variables" of a scene file: numbers or expressions that refer to each other in any order.
// Called by the scene reader before anything else is read.
#pragma once

#include <json/json.h>

#include <functional>
#include <string>
#include <vector>

#include "impuls/scene.h"
#include "scene/expression.h"

namespace impuls {

// Values in the order of the file, also set in the scope. Problems go to report(name, value, message).
std::vector<Variable> read_variables(
    const Json::Value& object, Scope& scope,
    const std::function<void(const std::string&, const Json::Value&, const std::string&)>& report);

}  // namespace impuls
