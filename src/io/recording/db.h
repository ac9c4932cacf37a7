// The few SQLite calls that recordings need, with every error turned into a FileError that names the file and
// says what is wrong in plain words.
#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "impuls/errors.h"

namespace impuls {

// A FileError that remembers the (extended) SQLite result code.
class DatabaseError : public FileError {
  public:
    DatabaseError(const std::string& message, int code) : FileError(message), code_(code) {}
    int code() const { return code_; }

  private:
    int code_;
};

class Statement;

class Database {
  public:
    Database() = default;
    // Opens with SQLITE_OPEN_ flags; `file` may be a URI when the flags say so, `name` is used in messages.
    Database(const std::string& file, int flags, const std::string& name);
    ~Database() { close(); }
    Database(Database&& other) noexcept;
    Database& operator=(Database&& other) noexcept;

    void exec(const char* sql);
    // The first column of the first row as text.
    std::string value(const char* sql);
    void close();
    sqlite3* handle() const { return db_; }
    [[noreturn]] void fail(int code) const;

  private:
    std::string message(int code) const;
    sqlite3* db_ = nullptr;
    std::string path_{};
    std::string name_{};
};

class Statement {
  public:
    Statement() = default;
    Statement(const Database& db, const char* sql);
    ~Statement() { sqlite3_finalize(statement_); }
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&& other) noexcept;

    Statement& bind(int place, std::int64_t value);
    Statement& bind(int place, double value);
    Statement& bind(int place, std::string_view text);
    Statement& bind(int place, std::span<const std::byte> blob);
    // True when a row is there; false at the end (the statement is then ready for new values).
    bool step();
    // Runs a statement without rows.
    void run() {
        while (step()) {
        }
    }
    void reset() { sqlite3_reset(statement_); }

    std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
    // NaN is stored as NULL.
    double real(int column) const;
    std::string text(int column) const;
    // Valid until the next step.
    std::span<const std::byte> blob(int column) const;

  private:
    void check(int code);
    const Database* db_ = nullptr;
    sqlite3_stmt* statement_ = nullptr;
};

}  // namespace impuls
