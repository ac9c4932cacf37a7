// A comment belongs to the innermost list or object around it. There it stands beside the value that ends
// on its line, else before the next value, else after the last; in an empty one, before the whole.
#include "io/scene/comments.h"

#include <algorithm>

#include "scene/described.h"

namespace impuls {

namespace {

struct Child {
    std::ptrdiff_t start = 0, limit = 0;
    std::string part{};  // of the path
    const Json::Value* value = nullptr;
};

// Without trailing spaces; continued lines without their indentation, which the writer sets anew.
std::string tidy(const std::string& comment) {
    std::string result;
    for (std::size_t start = 0; start <= comment.size();) {
        const std::size_t end = std::min(comment.find_first_of("\r\n", start), comment.size());
        std::string line = comment.substr(start, end - start);
        line.erase(line.find_last_not_of(" \t") + 1);
        line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
        result += (start == 0 ? "" : "\n") + line;
        start = end + (comment.compare(end, 2, "\r\n") == 0 ? 2 : 1);
    }
    return result;
}

class Attachment {
  public:
    explicit Attachment(const SceneText& text) : text_(text) {
        const Json::Value& root = text.root();
        top_ = {{root.getOffsetStart(), root.getOffsetLimit(), {}, &root}};
    }

    void attach(const RawComment& comment, std::map<std::string, Comments>& comments) {
        const std::vector<Child>* level = &top_;
        std::string path;
        for (;;) {
            const auto next = std::upper_bound(level->begin(), level->end(), comment,
                                               [](const RawComment& c, const Child& child) {
                                                   return static_cast<std::ptrdiff_t>(c.start) < child.start;
                                               });
            const Child* before = next == level->begin() ? nullptr : &*std::prev(next);
            const Child* after = next == level->end() ? nullptr : &*next;
            const std::string text = tidy(text_.text().substr(comment.start, comment.end - comment.start));
            const bool inside = before && before->limit >= static_cast<std::ptrdiff_t>(comment.end);
            if (inside && !children(*before->value).empty()) {
                path += before->part;
                level = &children(*before->value);
                continue;
            }
            if (inside) return append(comments[path + before->part].before, text);
            if (before && is_beside(*before, comment))
                return append(comments[path + before->part].same_line, text);
            if (after) return append(comments[path + after->part].before, text);
            if (before) append(comments[path + before->part].after, text);
            return;
        }
    }

  private:
    static void append(std::string& all, const std::string& text) { all += (all.empty() ? "" : "\n") + text; }

    bool is_beside(const Child& child, const RawComment& comment) const {
        const std::string& text = text_.text();
        if (child.limit < 0) return false;
        const std::size_t limit = static_cast<std::size_t>(child.limit);
        const bool near = text.find_first_not_of(" \t,", limit) == comment.start;
        const std::size_t rest = text.find_first_not_of(" \t", comment.end);
        return near && (rest == std::string::npos || text[rest] == '\n' || text[rest] == '\r');
    }

    const std::vector<Child>& children(const Json::Value& value) {
        const auto [entry, is_new] = children_.try_emplace(&value);
        if (!is_new) return entry->second;
        if (!value.isArray() && !value.isObject()) return entry->second;
        for (auto it = value.begin(); it != value.end(); ++it) {
            const std::string part = value.isArray() ? std::to_string(it.index()) : pointer_part(it.name());
            if (it->getOffsetStart() < 0) continue;
            entry->second.push_back({it->getOffsetStart(), it->getOffsetLimit(), "/" + part, &*it});
        }
        std::sort(entry->second.begin(), entry->second.end(),
                  [](const Child& a, const Child& b) { return a.start < b.start; });
        return entry->second;
    }

    const SceneText& text_;
    std::vector<Child> top_;
    std::map<const Json::Value*, std::vector<Child>> children_{};
};

}  // namespace

std::map<std::string, Comments> attach_comments(const SceneText& text) {
    std::map<std::string, Comments> comments;
    Attachment attachment(text);
    for (const RawComment& comment : text.comments()) attachment.attach(comment, comments);
    return comments;
}

}  // namespace impuls
