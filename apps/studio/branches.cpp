// The timelines of one scene (branches.h).
#include "studio/branches.h"

#include <filesystem>

#include <fmt/format.h>

#include "impuls/errors.h"

namespace impuls::studio {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostBranches = 32, kMostMarks = 1000;

void remove_recording(const std::string& file) {
    std::error_code ignored;
    for (const char* end : {"", "-wal", "-shm"}) fs::remove(file + end, ignored);
}

}  // namespace

std::vector<std::unique_ptr<Branch>> Branches::one() {
    std::vector<std::unique_ptr<Branch>> list;
    list.push_back(std::make_unique<Branch>());
    return list;
}

std::unique_ptr<Branch> Branches::make() const {
    auto branch = std::make_unique<Branch>();
    branch->timeline.interrupt_when(is_given_up_);
    return branch;
}

void Branches::replace(std::unique_ptr<Branch> first) {
    std::vector<std::string> files;
    for (const auto& branch : list_) {
        if (!branch->timeline.is_recording()) files.push_back(branch->timeline.file());
        branch->timeline.close();
    }
    list_.clear();
    for (const std::string& file : files) remove_recording(file);
    first->name = "main";
    list_.push_back(std::move(first));
    marks_.clear();
    now_ = 0;
    made_ = 0;
}

void Branches::start(const Scene& scene, const std::string& file) {
    auto branch = make();
    branch->timeline.start(scene, file);
    replace(std::move(branch));
}

void Branches::show(const std::string& file) {
    auto branch = make();
    branch->timeline.show(file);
    replace(std::move(branch));
}

Branch& Branches::at(std::size_t k) {
    if (k >= list_.size()) throw InputError("there is no such branch");
    return *list_[k];
}

void Branches::cut(std::size_t frame, const std::string& file) {
    if (list_.size() >= kMostBranches) throw InputError("there are too many branches: remove one");
    auto branch = make();
    branch->timeline.start_from(now(), frame, file);
    branch->name = fmt::format("branch {}", ++made_);
    branch->parent = static_cast<int>(now_);
    branch->from = frame;
    list_.push_back(std::move(branch));
    now_ = list_.size() - 1;
}

void Branches::go_to(std::size_t branch) {
    at(branch);
    now_ = branch;
}

void Branches::drop(std::size_t k) {
    at(k);
    if (k == now_) throw InputError("the branch that is shown cannot be removed: go to another one first");
    for (const auto& branch : list_)
        if (branch->parent == static_cast<int>(k))
            throw InputError(fmt::format("{} began in this branch: remove it first", branch->name));
    if (k == 0) throw InputError("the run itself cannot be removed");
    const std::string file = list_[k]->timeline.file();
    list_[k]->timeline.close();
    list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(k));
    remove_recording(file);
    for (const auto& branch : list_)
        if (branch->parent > static_cast<int>(k)) --branch->parent;
    std::erase_if(marks_, [&](const Mark& mark) { return mark.branch == k; });
    for (Mark& mark : marks_)
        if (mark.branch > k) --mark.branch;
    if (now_ > k) --now_;
}

void Branches::mark(const std::string& name, std::size_t frame) {
    if (frame >= now().size()) throw InputError("there is no such frame");
    if (marks_.size() >= kMostMarks) throw InputError("there are too many marks");
    marks_.push_back({name, now_, frame});
}

void Branches::remove_mark(std::size_t k) {
    if (k >= marks_.size()) throw InputError("there is no such mark");
    marks_.erase(marks_.begin() + static_cast<std::ptrdiff_t>(k));
}

Json::Value Branches::describe() {
    Json::Value json;
    json["current"] = Json::UInt64(now_);
    json["list"] = json["marks"] = Json::Value(Json::arrayValue);
    for (const auto& branch : list_) {
        Json::Value entry;
        entry["name"] = branch->name;
        entry["parent"] = branch->parent;
        entry["from"] = Json::UInt64(branch->from);
        entry["frames"] = Json::UInt64(branch->timeline.size());
        entry["file"] = fs::path(branch->timeline.file()).filename().string();
        if (branch->timeline.size() > 0) entry["time"] = branch->timeline.time(branch->timeline.size() - 1);
        json["list"].append(entry);
    }
    for (const Mark& mark : marks_) {
        Json::Value entry;
        entry["name"] = mark.name;
        entry["branch"] = Json::UInt64(mark.branch);
        entry["frame"] = Json::UInt64(mark.frame);
        json["marks"].append(entry);
    }
    return json;
}

void Branches::take_up(const Json::Value& saved, const std::string& folder) {
    std::vector<std::unique_ptr<Branch>> list;
    for (const Json::Value& entry : saved["list"]) {
        auto branch = make();
        branch->timeline.take_up((fs::path(folder) / fs::path(entry["file"].asString()).filename()).string());
        branch->name = entry["name"].asString();
        branch->parent = entry["parent"].asInt();
        branch->from = static_cast<std::size_t>(entry["from"].asUInt64());
        if (branch->parent >= static_cast<int>(list.size()))
            throw InputError("the session's file is damaged");
        list.push_back(std::move(branch));
    }
    if (list.empty()) throw InputError("the session's file holds no run");
    std::vector<Mark> marks;
    for (const Json::Value& entry : saved["marks"]) {
        const Mark mark{entry["name"].asString(), static_cast<std::size_t>(entry["branch"].asUInt64()),
                        static_cast<std::size_t>(entry["frame"].asUInt64())};
        if (mark.branch < list.size() && mark.frame < list[mark.branch]->timeline.size())
            marks.push_back(mark);
    }
    made_ = static_cast<int>(list.size()) - 1;
    list_ = std::move(list);
    marks_ = std::move(marks);
    now_ = std::min<std::size_t>(static_cast<std::size_t>(saved["current"].asUInt64()), list_.size() - 1);
}

}  // namespace impuls::studio
