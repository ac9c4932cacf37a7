// The timelines of one scene: the run, and what branched off from it where somebody changed something in the
// middle. All stay, so that two can be compared; one of them goes on. With them the marks that a person set,
// and a description of all this for the file that survives a kill. Called by the session.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <json/json.h>

#include "studio/happenings.h"
#include "studio/timeline.h"

namespace impuls::studio {

struct Branch {
    Timeline timeline{};
    Happenings happenings{};
    std::string name{};
    int parent = -1;       // place in the list
    std::size_t from = 0;  // frame of the parent where it begins
};

// A frame by name: of a mark the world is there again, bit for bit, by going on from it.
struct Mark {
    std::string name{};
    std::size_t branch = 0, frame = 0;
};

class Branches {
  public:
    // All worlds from now on are given up once this is true.
    void interrupt_when(std::function<bool()> is_wanted) { is_given_up_ = std::move(is_wanted); }

    // Both forget everything else, its files too, and leave all as it is when they throw.
    void start(const Scene& scene, const std::string& file);
    void show(const std::string& file);

    Timeline& now() { return list_[now_]->timeline; }
    Branch& at(std::size_t k);
    std::size_t size() const { return list_.size(); }
    std::size_t current() const { return now_; }

    // A branch that begins at a frame of the current one, and is then the current one.
    void cut(std::size_t frame, const std::string& file);
    void go_to(std::size_t branch);
    // Throws InputError for the current one and for those that others began in.
    void drop(std::size_t branch);

    void mark(const std::string& name, std::size_t frame);
    void remove_mark(std::size_t k);

    // For pages, and for the file of the session; of the latter only what `take_up` needs.
    Json::Value describe();
    void take_up(const Json::Value& saved, const std::string& folder);

  private:
    std::unique_ptr<Branch> make() const;
    void replace(std::unique_ptr<Branch> first);

    std::function<bool()> is_given_up_{};
    std::vector<std::unique_ptr<Branch>> list_ = one();
    std::vector<Mark> marks_{};
    std::size_t now_ = 0;
    int made_ = 0;

    static std::vector<std::unique_ptr<Branch>> one();
};

}  // namespace impuls::studio
