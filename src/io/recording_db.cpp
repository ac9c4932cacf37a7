// SQLite behind RAII, errors in plain words. Called by the recorder and the reader of recordings.
#include "io/recording_db.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <utility>

namespace impuls {

namespace {

std::string in_words(int code, int system_error) {
    if (code == SQLITE_FULL || system_error == ENOSPC || system_error == EDQUOT) return "the disk is full";
    if (system_error == EFBIG) return "the file may not grow any further (file size limit)";
    switch (code & 0xff) {
        case SQLITE_NOTADB:
        case SQLITE_CORRUPT:
            return "the recording is damaged";
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return "the recording is in use by another program";
        case SQLITE_READONLY:
            return "the file or its folder cannot be written";
        case SQLITE_CANTOPEN:
            return "the file cannot be opened";
        case SQLITE_TOOBIG:
            return "one entry is larger than a recording can hold";
        case SQLITE_NOMEM:
            return "not enough memory";
        default:
            return "the file cannot be read or written";
    }
}

}  // namespace

Database::Database(const std::string& file, int flags, const std::string& name) : name_(name) {
    // An absolute path keeps SQLite from reading a meaning into names such as ":memory:".
    const std::string path = (flags & SQLITE_OPEN_URI) != 0
                                 ? file
                                 : std::filesystem::absolute(std::filesystem::path(file)).string();
    const int code = sqlite3_open_v2(path.c_str(), &db_, flags, nullptr);
    if (code != SQLITE_OK) {
        const DatabaseError error(message(code), code);
        close();
        throw error;
    }
    sqlite3_extended_result_codes(db_, 1);
    sqlite3_busy_timeout(db_, 2000);
}

Database::Database(Database&& other) noexcept
    : db_(std::exchange(other.db_, nullptr)), name_(std::move(other.name_)) {}

Database& Database::operator=(Database&& other) noexcept {
    std::swap(db_, other.db_);
    std::swap(name_, other.name_);
    return *this;
}

void Database::close() {
    sqlite3_close_v2(db_);
    db_ = nullptr;
}

std::string Database::message(int code) const {
    const int kind = code & 0xff;
    const bool system = kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN || kind == SQLITE_FULL;
    const int system_error = system ? sqlite3_system_errno(db_) : 0;
    const std::string text = fmt::format("{}: {}", name_, in_words(code, system_error));
    if (system_error != 0) return fmt::format("{} ({})", text, std::strerror(system_error));
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
