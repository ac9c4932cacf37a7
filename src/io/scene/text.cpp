// JsonCpp reads; what it accepts beyond JSON (+1, 01, 1.) is refused by the reader when it meets a number.
#include "io/scene/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "io/scene/scan.h"

namespace impuls {

namespace {

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '+' || c == '.' || c == '_';
}

std::string word_at(const std::string& text, std::size_t offset) {
    std::size_t end = offset;
    while (end < text.size() && end < offset + 40 && is_word(text[end])) ++end;
    return text.substr(offset, end - offset);
}

bool is_special_number(std::string word) {
    if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.erase(0, 1);
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    return word == "nan" || word == "inf" || word == "infinity";
}

// JsonCpp's words in ours.
std::string plain_message(const std::string& message, const std::string& text, std::size_t offset) {
    const std::string word = word_at(text, offset);
    if (message.find("is not a number") != std::string::npos || is_special_number(word)) {
        return word + " is not a finite number";
    }
    if (message.find("Syntax error") == std::string::npos) {
        std::string m = message.substr(0, message.find_last_not_of(". ") + 1);
        if (m.compare(0, 9, "Duplicate") == 0) m[0] = 'd';
        if (m.compare(0, 7, "Missing") == 0) m[0] = 'm';
        return m;
    }
    if (offset >= text.size()) return "unexpected end of the text";
    if (text[offset] == '"') return "the string does not end";
    return word.empty() ? fmt::format("expected a value, not '{}'", text[offset])
                        : fmt::format("expected a value, not '{}'", word);
}

}  // namespace

SceneText::SceneText(std::string text, std::string file) : text_(std::move(text)), file_(std::move(file)) {
    if (text_.compare(0, 3, "\xef\xbb\xbf") == 0) text_.erase(0, 3);
    if (text_.size() > kMaxFileSize) {
        issues_.push_back({file_, 0, 0, {}, fmt::format("is larger than {} bytes", kMaxFileSize)});
        return;
    }
    for (std::size_t k = 0; k < text_.size(); ++k) {
        const bool old_mac = text_[k] == '\r' && text_.compare(k, 2, "\r\n") != 0;
        if (text_[k] == '\n' || old_mac) lines_.push_back(k + 1);
    }
    scan();
    if (issues_.empty()) parse();
}

void SceneText::scan() {
    int depth = 0;
    scan_json(text_, [&](Token token, std::size_t start, std::size_t end) {
        if (token == Token::Comment) {
            comments_.push_back({start, end});
            const bool open =
                text_[start + 1] == '*' && (end < start + 4 || text_.compare(end - 2, 2, "*/") != 0);
            if (open) add_issue(start, "the comment does not end");
            return !open;
        }
        if (token != Token::Punctuation) return true;
        const char c = text_[start];
        depth += (c == '{' || c == '[') ? 1 : (c == '}' || c == ']') ? -1 : 0;
        if (depth <= kMaxDepth) return true;
        const auto [line, column] = place(static_cast<std::ptrdiff_t>(start));
        issues_.push_back({file_, line, column, {}, fmt::format("nested more than {} deep", kMaxDepth)});
        return false;
    });
}

void SceneText::parse() {
    Json::CharReaderBuilder builder;
    builder["collectComments"] = false;
    builder["allowComments"] = false;
    builder["allowTrailingCommas"] = true;
    builder["allowSpecialFloats"] = false;
    builder["strictRoot"] = false;
    builder["rejectDupKeys"] = true;
    builder["failIfExtra"] = true;
    builder["stackLimit"] = 2 * kMaxDepth;
    const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
    // JsonCpp trips over comments in some places ("[ // none\n]"), so it sees spaces instead.
    std::string bare = text_;
    for (const RawComment& comment : comments_) {
        for (std::size_t k = comment.start; k < comment.end; ++k) {
            if (bare[k] != '\n' && bare[k] != '\r') bare[k] = ' ';
        }
    }
    std::string errors;
    try {
        if (reader->parse(bare.data(), bare.data() + bare.size(), &root_, &errors)) return;
    } catch (const Json::Exception& error) {
        issues_.push_back({file_, 0, 0, {}, error.what()});
    }
    root_ = Json::Value();
    // "* Line 2, Column 7\n  message\n" for each problem
    for (std::size_t at = errors.find("* Line "); at != std::string::npos;
         at = errors.find("* Line ", at + 1)) {
        std::size_t line = 0, column = 0;
        if (std::sscanf(errors.c_str() + at, "* Line %zu, Column %zu", &line, &column) != 2) continue;
        const std::size_t begin = errors.find("\n  ", at) + 3;
        const std::string message = errors.substr(begin, errors.find('\n', begin) - begin);
        const std::size_t offset = line <= lines_.size() ? lines_[line - 1] + column - 1 : text_.size();
        add_issue(offset, plain_message(message, text_, std::min(offset, text_.size())));
    }
    if (issues_.empty()) issues_.push_back({file_, 0, 0, {}, "is not JSON"});
}

void SceneText::add_issue(std::size_t offset, const std::string& message) {
    const auto [line, column] = place(static_cast<std::ptrdiff_t>(offset));
    issues_.push_back({file_, line, column, path_at(text_, offset), message});
}

std::pair<int, int> SceneText::place(std::ptrdiff_t offset) const {
    if (offset < 0) return {0, 0};
    const auto after = std::upper_bound(lines_.begin(), lines_.end(), static_cast<std::size_t>(offset));
    const std::size_t line_start = *std::prev(after);
    return {static_cast<int>(after - lines_.begin()),
            static_cast<int>(offset - static_cast<std::ptrdiff_t>(line_start)) + 1};
}

std::string_view SceneText::source(const Json::Value& value) const {
    const std::ptrdiff_t start = value.getOffsetStart(), limit = value.getOffsetLimit();
    if (start < 0 || limit < start || static_cast<std::size_t>(limit) > text_.size()) return {};
    return std::string_view(text_).substr(static_cast<std::size_t>(start),
                                          static_cast<std::size_t>(limit - start));
}

Json::Value without_place(Json::Value value) {
    value.setOffsetStart(-1);
    value.setOffsetLimit(-1);
    if (value.isArray() || value.isObject()) {
        for (Json::Value& part : value) part = without_place(part);
    }
    return value;
}

}  // namespace impuls
