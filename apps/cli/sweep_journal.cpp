// The journal of a sweep (sweep_journal.h).
#include "cli/sweep_journal.h"

#include <fcntl.h>
#include <json/reader.h>
#include <json/writer.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include <fmt/core.h>

#include "impuls/errors.h"

namespace impuls::cli {
namespace {

FileError journal_trouble(const char* what, const std::string& file) {
    return FileError(fmt::format("cannot {} {}: {}", what, file, std::strerror(errno)));
}

std::string on_one_line(const ::Json::Value& value) {
    ::Json::StreamWriterBuilder builder;
    builder["indentation"] = "";
    builder["precision"] = 17;
    return ::Json::writeString(builder, value);
}

bool parse_line(const std::string& line, ::Json::Value& value) {
    ::Json::CharReaderBuilder builder;
    const std::unique_ptr<::Json::CharReader> reader(builder.newCharReader());
    return reader->parse(line.data(), line.data() + line.size(), &value, nullptr) && value.isObject();
}

}  // namespace

Journal::Journal(const std::string& file, const ::Json::Value& sweep) : file_(file) {
    handle_ = open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (handle_ < 0) throw journal_trouble("open", file);
    if (flock(handle_, LOCK_EX | LOCK_NB) != 0) {
        close(handle_);
        throw InputError(fmt::format("another sweep is writing {}", file));
    }
    try {
        read(sweep);
    } catch (...) {
        close(handle_);
        throw;
    }
}

Journal::~Journal() {
    if (handle_ >= 0) ::close(handle_);
}

// The last line may be cut off: it goes, and its run is done again.
void Journal::read(const ::Json::Value& sweep) {
    std::string text;
    char buffer[4096];
    for (ssize_t n; (n = ::read(handle_, buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    const std::size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
    if (whole != text.size() && ftruncate(handle_, static_cast<off_t>(whole)) != 0)
        throw journal_trouble("shorten", file_);
    if (whole == 0) return append(sweep);
    for (std::size_t at = 0, line = 0; at < whole; ++line) {
        const std::size_t end = text.find('\n', at);
        ::Json::Value value;
        const bool is_good = parse_line(text.substr(at, end - at), value);
        if (line == 0 && !is_good) throw InputError(fmt::format("{} is no journal of a sweep", file_));
        if (line == 0 && value != sweep)
            throw InputError(
                fmt::format("{} is of another sweep (its scene, values, options or program differ): remove "
                            "it to begin anew",
                            file_));
        if (line > 0 && is_good && value["run"].isUInt64()) rows_[value["run"].asUInt64()] = value["row"];
        at = end + 1;
    }
}

void Journal::append(const ::Json::Value& line) {
    const std::string text = on_one_line(line) + "\n";
    if (::write(handle_, text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
        fsync(handle_) != 0)
        throw journal_trouble("write", file_);
}

void Journal::add(std::size_t run, const ::Json::Value& row) {
    ::Json::Value line(::Json::objectValue);
    line["run"] = static_cast<::Json::UInt64>(run);
    line["row"] = row;
    append(line);
    rows_[run] = row;
}

void Journal::remove() {
    if (unlink(file_.c_str()) != 0) throw journal_trouble("remove", file_);
}

}  // namespace impuls::cli
