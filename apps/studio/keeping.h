// Where a session keeps what must not be lost: its recordings and one file that says how they belong
// together, in the folder .impuls-studio of the workspace, readable by its owner alone; the next studio there
// takes it up. A second studio in the same workspace, and one that may not write there, gets a folder of its
// own that is gone at the end. Called by main and by the session.
#pragma once

#include <string>

#include <json/json.h>

namespace impuls::studio {

class Keeping {
  public:
    // Throws FileError when there is no room anywhere.
    explicit Keeping(const std::string& workspace);
    ~Keeping();
    Keeping(Keeping&& other) noexcept;
    Keeping(const Keeping&) = delete;
    Keeping& operator=(const Keeping&) = delete;

    const std::string& folder() const { return folder_; }
    bool is_lasting() const { return lock_ >= 0; }
    // Null when there is nothing to be taken up.
    Json::Value load() const;
    void save(const Json::Value& session) const;
    // What the last session left: its scene, if it had changes that no file has, becomes unsaved.json; the
    // path of that is returned, else "". Its recordings go.
    std::string clear() const;

  private:
    std::string folder_{};
    int lock_ = -1;
};

}  // namespace impuls::studio
