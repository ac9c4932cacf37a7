// Layout: what fits on a line and has no comments inside stays on a line; lists of numbers fill lines; lists
// of objects and the file itself have one part a line.
#include <algorithm>
#include <optional>
#include <set>

#include "io/scene/node.h"
#include "scene/described.h"
#include "scene/leaf.h"

namespace impuls {

namespace {

constexpr std::size_t kColumns = 100;

char opener(const Node& node) {
    return node.kind == Node::Kind::Object ? '{' : '[';
}
char closer(const Node& node) {
    return node.kind == Node::Kind::Object ? '}' : ']';
}

// Appends the node; gives up (false) when longer than the limit.
bool append_line(const Node& node, std::string& out, std::size_t limit) {
    if (node.kind == Node::Kind::Text) {
        out += node.text;
        return out.size() <= limit;
    }
    out += opener(node);
    bool first = true;
    for (const auto& [key, part] : node.parts) {
        if (!first) out += ", ";
        first = false;
        if (node.kind == Node::Kind::Object) out += json_text(key) + ": ";
        if (!append_line(part, out, limit)) return false;
    }
    out += closer(node);
    return out.size() <= limit;
}

class Printer {
  public:
    explicit Printer(const std::map<std::string, Comments>& comments) : comments_(comments) {
        for (const auto& entry : comments) {
            for (std::string path = entry.first; !path.empty();) {
                path.resize(path.rfind('/'));
                if (!commented_.insert(path).second) break;
            }
        }
    }

    std::string print(const Node& root) {
        const Comments* around = find("");
        if (around) comment_lines(around->before, 0);
        block(root, "", 0);
        if (around) beside(around->same_line, 0);
        out_ += '\n';
        if (around) comment_lines(around->after, 0);
        return out_;
    }

  private:
    // The value at the end of the present line.
    void value(const Node& node, const std::string& path, std::size_t indent) {
        if (node.kind == Node::Kind::Text) {
            out_ += node.text;
            return;
        }
        const bool plain = !commented_.count(path) && !has_objects(node);
        const std::size_t column = out_.size() - (out_.rfind('\n') + 1);
        std::string line;
        if (plain && append_line(node, line, kColumns - std::min(column, kColumns - 1))) {
            out_ += line;
        } else if (plain && node.kind == Node::Kind::List) {
            filled(node, indent);
        } else {
            block(node, path, indent);
        }
    }

    // One part a line.
    void block(const Node& node, const std::string& path, std::size_t indent) {
        out_ += opener(node);
        std::size_t k = 0;
        for (const auto& [key, part] : node.parts) {
            const bool is_object = node.kind == Node::Kind::Object;
            const std::string below = path + "/" + (is_object ? pointer_part(key) : std::to_string(k));
            const Comments* around = find(below);
            out_ += '\n';
            if (around) comment_lines(around->before, indent + 2);
            out_.append(indent + 2, ' ');
            if (is_object) out_ += json_text(key) + ": ";
            value(part, below, indent + 2);
            if (++k < node.parts.size()) out_ += ',';
            if (around) beside(around->same_line, indent + 2);
            if (around && !around->after.empty()) {
                out_ += '\n';
                comment_lines(around->after, indent + 2);
                out_.pop_back();
            }
        }
        if (!node.parts.empty()) out_ += '\n' + std::string(indent, ' ');
        out_ += closer(node);
    }

    // As many parts on a line as fit.
    void filled(const Node& node, std::size_t indent) {
        out_ += opener(node);
        const std::string start = '\n' + std::string(indent + 2, ' ');
        std::size_t column = kColumns;
        for (std::size_t k = 0; k < node.parts.size(); ++k) {
            const std::string text =
                print_line(node.parts[k].second) + (k + 1 < node.parts.size() ? "," : "");
            if (column + 1 + text.size() > kColumns) {
                out_ += start;
                column = indent + 2;
            } else {
                out_ += ' ';
                ++column;
            }
            out_ += text;
            column += text.size();
        }
        out_ += '\n' + std::string(indent, ' ') + closer(node);
    }

    static bool has_objects(const Node& node) {
        if (node.kind != Node::Kind::List) return false;
        return std::any_of(node.parts.begin(), node.parts.end(),
                           [](const auto& part) { return part.second.kind == Node::Kind::Object; });
    }

    const Comments* find(const std::string& path) const {
        const auto found = comments_.find(path);
        return found == comments_.end() ? nullptr : &found->second;
    }

    // Each line of the comments on a line of its own.
    void comment_lines(const std::string& text, std::size_t indent) {
        if (text.empty()) return;
        out_ += indented(text, indent) + '\n';
    }

    void beside(const std::string& text, std::size_t indent) {
        if (!text.empty()) out_ += ' ' + indented(text, indent).substr(indent);
    }

    static std::string indented(const std::string& text, std::size_t indent) {
        std::string result;
        for (std::size_t start = 0; start <= text.size();) {
            const std::size_t end = std::min(text.find('\n', start), text.size());
            const std::string line = text.substr(start, end - start);
            const bool opens = line.compare(0, 2, "//") == 0 || line.compare(0, 2, "/*") == 0;
            const std::size_t extra = opens || line.empty() ? 0 : line[0] == '*' ? 1 : 3;
            result += (start == 0 ? "" : "\n") + std::string(line.empty() ? 0 : indent + extra, ' ') + line;
            start = end + 1;
        }
        return result;
    }

    const std::map<std::string, Comments>& comments_;
    std::set<std::string> commented_{};  // paths with comments below
    std::string out_{};
};

}  // namespace

std::string print_line(const Node& node) {
    std::string line;
    append_line(node, line, std::string::npos);
    return line;
}

std::string print_pretty(const Node& node, const std::map<std::string, Comments>& comments) {
    return Printer(comments).print(node);
}

}  // namespace impuls
