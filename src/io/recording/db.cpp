// SQLite behind RAII, errors in plain words. Called by the recorder and the reader of recordings.
#include "io/recording/db.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <utility>

namespace impuls {

namespace {

constexpr std::uintmax_t kRoom = 256 * 1024;  // bytes; with less room than this a failed write means "full"

// SQLite's own account of the system error is lost too easily on its way up, so the cause is looked up
// afterwards.
bool is_at_size_limit(const std::string& file) {
    rlimit limit{};
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return false;
    std::error_code error;
    for (const char* suffix : {"", "-wal", "-shm"}) {
        const auto size = std::filesystem::file_size(file + suffix, error);
        if (!error && size + kRoom >= limit.rlim_cur) return true;
    }
    return limit.rlim_cur < kRoom;
}

bool is_disk_full(const std::string& file) {
    std::error_code error;
    const auto space = std::filesystem::space(std::filesystem::path(file).parent_path(), error);
    return !error && space.capacity > 0 && space.available < kRoom;  // 0: not a disk, such as /proc
}

// Why a file cannot be opened or written, looked up after the fact; "" when nothing is found.
std::string write_obstacle(const std::string& file) {
    const std::string folder = std::filesystem::path(file).parent_path().string();
    if (access(file.c_str(), F_OK) == 0 && access(file.c_str(), R_OK | W_OK) != 0) {
        return fmt::format("the file cannot be written ({})", std::strerror(errno));
    }
    if (access(folder.c_str(), W_OK | X_OK) != 0) {
        return fmt::format("its folder cannot be written ({})", std::strerror(errno));
    }
    if (is_at_size_limit(file)) return "the file may not grow any further (file size limit)";
    return is_disk_full(file) ? "the disk is full" : "";
}

std::string in_words(int code, const std::string& file) {
    switch (code & 0xff) {
        case SQLITE_FULL:
            return "the disk is full";
        case SQLITE_NOTADB:
        case SQLITE_CORRUPT:
            return "the recording is damaged";
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return "the recording is in use by another program";
        case SQLITE_TOOBIG:
            return "one entry is larger than a recording can hold";
        case SQLITE_NOMEM:
            return "not enough memory";
        case SQLITE_READONLY:
        case SQLITE_CANTOPEN:
        case SQLITE_IOERR: {
            const std::string obstacle = write_obstacle(file);
            return obstacle.empty() ? "the file cannot be read or written" : obstacle;
        }
        default:
            return "the file cannot be used";
    }
}

}  // namespace

Database::Database(const std::string& file, int flags, const std::string& name) : name_(name) {
    // An absolute path keeps SQLite from reading a meaning into names such as ":memory:".
    path_ = (flags & SQLITE_OPEN_URI) != 0 ? file
                                           : std::filesystem::absolute(std::filesystem::path(file)).string();
    const int code = sqlite3_open_v2(path_.c_str(), &db_, flags, nullptr);
    if (code != SQLITE_OK) {
        const DatabaseError error(message(code), code);
        close();
        throw error;
    }
    sqlite3_extended_result_codes(db_, 1);
    sqlite3_busy_timeout(db_, 2000);
}

Database::Database(Database&& other) noexcept
    : db_(std::exchange(other.db_, nullptr)), path_(std::move(other.path_)), name_(std::move(other.name_)) {}

Database& Database::operator=(Database&& other) noexcept {
    std::swap(db_, other.db_);
    std::swap(path_, other.path_);
    std::swap(name_, other.name_);
    return *this;
}

void Database::close() {
    sqlite3_close_v2(db_);
    db_ = nullptr;
}

std::string Database::message(int code) const {
    const std::string text = fmt::format("{}: {}", name_, in_words(code, path_));
    const int kind = code & 0xff;
    const bool detail = kind == SQLITE_ERROR || kind == SQLITE_CORRUPT;
    return detail ? fmt::format("{} ({})", text, sqlite3_errmsg(db_)) : text;
}

void Database::fail(int code) const {
    throw DatabaseError(message(code), code);
}

void Database::exec(const char* sql) {
    const int code = sqlite3_exec(db_, sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) fail(code);
}

std::string Database::value(const char* sql) {
    Statement statement(*this, sql);
    return statement.step() ? statement.text(0) : std::string();
}

Statement::Statement(const Database& db, const char* sql) : db_(&db) {
    check(sqlite3_prepare_v2(db.handle(), sql, -1, &statement_, nullptr));
}

Statement::Statement(Statement&& other) noexcept
    : db_(other.db_), statement_(std::exchange(other.statement_, nullptr)) {}

Statement& Statement::operator=(Statement&& other) noexcept {
    std::swap(db_, other.db_);
    std::swap(statement_, other.statement_);
    return *this;
}

void Statement::check(int code) {
    if (code == SQLITE_OK) return;
    sqlite3_reset(statement_);
    db_->fail(code);
}

Statement& Statement::bind(int place, std::int64_t value) {
    return check(sqlite3_bind_int64(statement_, place, value)), *this;
}

Statement& Statement::bind(int place, double value) {
    return check(sqlite3_bind_double(statement_, place, value)), *this;
}

Statement& Statement::bind(int place, std::string_view text) {
    return check(
               sqlite3_bind_text64(statement_, place, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8)),
           *this;
}

Statement& Statement::bind(int place, std::span<const std::byte> blob) {
    return check(sqlite3_bind_blob64(statement_, place, blob.data(), blob.size(), SQLITE_STATIC)), *this;
}

bool Statement::step() {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    sqlite3_reset(statement_);
    if (code != SQLITE_DONE) db_->fail(code);
    return false;
}

double Statement::real(int column) const {
    if (sqlite3_column_type(statement_, column) == SQLITE_NULL)
        return std::numeric_limits<double>::quiet_NaN();
    return sqlite3_column_double(statement_, column);
}

std::string Statement::text(int column) const {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return text == nullptr
               ? std::string()
               : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

std::span<const std::byte> Statement::blob(int column) const {
    const auto* bytes = static_cast<const std::byte*>(sqlite3_column_blob(statement_, column));
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

}  // namespace impuls
