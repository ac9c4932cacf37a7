// Where results are written: everything goes to a temporary name beside the target and gets its real name
// only when it is complete, so that nothing half-written is ever taken for a result, and on a full disk the
// old file is still there. What exists is replaced only on request. A symbolic link is followed: the file it
// points at is replaced, not the link. Called by exporters, and by commands that write a file.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace impuls {

enum class Existing { Refuse, Replace };

class OutputFolder;

// A file that appears under its name on finish(). Pipes and character devices (/dev/stdout) are written to
// directly. All calls throw FileError.
class OutputFile {
  public:
    OutputFile(const std::string& path, Existing existing);
    // A file of a folder that has not got its own name yet.
    OutputFile(const OutputFolder& folder, const std::string& name);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view text);
    template <class... Args>
    void print(fmt::format_string<Args...> format, Args&&... args) {
        buffer_.clear();
        fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
        write({buffer_.data(), buffer_.size()});
    }
    // All is written, and nothing but the name is missing: for several files that belong together.
    void complete();
    void finish();

  private:
    std::string path_;         // as given, for messages
    std::string target_{};     // behind symbolic links
    std::string temporary_{};  // empty: written directly
    Existing existing_;
    std::FILE* file_ = nullptr;
    fmt::memory_buffer buffer_{};
};

// A folder that appears under its name on finish(). An existing one must be empty; on request one is replaced
// that holds nothing but files of an earlier export.
class OutputFolder {
  public:
    OutputFolder(const std::string& path, Existing existing);
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

    // Path for a file of that name while the folder is being filled.
    std::string path_of(const std::string& name) const { return temporary_ + "/" + name; }
    void finish();

  private:
    std::string path_, target_, temporary_;
    bool is_replacing_ = false;
};

// The path behind symbolic links, which need not exist. Throws FileError for links in a circle.
std::string behind_links(const std::string& path);

// Removes what a program that is gone has left half-written beside a path: `path.PID.suffix`, with files or
// folders of that name and anything that follows it (`-wal`).
void remove_leftovers(const std::string& path, std::string_view suffix);

}  // namespace impuls
