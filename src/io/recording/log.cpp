// The log of a recording, looked at without SQLite (log.h). Its layout:
// https://sqlite.org/fileformat2.html, 4.1: a header of 32 bytes (page size at 8, two salts at 16), then
// frames of 24 bytes (page number, size, the salts) and a page each. Frames with other salts are left from
// before.
#include "io/recording/log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>

#include "impuls/errors.h"
#include "io/files/input.h"

namespace impuls {

namespace {

constexpr std::size_t kHeader = 32, kFrameHeader = 24, kSchemaVersionAt = 40;

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 4; ++k) value = value << 8 | static_cast<unsigned char>(bytes[at + k]);
    return value;
}

std::string bytes_at(std::ifstream& in, std::uint64_t at, std::size_t count) {
    std::string bytes(count, '\0');
    in.seekg(static_cast<std::streamoff>(at));
    if (!in.read(bytes.data(), static_cast<std::streamsize>(count))) bytes.clear();
    return bytes;
}

// The schema version of the first page 1 in the log; none when there is no such page.
std::optional<std::uint32_t> logged_schema_version(const std::string& log) {
    std::ifstream in(log, std::ios::binary);
    const std::string header = bytes_at(in, 0, kHeader);
    if (header.empty()) return std::nullopt;
    const std::uint64_t page = number_at(header, 8);
    if (page < 512 || page > 65536) return std::nullopt;
    for (std::uint64_t at = kHeader;; at += kFrameHeader + page) {
        const std::string frame = bytes_at(in, at, kFrameHeader);
        if (frame.empty() || frame.compare(8, 8, header, 16, 8) != 0) return std::nullopt;
        if (number_at(frame, 0) != 1) continue;
        const std::string version = bytes_at(in, at + kFrameHeader + kSchemaVersionAt, 4);
        return version.empty() ? std::nullopt : std::optional(number_at(version, 0));
    }
}

}  // namespace

LogState log_state(const std::string& file) {
    for (const char* suffix : {"-wal", "-shm", "-journal"}) {
        std::error_code ignored;
        const auto status = std::filesystem::status(file + suffix, ignored);
        if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
            throw FileError(fmt::format("{}{}: is in the way; it is not a file", file, suffix));
    }
    const std::string log = file + "-wal";
    const std::string head = read_file_head(file, kSchemaVersionAt + 4);
    if (head.size() < kSchemaVersionAt + 4) return LogState::Fine;
    const bool is_open = head[18] == 2;  // closing a recording leaves the mode that needs a log
    std::error_code error;
    const auto size = std::filesystem::file_size(log, error);
    if (error) return is_open ? LogState::Missing : LogState::Fine;
    if (size == 0) return LogState::Fine;
    if (!is_open) return LogState::Foreign;
    const auto version = logged_schema_version(log);
    return !version || *version == number_at(head, kSchemaVersionAt) ? LogState::Fine : LogState::Foreign;
}

std::string log_warning(const std::string& file, LogState state) {
    if (state == LogState::Foreign)
        return fmt::format("{0}: the log {0}-wal beside it belongs to another recording; it is not used",
                           file);
    return fmt::format("{0}: was not closed, and its log {0}-wal is missing: what was recorded last is lost",
                       file);
}

}  // namespace impuls
