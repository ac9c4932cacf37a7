// JSON for --json: values in the order they were added, numbers with all their digits, infinities and NaN as
// null. Writing only; nothing here reads JSON.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "impuls/vec.h"

namespace impuls::cli {

class Json {
  public:
    static Json object() { return Json(Kind::Object, {}); }
    static Json array() { return Json(Kind::Array, {}); }

    Json() = default;  // null
    Json(bool value) : Json(Kind::Plain, value ? "true" : "false") {}
    Json(double value);
    template <class Int, std::enable_if_t<std::is_integral_v<Int>, int> = 0>
    Json(Int value) : Json(Kind::Plain, std::to_string(value)) {}
    Json(const char* text) : Json(std::string(text)) {}
    Json(const std::string& text);
    Json(const Vec3& v);
    Json(const std::vector<std::string>& list);
    Json(const std::vector<double>& list);

    // Adds a member; returns *this so that calls can be chained.
    Json& add(const std::string& key, Json value);
    Json& push(Json value);
    // Indented; short arrays stay on one line. Ends with a newline.
    std::string text() const;

  private:
    enum class Kind { Plain, Array, Object };
    Json(Kind kind, std::string plain) : kind_(kind), plain_(std::move(plain)) {}
    void write(std::string& out, int depth) const;

    Kind kind_ = Kind::Plain;
    std::string plain_ = "null";
    std::vector<std::pair<std::string, Json>> members_{};
};

}  // namespace impuls::cli
