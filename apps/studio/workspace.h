// The folder that the page may read and write, and the shipped scenes, which it may only read. A path from
// the page is taken relative to the folder; links are followed before it is judged. Called by the session.
#pragma once

#include <string>
#include <vector>

namespace impuls::studio {

struct GalleryScene {
    std::string file{};   // to open it by
    std::string group{};  // its folder: examples
    std::string title{};
    std::string description{};
};

class Workspace {
  public:
    // Throws InputError when there is no such folder.
    Workspace(const std::string& folder, std::string gallery);

    const std::string& folder() const { return folder_; }
    // A file given on the command line may be read wherever it lies.
    void allow(const std::string& file);
    // The real paths of files to read and to write. Both throw InputError for a path outside.
    std::string to_read(const std::string& path) const;
    std::string to_write(const std::string& path) const;
    // Relative to the folder where it lies inside.
    std::string shown(const std::string& path) const;
    // Shipped scenes with their titles, in order of folders and names.
    std::vector<GalleryScene> gallery() const;
    // Scenes and recordings in the folder and one below, relative to it.
    std::vector<std::string> files() const;

  private:
    std::string folder_, gallery_;
    std::vector<std::string> allowed_{};
};

}  // namespace impuls::studio
