// What the page needs to draw an expanded scene and to list it: bodies with their shapes and colours, joints
// with their points and axes, and where each body stands in the scene as written. Surfaces that the page
// cannot make by itself are listed once and sent as triangles. Called by the session.
#pragma once

#include <vector>

#include <json/json.h>

#include "geometry/triangles.h"
#include "impuls/scene.h"

namespace impuls::studio {

struct Structure {
    Json::Value json{};
    std::vector<Shape> surfaces{};       // to be tessellated and sent
    std::vector<TriangleMesh> meshes{};  // likewise as they are; their numbers follow
};

// `written` may be null (a recording): then nothing can be edited.
Structure describe_structure(const Scene& expanded, const Scene* written);

// The document without comments, expressions as strings.
Json::Value parse_json(const std::string& text);
std::string to_line(const Json::Value& json);

}  // namespace impuls::studio
