// Paths are keys joined by dots; list elements are found by name (which may hold dots) or number, numbers of
// a vector also by x, y, z. A key that is not there yet is added; the reader then refuses unknown ones.
#include "io/scene/overrides.h"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

#include "io/scene/text.h"
#include "scene/described.h"
#include "scene/leaf.h"

namespace impuls {

namespace {

// JSON where it is JSON, else a string: an expression or a name.
Json::Value value_of(const std::string& text) {
    Json::CharReaderBuilder builder;
    Json::CharReaderBuilder::strictMode(&builder.settings_);
    builder["strictRoot"] = false;
    builder["stackLimit"] = kMaxDepth;
    const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
    Json::Value value;
    try {
        if (reader->parse(text.data(), text.data() + text.size(), &value, nullptr))
            return without_place(value);
    } catch (const Json::Exception&) {
    }
    return without_place(Json::Value(text));
}

struct Step {
    std::string part;      // of the JSON path
    std::size_t used = 0;  // characters of the option's path
};

class Walk {
  public:
    Walk(Json::Value& root, const std::string& path) : at_(&root), rest_(path) {}

    // Goes down to the value; throws std::runtime_error when there is no way.
    Json::Value& find(std::string& json_path) {
        for (bool top = true; !rest_.empty(); top = false) {
            const Step step = at_->isArray() ? list_step() : object_step(top);
            json_path += '/';
            json_path += pointer_part(step.part);
            done_ += rest_.substr(0, step.used) + ".";
            rest_.erase(0, std::min(step.used + 1, rest_.size()));
        }
        return *at_;
    }

  private:
    [[noreturn]] void fail(const std::string& name, const std::vector<std::string>& known) const {
        const std::string in = done_.empty() ? "a scene" : done_.substr(0, done_.size() - 1);
        throw std::runtime_error(
            fmt::format("there is no '{}' in {}{}", name, in, did_you_mean(name, known)));
    }

    Step object_step(bool top) {
        const std::string name = rest_.substr(0, rest_.find('.'));
        if (!at_->isObject() && !at_->isNull()) fail(name, {});
        const bool is_new = !at_->isMember(name);
        if (is_new && top) expect_field(name);
        if (is_new && done_ == "variables.")
            fail(name, at_->isNull() ? std::vector<std::string>{} : at_->getMemberNames());
        at_ = &(*at_)[name];
        if (is_new)
            *at_ = without_place(top && is_list(name) ? Json::Value(Json::arrayValue) : Json::Value());
        return {name, name.size()};
    }

    Step list_step() {
        std::vector<std::string> known;
        Step best;
        for (Json::ArrayIndex k = 0; k < at_->size(); ++k) {
            const Json::Value& element = (*at_)[k];
            const bool is_named = element.isObject() && element["name"].isString();
            known.push_back(is_named ? element["name"].asString() : std::to_string(k));
            if (matches(known.back()) && known.back().size() >= best.used)
                best = {std::to_string(k), known.back().size()};
            if (best.used == 0 && matches(std::to_string(k)))
                best = {std::to_string(k), std::to_string(k).size()};
            const bool is_number = element.isNumeric() || element.isString();
            if (is_number && k < 3 && matches(std::string(1, "xyz"[k]))) best = {std::to_string(k), 1};
        }
        if (best.used == 0) fail(rest_.substr(0, rest_.find('.')), known);
        at_ = &(*at_)[static_cast<Json::ArrayIndex>(std::stoul(best.part))];
        return best;
    }

    bool matches(const std::string& name) const {
        return !name.empty() && rest_.compare(0, name.size(), name) == 0 &&
               (rest_.size() == name.size() || rest_[name.size()] == '.');
    }

    void expect_field(const std::string& name) const {
        std::vector<std::string> known;
        bool found = false;
        Scene::visit_fields([&](const char* field, auto, const Field&) {
            known.emplace_back(field);
            found = found || name == field;
        });
        if (!found) fail(name, known);
    }

    static bool is_list(const std::string& name) {
        bool list = false;
        Scene::visit_fields([&](const char* field, auto member, const Field&) {
            using Member = std::decay_t<decltype(std::declval<Scene>().*member)>;
            list = list || (name == field && ListField<Member>);
        });
        return list;
    }

    Json::Value* at_;
    std::string rest_;
    std::string done_{};
};

}  // namespace

std::vector<Overridden> apply_overrides(Json::Value& root, const Overrides& overrides,
                                        std::vector<Issue>& issues) {
    std::vector<Overridden> changed;
    if (!root.isObject()) return changed;
    for (const auto& [path, text] : overrides) {
        const std::string label = fmt::format("--set {}={}", path, text);
        try {
            std::string json_path;
            if (path.empty()) throw std::runtime_error("the path is empty");
            Json::Value& place = Walk(root, path).find(json_path);
            const std::ptrdiff_t start = place.getOffsetStart();
            place = value_of(text);
            place.setOffsetStart(start);
            changed.push_back({json_path, label});
        } catch (const std::runtime_error& error) {
            issues.push_back({label, 0, 0, {}, error.what()});
        }
    }
    return changed;
}

}  // namespace impuls
