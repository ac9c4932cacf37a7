// Temporary names, complete files. Called by all exporters.
#include "io/export/file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "impuls/errors.h"

namespace impuls {

namespace {

std::string temporary_name(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return fmt::format("{}.{}.part", path, getpid());
}

[[noreturn]] void fail(const std::string& path, int error) {
    throw FileError(fmt::format("{}: cannot be written ({})", path, std::strerror(error)));
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path), temporary_(temporary_name(path)) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) fail(path_, EISDIR);
    file_ = std::fopen(temporary_.c_str(), "wb");
    if (file_ == nullptr) fail(path_, errno);
}

OutputFile::~OutputFile() {
    if (file_ == nullptr) return;
    std::fclose(file_);
    std::remove(temporary_.c_str());
}

void OutputFile::write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail(path_, errno);
}

void OutputFile::finish() {
    if (std::fflush(file_) != 0) fail(path_, errno);
    std::fclose(std::exchange(file_, nullptr));
    if (std::rename(temporary_.c_str(), path_.c_str()) == 0) return;
    const int error = errno;
    std::remove(temporary_.c_str());
    fail(path_, error);
}

OutputFolder::OutputFolder(const std::string& path) : path_(path), temporary_(temporary_name(path)) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (std::filesystem::exists(status)) {
        if (!std::filesystem::is_directory(status)) fail(path_, ENOTDIR);
        if (!std::filesystem::is_empty(path, error) || error) {
            throw FileError(fmt::format("{}: the folder is not empty; remove it or choose another", path));
        }
    }
    std::filesystem::remove_all(temporary_, error);
    if (!std::filesystem::create_directory(temporary_, error)) fail(path_, error.value());
}

OutputFolder::~OutputFolder() {
    std::error_code ignored;
    if (!temporary_.empty()) std::filesystem::remove_all(temporary_, ignored);
}

void OutputFolder::finish() {
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail(path_, errno);
    temporary_.clear();
}

void for_each_frame(const Recording& recording, const Progress& progress, double from, double to,
                    const std::function<void(std::size_t, const Frame&)>& visit) {
    const std::vector<std::int64_t> steps = recording.frame_steps();
    for (std::size_t k = 0; k < steps.size(); ++k) {
        visit(k, recording.frame(steps[k]));
        if (progress)
            progress(from + (to - from) * static_cast<double>(k + 1) / static_cast<double>(steps.size()));
    }
}

std::string frame_file_name(std::size_t number, const char* extension) {
    return fmt::format("frame_{:06}.{}", number, extension);
}

}  // namespace impuls
