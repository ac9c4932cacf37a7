// The text of a scene file: JSON with comments, parsed strictly by JsonCpp, with places and paths for
// messages. Called by the scene loader and parse_command.
#pragma once

#include <json/json.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "impuls/errors.h"

namespace impuls {

inline constexpr int kMaxDepth = 100;                              // of nested lists and objects
inline constexpr std::size_t kMaxFileSize = std::size_t{1} << 30;  // bytes

struct RawComment {
    std::size_t start = 0, end = 0;
};

class SceneText {
  public:
    // Problems are in issues(); root() is then null.
    SceneText(std::string text, std::string file);

    const std::string& file() const { return file_; }
    const std::string& text() const { return text_; }
    Json::Value& root() { return root_; }
    const Json::Value& root() const { return root_; }
    const std::vector<Issue>& issues() const { return issues_; }
    const std::vector<RawComment>& comments() const { return comments_; }

    // Line and column from 1; 0, 0 for values that are not from this text.
    std::pair<int, int> place(std::ptrdiff_t offset) const;
    std::pair<int, int> place(const Json::Value& value) const { return place(value.getOffsetStart()); }
    // The value as written; "" for values that are not from this text.
    std::string_view source(const Json::Value& value) const;

  private:
    void scan();
    void parse();
    void add_issue(std::size_t offset, const std::string& message);

    std::string text_;
    std::string file_;
    std::vector<std::size_t> lines_{0};  // offset of each line
    std::vector<RawComment> comments_{};
    std::vector<Issue> issues_{};
    Json::Value root_{};
};

// A value that did not come from the text, so that it has no place.
Json::Value without_place(Json::Value value);

}  // namespace impuls
