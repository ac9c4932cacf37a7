// Where exporters write: everything goes to a temporary name beside the target and gets its real name only
// when it is complete, so that nothing half-written is ever taken for a result.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

#include "impuls/recording.h"

namespace impuls {

// A file that appears under its name on finish(). All calls throw FileError.
class OutputFile {
  public:
    explicit OutputFile(const std::string& path);
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
    void finish();

  private:
    std::string path_;
    std::string temporary_;
    std::FILE* file_ = nullptr;
    fmt::memory_buffer buffer_{};
};

// A folder that appears under its name on finish(); an existing one must be empty.
class OutputFolder {
  public:
    explicit OutputFolder(const std::string& path);
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

    // Path for a file of that name while the folder is being filled.
    std::string path_of(const std::string& name) const { return temporary_ + "/" + name; }
    void finish();

  private:
    std::string path_;
    std::string temporary_;
};

using Progress = std::function<void(double)>;

// Calls visit(number, frame) for all frames in order and reports progress from `from` to `to`.
void for_each_frame(const Recording& recording, const Progress& progress, double from, double to,
                    const std::function<void(std::size_t, const Frame&)>& visit);

// "frame_000012.obj": the 12th frame of a recording.
std::string frame_file_name(std::size_t number, const char* extension);

}  // namespace impuls
